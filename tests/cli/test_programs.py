"""What a command says about the sandbox in which it starts programs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.cli.programs import Sandbox, choose_level, named_game, warn_if_weaker
from spielleiter.programs.entrants import resolve
from spielleiter.programs.sandbox import AUTO, Choice, Level
from spielleiter.text import Text


def test_the_option_knows_every_level() -> None:
    assert [choice.value for choice in Sandbox] == [AUTO, *(level.value for level in Level)]


def test_a_weaker_sandbox_is_said_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def choose(wanted: str, *, untrusted: bool) -> Choice:
        missed = ((Level.BUBBLEWRAP, Text("fehlt", "is not installed")),)
        return Choice(Level.LIMITS, missed if wanted == AUTO else ())

    monkeypatch.setattr("spielleiter.cli.programs.choose", choose)
    assert asyncio.run(choose_level(Sandbox.AUTO)) is Level.LIMITS
    assert "bubblewrap does not work here: is not installed" in capsys.readouterr().err
    assert asyncio.run(choose_level(Sandbox.LIMITS)) is Level.LIMITS
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ('play(choose, game="ostseeschach-2022")', "ostseeschach-2022"),
        ('GAMES = ["piranhas-2026", "blokus-2021"]', games.CURRENT_SEASON),
        ("this is (no Python", games.CURRENT_SEASON),
    ],
)
def test_players_that_name_one_game_play_it(source: str, key: str, tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(source)
    (tmp_path / "start.sh").write_text("#!/bin/sh\nexec python3 player.py\n")
    assert named_game([resolve(str(tmp_path)), resolve("greedy")]).key == key


def test_without_the_engine_the_strongest_player_here_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = games.load("piranhas-2026")
    monkeypatch.setattr("spielleiter.cli.terminal._language", "en")
    why = Text("Die Engine fehlt; die Suche in Python springt ein.", "No engine; the search in Python takes its place.")
    monkeypatch.setattr("spielleiter.search.engine.why_unavailable", lambda key=None: why)
    warn_if_weaker(["club", "expert:nodes=9", "solid"], game)
    said = capsys.readouterr().err.splitlines()
    assert said == [f"club: {why.en}", f"expert: {why.en}", "The strongest player here is solid."]
    warn_if_weaker(["solid", "random"], game)
    assert capsys.readouterr().err == ""
