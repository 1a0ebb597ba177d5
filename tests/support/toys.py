"""Two tiny games that a search can see to the end, and a clock and a minimax that are too simple to be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf
from random import Random
from typing import Any, Self

from spielleiter.game import AnyGame, End, Outcome, Team, Text, random_game
from spielleiter.search import final_value


class PebblesEnd(End):
    LAST = Text("der letzte Stein", "the last pebble")


@dataclass(frozen=True, slots=True)
class PebblesRules:
    key: str = "pebbles"


@dataclass(frozen=True, slots=True)
class Pebbles:
    """Take one to three pebbles; who takes the last one wins. Who takes exactly two moves again."""

    left: int
    to_move: Team = Team.ONE
    turn: int = 0
    rules: PebblesRules = PebblesRules()
    last_move: int | None = field(default=None, compare=False)
    winner: Team | None = None

    @property
    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome(self.winner, PebblesEnd.LAST)

    def legal_moves(self) -> Sequence[int]:
        return range(1, min(3, self.left) + 1)

    def violation(self, move: int) -> None:
        return None

    def play(self, move: int) -> Self:
        return self.play_unchecked(move)

    def play_unchecked(self, move: int) -> Self:
        left = self.left - move
        team = self.to_move if move == 2 else self.to_move.opponent
        return type(self)(left, team, self.turn + 1, self.rules, move, None if left else self.to_move)

    def points(self, team: Team) -> tuple[int, ...]:
        return (2 * (not self.left and self.winner is team),)


@cache
def can_win(left: int) -> bool:
    """Whether the team to move can take the last of so many pebbles."""
    return any(
        take == left or (can_win(left - take) if take == 2 else not can_win(left - take))
        for take in range(1, min(3, left) + 1)
    )


def no_idea(state: Any, team: Team) -> float:
    return 0.0


class TickingClock:
    """A clock that goes on by ``step`` seconds whenever it is read, and by a whole list of steps in turn."""

    def __init__(self, *steps: float) -> None:
        self.now = 100.0
        self._steps = steps
        self.readings = 0

    def __call__(self) -> float:
        now = self.now
        self.now += self._steps[self.readings % len(self._steps)]
        self.readings += 1
        return now


Moves = Callable[[Any], Sequence[Any]]


def minimax(state: Any, depth: int, game: AnyGame) -> float:
    """The value for the team to move: every move, no window, no memory."""
    if (outcome := state.outcome) is not None:
        return final_value(state, outcome, state.to_move)
    if depth > 0:
        best, moves = -inf, game.promising_moves(state)
    else:
        best, moves = game.evaluate(state, state.to_move), game.noisy_moves(state) if game.noisy_moves else ()
    for move in moves:
        after = state.play(move)
        value = minimax(after, depth - 1, game)
        best = max(best, value if after.to_move is state.to_move else -value)
    return best


def some_positions(game: AnyGame, seed: int) -> list[Any]:
    """Positions of a random game in which it still runs: early, in the middle and just before the end."""
    states = list(random_game(game.new_state(Random(seed)), Random(seed)))[:-1]
    return [states[len(states) * part // 10] for part in (0, 4, 8)] + states[-2:]
