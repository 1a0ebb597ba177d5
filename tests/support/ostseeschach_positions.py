"""Short ways to set up, play and name things in the tests of Ostseeschach."""

from __future__ import annotations

from spielleiter import games
from spielleiter.games.ostseeschach import Move, State


def position(board: str, ambers: str = "0-0", turn: int = 20) -> State:
    _, state = games.parse_position(f"ostseeschach-2022 {board} {ambers} {turn}")
    assert isinstance(state, State)
    return state


def move(state: State, text: str) -> Move:
    found = games.load(state.rules.key).notation.parse_move(state, text)
    assert isinstance(found, Move)
    return found


def play(state: State, *moves: str) -> State:
    for text in moves:
        state = state.play(move(state, text))
    return state


def board_text(state: State) -> str:
    return games.load(state.rules.key).notation.format_state(state).split()[1]


def moves_of(state: State) -> set[str]:
    return {str(found) for found in state.legal_moves()}
