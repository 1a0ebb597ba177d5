"""The team: tries out what it has, finds a crash before the contest does, uploads, and plays a friendly game."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.contest_site import sandbox
from tests.support.terminal import Terminal
from tests.support.uploads import jar, official_kit

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux"),
    pytest.mark.sandbox,
]
GAME = "ostseeschach-2022"
PLAYER = f"""
from random import Random
from spielleiter.client import play

rng = Random(1)
play(lambda state, seconds: rng.choice(state.legal_moves()), game="{GAME}")
"""
LATE_CRASH = f"""
from spielleiter.client import play

print("Moin!")
book = [0] * 9
moves = []


def choose(state, seconds):
    moves.append(state.turn)
    first = book[len(moves) - 1]
    return state.legal_moves()[first]


play(choose, game="{GAME}")
"""
FIX = "first = book[len(moves) - 1] if len(moves) <= len(book) else 0"
SEASON = f"""
[season]
name = "Walk"
game = "{GAME}"
games = 2
sandbox = "SANDBOX"
[championship]
[[teams]]
name = "Kieler Sprotten"
[[teams]]
name = "Bitschubser"
player = "random"
"""
GOOD_GAMES = re.compile(r"✓ plays on both sides to the end: two games without a fault, (\d+) moves")


def test_a_team_tries_out_its_programs(terminal: Terminal) -> None:
    """The official kit's ZIP, a player of our own kit, a JAR, and a program that crashes in its tenth move."""
    folder = terminal.folder
    official_kit(folder / "kit.zip", PLAYER)
    (folder / "late.py").write_text(LATE_CRASH)
    windows = {
        "kit": "spielleiter check kit.zip",
        "own": f"spielleiter new hugo --game {GAME} && spielleiter pack hugo -o hugo.zip",
        "late": "spielleiter check late.py",
    }
    if shutil.which("javac"):
        (folder / "bot.jar").write_bytes(jar())
        windows["jar"] = "spielleiter match bot.jar random --games 2 --no-report"
    at_once = "".join(
        f"({command} && echo exit code 0 || echo exit code $?) > {name}.txt 2>&1 &\n"
        for name, command in windows.items()
    )
    terminal.run(f"{at_once}wait")
    said = {name: (folder / f"{name}.txt").read_text() for name in windows}
    for name in ("kit", "own"):
        games = GOOD_GAMES.search(said[name])
        assert games is not None, said[name]
        assert int(games[1]) >= 10, "whole games"
        assert said[name].endswith("All is well.\nexit code 0\n"), said[name]
    crash = r"✗ plays on both sides to the end: .*IndexError: list index out of range in late\.py, line 11"
    assert re.search(crash, said["late"]), said["late"]
    assert "All is well" not in said["late"]
    assert said["late"].endswith("exit code 1\n"), said["late"]
    if "jar" in said:
        assert "all games are played" in said["jar"], said["jar"]
        assert said["jar"].endswith("exit code 0\n"), said["jar"]
        assert not re.search("crashed|did not start|left the game", said["jar"]), said["jar"]


def test_a_team_uploads_its_program_and_plays_a_friendly_game(
    terminal: Terminal, open_page: Callable[..., Any], tmp_path: Path
) -> None:
    player = tmp_path / "hugo.py"
    player.write_text(LATE_CRASH.replace("first = book[len(moves) - 1]", FIX))
    (tmp_path / "season.toml").write_text(SEASON.replace("SANDBOX", sandbox()))
    invited = terminal.run("spielleiter contest invite --team 'Kieler Sprotten'")
    [invitation] = re.findall(r"/contest/invitation/\S+", invited)
    page = open_page()
    page.goto(terminal.pages("--season season.toml").rstrip("/") + invitation)
    page.get_by_label("Name, mit dem du dich anmeldest").fill("ada")
    page.get_by_label("Passwort", exact=True).fill("ein langer Satz für Ada")
    page.get_by_label("Passwort wiederholen").fill("ein langer Satz für Ada")
    page.get_by_role("button", name="Konto anlegen").click()
    page.get_by_label("Neues Programm hochladen").set_input_files(player)
    page.get_by_role("button", name="Hochladen und prüfen").click()
    page.get_by_role("link", name="Zum Ergebnis").click()
    page.get_by_text("Moin!").first.wait_for()
    checked = page.locator("main").inner_text()
    games = re.search(r"zwei Spiele ohne Fehler, (\d+) Züge", checked)
    assert games is not None, checked
    assert int(games[1]) >= 10, "whole games"
    assert "✗" not in checked
    page.get_by_role("button", name="Aktivieren").click()
    page.get_by_label("Gegner").select_option("Bitschubser")
    page.get_by_role("button", name="Herausfordern").click()
    page.get_by_role("link", name="Ansehen").click()
    page.get_by_role("link", name="Ausgabe von Spiel 2").wait_for()
    result = page.locator("#encounter").inner_text()
    assert re.search(r"\d : \d", result), result
    assert "nicht gestartet" not in result
    page.get_by_role("link", name="Ausgabe von Spiel 2").click()
    page.get_by_text("Moin!").first.wait_for()
