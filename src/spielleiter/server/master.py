"""The game master on a real network: sockets and timers around the referee's machines. It takes no decisions."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from random import SystemRandom
from types import TracebackType
from typing import Any, Self

from spielleiter import games
from spielleiter.errors import RemoteProtocolError
from spielleiter.game import TEAMS, AnyGame, Clock, Limits, Team, Text
from spielleiter.pressure import PressureMeter
from spielleiter.records.writer import try_folder
from spielleiter.referee import (
    Arrival,
    ConnectionEvent,
    ConnectionId,
    Effects,
    GameEnded,
    GameEvent,
    GameStarted,
    HangUp,
    Lobby,
    LobbySettings,
    MoveMade,
    NotesTaken,
    PastMove,
    PlayerJoined,
    PlayerWaiting,
    RequestLater,
    RequestRefused,
    Seat,
    Send,
    StartLater,
)
from spielleiter.server.addresses import bind, peer_address, player_from
from spielleiter.server.connection_log import ConnectionLog
from spielleiter.server.metrics import Metrics
from spielleiter.server.opened_room import OpenedRoom, RoomHooks
from spielleiter.server.origins import Origins
from spielleiter.server.peer import Peer
from spielleiter.server.recorder import OnRecordLine, Recorder
from spielleiter.server.settings import MasterSettings
from spielleiter.server.trace import Tracer
from spielleiter.timestamps import TimestampReader, enable_timestamps
from spielleiter.wire import encode
from spielleiter.wire.messages import MoveRequest, Request, Unreadable

log = logging.getLogger("spielleiter.server")

_GRACE = 0.02
"""Seconds after a deadline at which it is judged: by then everything that came before it has been read."""

_UNREAD_POLL_SECONDS = 0.002
_MAX_UNREAD_SECONDS = 0.5
"""How long a request, a welcome or a first state waits at most until both players have read what came before it."""
_MAX_REFUSED = 64
"""Refused clients at a time that may take their time to read why; the oldest gives way."""


_NO_HOOKS = RoomHooks()


@contextmanager
def _undisturbed_by(what: str, event: GameEvent) -> Iterator[None]:
    """Log what fails inside: it must disturb neither the game nor others that are told of it."""
    try:
        yield
    except Exception:
        log.exception("%s failed at %s of room %s", what, type(event).__name__, event.room_id)


class GameMaster:
    """Serves all games on one port. Use it as ``async with GameMaster(settings) as master``.

    ``sockets`` are listening sockets to serve instead of opening one; they are closed at the end. ``on_record_line``
    gets the records while they grow; as a subscriber it must return at once. ``on_arrival`` gets the name of an invited
    player who has come to a game, or waits for the next one.
    """

    def __init__(
        self,
        settings: MasterSettings | None = None,
        *,
        sockets: list[socket.socket] | None = None,
        start: tuple[AnyGame, Any] | None = None,
        on_record_line: OnRecordLine | None = None,
        on_arrival: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.settings = settings or MasterSettings()
        self.metrics = Metrics()
        self._listeners = sockets or []
        self._start = start
        self._on_record_line = on_record_line
        self._on_arrival = on_arrival
        self._random = SystemRandom()
        self._peers: dict[int, Peer] = {}
        self._refused: dict[int, Peer] = {}
        """Clients that are being told that there is no place for them, the oldest first."""
        self._origins = Origins(
            max_connections=self.settings.max_connections,
            max_per_address=self.settings.max_connections_per_address,
            max_from_here=self.settings.max_connections_from_here,
        )
        self._next_id = 0
        self._subscribers: list[Callable[[GameEvent], None]] = [self.metrics.count, _log_event, self._resolve_room]
        self._rooms: dict[str, asyncio.Future[GameEnded]] = {}
        self._hooks: dict[str, RoomHooks] = {}
        self._meters: dict[str, PressureMeter] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._ticker: asyncio.TimerHandle | None = None
        self._lobby = self._new_lobby()
        self._connection_log = ConnectionLog(self._lobby)
        self.tracer = Tracer(self._lobby, self._describe)

    def _new_lobby(self) -> Lobby:
        settings = self.settings
        suffix = "-official" if settings.official else ""
        served = {game.wire_name: game for game in games.all_games().values() if game.official == settings.official}
        default = games.load(settings.game.removesuffix("-official") + suffix) if suffix else games.load(settings.game)
        served[default.wire_name] = default
        if self._start is not None:
            served[self._start[0].wire_name] = self._start[0]
            default = self._start[0]
        return Lobby(
            served.values(),
            default=default,
            new_start=self._new_start,
            new_id=lambda: str(uuid.uuid4()),
            label=self._label,
            settings=LobbySettings(
                password=settings.password,
                language=settings.language,
                limits=settings.limits,
                timeouts=settings.timeouts,
                start_gap=settings.start_gap,
                request_gap=settings.request_gap,
                paused=settings.paused,
                reserved_only=settings.reserved_only,
            ),
        )

    def _describe(self, connection: ConnectionId) -> str:
        return str(self._peers.get(connection, f"connection {connection}"))  # type: ignore[call-overload]

    def _label(self, connection: ConnectionId) -> str:
        peer = self._peers.get(connection)  # type: ignore[call-overload]
        return "" if peer is None else player_from(peer.address).to(self.settings.language)

    def _new_start(self, game: AnyGame) -> Any:
        if self._start is not None and self._start[0] is game:
            return self._start[1]
        return game.new_state(self._random)

    @property
    def clock(self) -> Clock:
        """The better of the clocks by which moves are judged here."""
        return Clock.KERNEL if self.kernel_timestamps else Clock.READING

    # --- life ---------------------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        if self.settings.records is not None:
            try_folder(self.settings.records)
        if not self._listeners:
            self._listeners = [bind(self.settings.host, self.settings.port)]
        self._timestamps = TimestampReader()
        self._all_gone = asyncio.Event()
        self.kernel_timestamps = True
        self._recorder: Recorder | None = None
        for listener in self._listeners:
            self.kernel_timestamps &= enable_timestamps(listener)
            self._serve(listener)
        if self.settings.records is not None:
            self._recorder = Recorder(self.settings.records, self.clock, self.metrics, self._on_record_line)
            self.subscribe(self._recorder.record)
        self._tick()
        log.info("listening on %s:%s, clock: %s", *self.address, self.clock.value)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self, patience: float = 2.0) -> None:
        """End all games with a result, inform all clients, close everything. Idempotent."""
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            self._loop.remove_reader(listener)
            listener.close()
        for timer in (self._timer, self._ticker):
            if timer is not None:
                timer.cancel()
        self._perform(self._lobby.stop(time.monotonic()))
        for peer in tuple(self._peers.values()):
            peer.hang_up()
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._peers:
                    self._all_gone.clear()
                    await self._all_gone.wait()
        for peer in tuple(self._peers.values()):
            peer.abort()
        for ended in self._rooms.values():
            ended.cancel()
        if self._recorder is not None:
            await self._recorder.close()
        log.info("stopped")

    def add_listener(self, listener: socket.socket, *, max_connections: int | None = None) -> None:
        """Serve one more listening socket, such as one in a player's own network, with a limit of its own.

        It belongs to the game master from now on, until ``remove_listener`` or the end.
        """
        # Connections that are not made yet are stamped also if the socket listens already.
        enable_timestamps(listener)
        self._listeners.append(listener)
        if max_connections is not None:
            self._origins.limit(listener, max_connections)
        self._serve(listener)

    def remove_listener(self, listener: socket.socket) -> None:
        """Stop serving a socket and close it; connections that were made on it stay. Idempotent."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._origins.forget(listener)
            self._loop.remove_reader(listener)
            listener.close()

    def _serve(self, listener: socket.socket) -> None:
        listener.setblocking(False)
        listener.listen(512)
        self._loop.add_reader(listener, self._accept, listener)

    @property
    def address(self) -> tuple[str, int]:
        """Where the first listening socket is to be reached."""
        host, port = self._listeners[0].getsockname()[:2]
        return host, port

    @property
    def local_address(self) -> tuple[str, int]:
        """Where players on this machine reach it."""
        host, port = self.address
        return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port  # noqa: S104 - compared, not bound

    @property
    def lobby(self) -> Lobby:
        """The machine behind, read-only."""
        return self._lobby

    def subscribe(self, listener: Callable[[GameEvent], None]) -> Callable[[], None]:
        """Call ``listener`` with every event of every game; the result unsubscribes it.

        The players have been sent what follows from the event before. What a listener raises is logged, and disturbs
        nobody; it must return at once.
        """
        self._subscribers.append(listener)
        return lambda: self._subscribers.remove(listener)

    def open_room(
        self,
        game: AnyGame,
        *,
        names: tuple[str, str] = ("", ""),
        start: Any = None,
        past: tuple[PastMove, ...] = (),
        can_timeout: tuple[bool, bool] = (True, True),
        paused: bool = False,
        limits: Limits | None = None,
        isolation: tuple[str, str] | None = None,
        codes: tuple[str | None, str | None] = (None, None),
        by_hand: tuple[bool, bool] = (False, False),
        hooks: RoomHooks = _NO_HOOKS,
    ) -> OpenedRoom:
        """A room with two reserved seats, as an administrator would prepare it.

        ``past`` led to ``start`` and still counts. ``limits`` count instead of those of the settings; ``isolation``
        says for the record how both player programs are sandboxed; ``codes`` are those of invited players, who take
        their seats with ``admit``. People at our own pages sit there already and play ``by_hand`` (``play``); where
        nobody else is missing, ``admit`` begins the game.
        """
        own_codes = tuple("" if by_hand[team] else codes[team] or str(uuid.uuid4()) for team in TEAMS)
        one, two = (
            Seat(
                team,
                name=names[team] or None,
                code=own_codes[team] or None,
                by_hand=by_hand[team],
                can_timeout=can_timeout[team],
                admits=None if hooks.admits is None else partial(self._admits, partial(hooks.admits, team)),
            )
            for team in TEAMS
        )
        room = self._lobby.open_room(
            game, (one, two), prepared=True, paused=paused, start=start, limits=limits, isolation=isolation, past=past
        )
        self._rooms[room.room_id] = self._loop.create_future()
        self._hooks[room.room_id] = hooks
        meter = self._meters[room.room_id] = PressureMeter(hooks.players_time)
        return OpenedRoom(room.room_id, (own_codes[0], own_codes[1]), self._rooms[room.room_id], meter)

    def invite(self, code: str, name: str) -> None:
        """Let a player come with ``code`` at any time, and wait there for one game after the other."""
        self._lobby.invite(code, name)

    def admit(self, room_id: str) -> None:
        """Let invited players who wait for this room take their seats; once both are taken, the game begins."""
        self._perform(self._lobby.admit(room_id, time.monotonic()))

    def _admits(self, admits: Callable[[Peer], bool], connection: ConnectionId) -> bool:
        peer = self._peers.get(connection)  # type: ignore[call-overload]
        return peer is not None and admits(peer)

    def cancel_room(self, room_id: str, why: Text | None = None) -> None:
        """End a room now; an absent player loses. ``why`` is said instead of the usual words."""
        self._perform(self._lobby.cancel(room_id, time.monotonic(), why))

    def play(self, room_id: str, team: Team, move: Any) -> None:
        """Let a person at our own pages play ``move``. Raises ``Refused`` if that cannot be done."""
        arrival = Arrival(time.monotonic())
        self._perform(self._lobby.play(room_id, team, move, arrival), arrival)

    def resign(self, room_id: str, team: Team, why: Text | None = None) -> None:
        """Let ``team`` give up a running game. ``why`` is said instead of the usual words."""
        self._perform(self._lobby.resign(room_id, team, time.monotonic(), why))

    def adjudicate(self, room_id: str, winner: Team | None, why: Text) -> None:
        """End a running game that seems decided, or drawn without a winner."""
        self._perform(self._lobby.adjudicate(room_id, winner, why, time.monotonic()))

    def pause_room(self, room_id: str, paused: bool) -> None:
        """Hold a game before its next request, or let it go on."""
        self._perform(self._lobby.pause(room_id, paused, time.monotonic()))

    def step_room(self, room_id: str) -> None:
        """One more move of a paused game."""
        self._perform(self._lobby.step(room_id, time.monotonic()))

    # --- connections --------------------------------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(64):
            try:
                sock, _ = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                    # No file descriptors left: try again soon instead of spinning.
                    log.warning("cannot accept connections: %s", error)
                    self._loop.remove_reader(listener)
                    self._loop.call_later(0.5, self._accept_again, listener)
                    return
                raise
            self._welcome(sock, listener)

    def _accept_again(self, listener: socket.socket) -> None:
        if listener in self._listeners:
            self._loop.add_reader(listener, self._accept, listener)

    def _welcome(self, sock: socket.socket, listener: socket.socket) -> None:
        self._next_id += 1
        try:
            origin = self._origins.of(listener, peer_address(sock))
            peer = Peer(
                self._next_id,
                origin,
                sock,
                self._timestamps,
                self.settings.peer,
                wait=self._origins.wait(origin, time.monotonic()),
                on_request=self._received,
                on_broken=self._broken,
                on_lost=self._lost,
                on_closed=self._closed,
            )
        except OSError:
            sock.close()  # Gone before we could look at it.
            return
        peer.listener = listener
        peer.is_admitted = self._origins.admit(origin)
        self._peers[peer.id] = peer
        self._lobby.connected(peer.id, origin.name)
        self.metrics.connections = len(self._peers)
        self.metrics.connections_total += 1
        if not peer.is_admitted:
            self._refuse(peer)

    def _refuse(self, peer: Peer) -> None:
        self.metrics.refused_connections_total += 1
        self._refused[peer.id] = peer
        self._broken(peer, RemoteProtocolError("zu viele Verbindungen", "too many connections"))
        if len(self._refused) > _MAX_REFUSED:
            next(iter(self._refused.values())).abort()

    def _received(self, peer: Peer, request: Request | Unreadable, arrival: Arrival) -> None:
        if self.tracer.is_on:
            self.tracer.received(peer.id, request)
        self._perform(self._lobby.received(peer.id, request, arrival), arrival)

    def _broken(self, peer: Peer, error: RemoteProtocolError) -> None:
        log.info("%s broke the protocol: %s", peer, error.text.en)
        now = time.monotonic()
        self._origins.broke_protocol(peer.origin, now)
        self._perform(self._lobby.broken(peer.id, error, now))

    def _lost(self, peer: Peer) -> None:
        self._perform(self._lobby.disconnected(peer.id, time.monotonic()))

    def _closed(self, peer: Peer) -> None:
        self._connection_log.left(peer)
        del self._peers[peer.id]
        self._refused.pop(peer.id, None)
        if peer.is_admitted:
            self._origins.left(peer.origin)
        self.metrics.connections = len(self._peers)
        if not self._peers:
            self._all_gone.set()

    # --- effects ------------------------------------------------------------------------------------------------------

    def _perform(self, effects: Effects, arrival: Arrival | None = None) -> None:
        """Players first: subscribers are informed when everything is sent."""
        events: list[GameEvent] = []
        for effect in effects:
            match effect:
                case Send():
                    self._send(effect, arrival)
                case HangUp(connection):
                    if (peer := self._peers.get(connection)) is not None:  # type: ignore[call-overload]
                        peer.hang_up()
                case StartLater(room_id, due):
                    self._loop.call_at(due, self._when_read, self._lobby.start_due, room_id, due)
                case RequestLater(room_id, due):
                    self._loop.call_at(due, self._when_read, self._lobby.request_due, room_id, due)
                    self._observe_answer(arrival)
                case PlayerJoined(connection) | PlayerWaiting(connection) | RequestRefused(connection):
                    # One whose connection has just broken is still connected for the lobby.
                    if (peer := self._peers.get(connection)) is not None:  # type: ignore[call-overload]
                        self._connection_log.write(peer, effect, time.monotonic())
                        self._note(peer, effect)
                case event:
                    events.append(event)
        self.metrics.rooms = len(self._lobby.rooms)
        self._watch_deadline()
        for event in events:
            if isinstance(event, GameEnded):
                self._publish_notes(event)
            self._publish(self._measure(event))
            if isinstance(event, MoveMade):
                self._publish_notes(event)

    def _publish_notes(self, event: MoveMade | GameEnded) -> None:
        taken: Sequence[NotesTaken] = ()
        with _undisturbed_by("taking notes", event):
            taken = self._hooks.get(event.room_id, _NO_HOOKS).take_notes(event)
        for notes in taken:
            self._publish(notes)

    def _measure(self, event: GameEvent) -> GameEvent:
        """The event, at the end of a game with the pressure of the machine."""
        match event:
            case GameStarted(room_id) if room_id not in self._meters:
                self._meters[room_id] = PressureMeter()
            case MoveMade(room_id) if room_id in self._meters:
                self._meters[room_id].mark()
            case GameEnded(room_id) if (meter := self._meters.pop(room_id, None)) is not None:
                return replace(event, result=replace(event.result, pressure=meter.pressure()))
            case _:
                pass
        return event

    def _note(self, peer: Peer, event: ConnectionEvent) -> None:
        match event:
            case RequestRefused():
                peer.charge_refusal()
            case PlayerWaiting(_, name):
                self._on_arrival(name)
            case PlayerJoined(_, room_id, _, team):
                room = self._lobby.rooms.get(room_id)
                if room is not None and room.seats[team].may_return:
                    self._on_arrival(room.names[team])

    def _send(self, command: Send, arrival: Arrival | None) -> None:
        message = encode(command.message)
        if self.tracer.is_on:
            self.tracer.sent(command, message)
        if isinstance(command.message, MoveRequest) and (hooks := self._hooks.get(command.message.room_id)):
            seats = self._lobby.rooms[command.message.room_id].seats
            hooks.before_request(next(seat.team for seat in seats if seat.connection in command.to))
        leaves = time.monotonic()
        for connection in command.to:
            peer = self._peers.get(connection)  # type: ignore[call-overload]
            if peer is not None:
                peer.send_encoded(message)
        if isinstance(command.message, MoveRequest):
            # The clock starts when the request leaves, not when we began to think about the last move.
            self._lobby.request_sent(command.message.room_id, leaves)
            self._observe_answer(arrival)

    def _observe_answer(self, arrival: Arrival | None) -> None:
        if arrival is not None:
            came = arrival.read if arrival.stamp is None else arrival.stamp
            self.metrics.answer_seconds.observe(max(0.0, time.monotonic() - came))

    def _publish(self, event: GameEvent) -> None:
        for subscriber in tuple(self._subscribers):
            with _undisturbed_by("a subscriber", event):
                subscriber(event)

    def _resolve_room(self, event: GameEvent) -> None:
        if isinstance(event, GameEnded):
            self._hooks.pop(event.room_id, None)
        if isinstance(event, GameEnded) and (ended := self._rooms.pop(event.room_id, None)) and not ended.done():
            ended.set_result(event)

    # --- time ---------------------------------------------------------------------------------------------------------

    def _watch_deadline(self) -> None:
        deadline = self._lobby.next_deadline()
        if deadline is None:
            return
        if self._timer is not None:
            if self._timer.when() <= deadline + _GRACE:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline + _GRACE, self._time_passed)

    def _time_passed(self) -> None:
        self._timer = None
        self._perform(self._lobby.time_passed(time.monotonic() - _GRACE))

    def _when_read(self, step: Callable[[str, float, float], Effects], room_id: str, due: float) -> None:
        """Take this step of a room, once its players have read what they were sent; not for ever."""
        now = time.monotonic()
        if self._waits_for_readers(room_id, due, now):
            self._loop.call_later(_UNREAD_POLL_SECONDS, self._when_read, step, room_id, due)
        else:
            self._perform(step(room_id, due, now))

    def _waits_for_readers(self, room_id: str, due: float, now: float) -> bool:
        """Whether a player has not read its last message yet: one read would give it the next one, too.

        Of the two, the one who is not asked would get the state after the next move.
        """
        if now < due + _MAX_UNREAD_SECONDS:
            for team in TEAMS:
                if (peer := self._unread_by(room_id, team)) is not None and peer.read_credit > 0:
                    peer.read_credit -= _UNREAD_POLL_SECONDS
                    return True
        return False

    def has_read(self, room_id: str, team: Team) -> bool:
        """Whether a player has read all that was sent to it, as far as that can be known."""
        return self._unread_by(room_id, team) is None

    def _unread_by(self, room_id: str, team: Team) -> Peer | None:
        """The player of a team, if it has not read all that was sent to it."""
        room, has_read = self._lobby.rooms.get(room_id), self._hooks.get(room_id, _NO_HOOKS).has_read
        if room is None or has_read is None:
            return None
        peer = self._peers.get(room.seats[team].connection)  # type: ignore[call-overload]
        return None if peer is None or has_read(team, peer) else peer

    def _tick(self) -> None:
        self._timestamps.check_clocks()
        now = time.monotonic()
        self._connection_log.name_lonely_rooms(now)
        self._close_idle(now)
        self._ticker = self._loop.call_later(0.5, self._tick)

    def _close_idle(self, now: float) -> None:
        seconds = self.settings.peer.idle
        idle = [p for p in self._peers.values() if now - p.heard_at > seconds and self._lobby.is_idle(p.id)]
        for peer in idle:
            de = f"seit {seconds:g} s kam keine Nachricht, und du spielst nicht mit"
            en = f"no message came for {seconds:g} s, and you do not play"
            self._broken(peer, RemoteProtocolError(de, en))


def _log_event(event: GameEvent) -> None:
    if isinstance(event, GameStarted):
        log.info("room %s: %s begins: %s - %s", event.room_id, event.game.key, *event.names)
    elif isinstance(event, GameEnded):
        log.info("room %s: over: %s", event.room_id, event.result.describe().en)
