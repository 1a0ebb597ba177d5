"""How long a move may take, when it was asked for and when it came, and by which clock that counts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a move: later than ``soft`` loses, a player silent until ``hard`` forfeits."""

    soft: float = 2.0
    hard: float = 10.0


class Clock(Enum):
    """The two clocks by which a move can be judged."""

    KERNEL = "kernel"
    """The moment at which its last byte reached the machine."""
    READING = "reading"
    """The moment at which the server had read it."""


@dataclass(frozen=True, slots=True)
class MoveTiming:
    """The times of one move, in seconds on any clock that never goes back."""

    requested: float
    received: float | None
    """The kernel's timestamp, where there is one."""
    read: float
    judged_by: Clock

    @property
    def elapsed(self) -> float:
        """The seconds that the move took, by the clock that judged it."""
        end = self.read if self.received is None or self.judged_by is Clock.READING else self.received
        return end - self.requested

    def since(self, start: float) -> MoveTiming:
        """The same times in seconds since ``start``."""
        received = None if self.received is None else self.received - start
        return MoveTiming(self.requested - start, received, self.read - start, self.judged_by)
