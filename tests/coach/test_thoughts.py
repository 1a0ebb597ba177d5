"""What the coach says of a player's own notes at a costly move."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.coach.thoughts import thought_text
from spielleiter.game import Team
from spielleiter.game.note import PlayerNote
from spielleiter.games import load
from spielleiter.records.history import RecordedNotes

GAME = load("piranhas-2026")
START = GAME.new_state(Random(3))


def move(text: str) -> Any:
    return next(each for each in START.legal_moves() if GAME.notation.format_move(START, each) == text)


PLAYED, BEST = move("A1-A9"), move("A2-C4")


def said(**note: Any) -> str:
    noted = RecordedNotes(0, Team.ONE, (PlayerNote(**note),))
    return thought_text(GAME, START, PLAYED, BEST, noted, 0.4).en


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((("A9", 0.83),), "Your player noted 0.83 for A9, and did not look at C4."),
        ((("A9", 0.83), ("C4", 0.2)), "Your player noted 0.83 for A9, and 0.20 for C4."),
        ((("C4", 12.0),), "Your player noted nothing for A9, but 12 for C4."),
        ((), ""),
    ],
)
def test_the_values_of_the_played_and_of_the_better_move_are_compared(values: Any, sentence: str) -> None:
    assert said(values=values) == sentence


def test_the_own_chance_stands_beside_that_of_the_engine() -> None:
    assert said(chance=0.83) == "It saw itself at 83 %, the engine at 40 %."
    assert said(text="hm") == ""


def test_a_move_that_covers_many_squares_is_called_by_its_notation() -> None:
    game = load("blokus-2027")
    state = game.new_state(Random(1))
    first, *_, last = state.legal_moves()
    board = game.board_input
    assert board is not None
    cell = board.square_name(board.move_squares(state, first)[0])
    text = thought_text(game, state, first, last, RecordedNotes(0, Team.ONE, (PlayerNote(values=((cell, 1.0),)),)), 0.5)
    assert text.de.startswith(f"Dein Spieler notierte 1 für {game.notation.format_move(state, first)}")
