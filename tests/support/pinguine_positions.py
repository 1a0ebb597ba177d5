"""Short ways to set up, play and name things in the tests of Pinguine."""

from __future__ import annotations

from spielleiter.games.pinguine import Move, State
from spielleiter.games.pinguine.notation import PinguineNotation
from spielleiter.games.pinguine.rules import PINGUINE_2023

NOTATION = PinguineNotation(PINGUINE_2023)


def position(board: str, fish: str = "4-4", turn: int = 8) -> State:
    """A position; holes at the end of a row and of the board need not be written."""
    rows = board.split("/")
    rows += [""] * (8 - len(rows))
    return NOTATION.parse_state(f"pinguine-2023 {'/'.join(row.ljust(8, '.') for row in rows)} {fish} {turn}")


def move(state: State, text: str) -> Move:
    return NOTATION.parse_move(state, text)


def play(state: State, *moves: str) -> State:
    for text in moves:
        state = state.play(move(state, text))
    return state


def board_text(state: State) -> str:
    """The rows without the holes at the end of the board."""
    return NOTATION.format_state(state).split()[1].rstrip("/.")


def moves_of(state: State) -> set[str]:
    return {str(found) for found in state.legal_moves()}
