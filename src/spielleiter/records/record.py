"""The record of one game as plain values: who played what and when, and how it ended.

All times are seconds since the start of the game. Positions and moves stand in the notation of their game, which a
person can read; so a record stays readable when the program that wrote it is long gone.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any

from spielleiter import __version__, games
from spielleiter.errors import NotationError, RecordError, UnknownGame
from spielleiter.game import TEAM_NAMES, AnyGame, Cause, Clock, Limits, MoveTiming, Team, TeamResult, Text, describe_end
from spielleiter.records.variations import Variation

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
    move: str
    timing: MoveTiming | None = None
    """``None`` where nobody measured."""
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClockChange:
    """While the move ``ply`` was awaited, ``team`` got other limits; ``None``: no limit.

    They hold from the next request on. A pending request keeps its limits, unless it is repeated.
    """

    ply: int
    team: Team
    limits: Limits | None


@dataclass(frozen=True, slots=True)
class RecordedOffence:
    """What a player did wrong, and what they had sent where it could be read."""

    team: Team
    text: Text
    sent: str | None = None
    """The move in notation, or whatever came instead of one."""
    timing: MoveTiming | None = None
    """Those of the message that was wrong. For silence ``read`` is the moment at which the waiting ended."""
    xml: str | None = None
    """The message itself behind a move in ``sent``, where it is known; cut if it was long."""


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """How the game ended. ``winner`` is ``None`` for a draw and for a game without a decision."""

    teams: tuple[TeamResult, TeamResult]
    winner: Team | None
    reason: Text
    """Why it ended, without who won; in a record of a reference server that server's own words."""
    end: str | None
    """The name of the end by the rules of the game (``LARGER_SWARM``), ``None`` if the game did not get that far."""
    final: str
    """The last position."""
    finished: float | None = None
    offence: RecordedOffence | None = None
    adjudicated: bool = False
    """Whether a match ended the game early because it seemed decided."""

    @property
    def resigned(self) -> bool:
        """Whether the loser gave up, which is no fault: whoever left otherwise has an offence."""
        causes = [team.cause for team in self.teams if team.cause is not Cause.REGULAR]
        return causes == [Cause.LEFT] and self.offence is None

    def describe(self, names: tuple[str, str] = TEAM_NAMES) -> Text:
        """Winner and reason in one sentence."""
        winner = None if self.winner is None else names[self.winner]
        return describe_end(winner, self.reason, decided=self.end is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game from its start to its end, or as far as it was written down."""

    game: str
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
    clock_changes: tuple[ClockChange, ...] = ()
    result: RecordedResult | None = None
    """``None``: the record breaks off, the game is unfinished."""
    variations: tuple[Variation, ...] = ()
    """What somebody looked at beside the game, on the analysis board."""
    place: str = field(default="record", compare=False)
    """Where the record was found, for messages."""

    @property
    def is_finished(self) -> bool:
        """Whether the record says how the game ended."""
        return self.result is not None

    def load_game(self) -> AnyGame:
        """The rule set by which the game was played. Raises ``RecordError`` if it is not installed."""
        try:
            return games.load(self.game)
        except UnknownGame as unknown:
            raise RecordError(f"{self.place}: {unknown.text.de}", f"{self.place}: {unknown.text.en}") from None

    def first_state(self) -> Any:
        """The state in which the record begins. Raises ``RecordError``."""
        try:
            return self.load_game().notation.parse_state(self.start)
        except NotationError as problem:
            raise RecordError(
                f"{self.place}: die Startstellung: {problem}", f"{self.place}: the start: {problem}"
            ) from None

    def states(self) -> Iterator[Any]:
        """The states from the start on, one more than there are moves. Raises ``RecordError`` at an impossible one."""
        game, state = self.load_game(), self.first_state()
        yield state
        for recorded in self.moves:
            try:
                move = game.notation.parse_move(state, recorded.move)
            except NotationError as problem:
                raise RecordError(
                    f"{self.place}: Zug {recorded.ply}: {problem}", f"{self.place}: ply {recorded.ply}: {problem}"
                ) from None
            if (violation := state.violation(move)) is not None:
                why = violation.text
                raise RecordError(
                    f"{self.place}: Zug {recorded.ply}: {recorded.move} ist ungültig: {why.de}",
                    f"{self.place}: ply {recorded.ply}: {recorded.move} is illegal: {why.en}",
                )
            state = state.play_unchecked(move)
            yield state

    def limits_at(self, ply: int, team: Team) -> tuple[Limits | None, ...]:
        """What ``team`` may have had for the move ``ply``: mostly one value; more where it was changed in between."""
        possible: tuple[Limits | None, ...] = (self.limits[team],)
        for change in self.clock_changes:
            if change.team is team and change.ply <= ply:
                possible = (*possible, change.limits) if change.ply == ply else (change.limits,)
        before = [move for move in self.moves[:ply] if move.team is team]
        used = sum(move.timing.elapsed for move in before if move.timing is not None)
        return tuple(None if limits is None else limits.after(len(before), used) for limits in possible)
