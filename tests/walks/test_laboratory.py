"""Somebody who wants to know whether the new version is stronger: queues tests in the browser, and loses no game."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.terminal import Terminal
from tests.support.waiting import wait_until
from tests.support.web_browser import DEVICES, Open, check_look, looks

PLAYER = "from spielleiter.client import play\n\nplay(lambda state, seconds: state.legal_moves()[{}])\n"


def lines(results: Path) -> list[str]:
    """The games that are played, without one that is being written."""
    return results.read_text().split("\n")[:-1] if results.exists() else []


def llr(page: Any) -> float:
    text: str = page.locator(".llr-value strong").inner_text()
    return float(text.replace("−", "-").replace(",", "."))


def serve(terminal: Terminal) -> str:
    return terminal.serve("spielleiter lab serve mylab --no-browser --port 13055 --game-port 0", r"http://\S+/lab")[0]


def test_a_test_is_watched_stopped_killed_and_resumed_and_no_game_is_lost(
    terminal: Terminal, open_page: Open, load: str
) -> None:
    home = serve(terminal)
    page = open_page(**DEVICES["computer"])
    page.goto(home)
    page.get_by_label("Neue Version").fill("greedy")
    page.get_by_label("Alte Version").fill("random")
    page.get_by_label("H0: Elo").fill("20")
    page.get_by_label("H1: Elo").fill("0")
    page.get_by_text("Mehr", exact=True).click()
    page.get_by_label("ohne eigene Prozesse").check()
    page.get_by_label("Spiel", exact=True).select_option("piranhas-2026")
    page.get_by_label("Notiz").fill("ob das geht?")
    page.get_by_role("button", name="In die Warteschlange").click()
    expect(page.get_by_role("alert")).to_have_text("Ein SPRT braucht elo0 < elo1, nicht 20 und 0.")
    page.complaints.clear()  # The browser names the status of that answer.
    expect(page.get_by_label("Alte Version")).to_have_value("random")
    page.get_by_label("H0: Elo").fill("0")
    page.get_by_label("H1: Elo").fill("20")
    page.get_by_role("button", name="In die Warteschlange").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Test 1: greedy – random")
    expect(page.locator(".llr-value strong")).not_to_have_text("0,00")
    first = llr(page)
    page.wait_for_function(
        "first => Number(document.querySelector('.llr-value strong').textContent"
        ".replace('−', '-').replace(',', '.')) > first",
        arg=first,
    )
    page.get_by_role("button", name="Anhalten").click()
    expect(page.locator("#lab-test .badge")).to_have_text("angehalten")
    results = terminal.folder / "mylab" / "tests" / "1" / "results.jsonl"
    stopped = lines(results)
    assert 4 <= len(stopped) < 100, "it was stopped in its midst"

    page.get_by_role("button", name="Fortsetzen").click()
    expect(page.locator("#lab-test .badge")).to_have_text("läuft")
    assert "läuft" in terminal.run("spielleiter --lang de lab list mylab")
    wait_until(lambda: len(lines(results)) > len(stopped) + 2)
    server = terminal.last
    server.send_signal(signal.SIGKILL)
    server.wait()
    killed = lines(results)
    assert killed[: len(stopped)] == stopped
    expect(page.locator("#lost")).to_be_visible()

    # Others may be submitted meanwhile: two commits of a player, and one that does not start.
    for role in ("AUTHOR", "COMMITTER"):
        terminal.environment |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example"}
    terminal.run("git init -q hugo")
    for move in (0, -1):
        (terminal.folder / "hugo" / "player.py").write_text(PLAYER.format(move))
        terminal.run("git -C hugo add .; git -C hugo commit -q -m better")
    (terminal.folder / "broken.py").write_text("import nonsense\n")
    submit = "spielleiter --lang en lab submit mylab"
    options = "--game piranhas-2026 --seconds 1 --sprt '' --pairs"
    assert "Test 2 waits." in terminal.run(f"{submit} broken.py random {options} 9")
    assert "Test 3 waits." in terminal.run(f"{submit} hugo@HEAD hugo@HEAD~1 {options} 1")

    serve(terminal)
    expect(page.locator("#lost")).to_be_hidden()
    page.complaints.clear()  # A browser says so if a server is gone.
    expect(page.locator("#lab-test .badge").first).to_have_text("H1 angenommen")
    games = [json.loads(line)["id"] for line in lines(results)]
    assert lines(results)[: len(killed)] == killed, "what was played is kept"
    assert len(set(games)) == len(games) > len(killed)
    assert llr(page) >= 2.94

    page.goto(home)
    ended = page.locator("#lab-ended li")
    expect(ended.filter(has_text="hugo@").locator(".badge")).to_have_text("beendet")
    expect(ended.filter(has_text="broken@")).to_contain_text("3-mal hintereinander nicht gestartet")
    expect(ended.filter(has_text="ob das geht?").locator(".badge")).to_have_text("H1 angenommen")
    page.get_by_role("link", name=re.compile(r"hugo@\w+ – hugo@\w+")).click()
    page.get_by_role("link", name="Verlauf von hugo").click()
    expect(page.locator("svg.plot .dot")).to_have_count(2)
    page.get_by_role("link", name=re.compile(r"hugo@\w+ – hugo@\w+")).click()
    page.get_by_role("link", name="1v2-00001a").click()
    page.wait_for_url("**/replay/**")

    phone = open_page(**DEVICES["phone"])
    for address in ("/lab", "/lab/test/1", "/lab/test/2", "/lab/player/hugo"):
        for device, look_at in (("computer", page), ("phone", phone)):
            look_at.goto(home.removesuffix("/lab") + address)
            for look in looks(look_at, device):
                check_look(look_at, look)
