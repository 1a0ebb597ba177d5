"""The fair clock: a player is judged by the moment at which the move arrived, not by when we read it.

All times are seconds on one clock that never goes back; which one is the caller's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielleiter.game import Cause, Clock, Limits, MoveTiming


@dataclass(frozen=True, slots=True)
class Arrival:
    """When a message came: when we read its last byte, and when the kernel got that byte, where it says so."""

    read: float
    stamp: float | None = None


@dataclass(frozen=True, slots=True)
class MoveClock:
    """Runs for one request for a move; without limits it only measures."""

    requested: float
    limits: Limits | None

    @property
    def deadline(self) -> float | None:
        """When silence is over."""
        return None if self.limits is None else self.requested + self.limits.hard

    def timing(self, arrival: Arrival) -> MoveTiming:
        """The times of the move that arrived.

        A timestamp from before the request or after the reading is not trusted: the kernel's clock has been set.
        """
        stamp = arrival.stamp
        trusted = stamp is not None and self.requested <= stamp <= arrival.read
        return MoveTiming(self.requested, stamp, arrival.read, Clock.KERNEL if trusted else Clock.READING)

    def fault(self, timing: MoveTiming) -> Cause | None:
        """What a move with these times is guilty of, or ``None`` if it came in time."""
        if self.limits is None or timing.elapsed <= self.limits.soft:
            return None
        in_patience = self.limits.increment is not None or timing.elapsed <= self.limits.hard
        return Cause.SOFT_TIMEOUT if in_patience else Cause.HARD_TIMEOUT

    def fault_of_silence(self, now: float) -> Cause | None:
        """What silence until ``now`` is guilty of, or ``None`` while there is time."""
        deadline = self.deadline
        return None if deadline is None or now < deadline else Cause.HARD_TIMEOUT
