"""How often a visitor may try to log in: failures are counted by name and by address, in bounded memory.

Laws: an attempt is counted before the answer is known, and taken back if it was right: many at once do not help.
A name counts however it is written. Visitors cannot lock others out: a device or an address with
which this account was logged in before has a budget of its own, which no other can use up.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from spielleiter.contest.accounts.accounts import plain_name
from spielleiter.server.addresses import neighbourhood


@dataclass(frozen=True, slots=True)
class Bound:
    """How many failures are allowed within how many seconds."""

    failures: int
    seconds: float


PER_PAIR = Bound(10, 600.0)
"""Limit for one name from one address, or from one known device."""
PER_ADDRESS = Bound(40, 600.0)
"""More than for a pair: a whole school may share one address."""
PER_NAME = Bound(100, 600.0)
"""Limit for one name from all unknown addresses."""
_MAX_KEYS = 20_000

_Key = tuple[str, ...]


@dataclass(slots=True)
class Attempts:
    """The recent failures. All times are seconds of one monotonic clock."""

    per_pair: Bound = PER_PAIR
    per_address: Bound = PER_ADDRESS
    per_name: Bound = PER_NAME
    max_keys: int = _MAX_KEYS
    _failures: OrderedDict[_Key, deque[float]] = field(default_factory=OrderedDict)
    _known: OrderedDict[_Key, None] = field(default_factory=OrderedDict)
    """Names with the addresses from which they logged in."""

    def try_acquire(self, name: str, address: str, now: float, device: str = "") -> float:
        """Count an attempt and return 0.0 if it is allowed; else the seconds until this name may be tried again.

        ``device`` is one with which this account was logged in before, by a proof that the caller has checked.
        """
        bounds = self._bounds(name, address, device)
        longest = 0.0
        for key, bound in bounds.items():
            times = self._failures.get(key)
            if times is None:
                continue
            while times and times[0] <= now - bound.seconds:
                times.popleft()
            if len(times) >= bound.failures:
                longest = max(longest, times[0] + bound.seconds - now)
        if longest > 0.0:
            return longest
        for key, bound in bounds.items():
            self._failures.setdefault(key, deque(maxlen=bound.failures)).append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > self.max_keys:
            self._failures.popitem(last=False)
        return 0.0

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        """Take the last attempt back: it was right. Of other failures only those of the pair are forgotten."""
        pair, *others = self._bounds(name, address, device)
        self._failures.pop(pair, None)
        for key in others:
            if times := self._failures.get(key):
                times.pop()
                if not times:
                    del self._failures[key]
        self._known[plain_name(name), neighbourhood(address)] = None
        while len(self._known) > self.max_keys:
            self._known.popitem(last=False)

    def __len__(self) -> int:
        return len(self._failures)

    def _bounds(self, name: str, address: str, device: str) -> dict[_Key, Bound]:
        """What counts an attempt; the pair first."""
        plain, near = plain_name(name), neighbourhood(address)
        if device:
            return {("device", plain, device): self.per_pair}
        if (plain, near) in self._known:
            return {("known", plain, near): self.per_pair}
        return {
            ("pair", plain, near): self.per_pair,
            ("address", near): self.per_address,
            ("name", plain): self.per_name,
        }
