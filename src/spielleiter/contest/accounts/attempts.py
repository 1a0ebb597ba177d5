"""How often somebody may try to log in: failures are counted by name and by address, in bounded memory.

Law: an attempt is counted before the answer is known, and taken back if it was right: trying many at once is no help.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network


@dataclass(frozen=True, slots=True)
class Bound:
    """How many failures are allowed within how many seconds."""

    failures: int
    seconds: float


PER_NAME = Bound(10, 600.0)
PER_ADDRESS = Bound(40, 600.0)
"""More than for a name: a whole school may share one address."""
_MAX_KEYS = 20_000


@dataclass(slots=True)
class Attempts:
    """The recent failures. All times are seconds of one monotonic clock."""

    per_name: Bound = PER_NAME
    per_address: Bound = PER_ADDRESS
    max_keys: int = _MAX_KEYS
    _failures: OrderedDict[tuple[str, str], deque[float]] = field(default_factory=OrderedDict)

    def try_acquire(self, name: str, address: str, now: float) -> float:
        """Count an attempt and return 0.0 if it is allowed; else the seconds until this name may be tried again."""
        keys = self._keys(name, address)
        longest = 0.0
        for key, bound in keys:
            times = self._failures.get(key)
            if times is None:
                continue
            while times and times[0] <= now - bound.seconds:
                times.popleft()
            if len(times) >= bound.failures:
                longest = max(longest, times[0] + bound.seconds - now)
        if longest > 0.0:
            return longest
        for key, bound in keys:
            times = self._failures.setdefault(key, deque(maxlen=bound.failures))
            times.append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > self.max_keys:
            self._failures.popitem(last=False)
        return 0.0

    def succeeded(self, name: str, address: str) -> None:
        """Take the last attempt back: it was right. Only the failures of the name are forgotten."""
        (by_name, _), (by_address, _) = self._keys(name, address)
        self._failures.pop(by_name, None)
        times = self._failures.get(by_address)
        if times:
            times.pop()
            if not times:
                del self._failures[by_address]

    def __len__(self) -> int:
        return len(self._failures)

    def _keys(self, name: str, address: str) -> tuple[tuple[tuple[str, str], Bound], tuple[tuple[str, str], Bound]]:
        return (("name", name.casefold()[:100]), self.per_name), (("address", neighbourhood(address)), self.per_address)


def neighbourhood(address: str) -> str:
    """What counts as one address: for IPv6 the network, since one household has many addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:100]
    if found.version == 4:
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped) if mapped is not None else str(ip_network((found, 64), strict=False))
