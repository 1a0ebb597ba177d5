"""Both sides of a connection, sans I/O: bytes in, messages out; messages in, bytes out.

    connection.receive_data(data)          # what the socket gave; b"" when the peer has closed it
    for event in connection.events():      # messages, then at the end Close
        ...                                # may raise RemoteProtocolError: answer, close
    connection.send(message)
    socket.send(connection.data_to_send())

Both directions are one XML document each. It opens with our first message and closes with ``close()``; a message
after that is our own mistake, a ``LocalProtocolError``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Generic, TypeVar

from spielleiter.errors import LocalProtocolError, MessageError, RemoteProtocolError
from spielleiter.game import Dialect
from spielleiter.game.element import Element, shown
from spielleiter.wire.framing import SERVER_FRAMES, FrameLimits, Framer
from spielleiter.wire.messages import Close, Request, ServerMessage, Unreadable
from spielleiter.wire.reader import read_request, read_server_message
from spielleiter.wire.writer import encode

_OPENING = b"<protocol>"
_CLOSING = b"\n</protocol>"

Received = TypeVar("Received")
Sent = TypeVar("Sent", bound=Request | ServerMessage)


class Connection(ABC, Generic[Received, Sent]):
    """What both sides have in common; see the module."""

    def __init__(self, limits: FrameLimits | None = None) -> None:
        self._framer = Framer(limits)
        self._broken: RemoteProtocolError | None = None
        self._peer_finished = False
        self._close_seen = False
        self._messages_read = 0
        self._out: list[bytes] = []
        self._opened = False
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether our side has said its last word."""
        return self._closed

    @property
    def nodes(self) -> int:
        """How many elements and attributes have come so far."""
        return self._framer.nodes

    def receive_data(self, data: bytes) -> None:
        """Take in what the peer sent; ``b""`` says that nothing more will come."""
        if not data:
            self._peer_finished = True
        elif self._broken is None:
            try:
                self._framer.feed(data)
            except RemoteProtocolError as error:
                self._broken = error

    def events(self) -> Iterator[Received | Close | Unreadable]:
        """What has come so far, each once. Raises ``RemoteProtocolError`` after all that came before the mistake."""
        while not self._close_seen and (element := self._framer.next()) is not None:
            self._messages_read += 1
            try:
                message = self._read(element)
            except MessageError as error:
                yield Unreadable(element, error)
                continue
            self._close_seen = isinstance(message, Close)
            yield message
        if self._close_seen:
            return
        if self._broken is not None:
            self._close_seen = True
            raise self._broken
        if self._framer.closed or self._peer_finished:
            self._close_seen = True
            self._check_root()
            yield Close()

    def send(self, message: Sent) -> None:
        """Say something."""
        self.send_encoded(encode(message))

    def send_encoded(self, message: bytes) -> None:
        """Say something that ``encode`` has made ready, for several receivers of one message."""
        if self._closed:
            raise LocalProtocolError("a message was sent after the end of the document")
        if not self._opened:
            self._opened = True
            message = _OPENING + message
        self._out.append(message)

    def close(self) -> None:
        """Send the closing tag. Idempotent."""
        if not self._closed:
            self.send_encoded(_CLOSING)
            self._closed = True

    def data_to_send(self) -> bytes:
        """What has to go over the wire now; ``b""`` if nothing has."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def _check_root(self) -> None:
        root = self._framer.root
        if self._framer.closed and not self._messages_read and root not in (None, "protocol"):
            name = shown(root or "")[1:-1]
            raise RemoteProtocolError(
                f"<protocol> muss offen sein, bevor <{name}> kommt", f"<protocol> must be open before <{name}> comes"
            )

    @abstractmethod
    def _read(self, element: Element) -> Received | Close:
        """The message that the peer means. Raises ``MessageError``."""


class ServerConnection(Connection[Request, ServerMessage]):
    """The game master's side: receives requests, sends what a server says."""

    def _read(self, element: Element) -> Request:
        return read_request(element)


class ClientConnection(Connection[ServerMessage, Request]):
    """A player's or administrator's side: receives what a server says in the dialect of a season, sends requests.

    Who does not know the season yet sets ``dialect`` as soon as it shows; only results are worded in a dialect.
    """

    def __init__(self, dialect: Dialect | None = None, limits: FrameLimits | None = None) -> None:
        super().__init__(limits or SERVER_FRAMES)
        self.dialect = dialect or Dialect()

    def _read(self, element: Element) -> ServerMessage:
        return read_server_message(element, self.dialect)
