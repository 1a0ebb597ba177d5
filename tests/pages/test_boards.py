"""Boards as pages show them."""

from __future__ import annotations

from random import Random

from spielleiter import games
from spielleiter.pages import boards


def test_the_dark_colors_come_from_the_pictures_themselves() -> None:
    css = boards.dark_colors()
    assert css.count("[data-game=") == len({game.key.split("-")[0] for game in games.all_games().values()})
    assert "--sl-paper:#14181d" in css
    game = games.load("piranhas-2026")
    picture = boards.board(game, game.new_state(Random(0)))
    assert "<style" not in picture
    assert "var(--sl-" in picture
