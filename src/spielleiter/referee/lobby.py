"""All rooms and all connections, as a pure machine: requests go in, commands and events come out.

One lobby serves all games on one port; each room speaks the dialect of its game. A request that cannot be granted is
answered with an error that says why, and changes nothing. Whatever a connection does, it can only hurt its own games.

Hand in everything that has arrived before you report that time has passed: a move that is here is not silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

from spielleiter.errors import MessageError, Refused, RemoteProtocolError
from spielleiter.game import TEAMS, AnyGame, Element, Language, Limits, Team, Text
from spielleiter.game.element import shown
from spielleiter.referee.clock import Arrival
from spielleiter.referee.credit import CreditByKey
from spielleiter.referee.deadlines import Deadlines
from spielleiter.referee.events import (
    ConnectionId,
    Effects,
    HangUp,
    PastMove,
    PlayerJoined,
    PlayerWaiting,
    RequestRefused,
    Send,
)
from spielleiter.referee.reservations import Invitation, Reservations
from spielleiter.referee.room import Room, RoomPhase, Seat, open_seats
from spielleiter.text import one_line
from spielleiter.wire.messages import (
    Authenticate,
    Cancel,
    Close,
    ErrorPacket,
    Join,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    Observe,
    Pause,
    Prepare,
    Prepared,
    Request,
    RoomMessage,
    SetTimeout,
    Step,
    Unreadable,
)
from spielleiter.wire.reader import is_server_data
from spielleiter.wire.writer import original_request

_MAX_NAME = 60
"""Characters of a name that a player gives itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySettings:
    """What a server may choose."""

    password: str | None = field(default=None, repr=False)
    """Makes a client an administrator; without one there are none."""
    wrong_passwords: int = 10
    """Attempts from one origin at once, then one a second; more are not even compared."""
    language: Language = "de"
    limits: Limits | None = None
    """For every game instead of its own."""
    timeouts: bool = True
    start_gap: float = 0.0
    """Seconds between the answer to the second player's join and the beginning of the game."""
    request_gap: float | None = None
    """Seconds between a state and the request that follows it, instead of those of each season."""
    paused: bool = False
    """Whether rooms that a plain join opens begin paused."""
    reserved_only: bool = False
    """Whether joining requires a reservation."""
    max_rooms: int = 10_000
    max_seats: int = 100
    """Seats that one connection may have at the same time."""


@dataclass(slots=True)
class _Client:
    origin: str = ""
    is_admin: bool = False
    seats: dict[str, Team] = field(default_factory=dict)
    observing: dict[str, None] = field(default_factory=dict)


class Lobby:
    """All rooms, reservations and clients.

    ``games`` has one rule set for each wire name; ``default`` is the default game. ``new_start`` gives the start
    position for a new room, ``new_id`` names that cannot be guessed, ``label`` what people call the player of a
    connection that has no name.
    """

    def __init__(
        self,
        games: Iterable[AnyGame],
        *,
        default: AnyGame,
        new_start: Callable[[AnyGame], Any],
        new_id: Callable[[], str],
        label: Callable[[ConnectionId], str] = lambda connection: "",
        settings: LobbySettings | None = None,
    ) -> None:
        self.games: dict[str, AnyGame] = {}
        for game in (*games, default):
            if self.games.setdefault(game.wire_name, game) is not game:
                raise ValueError(f"{game} and {self.games[game.wire_name]} have the same name on the wire")
        self.default = default
        self.settings = settings or LobbySettings()
        self.rooms: dict[str, Room] = {}
        self._new_start = new_start
        self._new_id = new_id
        self._label = label
        self._clients: dict[ConnectionId, _Client] = {}
        self._reservations = Reservations()
        self._open: dict[str, dict[str, Room]] = {name: {} for name in self.games}
        self._deadlines = Deadlines(self.rooms)
        self._guesses = CreditByKey(1.0, self.settings.wrong_passwords)

    # --- events -------------------------------------------------------------------------------------------------------

    def connected(self, connection: ConnectionId, origin: str) -> None:
        """A client has come; all clients of one ``origin`` share what they may guess."""
        self._clients[connection] = _Client(origin)

    def is_idle(self, connection: ConnectionId) -> bool:
        """Whether this connection neither plays, watches or administers, nor waits for its next game."""
        client = self._clients.get(connection)
        if client is None or client.seats or client.observing or client.is_admin:
            return False
        return not self._reservations.is_waiting(connection)

    def received(self, connection: ConnectionId, request: Request | Unreadable, arrival: Arrival) -> Effects:
        """A client said something."""
        client = self._clients.setdefault(connection, _Client())
        try:
            return self._grant(connection, client, request, arrival)
        except MessageError as error:
            refusal = self._refusal(connection, error, original_request(request))
            return [RequestRefused(connection, error.text), refusal]

    def broken(self, connection: ConnectionId, error: RemoteProtocolError, now: float) -> Effects:
        """A client's stream makes no sense any more: it gets the reason, loses its games, and is cut off."""
        client = self._clients.setdefault(connection, _Client())
        effects: Effects = [self._refusal(connection, error, None)]
        for room_id in tuple(client.seats):
            room = self.rooms[room_id]
            effects += self._after(room, room.expel(connection, error.text, now))
        return [*effects, *self.disconnected(connection, now), HangUp(connection)]

    def disconnected(self, connection: ConnectionId, now: float, reason: str | None = None) -> Effects:
        """A connection is gone; ``reason`` is what the client said about it."""
        client = self._clients.pop(connection, None)
        if client is None:
            return []
        self._reservations.stop_waiting(connection)
        effects: Effects = []
        for room_id in {**client.seats, **client.observing}:
            room = self.rooms[room_id]
            effects += self._after(room, room.leave(connection, now, reason))
        return effects

    def time_passed(self, now: float) -> Effects:
        """It is ``now``; players whose deadline has passed have lost."""
        effects: Effects = []
        while (room := self._deadlines.pop(now)) is not None:
            effects += self._after(room, room.time_passed(now))
        return effects

    def next_deadline(self) -> float | None:
        """When ``time_passed`` has to be called next."""
        return self._deadlines.next()

    def request_sent(self, room_id: str, now: float) -> None:
        """The request for a move has left for its player: the clock starts now."""
        room = self.rooms.get(room_id)
        if room is not None:
            room.request_sent(now)
            self._deadlines.watch(room)

    def start_due(self, room_id: str, due: float, now: float) -> Effects:
        """The moment of a ``StartLater`` has come."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.start_due(due, now))

    def request_due(self, room_id: str, due: float, now: float) -> Effects:
        """The moment of a ``RequestLater`` has come."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.request_due(due, now))

    def cancel(self, room_id: str, now: float, why: Text | None = None) -> Effects:
        """The operator ends a room, if it is still there."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.cancel(now, why))

    def play(self, room_id: str, team: Team, move: Any, arrival: Arrival) -> Effects:
        """A person at one of our own pages plays ``move``. Raises ``Refused``."""
        room = self.rooms.get(room_id)
        if room is None:
            raise Refused("Das Spiel ist schon zu Ende.", "The game is already over.")
        return self._after(room, room.play(team, move, arrival))

    def resign(self, room_id: str, team: Team, now: float, why: Text | None = None) -> Effects:
        """A person at one of our own pages gives up; the protocol has no word for that."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.resign(team, now, why))

    def adjudicate(self, room_id: str, winner: Team | None, why: Text, now: float) -> Effects:
        """A match ends a game that seems decided."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.adjudicate(winner, why, now))

    def pause(self, room_id: str, paused: bool, now: float) -> Effects:
        """The operator pauses a game before its next request, or resumes it."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.pause(paused, now))

    def step(self, room_id: str, now: float) -> Effects:
        """The operator asks for one more move of a paused game."""
        room = self.rooms.get(room_id)
        return [] if room is None else self._after(room, room.step(False, now))

    def stop(self, now: float) -> Effects:
        """The server stops: every game ends without a decision, every connection is closed."""
        why = Text("der Server wurde beendet", "the server was stopped")
        effects: Effects = []
        for room in tuple(self.rooms.values()):
            effects += self._after(room, room.cancel(now, why) if room.phase is RoomPhase.RUNNING else room.dissolve())
        effects += [HangUp(connection) for connection in self._clients]
        self._clients.clear()
        return effects

    # --- requests -----------------------------------------------------------------------------------------------------

    def _grant(
        self, connection: ConnectionId, client: _Client, request: Request | Unreadable, arrival: Arrival
    ) -> Effects:
        now = arrival.read
        match request:
            case RoomMessage(room_id, data):
                assert not isinstance(data, str)
                return self._room_message(client, room_id, data, arrival)
            case Join(game_type, name):
                return self._join(connection, client, self._game(game_type), name, now)
            case JoinRoom(room_id, name):
                return self._join_room(connection, client, self._room(room_id), name, now)
            case JoinPrepared(code, name):
                return self._join_prepared(connection, client, code, name, now)
            case Authenticate(password):
                return self._authenticate(client, password, now)
            case Close(reason):
                return [*self.disconnected(connection, now, reason), HangUp(connection)]
            case Unreadable(_, error):
                raise error
            case _:
                return self._administer(connection, client, request, now)

    def _administer(
        self,
        connection: ConnectionId,
        client: _Client,
        request: Prepare | Observe | Pause | Step | Cancel | SetTimeout,
        now: float,
    ) -> Effects:
        if not client.is_admin:
            raise MessageError("das darf nur, wer sich angemeldet hat", "this needs authentication")
        if isinstance(request, Prepare):
            return self._prepare(connection, request)
        room = self._room(request.room_id)
        match request:
            case Observe():
                client.observing[room.room_id] = None
                return room.observe(connection)
            case Pause(_, pause):
                return self._after(room, room.pause(pause, now))
            case Step(_, forced):
                return self._after(room, room.step(forced, now))
            case Cancel():
                return self._after(room, room.cancel(now))
            case SetTimeout(_, slot, active):
                if slot not in (0, 1):
                    raise MessageError(f"slot muss 0 oder 1 sein, nicht {slot}", f"slot must be 0 or 1, not {slot}")
                return room.set_timeout(TEAMS[slot], active)

    def _authenticate(self, client: _Client, password: str, now: float) -> Effects:
        if self._guesses.left(client.origin, now) < 1:
            # Only this origin waits, and only until it stops guessing: the administrator is not locked out.
            raise MessageError(
                "zu viele falsche Passwörter von dieser Adresse; warte ein paar Sekunden",
                "too many wrong passwords from this address; wait a few seconds",
            )
        expected = self.settings.password
        # Compared even if there is none, so that the time reveals nothing.
        same = compare_digest(password.encode(errors="replace"), (expected or "").encode(errors="replace"))
        if not (expected and same):
            self._guesses.charge(client.origin, 1, now)
            raise MessageError("das Passwort ist falsch", "the password is wrong")
        client.is_admin = True
        return []

    # --- joining ------------------------------------------------------------------------------------------------------

    def _join(self, connection: ConnectionId, client: _Client, game: AnyGame, name: str | None, now: float) -> Effects:
        self._check_seats(client)
        if self.settings.reserved_only:
            raise MessageError(
                "hier spielt nur mit, wer eine Reservierung hat: --reservation CODE",
                "only players with a reservation play here: --reservation CODE",
            )
        open_rooms = self._open[game.wire_name].values()
        room = next((room for room in open_rooms if room.room_id not in client.seats), None)
        if room is None:
            room = self.open_room(game, open_seats(), prepared=False, paused=self.settings.paused)
        effects = self._sit_down(connection, room, room.open_seat(), name, now)
        admins = tuple(other for other, known in self._clients.items() if known.is_admin)
        players = len(room.players)
        counted = game.codec.dialect.counts_players
        joined = JoinedGameRoom(room.room_id, players if counted else None, None if counted else players > 1)
        return [*effects, Send(admins, joined)] if admins else effects

    def _join_room(
        self, connection: ConnectionId, client: _Client, room: Room, name: str | None, now: float
    ) -> Effects:
        self._check_seats(client)
        seat = room.open_seat()
        if room.room_id in client.seats:
            raise MessageError("diese Verbindung spielt dort schon mit", "this connection already plays there")
        if seat is None:
            raise MessageError(
                "in diesem Raum ist kein Platz frei, der nicht reserviert ist",
                "there is no free place in this room that is not reserved",
            )
        return self._sit_down(connection, room, seat, name, now)

    def _join_prepared(
        self, connection: ConnectionId, client: _Client, code: str, name: str | None, now: float
    ) -> Effects:
        self._check_seats(client)
        if (invitation := self._reservations.invitation(code)) is not None:
            return self._join_invited(connection, code, invitation, now)
        room, seat = self._reservations.find(code)
        if room.room_id in client.seats:
            raise MessageError("diese Verbindung spielt dort schon mit", "this connection already plays there")
        if seat.admits is not None and not seat.admits(connection):
            raise MessageError(
                f"die Reservierung {shown(code)} gehört einem anderen Programm",
                f"the reservation {shown(code)} belongs to another program",
            )
        self._reservations.use(code)
        return self._sit_down(connection, room, seat, name, now)

    def _join_invited(self, connection: ConnectionId, code: str, invitation: Invitation, now: float) -> Effects:
        """Take the seat that is open with this code, or wait for the next one.

        Of two connections with one code the newer one counts: a laptop that was asleep has come back before anyone
        noticed that it was gone.
        """
        open_seat = self._reservations.open_seat(code)
        if open_seat is None:
            effects = self._dismiss(invitation.waiting, connection)
            invitation.waiting = connection
            return [*effects, PlayerWaiting(connection, invitation.name)]
        room, seat = open_seat
        if seat.connection == connection:
            return []
        effects = self._dismiss(seat.connection, connection)
        if seat.connection is not None:
            self._clients[seat.connection].seats.pop(room.room_id, None)
        return effects + self._sit_down(connection, room, seat, None, now)

    def _dismiss(self, older: ConnectionId | None, newer: ConnectionId) -> Effects:
        if older is None or older == newer:
            return []
        error = MessageError(
            "mit dieser Reservierung ist jemand anderes gekommen", "somebody else has come with this reservation"
        )
        return [RequestRefused(older, error.text), self._refusal(older, error, None)]

    def _sit_down(
        self, connection: ConnectionId, room: Room, seat: Seat | None, name: str | None, now: float
    ) -> Effects:
        assert seat is not None
        self._clients[connection].seats[room.room_id] = seat.team
        if seat.name is None:
            seat.name = one_line(name or "")[:_MAX_NAME] or None
        seat.label = self._label(connection)
        joined = PlayerJoined(connection, room.room_id, room.game, seat.team)
        effects = [joined, *room.sit_down(seat, connection, now)]
        if room.open_seat() is None:
            self._open[room.game.wire_name].pop(room.room_id, None)
        return self._after(room, effects)

    def _check_seats(self, client: _Client) -> None:
        if len(client.seats) >= self.settings.max_seats:
            raise MessageError("zu viele Spiele auf einer Verbindung", "too many games on one connection")

    # --- rooms --------------------------------------------------------------------------------------------------------

    def invite(self, code: str, name: str) -> None:
        """Let ``code`` open one seat after the other, of the rooms that are opened with it.

        A player who comes with it between two games waits for the next one; see ``admit``.
        """
        self._reservations.invite(code, name)

    def admit(self, room_id: str, now: float) -> Effects:
        """Invited players who wait for this room take their seats; once both are taken, the game begins."""
        effects: Effects = []
        if (room := self.rooms.get(room_id)) is not None:
            for connection, seat in self._reservations.admit(room):
                effects += self._sit_down(connection, room, seat, None, now)
            if room.phase is RoomPhase.WAITING and room.is_complete:
                effects += self._after(room, room.begin(now))
        return effects

    def open_room(
        self,
        game: AnyGame,
        seats: tuple[Seat, Seat],
        *,
        prepared: bool = True,
        paused: bool = False,
        start: Any = None,
        limits: Limits | None = None,
        isolation: tuple[str, str] | None = None,
        past: tuple[PastMove, ...] = (),
    ) -> Room:
        """A new room, whose reserved seats open with their codes. Raises ``MessageError`` if there are too many.

        ``limits`` count instead of those of all rooms.
        """
        if len(self.rooms) >= self.settings.max_rooms:
            raise MessageError(
                "der Server hat keinen Platz für weitere Räume", "the server has no space for more rooms"
            )
        settings = self.settings
        room = Room(
            self._new_id(),
            game,
            self._new_start(game) if start is None else start,
            seats,
            prepared=prepared,
            paused=paused,
            limits=(limits or settings.limits or game.limits) if settings.timeouts else None,
            start_gap=settings.start_gap,
            request_gap=settings.request_gap,
            language=settings.language,
            isolation=isolation,
            past=past,
        )
        self.rooms[room.room_id] = room
        self._reservations.add(room)
        open_rooms = self._open.setdefault(game.wire_name, {})
        if room.open_seat() is not None:
            open_rooms[room.room_id] = room
        return room

    def _prepare(self, connection: ConnectionId, request: Prepare) -> Effects:
        game = self._game(request.game_type)
        asked = request.slots
        if not 1 <= len(asked) <= len(TEAMS):
            raise MessageError(
                f"ein Raum hat einen oder zwei <slot>, nicht {len(asked)}",
                f"a room has one or two <slot>, not {len(asked)}",
            )
        reserves_all = game.codec.dialect.reserves_all
        seats = [Seat(team, code=self._new_id() if reserves_all else None) for team in TEAMS]
        for seat, slot in zip(seats, asked, strict=False):
            seat.name = slot.display_name
            # A player who forgets the attribute should not get a game without a clock.
            seat.can_timeout = slot.can_timeout is not False
            if slot.reserved and seat.code is None:
                seat.code = self._new_id()
        paused = any((request.pause, *(slot.paused for slot in asked)))
        room = self.open_room(game, (seats[0], seats[1]), paused=paused)
        codes = tuple(seat.code for seat in seats if seat.code is not None)
        return [Send((connection,), Prepared(room.room_id, codes))]

    def _room_message(self, client: _Client, room_id: str | None, data: Element | None, arrival: Arrival) -> Effects:
        if room_id is None:
            raise MessageError("<room> braucht roomId, es fehlt", "<room> needs roomId, it is missing")
        room = self._room(room_id)
        if room_id not in client.seats:
            raise MessageError(
                "diese Verbindung spielt in diesem Raum nicht mit", "this connection does not play there"
            )
        if data is None or is_server_data(data.get("class") or ""):
            raise MessageError("hier wird ein Zug erwartet", "a move is expected here")
        return self._after(room, room.move_received(client.seats[room_id], data, arrival))

    def _game(self, game_type: str | None) -> AnyGame:
        if game_type is None:
            return self.default
        if game_type in self.games:
            return self.games[game_type]
        # A strong program of 2022 names only its season.
        of_season = [game for game in self.games.values() if game_type == f"swc_{game.year}"]
        if len(of_season) == 1:
            return of_season[0]
        known = ", ".join(sorted(self.games))
        raise MessageError(
            f"das Spiel {shown(game_type)} gibt es hier nicht; bekannt sind {known}",
            f"there is no game {shown(game_type)} here; expected one of {known}",
        )

    def _room(self, room_id: str) -> Room:
        if room_id not in self.rooms:
            raise MessageError(
                f"es gibt keinen Raum {shown(room_id)} (mehr)", f"there is no room {shown(room_id)} (any more)"
            )
        return self.rooms[room_id]

    def _refusal(self, connection: ConnectionId, error: RemoteProtocolError, request: Element | None) -> Send:
        return Send((connection,), ErrorPacket(error.text.to(self.settings.language), request))

    # --- bookkeeping --------------------------------------------------------------------------------------------------

    def _after(self, room: Room, effects: Effects) -> Effects:
        """The effects of what a room did, when the books agree with it again."""
        if room.phase is RoomPhase.OVER:
            self._forget(room)
        else:
            self._deadlines.watch(room)
        return effects

    def _forget(self, room: Room) -> None:
        self.rooms.pop(room.room_id, None)
        self._deadlines.forget(room)
        self._open[room.game.wire_name].pop(room.room_id, None)
        self._reservations.remove(room)
        for connection in (*room.players, *room.observers):
            client = self._clients.get(connection)
            if client is not None:
                client.seats.pop(room.room_id, None)
                client.observing.pop(room.room_id, None)
