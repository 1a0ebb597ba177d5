"""A game as everything above sees it: who played what and when, every position, and how it ended.

The lines of a record and the events of the referee fold into the same ``History``: a live game is one that still grows.
All times are seconds since the start of the game. Positions and moves are stored in the notation of their game, which a
person can read; what they mean by the rules is worked out once, on demand.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import Enum
from functools import cache, reduce
from typing import Any, Self, assert_never

from spielleiter import __version__, games
from spielleiter.errors import NotationError, RecordError, Refused, UnknownGame
from spielleiter.game import (
    AnyGame,
    Cause,
    Clock,
    GameResult,
    Limits,
    MoveTiming,
    Team,
    Text,
)
from spielleiter.game.note import PlayerNote
from spielleiter.records.variations import Variation, play_move
from spielleiter.referee import ClockChanged, GameEnded, GameStarted, MoveMade, NotesTaken, Offence
from spielleiter.wire.writer import markup

_MAX_SENT_LENGTH = 2000
"""Characters of what a player sent instead of a move."""
FORMAT = 1
"""The version of the format; it grows when a reader of the old one would be mistaken about the new one."""


class Referee(Enum):
    """Whose verdict a record has."""

    SPIELLEITER = "spielleiter"
    REFERENCE = "reference"
    """A season's own server: it judged faults differently, and gave no times."""


@dataclass(frozen=True, slots=True)
class Software:
    """The programs that made the record."""

    spielleiter: str
    python: str
    platform: str

    @classmethod
    def running(cls) -> Software:
        """The programs that are running now."""
        return _running_software()


@cache
def _running_software() -> Software:
    machine = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Software(__version__, ".".join(map(str, sys.version_info[:3])), machine)


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A legal move that came in time."""

    ply: int
    turn: int
    """The turn counter of the rules before the move."""
    team: Team
    text: str
    """The move in notation."""
    timing: MoveTiming | None = None
    """``None`` if unmeasured."""
    hints: tuple[str, ...] = ()

    @property
    def seconds(self) -> float | None:
        """How long it took; ``None`` if unmeasured."""
        return None if self.timing is None else self.timing.elapsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply(RecordedMove):
    """A move by the rules: what it was, and the states around it."""

    move: Any
    before: Any
    state: Any
    """The state after it."""


@dataclass(frozen=True, slots=True)
class ClockChange:
    """While the move ``ply`` was awaited, ``team`` got other limits; ``None``: no limit.

    They hold from the next request on. A pending request keeps its limits, unless it is repeated.
    """

    ply: int
    team: Team
    limits: Limits | None


@dataclass(frozen=True, slots=True)
class RecordedNotes:
    """What the player of ``team`` noted, and what its program printed, for the move ``ply`` or before the end.

    Only its own people may see them (``History.seen_by``). ``output`` is what came since its move before.
    """

    ply: int
    team: Team
    notes: tuple[PlayerNote, ...] = ()
    problem: Text | None = None
    """What is wrong with some of the notes, in one sentence."""
    output: str = ""

    def joined(self, more: RecordedNotes) -> RecordedNotes:
        """Both: notes of one move may come with it and be printed."""
        return replace(
            self,
            notes=self.notes + more.notes,
            problem=self.problem or more.problem,
            output="\n".join(filter(None, (self.output, more.output))),
        )


@dataclass(frozen=True, slots=True)
class RecordedOffence:
    """What a player did wrong, and what they had sent where it could be read."""

    team: Team
    text: Text
    sent: str | None = None
    """The move in notation, or whatever came instead of one."""
    timing: MoveTiming | None = None
    """The times of the wrong message. For silence ``read`` is the moment at which the waiting ended."""
    xml: str | None = None
    """The message itself behind a move in ``sent``, where it is known; cut if it was long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResult(GameResult):
    """The verdict as a record keeps it."""

    final: str
    """The last position."""
    finished: float | None = None
    offence: RecordedOffence | None = None

    def __post_init__(self) -> None:
        # The lines do not say who gave up: leaving otherwise is an offence.
        causes = [team.cause for team in self.teams if team.cause is not Cause.REGULAR]
        object.__setattr__(self, "resigned", causes == [Cause.LEFT] and self.offence is None)


HistoryEvent = RecordedMove | RecordedNotes | ClockChange | RecordedResult
"""What can happen after the start of a game, as a line of its record says it."""


@dataclass(slots=True, kw_only=True)
class History:
    """One game from its start to its end, or as far as it has come. Only ``add`` and ``follow`` change it."""

    game_key: str
    """The key of the rule set."""
    id: str
    start: str
    """The first position."""
    names: tuple[str, str]
    started: datetime | None = None
    limits: tuple[Limits | None, Limits | None] = (None, None)
    """What ONE and TWO have for a move at the start; ``None``: no limit."""
    clock: Clock | None = None
    """The better of the clocks that were there."""
    referee: Referee = Referee.SPIELLEITER
    software: Software | None = None
    isolation: tuple[str, str] | None = None
    """How the programs of ONE and TWO were sandboxed (``bubblewrap``, ..., ``none``), where that is known."""
    format: int = FORMAT
    moves: tuple[RecordedMove, ...] = ()
    """The moves as they were written down; ``plies`` has them by the rules."""
    notes: tuple[RecordedNotes, ...] = ()
    """What the players noted and printed, of those sides that may be seen."""
    clock_changes: tuple[ClockChange, ...] = ()
    result: RecordedResult | None = None
    """``None``: the game is unfinished, or goes on."""
    variations: tuple[Variation, ...] = ()
    """Lines that were tried next to the game, on the analysis board."""
    place: str = field(default="record", compare=False)
    """Where the record was found, for messages."""
    _first_state: Any = field(default=None, init=False, repr=False, compare=False)
    _plies: tuple[Ply, ...] = field(default=(), init=False, repr=False, compare=False)
    _began: float = field(default=0.0, init=False, repr=False, compare=False)
    """When it started, on the referee's clock."""

    # --- growing ------------------------------------------------------------------------------------------------------

    @classmethod
    def begin(cls, event: GameStarted, started: datetime, clock: Clock) -> History:
        """A game that starts now; ``started`` is the wall-clock time, ``clock`` the better of those that judge."""
        history = cls(
            game_key=event.game.key,
            id=event.room_id,
            start=event.game.notation.format_state(event.past[0].before if event.past else event.state),
            names=event.names,
            started=started.astimezone(UTC),
            limits=event.limits,
            clock=clock,
            software=Software.running(),
            isolation=event.isolation,
        )
        history._first_state = event.past[0].before if event.past else event.state
        history._began = event.at
        after = (*(move.before for move in event.past[1:]), event.state)
        for ply, (past, state) in enumerate(zip(event.past, after, strict=False)):
            text = event.game.notation.format_move(past.before, past.move)
            recorded = RecordedMove(ply, past.before.turn, past.team, text, past.timing, past.hints)
            history._plies = (*history._plies, _ply(recorded, past.move, past.before, state))
            history.add(recorded)
            if past.timing is not None:
                history._began = event.at - past.timing.read  # The clock of the game goes on.
        return history

    def play(self, moves: Iterable[str]) -> Self:
        """Itself after these moves in notation, without times. Raises ``RecordError`` at an impossible one."""
        for text in moves:
            state = self.state
            self.add(RecordedMove(len(self.moves), state.turn, state.to_move, text), checked=True)
        return self.replayed()

    def follow(self, event: MoveMade | NotesTaken | ClockChanged | GameEnded) -> HistoryEvent:
        """Take in what the referee says, as its record will say it."""
        happened: HistoryEvent
        match event:
            case MoveMade():
                before, timing = self.state, event.timing.since(self._began)
                text = self.game.notation.format_move(before, event.move)
                happened = RecordedMove(len(self.moves), before.turn, event.team, text, timing, event.hints)
                played = _ply(happened, event.move, before, event.state)
                self._plies = (*self.plies, played)
            case NotesTaken():
                happened = RecordedNotes(event.ply, event.team, event.notes, event.problem, event.output)
            case ClockChanged():
                happened = ClockChange(len(self.moves), event.team, event.limits)
            case GameEnded():
                verdict = {each.name: getattr(event.result, each.name) for each in fields(event.result)}
                happened = RecordedResult(
                    **verdict,
                    final=self.game.notation.format_state(event.state),
                    finished=event.at - self._began,
                    offence=self._recorded(event.offence),
                )
            case _:
                assert_never(event)
        self.add(happened)
        return happened

    def _recorded(self, offence: Offence | None) -> RecordedOffence | None:
        if offence is None:
            return None
        timing = None if offence.timing is None else offence.timing.since(self._began)
        sent = None if offence.sent is None else markup(offence.sent, 0).strip()[:_MAX_SENT_LENGTH]
        if offence.move is None:
            return RecordedOffence(offence.team, offence.text, sent, timing)
        text = self.game.notation.format_move(self.state, offence.move)[:_MAX_SENT_LENGTH]
        return RecordedOffence(offence.team, offence.text, text, timing, sent)

    def add(self, event: HistoryEvent, *, checked: bool = False) -> None:
        """Take in what happened next, as a line of a record says it.

        Raises ``RecordError`` for a ``checked`` move that the rules forbid, and is then unchanged.
        """
        match event:
            case RecordedMove():
                if checked:
                    self._plies = (*self.plies, self._played(event, self.state))
                self.moves += (event,)
            case RecordedNotes():
                self.notes += (event,)
            case ClockChange():
                self.clock_changes += (event,)
            case RecordedResult():
                self.result = event
            case _:
                assert_never(event)

    # --- by the rules -------------------------------------------------------------------------------------------------

    @property
    def game(self) -> AnyGame:
        """The rule set by which the game was played. Raises ``RecordError`` if it is not installed."""
        try:
            return games.load(self.game_key)
        except UnknownGame as unknown:
            raise RecordError(f"{self.place}: {unknown.text.de}", f"{self.place}: {unknown.text.en}") from None

    @property
    def first_state(self) -> Any:
        """The state in which the game begins. Raises ``RecordError``."""
        if self._first_state is None:
            try:
                self._first_state = self.game.notation.parse_state(self.start)
            except NotationError as problem:
                raise RecordError(
                    f"{self.place}: die Startstellung: {problem}", f"{self.place}: the start: {problem}"
                ) from None
        return self._first_state

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves by the rules. Raises ``RecordError`` at an impossible one."""
        if len(self._plies) < len(self.moves):
            # Several threads may come here at once: each of them assigns the same in one step.
            played = list(self._plies)
            for recorded in self.moves[len(played) :]:
                played.append(self._played(recorded, played[-1].state if played else self.first_state))
            self._plies = tuple(played)
        return self._plies

    def _played(self, recorded: RecordedMove, before: Any) -> Ply:
        try:
            move, after = play_move(self.game, before, recorded.text)
        except Refused as problem:
            raise RecordError(
                f"{self.place}: Zug {recorded.ply}: {problem.text.de}",
                f"{self.place}: ply {recorded.ply}: {problem.text.en}",
            ) from None
        return _ply(recorded, move, before, after)

    def replayed(self) -> Self:
        """Itself, after all positions were worked out. Raises ``RecordError`` at an impossible move."""
        self._first_state, self._plies = self.first_state, self.plies
        return self

    @property
    def states(self) -> tuple[Any, ...]:
        """All positions, one more than there are moves. Raises ``RecordError``."""
        return (self.first_state, *(ply.state for ply in self.plies))

    @property
    def state(self) -> Any:
        """The last position so far. Raises ``RecordError``."""
        return self.plies[-1].state if self.moves else self.first_state

    @property
    def refused_move(self) -> Any | None:
        """The move that ended the game because it was illegal or late; ``None`` if there was none, or no such thing."""
        if self.offence is None or self.offence.sent is None:
            return None
        try:
            return self.game.notation.parse_move(self.state, self.offence.sent)
        except NotationError:
            return None

    # --- notes --------------------------------------------------------------------------------------------------------

    def seen_by(self, sides: Collection[Team]) -> Self:
        """The game as the people of ``sides`` may see it: with the notes of no other side; the same one if it is."""
        if all(noted.team in sides for noted in self.notes):
            return self
        seen = replace(self, notes=tuple(noted for noted in self.notes if noted.team in sides))
        seen._first_state, seen._plies, seen._began = self._first_state, self._plies, self._began
        return seen

    def notes_at(self, ply: int, team: Team | None = None) -> RecordedNotes | None:
        """What was noted for the move ``ply``, by who made it or by ``team``; ``None`` if nothing."""
        if team is None and ply < len(self.moves):
            team = self.moves[ply].team
        found = [noted for noted in self.notes if noted.ply == ply and team in (None, noted.team)]
        return reduce(RecordedNotes.joined, found) if found else None

    def chances_noted(self, team: Team) -> list[float | None]:
        """The winning chance of ``team`` as its player noted it last for each move; ``None`` where it noted none."""
        chances: list[float | None] = [None] * len(self.moves)
        for noted in self.notes:
            said = [note.chance for note in noted.notes if note.chance is not None]
            if noted.team is team and said and noted.ply < len(chances):
                chances[noted.ply] = said[-1]
        return chances

    # --- the end ------------------------------------------------------------------------------------------------------

    @property
    def is_finished(self) -> bool:
        """Whether it is known how the game ended."""
        return self.result is not None

    @property
    def offence(self) -> RecordedOffence | None:
        return None if self.result is None else self.result.offence

    @property
    def offender(self) -> Team | None:
        """The team whose fault ended the game, if just one did."""
        guilty = () if self.result is None else self.result.offenders()
        return guilty[0] if len(guilty) == 1 else None

    # --- times --------------------------------------------------------------------------------------------------------

    def used(self, team: Team, plies: int | None = None) -> float | None:
        """The seconds that ``team`` used for its moves, or for those of the first ``plies``; ``None`` if unmeasured.

        At the end with those for the move that was late or wrong: it is not among the moves, but its time is gone.
        """
        if self.clock is None or (self.moves and all(move.timing is None for move in self.moves)):
            return None
        used = sum(move.seconds or 0.0 for move in self.moves[:plies] if move.team is team)
        offence, is_end = self.offence, plies is None or plies >= len(self.moves)
        if is_end and offence is not None and offence.team is team and offence.timing is not None:
            used += offence.timing.elapsed
        return used

    def time_left(self, team: Team, plies: int | None = None) -> float | None:
        """The seconds on the game clock of ``team`` for its next move, after ``plies``; ``None`` without one."""
        limits, used = self.current_limits[team], self.used(team, plies)
        if limits is None or limits.increment is None or used is None:
            return None
        return limits.after(sum(move.team is team for move in self.moves[:plies]), used).soft

    @property
    def current_limits(self) -> tuple[Limits | None, Limits | None]:
        """What ONE and TWO have for a move now, as it was last set."""
        limits = list(self.limits)
        for change in self.clock_changes:
            limits[change.team] = change.limits
        return limits[0], limits[1]

    @property
    def seconds_per_move(self) -> float | None:
        """The longer of the times that the sides have for each move, where there is one."""
        return max((limits.per_move or 0.0 for limits in self.limits if limits is not None), default=0.0) or None

    def limits_at(self, ply: int, team: Team) -> tuple[Limits | None, ...]:
        """What ``team`` may have had for the move ``ply``: mostly one value; more where it was changed in between."""
        possible: tuple[Limits | None, ...] = (self.limits[team],)
        for change in self.clock_changes:
            if change.team is team and change.ply <= ply:
                possible = (*possible, change.limits) if change.ply == ply else (change.limits,)
        before = [move for move in self.moves[:ply] if move.team is team]
        used = sum(move.timing.elapsed for move in before if move.timing is not None)
        return tuple(None if limits is None else limits.after(len(before), used) for limits in possible)


def _ply(recorded: RecordedMove, move: Any, before: Any, state: Any) -> Ply:
    return Ply(
        recorded.ply,
        recorded.turn,
        recorded.team,
        recorded.text,
        recorded.timing,
        recorded.hints,
        move=move,
        before=before,
        state=state,
    )
