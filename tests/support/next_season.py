"""Next year's game: a toy game put beside the real ones, for this process and those that it starts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.pages import boards

FOLDER = Path(__file__).parents[1] / "games" / "new_season"


@pytest.fixture
def tictactoe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[AnyGame]:
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(FOLDER)])
    (tmp_path / "sitecustomize.py").write_text(
        f"from spielleiter import games\ngames.__path__.append({str(FOLDER)!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))))
    _forget()
    yield games.load("tictactoe-2028")
    _forget()


def _forget() -> None:
    games.all_games.cache_clear()
    games.state_shapes.cache_clear()
    boards.game_colors.cache_clear()
