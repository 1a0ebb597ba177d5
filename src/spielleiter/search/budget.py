"""How long a search may think, and the meter that holds it to that."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from spielleiter.errors import BudgetSpent

Clock = Callable[[], float]
"""Seconds from some fixed moment on, never going back: ``time.monotonic``, or a test's own clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a search may spend; whatever runs out first ends it.

    With ``nodes`` or ``depth`` alone a search gives the same answer on every machine; with ``seconds`` a faster
    machine sees more.
    """

    seconds: float = inf
    nodes: float = inf
    """Positions that may be visited."""
    depth: float = inf
    """Moves to look ahead; only for searches that go forward depth by depth."""

    def __post_init__(self) -> None:
        if min(self.seconds, self.nodes, self.depth) == inf:
            raise ValueError("a budget needs a limit: seconds, nodes or depth")


class Meter:
    """Counts the positions of one search, and stops it in time.

    The clock is read at every position. The search ends as soon as a step as long as the longest one so far would
    reach the deadline, so it is back *before* the deadline and not one step after it.
    """

    def __init__(self, budget: Budget, clock: Clock = time.monotonic) -> None:
        self.nodes = 0
        self._clock = clock
        self._started = self._last = clock()
        self._longest_step = 0.0
        self._deadline = self._started + budget.seconds
        self._nodes_allowed = budget.nodes

    def spend(self) -> None:
        """Count one more position. Raises ``BudgetSpent`` if there is nothing left to spend."""
        now = self._clock()
        step = now - self._last
        if step > self._longest_step:
            self._longest_step = step
        self._last = now
        if now + self._longest_step >= self._deadline or self.nodes >= self._nodes_allowed:
            raise BudgetSpent
        self.nodes += 1

    def seconds(self) -> float:
        """How long the search has been thinking."""
        return self._clock() - self._started
