"""How much a client may still ask of the server: a token bucket, and one for each of many addresses."""

from __future__ import annotations

from collections import OrderedDict

_MAX_KEYS = 10_000


class Credit:
    """Grows by ``rate`` a second up to ``burst``; what is charged may overdraw it."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, float(burst)
        self._left, self._at = self._burst, now

    def left(self, now: float) -> float:
        """What there is now; below zero it is overdrawn."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left

    def charge(self, cost: float, now: float) -> float:
        """Take ``cost`` away; returns what is left."""
        self._left = self.left(now) - cost
        return self._left


class CreditByKey:
    """A credit for each key, in bounded memory: the keys that were charged longest ago are forgotten first."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._credits: OrderedDict[str, Credit] = OrderedDict()

    def left(self, key: str, now: float) -> float:
        """What ``key`` has now."""
        credit = self._credits.get(key)
        return self._burst if credit is None else credit.left(now)

    def charge(self, key: str, cost: float, now: float) -> None:
        """Take ``cost`` away from ``key``."""
        self._credits.setdefault(key, Credit(self._rate, self._burst, now)).charge(cost, now)
        self._credits.move_to_end(key)
        if len(self._credits) > _MAX_KEYS:
            self._credits.popitem(last=False)
