"""How long a move may take, when it was asked for and when it came, and by which clock that counts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

_MOVES_AHEAD = 20
"""Number of moves for which a player saves time, however long the game has lasted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a move, or for a whole game: later than ``soft`` loses, a player silent until ``hard`` forfeits."""

    soft: float = 2.0
    hard: float = 10.0
    increment: float | None = None
    """Set for a game clock: ``soft`` is then for the whole game, and each own move adds so many seconds to it."""

    @classmethod
    def of_game(cls, seconds: float, increment: float) -> Limits:
        """A clock for the whole game; a player who has used it up has lost at once."""
        return cls(seconds, seconds, increment)

    @property
    def per_move(self) -> float | None:
        """The seconds that every move has, or ``None`` with a clock for the whole game."""
        return self.soft if self.increment is None else None

    @property
    def share(self) -> float:
        """How long to think about one move: of a game clock what still leaves time for many more."""
        return self.soft if self.increment is None else min(self.soft, self.soft / _MOVES_AHEAD + self.increment)

    def after(self, moves: int, used: float) -> Limits:
        """What is there for the next move, after so many own ``moves`` that took ``used`` seconds together."""
        if self.increment is None:
            return self
        left = max(0.0, self.soft + moves * self.increment - used)
        return Limits(left, left, self.increment)

    @property
    def written(self) -> str:
        """The short form: ``2``, and ``60+0.5`` for a clock."""
        return f"{self.soft:g}" if self.increment is None else f"{self.soft:g}+{self.increment:g}"


class Clock(Enum):
    """The clocks by which a move can be judged."""

    KERNEL = "kernel"
    """The moment at which its last byte reached the machine."""
    READING = "reading"
    """The moment at which the server had read it."""
    PROCESSOR = "processor"
    """The processor time that it took, of a player inside the process of the referee."""


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
