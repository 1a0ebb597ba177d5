"""A game between built-in players inside this process: no network, no sandbox, no other process. For quick tests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from spielleiter import games, players
from spielleiter.errors import IllegalMove, SettingsError
from spielleiter.game import TEAMS, AnyGame, Cause, Team, TeamResult, Text
from spielleiter.matches.results import Fault, MatchGame, SideResult
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import EntrantKind
from spielleiter.records.record import (
    Clock,
    GameRecord,
    RecordedMove,
    RecordedOffence,
    RecordedResult,
    Software,
    Times,
)
from spielleiter.records.writing import record_lines


@dataclass(slots=True)
class _Course:
    """A game as it goes."""

    state: Any
    moves: list[RecordedMove] = field(default_factory=list)
    times: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    began: float = field(default_factory=time.perf_counter)
    offender: Team | None = None
    fault: Fault | None = None
    reason: Text = field(default_factory=lambda: Text("", ""))
    late: Times | None = None
    """Those of the move that came too late."""


def play_in_process(task: GameTask) -> FinishedGame:
    """The game, played by calling the players one after the other. Their time is measured and judged as usual."""
    for entrant in task.entrants:
        if entrant.kind is not EntrantKind.BUILT_IN:
            raise SettingsError(f"{entrant.name} is no built-in player: only those can play in this process")
    game = games.load(task.game)
    minds = [players.load(entrant.text) for entrant in task.entrants]
    began, wall = time.monotonic(), datetime.now(UTC)
    course = _Course(game.notation.parse_state(task.start))
    while course.state.outcome is None and course.fault is None:
        _one_move(course, minds, game, task)
    if course.state.outcome is not None:
        winner, course.reason = course.state.outcome.winner, course.state.outcome.reason.text
    else:
        assert course.offender is not None
        winner = course.offender.opponent
    one, two = (_side(course, team, task) for team in TEAMS)
    row = MatchGame(
        id=task.id,
        sides=(one, two),
        winner=winner,
        counts=True,
        reason=course.reason,
        start=task.start,
        final=game.notation.format_state(course.state),
        plies=len(course.moves),
        seconds=round(time.monotonic() - began, 3),
        started=wall.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    )
    return FinishedGame(row, record=_record(row, course, wall, task))


def _one_move(course: _Course, minds: list[Any], game: AnyGame, task: GameTask) -> None:
    """Ask whoever is to move; take the move, or note what was wrong."""
    before, team = course.state, course.state.to_move
    name = task.entrants[team].name
    asked = time.perf_counter()
    try:
        move = minds[team].choose(before, task.limits.soft)
        took = time.perf_counter() - asked
        after = before.play(move)
    except IllegalMove as problem:
        course.fault, told = Fault.ILLEGAL, str(problem)
    except Exception as problem:  # noqa: BLE001 - a player may fail in any way, and that is a result
        course.fault, told = Fault.CRASH, repr(problem)
    else:
        if took <= task.limits.soft:
            text = game.notation.format_move(before, move)
            course.moves.append(RecordedMove(len(course.moves), before.turn, team, text, _times(course, asked, took)))
            course.times[team].append(round(took, 4))
            course.state = after
            return
        course.fault = Fault.LATE if took <= task.limits.hard else Fault.SILENT
        course.late, told = _times(course, asked, took), f"{took:.3f} s > {task.limits.soft:g} s"
    course.offender = team
    text_of = course.fault.text
    course.reason = Text(f"{name}: {text_of.de}: {told}", f"{name}: {text_of.en}: {told}")


def _times(course: _Course, asked: float, took: float) -> Times:
    """When a move was asked for and came, since the start of the game; nobody's clock but ours was there."""
    return Times(asked - course.began, None, asked - course.began + took, Clock.READING)


def _side(course: _Course, team: Team, task: GameTask) -> SideResult:
    points = tuple(course.state.points(team))
    side = SideResult(
        name=task.entrants[team].name, points=points, move_times=tuple(course.times[team]), sandbox="in-process"
    )
    if course.offender is None:
        return side
    if course.offender is team:
        return replace(side, fault=course.fault, points=(0,) * len(points))
    return replace(side, points=(2, *points[1:]))


def _record(row: MatchGame, course: _Course, wall: datetime, task: GameTask) -> bytes:
    """The game as a record."""
    one, two = (
        TeamResult(Cause.REGULAR if side.fault is None else side.fault.cause, side.points) for side in row.sides
    )
    outcome = course.state.outcome
    offence = None if course.offender is None else RecordedOffence(course.offender, course.reason, times=course.late)
    record = GameRecord(
        game=course.state.rules.key,
        id=row.id,
        start=row.start,
        names=row.names,
        started=wall,
        limits=(task.limits, task.limits),
        clock=Clock.READING,
        software=Software.running(),
        isolation=("in-process", "in-process"),
        moves=tuple(course.moves),
        result=RecordedResult(
            (one, two),
            row.winner,
            row.reason,
            None if outcome is None else outcome.reason.name,
            row.final,
            time.perf_counter() - course.began,
            offence,
        ),
    )
    return "".join(f"{line}\n" for line in record_lines(record)).encode()
