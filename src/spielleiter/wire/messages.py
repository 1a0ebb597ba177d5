"""Every message of the protocol as a value: first the requests of clients, then what a server says.

A payload is an ``Element`` where it was read, and ready-made XML from a codec where it is to be written.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from spielleiter.errors import MessageError
from spielleiter.game import Cause, ResultForm, ScorePart, Team
from spielleiter.game.element import Element

Payload = Element | str

# --- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Join:
    """Into any open room of the game; without one, of the server's own choice."""

    game_type: str | None = None
    name: str | None = None
    """What the player is called; an addition of ours, which other servers ignore."""


@dataclass(frozen=True, slots=True)
class JoinRoom:
    """Into a free place of a certain room."""

    room_id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class JoinPrepared:
    """Into the place that was reserved with this code."""

    reservation_code: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Authenticate:
    """Become an administrator."""

    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SlotRequest:
    """A place of a prepared room; ``None`` is what the request does not say."""

    display_name: str | None = None
    can_timeout: bool | None = None
    reserved: bool | None = None
    paused: bool | None = None


@dataclass(frozen=True, slots=True)
class Prepare:
    """A new room, with places in the order of the teams."""

    game_type: str | None
    slots: tuple[SlotRequest, ...]
    pause: bool | None = None


@dataclass(frozen=True, slots=True)
class Observe:
    """See what happens in a room."""

    room_id: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Hold a game before its next move, or let it go on."""

    room_id: str
    pause: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a paused game; ``forced`` ends a room in which a player is missing."""

    room_id: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Cancel:
    """End a room."""

    room_id: str


@dataclass(frozen=True, slots=True)
class SetTimeout:
    """Switch the clock of one player on or off."""

    room_id: str
    slot: int
    active: bool


@dataclass(frozen=True, slots=True)
class RoomMessage:
    """Something for a room, in practice a move."""

    room_id: str | None
    data: Payload | None


@dataclass(frozen=True, slots=True)
class Close:
    """The client has finished; a player that fails may say why."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An element that is not a valid request, and why."""

    element: Element
    error: MessageError


Request = (
    Join
    | JoinRoom
    | JoinPrepared
    | Authenticate
    | Prepare
    | Observe
    | Pause
    | Step
    | Cancel
    | SetTimeout
    | RoomMessage
    | Close
)

# --- what a server says -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Joined:
    """You have a place in this room."""

    room_id: str


@dataclass(frozen=True, slots=True)
class JoinedGameRoom:
    """To administrators: a player joined. A season has one of the two numbers."""

    room_id: str
    player_count: int | None = None
    existing: bool | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """The room that was asked for, and the codes of its reserved places."""

    room_id: str
    reservations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """You see this room from now on."""

    room_id: str


@dataclass(frozen=True, slots=True)
class Left:
    """The room is over for you."""

    room_id: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """The game begins; your team, as the season calls it."""

    room_id: str
    color: str


@dataclass(frozen=True, slots=True)
class Memento:
    """The state of the game."""

    room_id: str
    state: Payload = field(repr=False)


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """Your move, please."""

    room_id: str
    request_class: str


@dataclass(frozen=True, slots=True)
class Paused:
    """To observers: the game is held, or goes on."""

    room_id: str
    paused: bool


@dataclass(frozen=True, slots=True)
class RoomError:
    """Something was wrong with a move; ``original`` repeats it in an element that the season names."""

    room_id: str
    message: str
    original: Element | None = None
    original_name: str = field(default="originalMessage", compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one player, and why their game ended where the season says so."""

    team: Team
    parts: tuple[int, ...]
    name: str = ""
    cause: Cause | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a game."""

    room_id: str
    definition: tuple[ScorePart, ...]
    scores: tuple[Score, ...]
    winner: Team | None
    regular: bool | None = None
    reason: str | None = None
    draw: bool = False
    """Whether a game that has been decided is a draw."""
    form: ResultForm = field(default_factory=ResultForm, compare=False)
    colors: tuple[str, str] = field(default=("ONE", "TWO"), compare=False)


@dataclass(frozen=True, slots=True)
class ErrorPacket:
    """A request was refused; ``request`` repeats it."""

    message: str
    request: Element | None = None


ServerMessage = (
    Joined
    | JoinedGameRoom
    | Prepared
    | Observed
    | Left
    | Welcome
    | Memento
    | MoveRequest
    | Paused
    | RoomError
    | Result
    | ErrorPacket
    | Close
)
