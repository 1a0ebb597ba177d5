"""What a machine of the referee wants done: messages to send, connections to end, and events worth a record."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from spielleiter.game import AnyGame, GameResult, Team, Text
from spielleiter.referee.clock import Timing
from spielleiter.wire.messages import ServerMessage

ConnectionId = Hashable
"""However the caller names a connection."""


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
class GameStarted:
    """Both players are there."""

    room_id: str
    game: AnyGame
    names: tuple[str, str]
    state: Any
    at: float


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A legal move in time, and the state after it."""

    room_id: str
    team: Team
    move: Any
    state: Any
    hints: tuple[str, ...]
    timing: Timing


@dataclass(frozen=True, slots=True)
class Offence:
    """What a player did wrong: the move if it could be read, its times if it was asked for."""

    team: Team
    text: Text
    move: Any = None
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over, or will not begin. ``state`` is the last one that counts."""

    room_id: str
    result: GameResult
    state: Any
    at: float
    offence: Offence | None = None


Effect = Send | HangUp | GameStarted | MoveMade | GameEnded
