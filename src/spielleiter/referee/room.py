"""One game and its referee, as a pure machine: joins, moves, silence and orders go in, commands and events come out.

A room waits until both seats are taken, runs until the game is decided, and is over. A player who moves has been asked;
a player who is asked has a clock, and there is never more than one. Some seasons leave a gap between a state and the
request that follows it; a move that comes in the gap was not asked for. A server may leave one between the joins and
the game, too. A seat without a connection gets no messages: so the same room referees players in this process
(``start`` and ``judge_move``) and people at our own pages (``play``).
Orders of messages, everywhere:

    new state   memento to observers, ONE, TWO; then the request to the player to move
    end         memento, result to ONE, TWO, observers; then left in the same order
    paused      a move shows its state to observers only; a step, or the end of the pause, shows it to all and asks
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from spielleiter.errors import MessageError, Refused
from spielleiter.game import TEAMS, AnyGame, Cause, Clock, Element, GameResult, Language, Limits, MoveTiming, Team, Text
from spielleiter.game.note import is_note_line
from spielleiter.game.note_reader import read_notes
from spielleiter.referee import verdict
from spielleiter.referee.clock import Arrival, MoveClock
from spielleiter.referee.events import (
    ClockChanged,
    ConnectionId,
    Effects,
    GameEnded,
    GameStarted,
    MoveMade,
    NotesTaken,
    Offence,
    PastMove,
    RequestLater,
    Send,
    StartLater,
)
from spielleiter.wire.messages import (
    Joined,
    Left,
    Memento,
    MoveRequest,
    Observed,
    Paused,
    RoomError,
    ServerMessage,
    Welcome,
)
from spielleiter.wire.results import result_message, wire_reason

_MAX_REASON_LENGTH = 300
"""Characters of a player's reason for leaving."""


class RoomPhase(Enum):
    """How far a room has got."""

    WAITING = "waiting"
    RUNNING = "running"
    OVER = "over"


@dataclass(slots=True)
class Seat:
    """A place at the table, and who sits there."""

    team: Team
    name: str | None = None
    """The name that the reservation or the player gives; the wire has no other."""
    code: str | None = None
    """The reservation that opens it; without one it is open to all."""
    by_hand: bool = False
    """Whether a person at our own pages sits there: without a connection, and moved with ``Room.play``."""
    can_timeout: bool = True
    connection: ConnectionId | None = None
    label: str = ""
    """What people call a player without a name."""
    may_return: bool = False
    """Whether its player may leave and come again until the game begins."""
    admits: Callable[[ConnectionId], bool] | None = None
    """Who may take it, beside knowing the reservation; ``None``: every client that knows it."""

    @property
    def is_taken(self) -> bool:
        return self.by_hand or self.connection is not None


class Room:
    """Referees one game. In a ``prepared`` room no other client takes the place of a player who leaves."""

    def __init__(
        self,
        room_id: str,
        game: AnyGame,
        start: Any,
        seats: tuple[Seat, Seat],
        *,
        prepared: bool = False,
        paused: bool = False,
        limits: Limits | None = None,
        start_gap: float = 0.0,
        request_gap: float | None = None,
        language: Language = "de",
        isolation: tuple[str, str] | None = None,
        past: tuple[PastMove, ...] = (),
    ) -> None:
        self.room_id = room_id
        self.game = game
        self.state = start
        self.seats = seats
        self.prepared = prepared
        self.phase = RoomPhase.WAITING
        self.paused = paused
        self.result: GameResult | None = None
        self._dialect = game.codec.dialect
        self._limits = limits
        self._start_gap = start_gap
        self._start_due: float | None = None
        """When the gap ends that comes before the welcome, or before the game; ``None`` until both players are here."""
        self._is_welcomed = False
        self._request_gap = self._dialect.request_gap if request_gap is None else request_gap
        self._request_due: float | None = None
        """When the gap before the request ends, while there is one."""
        self._language: Language = language
        self._isolation = isolation
        self._past = past
        self._observers: list[ConnectionId] = []
        self._write_state = game.codec.state_writer(self._wire_names)
        self._hints: tuple[str, ...] = ()
        self._memento: Memento | None = None
        self._move_request = MoveRequest(room_id, self._dialect.move_request)
        self.awaited: Team | None = None
        """The team that is asked for a move and has not answered; from the request on ``_clock`` is its clock."""
        self._clock = MoveClock(0.0, None)
        self._moves, self._used = [0, 0], [0.0, 0.0]
        """What a game clock counts: the moves of each team, and the seconds that they took."""

    # --- who is here --------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, str]:
        """What people call the players."""
        one, two = (seat.name or seat.label or self._dialect.unnamed for seat in self.seats)
        return (one, two) if one != two or not one else (one, f"{two} (2)")

    @property
    def _wire_names(self) -> tuple[str, str]:
        one, two = (self._dialect.unnamed if seat.name is None else seat.name for seat in self.seats)
        return one, two

    @property
    def players(self) -> tuple[ConnectionId, ...]:
        """The connections of the players who are here, ONE first."""
        return tuple([seat.connection for seat in self.seats if seat.connection is not None])

    @property
    def observers(self) -> tuple[ConnectionId, ...]:
        """The connections that watch, in the order in which they came."""
        return tuple(self._observers)

    @property
    def deadline(self) -> float | None:
        """When ``time_passed`` has to be called."""
        return None if self.awaited is None or self._request_due is not None else self._clock.deadline

    @property
    def thinking_time(self) -> float | None:
        """How many seconds the player who is asked should think at most; ``None`` without a clock."""
        return None if self._clock.limits is None else self._clock.limits.share

    def open_seat(self) -> Seat | None:
        """The first free seat that needs no reservation, or ``None``."""
        free = (seat for seat in self.seats if not seat.is_taken and seat.code is None)
        return next(free, None) if self.phase is RoomPhase.WAITING else None

    @property
    def is_complete(self) -> bool:
        """Whether both players are here."""
        return all(seat.is_taken for seat in self.seats)

    def sit_down(self, seat: Seat, connection: ConnectionId, now: float) -> Effects:
        """A player takes a free seat; with the second one the game begins (``begin``)."""
        seat.connection = connection
        complete = self.is_complete
        together = self.prepared and self._dialect.joins_together
        effects: Effects = []
        if complete and together:
            effects += [Send((player,), Joined(self.room_id)) for player in self.players]
        elif not together:
            effects.append(Send((connection,), Joined(self.room_id)))
        return effects + self.begin(now) if complete else effects

    def observe(self, connection: ConnectionId) -> Effects:
        """Add an observer, who gets the present state at once."""
        effects: Effects = [Send((connection,), Observed(self.room_id))]
        if connection not in self._observers:
            self._observers.append(connection)
            if self.phase is RoomPhase.RUNNING:
                effects += self._show((connection,))
        return effects

    def leave(self, connection: ConnectionId, now: float, reason: str | None = None) -> Effects:
        """A connection is gone: an observer, or a player, whose game ends; the player may have given a reason."""
        if connection in self._observers:
            self._observers.remove(connection)
        effects: Effects = []
        for seat in self.seats:
            if seat.connection == connection:
                seat.connection = None
                if seat.may_return and self.phase is RoomPhase.WAITING:
                    self._start_due, self._is_welcomed = None, False
                    continue
                name = self._name(seat.team)
                said = f": {' '.join(reason.split())[:_MAX_REASON_LENGTH]}" if reason else ""
                left = Text(f"{name} hat das Spiel verlassen{said}", f"{name} has left the game{said}")
                effects += self.forfeit(Offence(seat.team, left), Cause.LEFT, now)
        return effects

    def resign(self, team: Team, now: float, why: Text | None = None) -> Effects:
        """``team`` gives up: it loses as if it had left, the wire's only word for that, but without a fault."""
        if self.phase is not RoomPhase.RUNNING:
            return []
        name = self._name(team)
        reason = why or Text(f"{name} gibt auf", f"{name} resigns")
        return self._finish(verdict.by_resignation(self.state, team, reason), now)

    def adjudicate(self, winner: Team | None, why: Text, now: float) -> Effects:
        """End a running game because it seems decided, or drawn; only matches for testing ask for it."""
        if self.phase is not RoomPhase.RUNNING:
            return []
        return self._finish(verdict.by_adjudication(self.state, winner, why), now)

    def expel(self, connection: ConnectionId, why: Text, now: float) -> Effects:
        """A player's stream makes no sense any more; they still see how their game ends."""
        team = next(seat.team for seat in self.seats if seat.connection == connection)
        return self.forfeit(Offence(team, why), Cause.RULE_VIOLATION, now)

    def forfeit(self, offence: Offence, cause: Cause, now: float) -> Effects:
        """A player cannot or may not go on, to move or not."""
        if self.phase is RoomPhase.WAITING and self._start_due is not None:
            # Both were here: the game counts, though no move is asked for.
            shown = self._open(now) + self._show(self.observers + self.players)
            return shown + self._fault(offence, cause, now)
        if self.phase is RoomPhase.WAITING and not self.prepared:
            return self.dissolve()  # There is no game yet that a player could lose.
        return self._fault(offence, cause, now)

    # --- the game -----------------------------------------------------------------------------------------------------

    def begin(self, now: float) -> Effects:
        """Both players are here: they are welcomed and the game begins, each after the gap, if any. Idempotent."""
        if not (self._start_gap and self.players):
            return self.start(now)
        if self._start_due is not None:
            return []
        self._start_due = now + self._start_gap
        return [StartLater(self.room_id, self._start_due)]

    def start_due(self, due: float, now: float) -> Effects:
        """The gap that was to end at ``due`` is over; nothing happens if a player has left since."""
        if self.phase is not RoomPhase.WAITING or self._start_due != due:
            return []
        if self._is_welcomed:
            return self.start(now)
        self._start_due = now + self._start_gap
        return [*self._welcome(), StartLater(self.room_id, self._start_due)]

    def start(self, now: float) -> Effects:
        """The game begins now."""
        return self._open(now) + self._new_state(now, ())

    def _open(self, now: float) -> Effects:
        """The game is running."""
        self.phase = RoomPhase.RUNNING
        self._write_state = self.game.codec.state_writer(self._wire_names)
        one, two = (self._limits_of(seat.team) for seat in self.seats)
        limits, isolation = (one, two), self._isolation
        started = GameStarted(self.room_id, self.game, self.names, self.state, now, limits, isolation, self._past)
        return [started, *self._welcome()]

    def _welcome(self) -> Effects:
        """Tell both players which team they are, once."""
        if self._is_welcomed:
            return []
        self._is_welcomed = True
        return [
            Send((seat.connection,), Welcome(self.room_id, color))
            for seat, color in zip(self.seats, self._dialect.colors, strict=True)
            if seat.connection is not None
        ]

    def move_received(self, team: Team, data: Element, arrival: Arrival) -> Effects:
        """A player sent a move, asked or not, legal or not."""
        try:
            move, unreadable = self.game.codec.read_move(data), None
        except MessageError as error:
            move, unreadable = None, error.text
        return self.judge_move(team, move, arrival, sent=data, unreadable=unreadable)

    def judge_move(
        self,
        team: Team,
        move: Any,
        arrival: Arrival,
        *,
        sent: Element | None = None,
        unreadable: Text | None = None,
    ) -> Effects:
        """``team`` plays ``move``, asked or not, legal or not; ``unreadable``: why what was ``sent`` is not a move."""
        if self.awaited is not team or self._request_due is not None:
            return self._unasked(team, sent, arrival.read)
        timing = self._clock.timing(arrival)
        late = self._clock.fault(timing)
        if late is not None:
            return self._late(team, move, timing, sent, late)
        violation = None if unreadable else self.state.violation(move)
        wrong = unreadable or (None if violation is None else violation.text)
        if wrong is not None:
            return self._illegal(team, move, timing, sent, wrong)
        hints = () if sent is None else tuple(hint.get("content") or "" for hint in sent.all("hint"))
        return self._make(team, move, timing, hints)

    def play(self, team: Team, move: Any, arrival: Arrival) -> Effects:
        """A person plays ``move``. Raises ``Refused`` for what would cost a program the game."""
        if self.awaited is not team or self._request_due is not None:
            raise Refused("Das Spiel ist angehalten.", "The game is paused.")
        if (violation := self.state.violation(move)) is not None:
            raise Refused(violation.text.de, violation.text.en)
        timing = self._clock.timing(arrival)
        late = self._clock.fault(timing)
        return self._make(team, move, timing, ()) if late is None else self._late(team, move, timing, None, late)

    def _make(self, team: Team, move: Any, timing: MoveTiming, hints: tuple[str, ...]) -> Effects:
        self.awaited = None
        ply = len(self._past) + sum(self._moves)
        self._moves[team] += 1
        self._used[team] += timing.elapsed
        self.state = self.state.play_unchecked(move)
        shown = tuple(hint for hint in hints if not is_note_line(hint))
        made: Effects = [MoveMade(self.room_id, team, move, self.state, shown, timing)]
        if noted := [hint for hint in hints if is_note_line(hint)]:  # They are for the player's own people only.
            made.append(NotesTaken(self.room_id, team, ply, *read_notes(noted, self.game)))
        return made + self._new_state(timing.read, shown)

    def time_passed(self, now: float) -> Effects:
        """The deadline may have come."""
        team, clock = self.awaited, self._clock
        cause = None if team is None or self._request_due is not None else clock.fault_of_silence(now)
        if team is None or cause is None:
            return []
        name, hard = self._name(team), _seconds(clock.limits.hard if clock.limits else 0)
        text = self._time_used_up(team) or Text(
            f"{name} hat {hard.de} lang keinen Zug gemacht", f"{name} made no move for {hard.en}"
        )
        waited = MoveTiming(clock.requested, None, now, Clock.READING)
        return self._fault(Offence(team, text, timing=waited), cause, now)

    def request_sent(self, now: float) -> None:
        """The request has just left: the clock starts here, not where we began to write it."""
        if self.awaited is not None:
            self._start_clock(self.awaited, now)

    def request_due(self, due: float, now: float) -> Effects:
        """The gap that was to end at ``due`` is over; nothing happens if another one, or the end, has replaced it."""
        if self.awaited is None or self._request_due != due:
            return []
        self._request_due = None
        self._start_clock(self.awaited, now)
        return _send(self._player(self.awaited), self._move_request)

    def _new_state(self, now: float, hints: tuple[str, ...]) -> Effects:
        self._memento = None
        self._hints = hints
        outcome = self.state.outcome
        if outcome is not None:
            shown = self._show(self.observers + self.players)
            return shown + self._finish(verdict.by_the_rules(self.state, outcome), now)
        if not self.paused:
            return self._go_on(now)
        return self._show(self.observers) if self._dialect.shows_paused_moves else []

    def _go_on(self, now: float) -> Effects:
        """Show the state to all, and ask who is to move."""
        team: Team = self.state.to_move
        shown, player = self._show(self.observers + self.players), self._player(team)
        already_asked = self.awaited is not None and self._request_due is None
        if player and self._request_gap and not already_asked:
            self.awaited, self._request_due = team, now + self._request_gap
            return [*shown, RequestLater(self.room_id, self._request_due)]
        self._start_clock(team, now)
        return shown + _send(player, self._move_request)

    def _start_clock(self, team: Team, now: float) -> None:
        self.awaited = team
        limits = self._limits_of(team)
        self._clock = MoveClock(now, None if limits is None else limits.after(self._moves[team], self._used[team]))

    def _limits_of(self, team: Team) -> Limits | None:
        return self._limits if self.seats[team].can_timeout else None

    def _show(self, to: tuple[ConnectionId, ...]) -> Effects:
        if not to:
            return []  # Writing a state costs more than playing a move.
        if self._memento is None:
            self._memento = Memento(self.room_id, self._write_state(self.state, self._hints))
        return [Send(to, self._memento)]

    # --- what can go wrong --------------------------------------------------------------------------------------------

    def _unasked(self, team: Team, sent: Element | None, now: float) -> Effects:
        name = self._name(team)
        text = Text(
            f"{name} hat einen Zug gesendet, der nicht verlangt war", f"{name} sent a move that nobody asked for"
        )
        error = _send(self._player(team), self._error(text, sent))
        return error + self.forfeit(Offence(team, text, sent=sent), Cause.RULE_VIOLATION, now)

    def _late(self, team: Team, move: Any, timing: MoveTiming, sent: Element | None, cause: Cause) -> Effects:
        name, took = self._name(team), _seconds(timing.elapsed)
        limit = _seconds(self._limits.soft if self._limits else 0)
        text = self._time_used_up(team) or Text(
            f"{name} hat für den Zug {took.de} gebraucht, erlaubt sind {limit.de}",
            f"{name} took {took.en} for the move, {limit.en} are allowed",
        )
        return self._fault(Offence(team, text, move, timing, sent), cause, timing.read)

    def _time_used_up(self, team: Team) -> Text | None:
        """What to say of a team that is late, where there is a clock for the whole game."""
        if self._limits is None or self._limits.increment is None:
            return None
        name, clock = self._name(team), self._limits.written
        decimal = clock.replace(".", ",")
        return Text(
            f"{name} hat die Bedenkzeit von {decimal} s verbraucht", f"{name} has used up the {clock} s of the game"
        )

    def _illegal(self, team: Team, move: Any, timing: MoveTiming, sent: Element | None, reason: Text) -> Effects:
        name = self._name(team)
        text = Text(f"Ungültiger Zug von {name}: {reason.de}", f"Illegal move of {name}: {reason.en}")
        error = _send(self._player(team) + self.observers, self._error(text, sent))
        return error + self._fault(Offence(team, text, move, timing, sent), Cause.RULE_VIOLATION, timing.read)

    def _player(self, team: Team) -> tuple[ConnectionId, ...]:
        connection = self.seats[team].connection
        return () if connection is None else (connection,)

    def _error(self, text: Text, sent: Element | None) -> RoomError:
        return RoomError(self.room_id, text.to(self._language), sent, self._dialect.original_message)

    def _fault(self, offence: Offence, cause: Cause, now: float) -> Effects:
        result = verdict.by_fault(self.state, {offence.team: cause}, offence.text)
        return self._finish(result, now, offence)

    def _name(self, team: Team) -> str:
        return self.names[team] if self.seats[team].name or self.seats[team].label else team.name

    # --- orders of an administrator -----------------------------------------------------------------------------------

    def pause(self, paused: bool, now: float) -> Effects:
        """Hold the game before its next request, or let it go on. A pending request stays pending."""
        if paused == self.paused or self.phase is RoomPhase.OVER:
            return []
        self.paused = paused
        announced = _send(self.observers, Paused(self.room_id, paused)) if self._dialect.announces_pause else []
        if paused or self.phase is RoomPhase.WAITING or self.awaited is not None:
            return announced
        goes_on = self._go_on(now)
        return goes_on + announced if self._dialect.announces_resuming_last else announced + goes_on

    def step(self, forced: bool, now: float) -> Effects:
        """One more move of a paused game; asked twice, the clock starts again. Forced, it ends an incomplete room."""
        if self._start_due is not None and self.phase is RoomPhase.WAITING:
            return self.start(now) + self.step(forced, now)
        if self.phase is RoomPhase.RUNNING and self.paused:
            return self._go_on(now)
        return self.cancel(now) if forced and self.phase is RoomPhase.WAITING else []

    def cancel(self, now: float, why: Text | None = None) -> Effects:
        """The room ends: an absent player loses; if both are present, nothing is decided."""
        if self.phase is RoomPhase.OVER:
            return []
        missing = {seat.team: Cause.LEFT for seat in self.seats if not seat.is_taken}
        if missing:
            names = [self._name(team) for team in missing]
            text = why or Text(f"nicht gekommen: {' und '.join(names)}", f"did not come: {' and '.join(names)}")
            return self._finish(verdict.by_fault(self.state, missing, text), now)
        text = why or Text("das Spiel wurde abgebrochen", "the game was cancelled")
        return self._finish(verdict.undecided(self.state, text), now)

    def set_timeout(self, team: Team, active: bool) -> Effects:
        """Switch a player's clock on or off, from the next request on."""
        self.seats[team].can_timeout = active
        return [ClockChanged(self.room_id, team, self._limits_of(team))]

    # --- the end ------------------------------------------------------------------------------------------------------

    def _finish(self, result: GameResult, now: float, offence: Offence | None = None) -> Effects:
        self.phase = RoomPhase.OVER
        self.result = result
        self.awaited = self._request_due = None
        effects: Effects = [GameEnded(self.room_id, result, self.state, now, offence)]
        if receivers := self.players + self.observers:
            reason = wire_reason(result, self._language)
            message = result_message(self.room_id, self.game, self._wire_names, result, reason)
            effects += [Send(receivers, message), Send(receivers, Left(self.room_id))]
        return effects

    def dissolve(self) -> Effects:
        """The room closes before there was a game: nothing to judge."""
        self.phase = RoomPhase.OVER
        return _send(self.players + self.observers, Left(self.room_id))


def _send(to: tuple[ConnectionId, ...], message: ServerMessage) -> Effects:
    """The message to these connections; nothing if there are none."""
    return [Send(to, message)] if to else []


def _seconds(seconds: float) -> Text:
    text = f"{seconds:.3f}".rstrip("0").rstrip(".") + " s"
    return Text(text.replace(".", ","), text)


def open_seats() -> tuple[Seat, Seat]:
    """Two seats that need no reservation."""
    one, two = (Seat(team) for team in TEAMS)
    return one, two
