"""A game between built-in players inside this process: no network, no sandbox, no other process. For quick tests.

The referee is the same as everywhere: a ``Room`` without connections, whose players are called one after the other.
Its clock runs only while this process computes: whatever else the machine does costs the players nothing.
"""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

from spielleiter import games, players
from spielleiter.analysis.adjudication import Adjudicator
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, Cause, Clock, MoveTiming, Text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.entrants import EntrantKind
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.records.history import History, Software
from spielleiter.records.writer import event_line, start_line
from spielleiter.referee import Arrival, Effects, GameEnded, MoveMade, Offence, Room, Seat

_ISOLATION = "in-process"


def play_in_process(task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
    """The game, played by calling the players one after the other. Their processor time is judged by the usual limits.

    ``on_line`` is called in this thread.
    """
    for entrant in task.entrants:
        if entrant.kind is not EntrantKind.BUILT_IN:
            raise SettingsError(
                f"{entrant.name} ist kein eingebauter Spieler: Nur solche können in diesem Prozess spielen.",
                f"{entrant.name} is not a built-in player: only those can play in this process",
            )
    return _Game(task, on_line or (lambda line: None)).play()


class _ProcessorClock:
    """Seconds in which this process computed, never more than have passed.

    Not those of the thread alone, since the engine searches in threads of its own. Other games in this process count,
    too; they cannot make it run faster than any other clock.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        self._before = time.perf_counter(), time.process_time()

    def now(self) -> float:
        wall, used = time.perf_counter(), time.process_time()
        self._seconds += min(wall - self._before[0], used - self._before[1])
        self._before = wall, used
        return self._seconds


class _Game:
    """One game while it is played; its times are seconds of ``_ProcessorClock`` since its start."""

    def __init__(self, task: GameTask, on_line: OnLine) -> None:
        self.task = task
        self._on_line = on_line
        self.game = games.load(task.game)
        self.players = [players.load(entrant.text) for entrant in task.entrants]
        one, two = (Seat(team, name=task.entrants[team].name, can_timeout=task.can_timeout[team]) for team in TEAMS)
        start = self.game.notation.parse_state(task.start)
        self.room = Room(task.id, self.game, start, (one, two), prepared=True, limits=task.limits)
        self.lines: list[str] = []
        self.crashed = False
        self._adjudicator = None if task.adjudication is None else Adjudicator(self.game, task.adjudication)

    def play(self) -> FinishedGame:
        self.started, began, self._clock = datetime.now(UTC), time.perf_counter(), _ProcessorClock()
        self.history = self._begin()
        self._write(start_line(self.history))
        room, effects = self.room, self.room.start(0.0)
        while room.result is None:
            effects = self._next_move()
            if isinstance(made := effects[0], MoveMade):
                self._follow(replace(made, timing=_by_processor(made.timing)))
                effects += self._adjudicate(made)
        [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
        return self._finished(ended, time.perf_counter() - began)

    def _next_move(self) -> Effects:
        room = self.room
        state, team = room.state, room.state.to_move
        try:
            move = self.players[team].choose(state, room.thinking_time or self.task.limits.soft)
            return room.judge_move(team, move, Arrival(self._clock.now()))
        except Exception as problem:  # noqa: BLE001 - a player may fail in any way, and that is a result
            self.crashed = True
            name, text = self.task.entrants[team].name, Fault.CRASH.text
            why = Text(f"{name}: {text.de}: {problem!r}", f"{name}: {text.en}: {problem!r}")
            return room.forfeit(Offence(team, why), Cause.LEFT, self._clock.now())

    def _adjudicate(self, made: MoveMade) -> Effects:
        if self._adjudicator is None or (end := self._adjudicator.end_after(made.state)) is None:
            return []
        return self.room.adjudicate(end.winner, end.reason, self._clock.now())

    def _finished(self, ended: GameEnded, seconds: float) -> FinishedGame:
        result, moves = ended.result, self.history.moves
        one, two = (
            SideResult(
                name=self.task.entrants[team].name,
                points=result.teams[team].points,
                fault=self._fault(result.teams[team].cause),
                move_times=tuple(round(move.seconds or 0.0, 4) for move in moves if move.team is team),
                sandbox=_ISOLATION,
            )
            for team in TEAMS
        )
        row = MatchGame(
            id=self.task.id,
            sides=(one, two),
            winner=result.winner,
            counts=True,
            reason=result.reason,
            start=self.task.start,
            final=self.game.notation.format_state(ended.state),
            plies=len(moves),
            seconds=round(seconds, 3),
            started=self.started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            adjudicated=result.adjudicated,
        )
        if (wrong := ended.offence) is not None and wrong.timing is not None:
            ended = replace(ended, offence=replace(wrong, timing=_by_processor(wrong.timing)))
        self._follow(ended)
        return FinishedGame(row, record="".join(f"{line}\n" for line in self.lines).encode())

    def _fault(self, cause: Cause) -> Fault | None:
        return Fault.CRASH if self.crashed and cause is Cause.LEFT else Fault.from_cause(cause)

    def _follow(self, event: MoveMade | GameEnded) -> None:
        self._write(event_line(self.history.follow(event)))

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._on_line(line)

    def _begin(self) -> History:
        one, two = self.task.entrants
        return History(
            game_key=self.game.key,
            id=self.task.id,
            start=self.task.start,
            names=(one.name, two.name),
            started=self.started,
            limits=(self.task.limits, self.task.limits),
            clock=Clock.PROCESSOR,
            software=Software.running(),
            isolation=(_ISOLATION, _ISOLATION),
        )


def _by_processor(timing: MoveTiming) -> MoveTiming:
    return replace(timing, judged_by=Clock.PROCESSOR)
