"""Counting move sequences: the sharpest short test of a move generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from spielleiter.game.state import GameState, MoveT, StateT


def perft(state: StateT, depth: int, moves: Callable[[StateT], Sequence[MoveT]] | None = None) -> int:
    """The number of move sequences of length ``depth``; a finished game is not continued.

    ``moves`` says which moves count; all legal ones if it is not given.
    """
    if depth == 0:
        return 1
    choices: Sequence[MoveT] = state.legal_moves() if moves is None else moves(state)
    if depth == 1:
        return len(choices)
    return sum(perft(state.play_unchecked(move), depth - 1, moves) for move in choices)


def random_game(state: StateT, rng: Random) -> Iterator[StateT]:
    """The states of one random game, from ``state`` to the end, both included."""
    yield state
    while moves := state.legal_moves():
        state = state.play_unchecked(rng.choice(moves))
        yield state


def playout(state: StateT, rng: Random) -> StateT:
    """The final state of one random game from ``state``."""
    choice = rng.random
    while moves := state.legal_moves():
        state = state.play_unchecked(moves[int(choice() * len(moves))])
    return state


def divide(state: GameState[MoveT], depth: int) -> dict[MoveT, int]:
    """Perft split by the first move, to find the branch in which two generators differ."""
    return {move: perft(state.play_unchecked(move), depth - 1) for move in state.legal_moves()}
