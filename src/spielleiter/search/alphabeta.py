"""Alpha-beta search: looking ahead move by move, without looking at what cannot matter.

The idea in three sentences. The value of a position is the best that the team to move can reach, if the opponent then
does the best for itself, and so on; at some depth we stop and estimate. While we look for the best move we know a
window: ``alpha``, what the team to move is already sure of elsewhere, and ``beta``, what the opponent will not let it
exceed. As soon as a move reaches ``beta``, the opponent will avoid this position, and its other moves need no look.

The rest serves to find the good moves first, because then the window closes early: we search depth 1, then 2, then 3
(*iterative deepening*), remember every position (*transposition table*) and what was best there, and try first what
has refuted similar positions (*killers*, *history*).

Values are always for the team to move. Teams need not alternate: whether a value changes its sign on the way up is
decided by comparing whose move it is, never by counting.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import inf
from random import Random
from typing import Any, Generic, NamedTuple

from spielleiter.errors import BudgetSpent
from spielleiter.game import MoveT, StateT, Team
from spielleiter.search.budget import Budget, Clock, Meter
from spielleiter.search.result import SearchResult, final_value

SOLVED = 10**6
"""The depth of what is known to the end of the game: deeper than any search."""


class _Known(NamedTuple):
    """What the table knows of a position: its value lies between ``low`` and ``high``."""

    depth: int
    """How far was looked ahead to know it."""
    low: float
    high: float
    move: Any
    """The move that did best, or ``None``. A tuple with a type variable needs Python 3.11."""


class AlphaBeta(Generic[StateT, MoveT]):
    """A searcher for one game, which remembers what it saw from one search to the next."""

    def __init__(
        self,
        evaluate: Callable[[StateT, Team], float],
        *,
        moves: Callable[[StateT], Sequence[MoveT]] | None = None,
        noisy_moves: Callable[[StateT], Sequence[MoveT]] | None = None,
        rng: Random | None = None,
        clock: Clock = time.monotonic,
        table_size: int = 100_000,
    ) -> None:
        """Take the game's knowledge.

        ``evaluate`` estimates a position for a team, within -1 and 1. ``moves`` gives the moves worth a look, the
        promising ones first (all legal ones if not given). ``noisy_moves`` gives those that must be played out before
        an estimate can be trusted, such as captures. ``rng`` decides between moves of the same value.
        """
        self._evaluate = evaluate
        self._moves: Callable[[StateT], Sequence[MoveT]] = moves or (lambda state: state.legal_moves())
        self._noisy_moves = noisy_moves
        self._rng = rng
        self._clock = clock
        self._table: dict[StateT, _Known] = {}
        self._table_size = table_size
        self._forget()

    def _forget(self) -> None:
        """Drop what helps within one search only."""
        self._history: tuple[dict[MoveT, int], dict[MoveT, int]] = ({}, {})
        self._killers: dict[int, tuple[MoveT, ...]] = {}
        self._estimates = 0
        """How often a value came from an estimate and not from the end of a game."""

    def search(self, state: StateT, budget: Budget) -> SearchResult[MoveT]:
        """The best move of a running game that can be found within ``budget``; a legal one in any case."""
        self._meter = Meter(budget, self._clock)
        self._forget()
        moves = list(self._moves(state))
        if not moves:
            raise ValueError("the game is over: there is no move to look for")
        if self._rng is not None:
            self._rng.shuffle(moves)
        best, score, reached = moves[0], 0.0, 0
        try:
            for depth in count(1):
                if depth > budget.depth:
                    break
                estimates = self._estimates
                for move, value in self._better_and_better(state, moves, depth):
                    # This also counts if time runs out later on: the best move of the last depth was searched first.
                    best, score, reached = move, value, depth
                if self._estimates == estimates or abs(score) > 1 or len(moves) == 1:
                    break  # All is seen to the end, or it is decided, or there is no choice: no need to look deeper.
                moves.remove(best)
                moves.insert(0, best)
        except BudgetSpent:
            pass
        line = (best, *self._line(state.play_unchecked(best), reached - 1))
        return SearchResult(best, score, reached, self._meter.nodes, self._meter.seconds(), line)

    def rate_moves(self, state: StateT, budget: Budget) -> list[tuple[MoveT, float]]:
        """The moves worth a look with the value of each, the best first; as deep as ``budget`` allows."""
        self._meter = Meter(budget, self._clock)
        self._forget()
        rated = [(move, 0.0) for move in self._moves(state)]
        if self._rng is not None:
            self._rng.shuffle(rated)
        try:
            for depth in count(1):
                estimates = self._estimates
                if depth > budget.depth:
                    break
                values = [(move, self._value_of_move(state, move, depth, 1, -inf, inf)) for move, _ in rated]
                rated = sorted(values, key=lambda pair: pair[1], reverse=True)
                if self._estimates == estimates:
                    break  # All is seen to the end.
        except BudgetSpent:
            pass  # What the last depth has found counts: this one has not seen all moves.
        return rated

    def _better_and_better(self, state: StateT, moves: list[MoveT], depth: int) -> Iterator[tuple[MoveT, float]]:
        """The first move with its value, then each one that is better than all before it."""
        alpha = -inf
        for move in moves:
            value = self._value_of_move(state, move, depth, 1, alpha, inf)
            if value > alpha:
                alpha = value
                yield move, value

    def _value_of_move(self, state: StateT, move: MoveT, depth: int, ply: int, alpha: float, beta: float) -> float:
        """The value of playing ``move``, for the team that plays it."""
        child = state.play_unchecked(move)
        if child.to_move is state.to_move:
            return self._value(child, depth - 1, ply, alpha, beta)
        return -self._value(child, depth - 1, ply, -beta, -alpha)

    def _value(self, state: StateT, depth: int, ply: int, alpha: float, beta: float) -> float:
        """The value for the team to move, looking ``depth`` moves ahead.

        It is exact within the window; at or below ``alpha`` the truth may be lower, at or above ``beta`` higher.
        """
        self._meter.spend()
        known = self._table.get(state) if depth > 0 else None
        if known is not None and known.depth >= depth:
            if known.depth < SOLVED:
                self._estimates += 1
            if known.low >= beta or known.low == known.high:
                return known.low
            if known.high <= alpha:
                return known.high
        if (outcome := state.outcome) is not None:
            return final_value(state, outcome, state.to_move)
        if depth <= 0:
            return self._settled(state, ply, alpha, beta)

        estimates = self._estimates
        best_move, best, floor = None, -inf, alpha
        for move in self._ordered(state, ply, known.move if known else None):
            value = self._value_of_move(state, move, depth, ply + 1, floor, beta)
            if value > best:
                best_move, best = move, value
                floor = max(floor, value)
                if value >= beta:
                    self._remember_refutation(state, move, depth, ply)
                    break
        seen_to_the_end = self._estimates == estimates
        self._store(state, SOLVED if seen_to_the_end else depth, alpha, beta, best, best_move)
        return best

    def _settled(self, state: StateT, ply: int, alpha: float, beta: float) -> float:
        """The estimate, once it is quiet: the team to move may play on with noisy moves, or stay as it stands."""
        self._estimates += 1
        best = self._evaluate(state, state.to_move)
        if self._noisy_moves is None or best >= beta:
            return best
        for move in self._noisy_moves(state):
            value = self._value_of_move(state, move, 0, ply + 1, max(alpha, best), beta)
            if value > best:
                best = value
                if value >= beta:
                    break
        return best

    # --- the order of moves -------------------------------------------------------------------------------------------

    def _ordered(self, state: StateT, ply: int, best: MoveT | None) -> Iterator[MoveT]:
        """The moves, the most promising first; often the first is enough, so the others are sorted only then."""
        if best is not None:
            yield best
        history = self._history[state.to_move]
        urgent = dict.fromkeys(self._killers.get(ply, ()), inf)
        for move in sorted(self._moves(state), key=lambda move: urgent.get(move) or history.get(move, 0), reverse=True):
            if move != best:
                yield move

    def _remember_refutation(self, state: StateT, move: MoveT, depth: int, ply: int) -> None:
        """Note that ``move`` was too good for the opponent: it may be so in similar positions, too."""
        history = self._history[state.to_move]
        history[move] = history.get(move, 0) + depth * depth
        killers = self._killers.get(ply, ())
        if move not in killers:
            self._killers[ply] = (move, *killers[:1])

    # --- the memory ---------------------------------------------------------------------------------------------------

    def _store(self, state: StateT, depth: int, alpha: float, beta: float, value: float, move: MoveT | None) -> None:
        """Remember what ``value``, found with the window from ``alpha`` to ``beta``, says of ``state``."""
        if len(self._table) >= self._table_size:
            self._table.clear()
        low = value if value > alpha else -inf
        high = value if value < beta else inf
        self._table[state] = _Known(depth, low, high, move)

    def _line(self, state: StateT, length: int) -> Iterator[MoveT]:
        """The moves that the table holds for best, from ``state`` on."""
        while length > 0 and (known := self._table.get(state)) and known.move is not None:
            yield known.move
            state, length = state.play_unchecked(known.move), length - 1
