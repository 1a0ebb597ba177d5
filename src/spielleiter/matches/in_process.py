"""A game between built-in players inside this process: no network, no sandbox, no other process. For quick tests.

The referee is the same as everywhere: a ``Room`` with nobody connected, whose players are called one after the other.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from spielleiter import games, players
from spielleiter.analysis.adjudication import Adjudicator
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, Cause, Clock, Text
from spielleiter.matches.results import Fault, MatchGame, SideResult
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.entrants import EntrantKind
from spielleiter.records.record import GameRecord, RecordedMove, RecordedOffence, RecordedResult, Software
from spielleiter.records.writer import end_line, move_line, start_line
from spielleiter.referee import Arrival, Effects, GameEnded, MoveMade, Offence, Room, Seat

_ISOLATION = "in-process"


def play_in_process(task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
    """The game, played by calling the players one after the other. Their time is measured and judged as usual.

    ``on_line`` is called in this thread.
    """
    for entrant in task.entrants:
        if entrant.kind is not EntrantKind.BUILT_IN:
            raise SettingsError(
                f"{entrant.name} ist kein eingebauter Spieler: Nur solche können in diesem Prozess spielen.",
                f"{entrant.name} is no built-in player: only those can play in this process",
            )
    return _Game(task, on_line or (lambda line: None)).play()


class _Game:
    """One game while it is played; its times are seconds since its start."""

    def __init__(self, task: GameTask, on_line: OnLine) -> None:
        self.task = task
        self._on_line = on_line
        self.game = games.load(task.game)
        self.players = [players.load(entrant.text) for entrant in task.entrants]
        one, two = (Seat(team, name=task.entrants[team].name) for team in TEAMS)
        start = self.game.notation.parse_state(task.start)
        self.room = Room(task.id, self.game, start, (one, two), prepared=True, limits=task.limits)
        self.lines: list[str] = []
        self.plies = 0
        self.move_times: tuple[list[float], list[float]] = ([], [])
        self.crashed = False
        self._adjudicator = None if task.adjudication is None else Adjudicator(self.game, task.adjudication)

    def play(self) -> FinishedGame:
        self.started, self._zero = datetime.now(UTC), time.perf_counter()
        self._write(start_line(self._start()))
        room, effects = self.room, self.room.start(0.0)
        while room.result is None:
            before, effects = room.state, self._next_move()
            if isinstance(made := effects[0], MoveMade):
                self._note(before, made)
                effects += self._adjudicate(made)
        [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
        return self._finished(ended)

    def _now(self) -> float:
        return time.perf_counter() - self._zero

    def _next_move(self) -> Effects:
        room = self.room
        state, team = room.state, room.state.to_move
        try:
            move = self.players[team].choose(state, room.thinking_time or self.task.limits.soft)
            return room.judge_move(team, move, Arrival(self._now()))
        except Exception as problem:  # noqa: BLE001 - a player may fail in any way, and that is a result
            self.crashed = True
            name, text = self.task.entrants[team].name, Fault.CRASH.text
            why = Text(f"{name}: {text.de}: {problem!r}", f"{name}: {text.en}: {problem!r}")
            return room.forfeit(Offence(team, why), Cause.LEFT, self._now())

    def _adjudicate(self, made: MoveMade) -> Effects:
        rule, adjudicator = self.task.adjudication, self._adjudicator
        if rule is None or adjudicator is None or (winner := adjudicator.winner(made.state)) is None:
            return []
        return self.room.adjudicate(winner, rule.reason, self._now())

    def _note(self, before: Any, made: MoveMade) -> None:
        text = self.game.notation.format_move(before, made.move)
        self._write(move_line(RecordedMove(self.plies, before.turn, made.team, text, made.timing)))
        self.plies += 1
        self.move_times[made.team].append(round(made.timing.elapsed, 4))

    def _finished(self, ended: GameEnded) -> FinishedGame:
        result = ended.result
        one, two = (
            SideResult(
                name=self.task.entrants[team].name,
                points=result.teams[team].points,
                fault=self._fault(result.teams[team].cause),
                move_times=tuple(self.move_times[team]),
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
            plies=self.plies,
            seconds=round(ended.at, 3),
            started=self.started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            adjudicated=result.adjudicated,
        )
        self._write(end_line(self._end(row, ended)))
        return FinishedGame(row, record="".join(f"{line}\n" for line in self.lines).encode())

    def _fault(self, cause: Cause) -> Fault | None:
        return Fault.CRASH if self.crashed and cause is Cause.LEFT else Fault.from_cause(cause)

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._on_line(line)

    def _start(self) -> GameRecord:
        one, two = self.task.entrants
        return GameRecord(
            game=self.game.key,
            id=self.task.id,
            start=self.task.start,
            names=(one.name, two.name),
            started=self.started,
            limits=(self.task.limits, self.task.limits),
            clock=Clock.READING,
            software=Software.running(),
            isolation=(_ISOLATION, _ISOLATION),
        )

    def _end(self, row: MatchGame, ended: GameEnded) -> RecordedResult:
        result, wrong = ended.result, ended.offence
        offence = None
        if wrong is not None:
            sent = None if wrong.move is None else self.game.notation.format_move(ended.state, wrong.move)
            offence = RecordedOffence(wrong.team, wrong.text, sent, wrong.timing)
        end = None if result.outcome is None else result.outcome.reason.name
        return RecordedResult(
            result.teams, result.winner, result.reason, end, row.final, ended.at, offence, result.adjudicated
        )
