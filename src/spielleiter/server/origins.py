"""Where clients come from: how many may come from one origin, and how those are slowed down that make mischief.

An origin is an address, or a listener with a limit of its own: all of its connections come from the same address.
"""

from __future__ import annotations

import socket
from collections import Counter
from dataclasses import dataclass
from itertools import count

from spielleiter.referee import CreditByKey
from spielleiter.server.addresses import is_local, neighbourhood

_MISCHIEF = 5
"""Connections of one origin that may break the protocol at once, and one more each second, ..."""
MISCHIEF_WAIT = 2.0
"""... before new ones from there have to wait so many seconds: reconnecting must not reset a limit."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A place where clients come from, and how many of them there may be."""

    name: str
    max_connections: int


class Origins:
    """All origins of the clients of one game master, and the places that they have taken.

    Law: a client that is refused takes no place, however long it takes to leave.
    """

    def __init__(self, *, max_connections: int, max_per_address: int, max_from_here: int) -> None:
        self._max_connections = max_connections
        self._max_per_address, self._max_from_here = max_per_address, max_from_here
        self._connections: Counter[str] = Counter()
        self._patience = CreditByKey(1.0, _MISCHIEF)
        self._limited: dict[socket.socket, Origin] = {}
        self._numbers = count(1)

    def limit(self, listener: socket.socket, max_connections: int) -> None:
        """Count what comes by this listener by itself."""
        self._limited[listener] = Origin(f"listener {next(self._numbers)}", max_connections)

    def forget(self, listener: socket.socket) -> None:
        """The listener is closed."""
        self._limited.pop(listener, None)

    def of(self, listener: socket.socket, address: str) -> Origin:
        """Where a client comes from."""
        limited = self._limited.get(listener)
        if limited is not None:
            return limited
        name = neighbourhood(address)
        return Origin(name, self._max_from_here if is_local(name) else self._max_per_address)

    def wait(self, origin: Origin, now: float) -> float:
        """How many seconds a new client from there has to wait until it is heard."""
        return 0.0 if self._patience.left(origin.name, now) > 0 else MISCHIEF_WAIT

    def admit(self, origin: Origin) -> bool:
        """Give a client a place, if there is one."""
        is_full = self._connections.total() >= self._max_connections
        if is_full or self._connections[origin.name] >= origin.max_connections:
            return False
        self._connections[origin.name] += 1
        return True

    def left(self, origin: Origin) -> None:
        """A client that was admitted has gone."""
        self._connections[origin.name] -= 1
        if not self._connections[origin.name]:
            del self._connections[origin.name]

    def broke_protocol(self, origin: Origin, now: float) -> None:
        """A client from there had to be cut off."""
        if self._patience.left(origin.name, now) > 0:
            self._patience.charge(origin.name, 1, now)
