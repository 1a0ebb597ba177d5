"""What a machine of the referee wants done, and what it returns: commands to carry out and events to publish."""

from __future__ import annotations

from dataclasses import dataclass

from spielleiter.referee.events import ConnectionEvent, ConnectionId, GameEvent
from spielleiter.wire.messages import ServerMessage


@dataclass(frozen=True, slots=True)
class Send:
    """Write one message to each of these connections, in this order; encode it once."""

    to: tuple[ConnectionId, ...]
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class HangUp:
    """Say the last word on this connection and end it, once everything before has been sent."""

    connection: ConnectionId


@dataclass(frozen=True, slots=True)
class RequestLater:
    """At ``due`` call ``request_due`` of the room: its player gets the request for a move some time after the state."""

    room_id: str
    due: float


Command = Send | HangUp | RequestLater

Effects = list[Command | GameEvent | ConnectionEvent]
"""The order matters: an event that stands before a message was true before the message left."""
