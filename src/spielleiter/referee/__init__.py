"""THE GAME MASTER as pure machines: what happened and the time go in, commands and events come out.

``clock`` judges time, ``verdict`` says what a game is worth, ``room`` referees one game, ``lobby`` has the rooms and
all connections, ``credit`` says how much they may ask. Nothing here reads a clock, draws lots or knows a
socket: all of that is handed in.
"""

from spielleiter.referee.clock import Arrival
from spielleiter.referee.credit import Credit, CreditByKey
from spielleiter.referee.events import (
    ClockChanged,
    Command,
    ConnectionEvent,
    ConnectionId,
    Effects,
    GameEnded,
    GameEvent,
    GameStarted,
    HangUp,
    MoveMade,
    NotesTaken,
    Offence,
    PastMove,
    PlayerJoined,
    PlayerWaiting,
    RequestLater,
    RequestRefused,
    Send,
    StartLater,
)
from spielleiter.referee.lobby import Lobby, LobbySettings
from spielleiter.referee.room import Room, RoomPhase, Seat

__all__ = [
    "Arrival",
    "ClockChanged",
    "Command",
    "ConnectionEvent",
    "ConnectionId",
    "Credit",
    "CreditByKey",
    "Effects",
    "GameEnded",
    "GameEvent",
    "GameStarted",
    "HangUp",
    "Lobby",
    "LobbySettings",
    "MoveMade",
    "NotesTaken",
    "Offence",
    "PastMove",
    "PlayerJoined",
    "PlayerWaiting",
    "RequestLater",
    "RequestRefused",
    "Room",
    "RoomPhase",
    "Seat",
    "Send",
    "StartLater",
]
