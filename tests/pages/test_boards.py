"""Boards as pages show them."""

from __future__ import annotations

from random import Random

from spielleiter import games
from spielleiter.pages import boards


def test_the_dark_colors_come_from_the_pictures_themselves() -> None:
    css = boards.game_colors()
    assert css.count("[data-game=") == len({game.family for game in games.all_games().values()})
    assert "--sl-paper:#14181d" in css
    game = games.load("piranhas-2026")
    picture = boards.board(game, game.new_state(Random(0)))
    assert "<style" not in picture
    assert "var(--sl-" in picture


def test_a_game_says_in_which_colors_pages_show_its_teams() -> None:
    light, dark = boards.game_colors().split("@media")
    for game in games.all_games().values():
        for team in game.team_colors or ():
            for color in team:
                assert f'[data-family="{game.family}"]' in light
                assert color[0] in light
                assert color[1] in dark
    assert '[data-family="blokus"]' in light
    assert "piranhas" not in light, "red and blue, as in the style sheet"
