"""Next year's game, as ``new-game`` writes it, put beside the real ones for this process and those that it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.cli.new_game import NewGame
from spielleiter.game import AnyGame
from spielleiter.pages import boards

_SITE = """\
import os, sys
if os.environ.get("WITHOUT_ENGINE"):
    sys.modules["spielleiter._engine"] = None
from spielleiter import games
games.__path__.append({folder!r})
"""


@pytest.fixture(scope="session")
def next_season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the folder of the new game, and what puts it beside the others in every Python that starts."""
    folder = tmp_path_factory.mktemp("next_season")
    game = NewGame("tictactoe", 2028, "Tic-tac-toe", inside="spielleiter.games.")
    game.write_package(folder / "tictactoe")
    (folder / "sitecustomize.py").write_text(_SITE.format(folder=str(folder)), encoding="utf-8")
    return folder


def play_at_a_table(page: Any, address: str, game: str, opponent: str) -> None:
    """Play a game by clicks against a built-in player, to its end."""
    page.goto(f"{address.rstrip('/')}/tables/new?game={game}")
    page.get_by_label("Stärke").last.select_option(opponent)
    page.get_by_role("button", name="Los geht’s").click()
    for own in range(13):
        page.locator(".status .mine, .status .over").first.wait_for()
        if page.locator(".status .over").count():
            break
        page.locator(".cell.target").first.click()
        # Our own move, and then the one of the computer.
        page.locator("#moves li").nth(2 * own + 1).or_(page.locator(".status .over")).first.wait_for()
    page.locator(".status .over").wait_for()
    assert page.locator("#moves li").count() >= 7
    said = page.inner_text("#status")
    assert "gewinnt" in said or "nentschieden" in said


@pytest.fixture
def tictactoe(monkeypatch: pytest.MonkeyPatch, next_season: Path) -> Iterator[AnyGame]:
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(next_season)])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(next_season), os.environ.get("PYTHONPATH")))))
    _forget()
    yield games.load("tictactoe-2028")
    _forget()


def _forget() -> None:
    games._folders.cache_clear()
    games._games_in.cache_clear()
    games._own_games.cache_clear()
    games.all_games.cache_clear()
    games.state_shapes.cache_clear()
    boards.game_colors.cache_clear()
