"""The messages of rooms as they go over the wire, for people: both ways, with times and names.

Laws: nothing is looked at without a listener; no reservation and no password is ever in a trace, and nothing that a
terminal would obey; a message has a limited length.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from spielleiter.game import TEAMS
from spielleiter.referee import ConnectionId, Lobby, Send
from spielleiter.text import one_line, printable
from spielleiter.wire import encode
from spielleiter.wire.messages import Request, Unreadable
from spielleiter.wire.writer import markup

MAX_LENGTH = 4000
"""Characters of a traced message: a state of the largest board is longer."""
SERVER = "server"
_MAX_MESSAGES, _MAX_ROOMS = 200, 20
"""The newest messages of a room; and rooms, of which the one that was looked at first is dropped."""

_SECRETS = (
    (re.compile(r"""\b(reservationCode|password|passphrase)\s*=\s*("[^"]*"|'[^']*')"""), r'\1="***"'),
    (re.compile(r"<(reservationCode|reservation|password|passphrase)>[^<]*<"), r"<\1>***<"),
    # Our own sentence about a reservation that does not exist: it may be one with a typing error.
    (re.compile(r"(Reservierung|reservation) (?:&apos;|').*?(?:&apos;|')"), r"\1 ***"),
)


@dataclass(frozen=True, slots=True)
class TracedMessage:
    """A message on its way."""

    at: float
    """Seconds since 1970."""
    room_id: str | None
    sender: str
    receivers: str
    text: str

    @property
    def heading(self) -> str:
        """When, in which room, from whom to whom."""
        moment = f"{time.strftime('%H:%M:%S', time.localtime(self.at))}.{int(self.at * 1000) % 1000:03}"
        room = "" if self.room_id is None else f" room {one_line(self.room_id)[:8]}"
        return f"{moment}{room}: {self.sender} → {self.receivers}"

    def is_of(self, wanted: str) -> bool:
        """Whether this is a message of a room whose id begins so, or of a player of this name."""
        players = {name.removesuffix(f" ({team.name})") for name in (self.sender, self.receivers) for team in TEAMS}
        return (self.room_id or "").startswith(wanted) or wanted in players


class Tracer:
    """Tells listeners of the messages of a game master."""

    def __init__(self, lobby: Lobby, describe: Callable[[ConnectionId], str]) -> None:
        """``describe`` names a connection whose player is unknown."""
        self._lobby = lobby
        self._describe = describe
        self._listeners: list[Callable[[TracedMessage], None]] = []

    @property
    def is_on(self) -> bool:
        """Whether there is a listener."""
        return bool(self._listeners)

    def subscribe(self, listener: Callable[[TracedMessage], None]) -> Callable[[], None]:
        """Call ``listener`` with every message from now on; the result unsubscribes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def received(self, connection: ConnectionId, request: Request | Unreadable) -> None:
        """A client has said something."""
        text = markup(request.element, 0) if isinstance(request, Unreadable) else encode(request).decode()
        room_id = getattr(request, "room_id", None)
        self._tell(room_id, self._name(connection, room_id), SERVER, text)

    def sent(self, command: Send, encoded: bytes) -> None:
        """The game master says something."""
        room_id = getattr(command.message, "room_id", None)
        receivers = ", ".join(self._name(connection, room_id) for connection in command.to)
        self._tell(room_id, SERVER, receivers, encoded.decode())

    def _tell(self, room_id: str | None, sender: str, receivers: str, text: str) -> None:
        message = TracedMessage(time.time(), room_id, sender, receivers, readable(text))
        for listener in tuple(self._listeners):
            listener(message)

    def _name(self, connection: ConnectionId, room_id: str | None) -> str:
        room = self._lobby.rooms.get(room_id or "")
        for seat, name in () if room is None else zip(room.seats, room.names, strict=True):
            if seat.connection == connection:
                return f"{one_line(name)} ({seat.team.name})"
        return self._describe(connection)


class RoomTraces:
    """The messages of the rooms that are looked at, from the first look until they are over."""

    def __init__(self, tracer: Tracer, lobby: Lobby, on_message: Callable[[], None]) -> None:
        self._tracer = tracer
        self._lobby = lobby
        self._on_message = on_message
        self._rooms: OrderedDict[str, deque[TracedMessage]] = OrderedDict()
        self._unsubscribe: Callable[[], None] | None = None

    def of(self, room_id: str) -> tuple[TracedMessage, ...] | None:
        """What was said since the first look, the newest last; ``None`` if there is no such room."""
        if room_id not in self._rooms:
            if room_id not in self._lobby.rooms:
                return None
            self._rooms[room_id] = deque(maxlen=_MAX_MESSAGES)
            if len(self._rooms) > _MAX_ROOMS:
                self._rooms.popitem(last=False)
        if self._unsubscribe is None and room_id in self._lobby.rooms:
            self._unsubscribe = self._tracer.subscribe(self._listen)
        return tuple(self._rooms[room_id])

    def _listen(self, message: TracedMessage) -> None:
        followed = self._rooms.get(message.room_id or "")
        if followed is not None:
            followed.append(message)
            self._on_message()
        elif self._unsubscribe is not None and self._rooms.keys().isdisjoint(self._lobby.rooms):
            self._unsubscribe()
            self._unsubscribe = None


def readable(text: str) -> str:
    """What went over the wire, fit for people: without secrets, terminal commands and endless boards."""
    for secret, replacement in _SECRETS:
        text = secret.sub(replacement, text)
    text = printable(text.strip("\n"))
    more = len(text) - MAX_LENGTH
    return text if more <= 0 else f"{text[:MAX_LENGTH]} … ({more} more characters)"
