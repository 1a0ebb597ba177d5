"""One client's socket: reads with the kernel's timestamps, writes what there is, bounded in both directions."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from dataclasses import dataclass

from spielleiter.errors import RemoteProtocolError
from spielleiter.referee import Arrival, Credit
from spielleiter.server.addresses import peer_address
from spielleiter.server.origins import Origin
from spielleiter.timestamps import TimestampReader
from spielleiter.wire import ServerConnection
from spielleiter.wire.messages import Request, Unreadable

_READ_SIZE = 64 * 1024
_TURN_SIZE = 4 * 1024
"""Bytes of one client that are handled before the others get their turn."""
_UNIT_SIZE = 1024
_UNIT_NODES = 16
"""A message of so many bytes, elements and attributes counts once; a larger one several times."""
_REFUSAL_COST = 10
"""A message that is refused counts so often: it costs an answer and a line in the log, and no program needs many."""
_READ_SECONDS = 2.0
"""Limit for all games of a client together: peeking at the state must not buy time to think."""
_FLUSH_SECONDS = 30.0
"""How long a client has to read what we still have for it when we hang up."""
_DRAIN_SECONDS = 2.0
"""How long we wait for a client to close after our last word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerLimits:
    """What one connection may ask of the server; beyond that it gets an error and is closed."""

    messages_per_second: int = 100
    """Limit for messages of ordinary size (1 kB, 16 elements and attributes); larger ones count several times."""
    burst: int = 400
    """Messages that may come at once."""
    unread: int = 4 << 20
    """Bytes that we buffer for a client that does not read."""
    first_message: float = 30.0
    """Seconds until a new connection must have said something."""
    idle: float = 600.0
    """Seconds of silence that a connection may afford that neither plays nor watches nor administers."""
    vanished: int = 15
    """Seconds after which a machine that does not answer any more, such as a sleeping laptop, is given up."""


class Peer:
    """A connected client.

    ``on_request`` gets what the client says, ``on_broken`` why its stream makes no sense any more, ``on_lost`` that the
    connection broke, ``on_closed`` that the socket is closed. All but the last are never called inside of ``send``.
    What it says is read after ``wait`` seconds.
    """

    def __init__(
        self,
        connection_id: int,
        origin: Origin,
        sock: socket.socket,
        reader: TimestampReader,
        limits: PeerLimits,
        *,
        wait: float,
        on_request: Callable[[Peer, Request | Unreadable, Arrival], None],
        on_broken: Callable[[Peer, RemoteProtocolError], None],
        on_lost: Callable[[Peer], None],
        on_closed: Callable[[Peer], None],
    ) -> None:
        self.id = connection_id
        self.origin = origin
        self.address = peer_address(sock)
        self.listener: socket.socket | None = None
        """The listening socket that accepted it."""
        self.is_admitted = False
        """Whether it has a place; one that is refused is only told so."""
        self.socket_address: tuple[str, int] = sock.getpeername()[:2] if sock.family != socket.AF_UNIX else ("", 0)
        self.read_credit = _READ_SECONDS
        """For how long requests may still wait until it has read the state."""
        self.wire = ServerConnection()
        self._sock = sock
        self._reader = reader
        self._limits = limits
        self._on_request, self._on_broken = on_request, on_broken
        self._on_lost, self._on_closed = on_lost, on_closed
        self._loop = asyncio.get_running_loop()
        self._unsent = bytearray()
        self.heard_at = self._loop.time()
        """When the last message came."""
        self._credit = Credit(limits.messages_per_second, limits.burst, self.heard_at)
        self._gone = False
        self._hanging_up = False
        # There is never more than one timer, and ``abort`` ends it.
        self._timer: asyncio.TimerHandle | None = None
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _notice_vanishing(sock, limits.vanished)
        if wait:
            self._start_timer(wait, self._listen)
        else:
            self._listen()

    def __str__(self) -> str:
        return f"connection {self.id} from {self.address}"

    # --- reading ------------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        self._start_timer(self._limits.first_message, self._said_nothing)
        self._loop.add_reader(self._sock, self._read)

    def _read(self) -> None:
        try:
            data, read_at, stamp = self._reader.receive(self._sock, _READ_SIZE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lost()
            return
        if not data:
            self._loop.remove_reader(self._sock)
        arrival = Arrival(read_at, stamp)
        self._handle_events(data[:_TURN_SIZE], arrival)
        if len(data) > _TURN_SIZE and not (self._gone or self._hanging_up):
            self._loop.remove_reader(self._sock)
            self._loop.call_soon(self._handle_rest, data[_TURN_SIZE:], arrival)

    def _handle_rest(self, data: bytes, arrival: Arrival) -> None:
        """Go on with what was read before; the others have had their turn."""
        if not (self._gone or self._hanging_up):
            self._handle_events(data[:_TURN_SIZE], arrival)
        if self._gone or self._hanging_up:
            return
        if len(data) > _TURN_SIZE:
            self._loop.call_soon(self._handle_rest, data[_TURN_SIZE:], arrival)
        else:
            self._loop.add_reader(self._sock, self._read)

    def _handle_events(self, data: bytes, arrival: Arrival) -> None:
        nodes = self.wire.nodes
        self.wire.receive_data(data)
        try:
            charged = max(len(data) / _UNIT_SIZE, (self.wire.nodes - nodes) / _UNIT_NODES)
            self._charge(charged, arrival.read)
            for number, event in enumerate(self.wire.events(), 1):
                self._stop_timer()
                self.heard_at = arrival.read
                if number > charged:
                    self._charge(number - charged, arrival.read)
                    charged = number
                self._on_request(self, event, arrival)
                if self._gone or self._hanging_up:
                    return
        except RemoteProtocolError as error:
            self._loop.remove_reader(self._sock)
            self._on_broken(self, error)

    def _charge(self, cost: float, now: float) -> None:
        if self._credit.charge(cost, now) < 0:
            rate = self._limits.messages_per_second
            raise RemoteProtocolError(
                f"zu viele, zu große oder zu viele falsche Nachrichten: mehr als {rate} gewöhnliche in der Sekunde",
                f"too many, too large or too many wrong messages: more than {rate} ordinary ones a second",
            )

    def charge_refusal(self) -> None:
        """A message was refused; who does nothing else is cut off at the next one."""
        self._credit.charge(_REFUSAL_COST - 1, self.heard_at)

    def _said_nothing(self) -> None:
        seconds = self._limits.first_message
        self._loop.remove_reader(self._sock)
        self._on_broken(
            self,
            RemoteProtocolError(
                f"in den ersten {seconds:g} s kam keine Nachricht", f"no message came in the first {seconds:g} s"
            ),
        )

    # --- writing ------------------------------------------------------------------------------------------------------

    def send_encoded(self, message: bytes) -> None:
        """Hand one message to the kernel, all at once if it takes it."""
        if self._gone or self.wire.closed:
            return
        self.wire.send_encoded(message)
        self._write(self.wire.data_to_send())

    def hang_up(self) -> None:
        """Send the closing tag, and close when all is sent."""
        if self._gone or self._hanging_up:
            return
        self._hanging_up = True
        self._start_timer(_FLUSH_SECONDS, self.abort)
        self._loop.remove_reader(self._sock)
        self.wire.close()
        self._write(self.wire.data_to_send())
        if not (self._unsent or self._gone):
            self._close_gently()

    def _write(self, data: bytes) -> None:
        if not self._unsent:
            try:
                sent = self._sock.send(data)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError:
                self._lost()
                return
            data = data[sent:]
            if not data:
                return
            self._loop.add_writer(self._sock, self._write_rest)
        self._unsent += data
        if len(self._unsent) > self._limits.unread:
            # The peer does not read. Nothing that we send would arrive.
            self._lost()

    def _write_rest(self) -> None:
        try:
            sent = self._sock.send(self._unsent)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            self._lost()
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._sock)
            if self._hanging_up:
                self._close_gently()

    # --- the end ------------------------------------------------------------------------------------------------------

    def _lost(self) -> None:
        """The connection broke; the caller may be in the middle of something, so report it later."""
        if not self._gone:
            hanging_up = self._hanging_up
            self.abort()
            if not hanging_up:
                self._loop.call_soon(self._on_lost, self)

    def _close_gently(self) -> None:
        """Close so that the peer still gets the last words, even if bytes of theirs lie unread here."""
        try:
            self._sock.shutdown(socket.SHUT_WR)
        except OSError as error:
            if error.errno not in (errno.ENOTCONN, errno.ECONNRESET, errno.EPIPE):
                raise
            self.abort()
            return
        self._loop.add_reader(self._sock, self._drain)
        self._start_timer(_DRAIN_SECONDS, self.abort)

    def _drain(self) -> None:
        try:
            if self._sock.recv(_READ_SIZE):
                return
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self.abort()

    def abort(self) -> None:
        """Close at once, without a word."""
        if self._gone:
            return
        self._gone = True
        self._stop_timer()
        self._loop.remove_reader(self._sock)
        self._loop.remove_writer(self._sock)
        self._sock.close()
        self._on_closed(self)

    def _start_timer(self, seconds: float, callback: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self._loop.call_later(seconds, callback)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _notice_vanishing(sock: socket.socket, seconds: int) -> None:
    """Let the kernel report a peer that acknowledges nothing for so long, also if there is nothing to send."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    probe = max(1, seconds // 5)
    options = {
        "TCP_KEEPIDLE": 2 * probe,
        "TCP_KEEPINTVL": probe,
        "TCP_KEEPCNT": 3,
        "TCP_USER_TIMEOUT": 1000 * seconds,
    }
    for name, value in options.items():
        if hasattr(socket, name):  # Not every system has all of them.
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
