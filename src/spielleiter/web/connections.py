"""The connections of the pages: how many there may be, and how long one may take.

Law: a client that only opens connections, sends half a request or does not read costs memory and nothing else,
and not for ever. A connection that has sent no whole request yields to a new one; a request has its time, and so has
an answer that is not read. A reverse proxy that was named may have as many as it likes: ``guard`` counts the requests
of those behind it.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from spielleiter.server.addresses import neighbourhood


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """How many connections there may be, and how many seconds each step of a request may take."""

    connections: int = 4000
    per_address: int = 1000
    """A school may share one address, and each of its browsers has several connections and a stream. Behind a named
    proxy each visitor may have so many requests and streams."""
    head_seconds: float = 10.0
    """Seconds until the end of the headers."""
    body_seconds: float = 20.0
    """For a body, and a second more for every ``body_rate`` bytes that have come."""
    body_rate: int = 10_000
    unread_seconds: float = 60.0
    """For an answer of which nothing more is read."""


@dataclass(slots=True, eq=False)
class Connections:
    """All connections of the pages."""

    limits: ConnectionLimits = field(default_factory=ConnectionLimits)
    proxies: tuple[str, ...] = ()
    """Addresses and networks of the proxies that were named."""
    _open: Counter[str] = field(default_factory=Counter)
    _idle: dict[str, OrderedDict[GuardedProtocol, None]] = field(default_factory=dict)
    """Connections without a complete request, by address, the oldest first."""

    def add(self, connection: GuardedProtocol) -> bool:
        """Count a new connection; false if there are too many and none of them can give way."""
        address = connection.address
        if not connection.is_proxy and self._open[address] >= self.limits.per_address and not self._drop_idle(address):
            return False
        if len(self) >= self.limits.connections and not self._drop_idle(self._idlest()):
            return False
        self._open[address] += 1
        return True

    def remove(self, connection: GuardedProtocol) -> None:
        """Forget a connection that is closed."""
        self.set_idle(connection, False)
        self._open[connection.address] -= 1
        if not self._open[connection.address]:
            del self._open[connection.address]

    def set_idle(self, connection: GuardedProtocol, idle: bool) -> None:
        """Remember whether a connection has sent no whole request."""
        mine = self._idle.setdefault(connection.address, OrderedDict())
        if idle:
            mine.setdefault(connection)
        else:
            mine.pop(connection, None)
        if not mine:
            del self._idle[connection.address]

    def _drop_idle(self, address: str) -> bool:
        """Close the oldest idle connection of an address, if it has one."""
        if address not in self._idle:
            return False
        oldest = next(iter(self._idle[address]))
        self.set_idle(oldest, False)
        oldest.abort()
        return True

    def _idlest(self) -> str:
        """The address that has the largest number of idle connections."""
        return max(self._idle, key=lambda address: len(self._idle[address]), default="")

    def __len__(self) -> int:
        return self._open.total()

    def protocol(self, **options: Any) -> GuardedProtocol:
        """A connection as uvicorn makes one."""
        return GuardedProtocol(self, **options)


class GuardedProtocol(H11Protocol):
    """uvicorn's connection, with an end to every wait for the other side."""

    def __init__(self, connections: Connections, **options: Any) -> None:
        super().__init__(**options)
        self.address = ""
        self.is_proxy = False
        self._connections = connections
        self._limits = connections.limits
        self._counted = False
        self._request: asyncio.TimerHandle | None = None
        """Ends a request that does not come."""
        self._began = 0.0
        self._received = 0
        """Bytes of the body that is on its way."""
        self._unread: asyncio.TimerHandle | None = None
        """Ends an answer that is not read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self.address = neighbourhood(host)
        self.is_proxy = any(ip_address(host) in ip_network(proxy) for proxy in self._connections.proxies)
        self._counted = self._connections.add(self)
        if not self._counted:
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._connections.set_idle(self, True)
        self._wait(self._limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in (self._request, self._unread):
            if timer is not None:
                timer.cancel()
        if self._counted:
            self._counted = False
            self._connections.remove(self)

    def abort(self) -> None:
        """Close at once, whatever was not read or sent yet."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self._counted:
            return
        was = self.conn.their_state
        super().data_received(data)
        now = self.conn.their_state
        if now is h11.SEND_BODY:
            if was is not h11.SEND_BODY:
                self._received = 0
                self._wait(self._limits.body_seconds)
            self._received += len(data)
        elif now is h11.IDLE:  # The headers are not there yet.
            if self._request is None:
                self._wait(self._limits.head_seconds)
        else:
            self._stop_waiting()
        self._connections.set_idle(self, now in (h11.IDLE, h11.SEND_BODY))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._counted and not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self._connections.set_idle(self, True)  # uvicorn closes it if no further request begins.

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._began = self.loop.time()
        self._request = self.loop.call_later(seconds, self._late)

    def _stop_waiting(self) -> None:
        if self._request is not None:
            self._request.cancel()
            self._request = None

    def _late(self) -> None:
        """Give up on a request; a body that comes fast enough, or that we do not read ourselves, goes on."""
        self._request = None
        if self.conn.their_state is h11.SEND_BODY:
            due = self._began + self._limits.body_seconds + self._received / self._limits.body_rate
            if due > self.loop.time() or self.flow.read_paused:
                self._request = self.loop.call_at(max(due, self.loop.time() + 1.0), self._late)
                return
        self.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self._limits.unread_seconds, self.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 5\r\nconnection: close\r\n\r\n"
    b"Too many connections. Try again in a moment.\n"
)
