"""The log of connections: who joined, was refused or left, who waits for whom, and what would fill a lonely room."""

from __future__ import annotations

import logging

from spielleiter.referee import ConnectionEvent, Lobby, PlayerJoined, PlayerWaiting, RequestRefused, Room, RoomPhase
from spielleiter.server.peer import Peer
from spielleiter.text import one_line

log = logging.getLogger("spielleiter.server")

LONELY_SECONDS = 30.0
"""Seconds until the log says what a waiting room waits for."""


class ConnectionLog:
    """Writes a line for everything that happens to a connection of ``lobby``."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._waiting: dict[str, float] = {}
        """Since when a player waits in a room, the longest first."""

    def write(self, peer: Peer, event: ConnectionEvent, now: float) -> None:
        """Something has happened to a connection."""
        match event:
            case PlayerJoined():
                self._joined(peer, event, now)
            case PlayerWaiting(_, name):
                log.info("%s is %s and waits for the next game", peer, one_line(name))
            case RequestRefused(_, text):
                log.info("%s was refused: %s", peer, text.en)

    def _joined(self, peer: Peer, event: PlayerJoined, now: float) -> None:
        room = self._lobby.rooms.get(event.room_id)
        others = [] if room is None else [other for other in room.players if other != event.connection]
        if room is not None and room.phase is RoomPhase.WAITING and not room.is_complete:
            self._waiting.setdefault(room.room_id, now)
            situation = f"waits for {_missing(room)}"
        elif room is not None:
            situation = f"plays connection {others[0]}" if others else "plays a person at our own pages"
        else:
            situation = "the game is over"
        name = None if room is None else room.seats[event.team].name
        who = f"{event.team.name} ({one_line(name)})" if name else event.team.name
        log.info("%s joined room %s of %s as %s: %s", peer, event.room_id, event.game, who, situation)

    def left(self, peer: Peer) -> None:
        """A connection is closed."""
        log.info("%s left", peer)

    def name_lonely_rooms(self, now: float) -> None:
        """Say once of each room that has waited for long what it waits for."""
        while self._waiting:
            room_id, since = next(iter(self._waiting.items()))
            if now - since < LONELY_SECONDS:
                return
            del self._waiting[room_id]
            room = self._lobby.rooms.get(room_id)
            if room is not None and room.phase is RoomPhase.WAITING and room.players and not room.is_complete:
                seconds = f"{now - since:.0f} s"
                log.warning("room %s has waited %s for %s%s", room_id, seconds, _missing(room), self._hint(room))

    def _hint(self, room: Room) -> str:
        """The rooms where a player waits who perhaps wanted to come here."""
        if room.open_seat() is None:
            return ""
        rooms = self._lobby.rooms.values()
        elsewhere = {other.game.key for other in rooms if other.open_seat() is not None and other.players}
        elsewhere.discard(room.game.key)
        if not elsewhere:
            return ""
        return f"; a client in {' and '.join(sorted(elsewhere))} waits too: was a gameType missing?"


def _missing(room: Room) -> str:
    """Who has to come before the game can begin."""
    seat = next(seat for seat in room.seats if not seat.is_taken)
    if seat.code is None:
        return f"a second player of {room.game}"
    return f"{seat.name or seat.team.name}, who has a reservation"
