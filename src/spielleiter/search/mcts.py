"""Monte Carlo tree search: a tree that grows where the game is interesting.

Again and again, until the budget is spent: walk from the root down to a position that is not in the tree yet, find out
how good it is, and tell every position on the way. The walk balances two wishes (this is UCT, upper confidence bounds
on trees): take the move that has done best so far, and take the moves that have been tried little, for they may be
better than they look. In the end the move that was taken most is the best one.

How good a new position is: play a few random moves from there and estimate, or play to the end without an estimate.

Values are kept for team ONE, from -1 for lost to 1 for won. So nothing has to change its sign on the way, whoever moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Generic

from spielleiter.game import MoveT, StateT, Team
from spielleiter.search.budget import Budget, BudgetSpent, Clock, Meter
from spielleiter.search.result import SearchResult


class _Node(Generic[StateT, MoveT]):
    """A position in the tree, and what the walks through it have brought."""

    __slots__ = ("children", "moves", "priors", "sign", "state", "total", "visits")

    def __init__(self, state: StateT) -> None:
        self.state = state
        self.sign = 1 if state.to_move is Team.ONE else -1
        self.moves: Sequence[MoveT] = ()
        self.priors: Sequence[float] = ()
        self.children: list[_Node[StateT, MoveT] | None] = []
        """One for each move, ``None`` until the move is tried."""
        self.visits = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        """The value for team ONE."""
        return self.total / self.visits if self.visits else 0.0


class MonteCarlo(Generic[StateT, MoveT]):
    """A searcher for one game."""

    def __init__(
        self,
        evaluate: Callable[[StateT, Team], float] | None = None,
        *,
        moves: Callable[[StateT], Sequence[MoveT]] | None = None,
        priors: Callable[[StateT, Sequence[MoveT]], Sequence[float]] | None = None,
        cutoff: int = 0,
        exploration: float = 1.0,
        modesty: float = 0.1,
        rng: Random | None = None,
        clock: Clock = time.monotonic,
    ) -> None:
        """Take the game's knowledge.

        A new position is valued by ``cutoff`` random moves and then ``evaluate``, which estimates a position for a
        team within -1 and 1; without ``evaluate`` by a random game to its end. ``moves`` gives the moves worth a look,
        the promising ones first (all legal ones if not given), ``priors`` how likely each is the best (all the same if
        not given; together 1). ``exploration`` weighs curiosity against success; a move not yet tried is expected to
        be worse by ``modesty`` than its position.
        """
        self._evaluate = evaluate
        self._moves: Callable[[StateT], Sequence[MoveT]] = moves or (lambda state: state.legal_moves())
        self._priors = priors
        self._cutoff = cutoff
        self._exploration = exploration
        self._modesty = modesty
        self._rng = rng or Random()
        self._clock = clock

    def search(self, state: StateT, budget: Budget) -> SearchResult[MoveT]:
        """The best move of a running game that can be found within ``budget``; a legal one in any case."""
        self._meter = Meter(budget, self._clock)
        root: _Node[StateT, MoveT] = _Node(state)
        if not self._open(root):
            raise ValueError("the game is over: there is no move to look for")
        depth = 0
        try:
            while True:
                depth = max(depth, self._walk(root))
        except BudgetSpent:
            pass
        line = _line(root)
        child = root.children[root.moves.index(line[0])]
        score = root.sign * child.mean if child else 0.0
        return SearchResult(line[0], score, depth, self._meter.nodes, self._meter.seconds(), line)

    def _walk(self, root: _Node[StateT, MoveT]) -> int:
        """Walk once from the root to a new position or an end of the game; the length of the way."""
        node, way = root, [root]
        while node.moves:
            at = self._select(node)
            child = node.children[at]
            is_new = child is None
            if child is None:
                self._meter.spend()
                child = node.children[at] = _Node(node.state.play_unchecked(node.moves[at]))
            way.append(child)
            node = child
            if is_new:
                break
        value = self._value(node)
        for passed in way:
            passed.visits += 1
            passed.total += value
        return len(way) - 1

    def _select(self, node: _Node[StateT, MoveT]) -> int:
        """Which of the node's moves to walk: success so far plus curiosity."""
        curiosity = self._exploration * sqrt(node.visits + 1)
        sign = node.sign
        untried = sign * node.mean - self._modesty
        best, best_score = 0, -1e9
        for at, (child, prior) in enumerate(zip(node.children, node.priors, strict=True)):
            if child is None or not child.visits:
                score = untried + curiosity * prior
            else:
                score = sign * child.total / child.visits + curiosity * prior / (1 + child.visits)
            if score > best_score:
                best, best_score = at, score
        return best

    def _open(self, node: _Node[StateT, MoveT]) -> bool:
        """Whether there are moves to walk on from ``node``, which is now ready for it."""
        moves = self._moves(node.state)
        node.moves = moves
        node.children = [None] * len(moves)
        node.priors = self._priors(node.state, moves) if self._priors else [1 / len(moves)] * len(moves)
        return bool(moves)

    def _value(self, node: _Node[StateT, MoveT]) -> float:
        """How good a position seems for team ONE, at first sight; it is open for more afterwards."""
        outcome = node.state.outcome
        if outcome is None:
            self._open(node)
            return self._playout(node.state)
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner is Team.ONE else -1.0

    def _playout(self, state: StateT) -> float:
        """The value for team ONE after random moves."""
        left = self._cutoff
        chance = self._rng.random
        while (outcome := state.outcome) is None:
            if left == 0 and self._evaluate is not None:
                return self._evaluate(state, Team.ONE)
            self._meter.spend()
            moves = state.legal_moves()
            state = state.play_unchecked(moves[int(chance() * len(moves))])
            left -= 1
        return 0.0 if outcome.winner is None else 1.0 if outcome.winner is Team.ONE else -1.0


def _line(node: _Node[StateT, MoveT]) -> tuple[MoveT, ...]:
    """The moves taken most, from ``node`` on; at least one."""
    line: list[MoveT] = []
    while node.moves:
        visits = [child.visits if child else 0 for child in node.children]
        at = visits.index(max(visits))
        line.append(node.moves[at])
        child = node.children[at]
        if child is None or not child.visits:
            break
        node = child
    return tuple(line)
