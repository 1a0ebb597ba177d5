"""THE GAME MASTER as pure machines: an event and the time go in, effects come out.

``clock`` judges time, ``verdict`` says what a game is worth, ``room`` referees one game, ``lobby`` keeps the rooms and
everybody who is connected. Nothing here reads a clock, draws lots or knows a socket: all of that is handed in.
"""

from spielleiter.referee.clock import Arrival, JudgedBy, Timing
from spielleiter.referee.effects import ConnectionId, Effect, GameEnded, GameStarted, HangUp, MoveMade, Offence, Send
from spielleiter.referee.lobby import Lobby, LobbySettings
from spielleiter.referee.room import Phase, Room, Seat

__all__ = [
    "Arrival",
    "ConnectionId",
    "Effect",
    "GameEnded",
    "GameStarted",
    "HangUp",
    "JudgedBy",
    "Lobby",
    "LobbySettings",
    "MoveMade",
    "Offence",
    "Phase",
    "Room",
    "Seat",
    "Send",
    "Timing",
]
