"""The codes that open seats: of a plain reservation one seat, once; of an invitation one seat after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spielleiter.errors import MessageError
from spielleiter.game.element import shown
from spielleiter.referee.events import ConnectionId
from spielleiter.referee.room import Room, RoomPhase, Seat


@dataclass(slots=True)
class Invitation:
    """A reservation for one game after the other."""

    name: str
    waiting: ConnectionId | None = None
    """Who has come with it and waits for the next game."""


class Reservations:
    """All codes, the seats that they open now, and who waits for a seat."""

    def __init__(self) -> None:
        self._seats: dict[str, tuple[Room, Seat]] = {}
        self._invitations: dict[str, Invitation] = {}

    def invite(self, code: str, name: str) -> None:
        """Let ``code`` open one seat after the other. Idempotent."""
        self._invitations.setdefault(code, Invitation(name))

    def invitation(self, code: str) -> Invitation | None:
        """The invitation with this code, if it is one."""
        return self._invitations.get(code)

    def add(self, room: Room) -> None:
        """The codes of the room's seats open them from now on."""
        for seat in room.seats:
            seat.may_return = seat.code in self._invitations
            if seat.code is not None:
                self._seats[seat.code] = room, seat

    def remove(self, room: Room) -> None:
        """The room is over: its codes open nothing any more."""
        for seat in room.seats:
            if seat.code is not None and self._seats.get(seat.code, (None,))[0] is room:
                del self._seats[seat.code]

    def find(self, code: str) -> tuple[Room, Seat]:
        """The seat that a plain reservation opens. Raises ``MessageError``."""
        if code not in self._seats:
            raise MessageError(
                f"die Reservierung {shown(code)} gibt es nicht, oder sie wurde schon eingelöst",
                f"there is no reservation {shown(code)}, or it was used before",
            )
        return self._seats[code]

    def use(self, code: str) -> None:
        """A plain reservation has opened its seat; it does so once."""
        del self._seats[code]

    def open_seat(self, code: str) -> tuple[Room, Seat] | None:
        """The seat that an invitation opens now, if there is one."""
        found = self._seats.get(code)
        return None if found is None or found[0].phase is not RoomPhase.WAITING else found

    def is_waiting(self, connection: ConnectionId) -> bool:
        """Whether this connection waits for its next game."""
        return any(invitation.waiting == connection for invitation in self._invitations.values())

    def stop_waiting(self, connection: ConnectionId) -> None:
        """The connection is gone."""
        for invitation in self._invitations.values():
            if invitation.waiting == connection:
                invitation.waiting = None

    def admit(self, room: Room) -> Iterator[tuple[ConnectionId, Seat]]:
        """Who waits for which seat of this room; they wait no longer."""
        for seat in room.seats:
            invitation = self._invitations.get(seat.code or "")
            if invitation is not None and invitation.waiting is not None and seat.connection is None:
                connection, invitation.waiting = invitation.waiting, None
                yield connection, seat
