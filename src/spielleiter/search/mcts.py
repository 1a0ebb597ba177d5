"""Monte Carlo tree search: a tree that grows where the game is interesting.

Again and again, until the budget is spent: walk from the root down to a position that is not in the tree yet, find out
how good it is, and update every position on the way. The walk balances two wishes (this is UCT, upper confidence bounds
on trees): take the move that has done best so far, and take the moves that have been tried little, for they may be
better than they look. In the end the move that was taken most is the best one.

How good a new position is: play a few random moves from there and estimate, or play to the end without an estimate.

Values are kept for team ONE, from about -1 for lost to 1 for won: no sign changes on the way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf, sqrt
from random import Random
from typing import Generic

from spielleiter.errors import BudgetSpent
from spielleiter.game import MoveT, Outcome, StateT, Team
from spielleiter.search.budget import Budget, Clock, Meter
from spielleiter.search.result import WIN, SearchResult, final_value

ESTIMATE = 0.9
"""The weight of an estimate, so that the best one is still less than the smallest win."""


class _Node(Generic[StateT, MoveT]):
    """A position in the tree, and what the walks through it have brought."""

    __slots__ = ("children", "moves", "outcome", "priors", "state", "total", "visits")

    def __init__(self, state: StateT) -> None:
        self.state = state
        self.outcome: Outcome | None = state.outcome
        self.moves: Sequence[MoveT] = ()
        """The moves to walk on, the likeliest first; empty until the node is visited again."""
        self.priors: Sequence[float] = ()
        self.children: list[_Node[StateT, MoveT]] = []
        """One for each move that was tried: these are always the first ones."""
        self.visits = 0
        self.total = 0.0
        """The sum of the values that the walks have brought, for team ONE."""

    def mean(self, team: Team) -> float:
        """The value for ``team``, 0 before the first visit."""
        mean = self.total / self.visits if self.visits else 0.0
        return -mean if team else mean


class MonteCarlo(Generic[StateT, MoveT]):
    """A searcher for one game."""

    def __init__(
        self,
        evaluate: Callable[[StateT, Team], float] | None = None,
        *,
        moves: Callable[[StateT], Sequence[MoveT]] | None = None,
        priors: Callable[[StateT, Sequence[MoveT]], Sequence[float]] | None = None,
        cutoff: int = 0,
        exploration: float = 0.5,
        optimism: float = 0.2,
        rng: Random | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Take the game's knowledge.

        A new position is valued by ``cutoff`` random moves and then ``evaluate``, which estimates a position for a
        team within -1 and 1; without ``evaluate`` by a random game to its end. ``moves`` gives the moves worth a look,
        the promising ones first (all legal ones if not given), ``priors`` how likely each is the best (all the same if
        not given; together 1). ``exploration`` weighs curiosity against success; a move not yet tried is expected to
        be better by ``optimism`` than its position, so that it will be tried.
        """
        self._evaluate = evaluate
        self._moves: Callable[[StateT], Sequence[MoveT]] = moves or (lambda state: state.legal_moves())
        self._priors = priors or (lambda state, moves: [1 / len(moves)] * len(moves))
        self._cutoff = cutoff
        self._exploration = exploration
        self._optimism = optimism
        self._rng = rng or Random()
        self._clock = clock

    def search(self, state: StateT, budget: Budget) -> SearchResult[MoveT]:
        """The best move of a running game that can be found within ``budget``; a legal one in any case."""
        self._meter = Meter(budget, self._clock)
        root: _Node[StateT, MoveT] = _Node(state)
        if root.outcome is not None:
            raise ValueError("the game is over: there is no move to look for")
        self._open(root)
        depth = 0
        try:
            while len(root.moves) > 1 or not root.visits:
                depth = max(depth, self._walk(root))
        except BudgetSpent:
            pass
        line = _line(root)
        at = root.moves.index(line[0])
        score = root.children[at].mean(state.to_move) if at < len(root.children) else 0.0
        return SearchResult(line[0], score, depth, self._meter.nodes, self._meter.seconds(), line)

    def _walk(self, root: _Node[StateT, MoveT]) -> int:
        """Walk once from the root to a new position or to an end of the game; the length of the way."""
        self._meter.spend()
        node, way = root, [root]
        while node is root or (node.visits and node.outcome is None):
            if not node.moves:
                self._open(node)
            at = self._select(node)
            if at == len(node.children):
                node.children.append(_Node(node.state.play_unchecked(node.moves[at])))
            node = node.children[at]
            way.append(node)
        value = self._value_of_playout(node.state)
        for passed in way:
            passed.visits += 1
            passed.total += value
        return len(way) - 1

    def _open(self, node: _Node[StateT, MoveT]) -> None:
        """Look at the moves that lead on from ``node``."""
        moves = self._moves(node.state)
        priors = self._priors(node.state, moves)
        order = sorted(range(len(moves)), key=priors.__getitem__, reverse=True)
        node.moves, node.priors = [moves[at] for at in order], [priors[at] for at in order]

    def _select(self, node: _Node[StateT, MoveT]) -> int:
        """Which of the node's moves to walk: the one with the most success and curiosity together."""
        team, children = node.state.to_move, node.children
        curiosity = self._exploration * sqrt(node.visits)
        best, best_sum = 0, -inf
        for at, (child, prior) in enumerate(zip(children, node.priors, strict=False)):
            visits = child.visits
            success = -child.total / visits if team else child.total / visits
            if (both := success + curiosity * prior / (1 + visits)) > best_sum:
                best, best_sum = at, both
        # Of the moves that were not tried, the likeliest has the largest sum.
        at = len(children)
        if at < len(node.moves) and node.mean(team) + self._optimism + curiosity * node.priors[at] > best_sum:
            return at
        return best

    def _value_of_playout(self, state: StateT) -> float:
        """The value for team ONE, after some random moves."""
        left = self._cutoff
        while (outcome := state.outcome) is None:
            if left == 0 and self._evaluate is not None:
                return ESTIMATE * self._evaluate(state, Team.ONE)
            self._meter.spend()
            state = state.play_unchecked(self._rng.choice(state.legal_moves()))
            left -= 1
        return final_value(state, outcome, Team.ONE) / WIN


def _line(node: _Node[StateT, MoveT]) -> tuple[MoveT, ...]:
    """The moves taken most, from ``node`` on; at least one."""
    line: list[MoveT] = []
    while node.moves:
        visits = [child.visits for child in node.children] or [0]
        at = visits.index(max(visits))
        line.append(node.moves[at])
        if not visits[at]:
            break
        node = node.children[at]
    return tuple(line)
