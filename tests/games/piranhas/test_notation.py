"""Positions and moves of Piranhas as text."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import NotationError
from spielleiter.games.piranhas import Direction, Move

START = "piranhas-2019 1BBBBBBBB1/R8R/R8R/R8R/R2K5R/R8R/R4K3R/R8R/R8R/1BBBBBBBB1 0"
WEIGHTED = "piranhas-2026 1sssmmmll1/S8L/S8S/S8S/S2K5S/S8S/S4K3S/S8S/S8S/1ssssssss1 0 -"


@pytest.mark.parametrize("text", [START, WEIGHTED, WEIGHTED.replace(" 0 -", " 17 TWO")])
def test_a_position_comes_back_letter_by_letter(text: str) -> None:
    game, state = games.parse_position(text)
    assert game.notation.format_state(state) == text


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("piranhas-2019", "expected the key of the game, the board, the turn, but found 1 word", 13),
        (f"{START} -", "but found 4 words", len(START) + 1),
        (START.replace("piranhas-2019", "piranhas-2026"), "the first union", len(START)),
        (START.replace("/R8R/", "/", 1), "expected ten rows", 14),
        (START.replace("R2K5R", "R2X5R"), "expected one of R, B, K or a number of empty squares in row 5", 39),
        (START.replace("R2K5R", "R2K4R"), "expected ten squares in row 5, but found 9", 37),
        (START.replace("R2K5R", "R2K99999999999999999999R"), "expected ten squares in row 5", 37),
        (START.replace("R2K5R", "R0K5R"), "in row 5", 38),
        (START.removesuffix("0") + "61", "expected the turn, 0 to 60", len(START) - 1),
        (START.removesuffix("0") + "-1", "expected the turn", len(START) - 1),
        (START.removesuffix("0") + "²", "expected the turn", len(START) - 1),
        (WEIGHTED.removesuffix("-") + "THREE", "expected ONE or TWO", len(WEIGHTED) - 1),
        (START.replace("R8R", "S8S", 1), "expected one of R, B, K", 25),
    ],
)  # fmt: skip
def test_a_wrong_position_is_refused_with_the_place(text: str, problem: str, at: int) -> None:
    with pytest.raises(NotationError) as refused:
        games.parse_position(text)
    assert problem in refused.value.problem.en
    assert refused.value.at == at


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("A4-C4", Move(0, 4, Direction.RIGHT)),
        ("a4c4", Move(0, 4, Direction.RIGHT)),
        (" A2xC0 ", Move(0, 2, Direction.DOWN_RIGHT)),
        ("A2-C0", Move(0, 2, Direction.DOWN_RIGHT)),
        ("A4 right", Move(0, 4, Direction.RIGHT)),
        ("J8 DOWN_LEFT", Move(9, 8, Direction.DOWN_LEFT)),
    ],
)
def test_moves_are_read_in_the_ways_people_write_them(text: str, move: Move) -> None:
    game, state = games.parse_position(START)
    assert game.notation.parse_move(state, text) == move


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected a move like A4-C4"),
        ("K4-C4", "expected a move like A4-C4"),
        ("A4-D4", "A4 RIGHT leads to C4 in this position"),
        ("A4-A4", "expected two squares on one straight or diagonal line"),
        ("A4-C5", "expected two squares on one straight or diagonal line"),
        ("A4 SIDEWAYS", "expected a direction: UP, UP_RIGHT"),
        ("C9-A9", "C9 LEFT leads off the board"),
    ],
)
def test_a_wrong_move_is_refused_with_what_was_expected(text: str, problem: str) -> None:
    game, state = games.parse_position(START)
    with pytest.raises(NotationError, match=problem):
        game.notation.parse_move(state, text)


def test_an_illegal_move_has_a_text_too() -> None:
    game, state = games.parse_position(START)
    assert game.notation.format_move(state, Move(0, 4, Direction.LEFT)) == "A4 LEFT"
    assert game.notation.format_move(state, Move(12, 4, Direction.LEFT)) == "(12,4) LEFT"


def test_the_picture_and_the_text_show_where_the_last_fish_went() -> None:
    game = games.load("piranhas-2026")
    state = game.new_state(Random(1))
    after = state.play(game.notation.parse_move(state, "A2xC0"))
    assert after.last_target == (2, 0)
    assert "last move A2-C0" in game.draw_text(after, False)
