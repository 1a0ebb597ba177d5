"""Boards as pages show them."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.game import AnyGame, Arrow, Look, Team
from spielleiter.game.note import PlayerNote
from spielleiter.pages import boards
from spielleiter.records.history import RecordedNotes


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


def test_a_number_on_a_cell_is_short() -> None:
    numbers = (0.83, -0.5, -0.008756, 0.0, 3.0, 12.345, 1234.5, 1e12, -1e-9)
    shown = [boards.value_label(number, "de") for number in numbers]
    assert shown == ["0,83", "−0,5", "−0,009", "0", "3", "12,3", "1234", "1e+12", "0"]


@pytest.mark.parametrize("game", games.seasons(), ids=lambda game: game.key)
def test_what_a_player_noted_is_drawn_on_every_board(game: AnyGame) -> None:
    state = game.new_state(Random(1))
    board = game.board_input
    assert board is not None
    first, second, *_, last = (square for row in board.rows for square in row)
    one, two, three = (board.square_name(square) for square in (first, second, last))
    first_note = PlayerNote(values=((one, 1.0), (two, -4.0), ("nowhere", 9.0)), arrows=((one, three), (two, one)))
    noted = RecordedNotes(0, Team.ONE, (first_note, PlayerNote(values=((one, 0.25),), squares=(three,))))
    look = boards.notes_look(game, noted, Look(), "de")
    assert [(each.square, each.label) for each in look.values] == [(first, "0,25"), (second, "−4")]
    assert [highlight.square for highlight in look.highlights] == [last]
    assert look.arrows == (Arrow(second, first, "faint"), Arrow(first, last, "arrow"))
    svg = boards.board(game, state, look=look)
    assert ">0,25</text>" in svg
    assert ">−4</text>" in svg
    assert "var(--sl-cold," in svg
