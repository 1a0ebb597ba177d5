"""A game between built-in players inside this process, for quick tests: what a ``DirectGame`` says, as results."""

from __future__ import annotations

import time

from spielleiter import games, players
from spielleiter.analysis.adjudication import Adjudicator
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, Cause, Team, Text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.players.direct_game import ISOLATION, DirectGame
from spielleiter.programs.entrants import EntrantKind
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.records.writer import event_line, start_line
from spielleiter.referee import Effects, GameEnded, MoveMade


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


class _Game:
    """One game while it is played."""

    def __init__(self, task: GameTask, on_line: OnLine) -> None:
        self.task = task
        self._on_line = on_line
        self.lines: list[str] = []
        game = games.load(task.game)
        one, two = task.entrants
        self.direct = DirectGame(
            task.id,
            game,
            game.notation.parse_state(task.start),
            (players.load(one.text), players.load(two.text)),
            (one.name, two.name),
            limits=task.limits,
            can_timeout=task.can_timeout,
            explain=self._explain,
        )
        self._adjudicator = None if task.adjudication is None else Adjudicator(game, task.adjudication)

    def play(self) -> FinishedGame:
        began, history = time.perf_counter(), self.direct.history
        self._write(start_line(history))
        for event in self.direct.play(self._adjudicate):
            if isinstance(event, GameEnded):
                finished = self._finished(event, time.perf_counter() - began)
            self._write(event_line(history.follow(event)))
        return FinishedGame(finished, record="".join(f"{line}\n" for line in self.lines).encode())

    def _explain(self, team: Team, problem: Exception) -> Text:
        name, text = self.task.entrants[team].name, Fault.CRASH.text
        return Text(f"{name}: {text.de}: {problem!r}", f"{name}: {text.en}: {problem!r}")

    def _adjudicate(self, made: MoveMade) -> Effects:
        if self._adjudicator is None or (end := self._adjudicator.end_after(made.state)) is None:
            return []
        return self.direct.room.adjudicate(end.winner, end.reason, self.direct.now)

    def _finished(self, ended: GameEnded, seconds: float) -> MatchGame:
        history = self.direct.history
        result, moves, started = ended.result, history.moves, history.started
        assert started is not None
        one, two = (
            SideResult(
                name=self.task.entrants[team].name,
                points=result.teams[team].points,
                fault=self._fault(result.teams[team].cause),
                move_times=tuple(round(move.seconds or 0.0, 4) for move in moves if move.team is team),
                sandbox=ISOLATION,
            )
            for team in TEAMS
        )
        return MatchGame(
            id=self.task.id,
            sides=(one, two),
            winner=result.winner,
            counts=True,
            reason=result.reason,
            start=self.task.start,
            final=history.game.notation.format_state(ended.state),
            plies=len(moves),
            seconds=round(seconds, 3),
            started=started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            adjudicated=result.adjudicated,
        )

    def _fault(self, cause: Cause) -> Fault | None:
        return Fault.CRASH if self.direct.crashed and cause is Cause.LEFT else Fault.from_cause(cause)

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._on_line(line)
