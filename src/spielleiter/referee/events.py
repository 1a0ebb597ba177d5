"""What the machines of the referee return: events for subscribers (recorder, log, pages), commands to carry out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from spielleiter.game import AnyGame, Element, GameResult, Limits, MoveTiming, Team, Text
from spielleiter.game.note import PlayerNote
from spielleiter.wire.messages import ServerMessage

ConnectionId = Hashable
"""However the caller names a connection."""


@dataclass(frozen=True, slots=True)
class PastMove:
    """A move that was played in an earlier room and still counts."""

    team: Team
    move: Any
    before: Any
    """The state in which it was played."""
    timing: MoveTiming | None = None
    """On the clock of the game, like those of all moves before it."""
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Both players are there."""

    room_id: str
    game: AnyGame
    names: tuple[str, str]
    state: Any
    at: float
    limits: tuple[Limits | None, Limits | None]
    """What ONE and TWO have for a move; ``None``: no limit."""
    isolation: tuple[str, str] | None = None
    """How the programs of ONE and TWO are sandboxed, where that is known."""
    past: tuple[PastMove, ...] = ()
    """What led to ``state`` and still counts: the game goes on, as after a move was taken back."""


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A legal move in time, and the state after it."""

    room_id: str
    team: Team
    move: Any
    state: Any
    hints: tuple[str, ...]
    timing: MoveTiming


@dataclass(frozen=True, slots=True)
class NotesTaken:
    """What a player noted and its program printed for the move ``ply``, or before the end; not for its opponent."""

    room_id: str
    team: Team
    ply: int
    notes: tuple[PlayerNote, ...] = ()
    problem: Text | None = None
    """What is wrong with some of the notes."""
    output: str = ""


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """A player has other limits from the next request on; ``None``: no limit."""

    room_id: str
    team: Team
    limits: Limits | None


@dataclass(frozen=True, slots=True)
class Offence:
    """What a player did wrong: the move if it could be read, its times if it was asked for."""

    team: Team
    text: Text
    move: Any = None
    timing: MoveTiming | None = None
    sent: Element | None = None
    """What the player sent, unchanged."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over, or will not begin. ``state`` is the last one that counts."""

    room_id: str
    result: GameResult
    state: Any
    at: float
    offence: Offence | None = None


GameEvent = GameStarted | MoveMade | NotesTaken | ClockChanged | GameEnded
"""What happens in one game."""


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A connection has taken a seat."""

    connection: ConnectionId
    room_id: str
    game: AnyGame
    team: Team


@dataclass(frozen=True, slots=True)
class PlayerWaiting:
    """A connection has come with a reservation for several games, and the next one has not begun."""

    connection: ConnectionId
    name: str


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """A connection asked for something that cannot be granted."""

    connection: ConnectionId
    text: Text


ConnectionEvent = PlayerJoined | PlayerWaiting | RequestRefused
"""What happens to one connection."""


# --- commands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Send:
    """Write one message to each of these connections, in this order; encode it once."""

    to: tuple[ConnectionId, ...]
    message: ServerMessage


@dataclass(frozen=True, slots=True)
class HangUp:
    """Send the closing tag on this connection and end it, once everything before has been sent."""

    connection: ConnectionId


@dataclass(frozen=True, slots=True)
class RequestLater:
    """Call ``request_due`` of the room at ``due``: its player gets the move request some time after the state."""

    room_id: str
    due: float


@dataclass(frozen=True, slots=True)
class StartLater:
    """Call ``start_due`` of the room at ``due``: the game begins some time after its players have joined."""

    room_id: str
    due: float


Command = Send | HangUp | RequestLater | StartLater

Effects = list[Command | GameEvent | ConnectionEvent]
"""The order matters: an event that stands before a message was true before the message left."""
