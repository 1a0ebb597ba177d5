"""Plays games into records as a server would, with a clock that only the test moves, and the referee's verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from spielleiter.game import AnyGame, Cause, Clock, Element, Limits, MoveTiming, Text
from spielleiter.records.history import History
from spielleiter.records.writer import RecordWriter
from spielleiter.referee import ClockChanged, GameEnded, GameStarted, MoveMade, NotesTaken, Offence, verdict

STARTED = datetime(2026, 11, 15, 20, 30, tzinfo=UTC)
REASON = Text("ein Grund", "a reason")


class Stage:
    """One game in the making: random moves, then one of the endings."""

    opened: ClassVar[list[Stage]] = []

    def __init__(
        self,
        folder: Path,
        game: AnyGame,
        *,
        seed: int = 1,
        game_id: str = "room-1",
        names: tuple[str, str] = ("Ada", "Bö"),
        clock: Clock = Clock.KERNEL,
        limits: tuple[Limits | None, Limits | None] | None = None,
    ) -> None:
        self.game = game
        self.rng = Random(seed)
        self.state: Any = game.new_state(self.rng)
        self.clock = clock
        self.now = 0.0
        event = GameStarted(game_id, game, names, self.state, 0.0, limits or (game.limits, game.limits))
        self.history = History.begin(event, STARTED, clock)
        self.writer = RecordWriter(folder, self.history)
        self.opened.append(self)

    @property
    def path(self) -> Path:
        return self.writer.path

    def times(self, took: float | None = None) -> MoveTiming:
        """The times of a message that comes now; the clock goes on."""
        requested = self.now + 0.000_1
        received = requested + (self.rng.uniform(0.001, 1.5) if took is None else took)
        self.now = received + 0.000_05
        if self.clock is Clock.KERNEL:
            return MoveTiming(requested, received, self.now, Clock.KERNEL)
        return MoveTiming(requested, None, self.now, Clock.READING)

    def play(self, moves: int = 1000, hints: Callable[[int], tuple[str, ...]] = lambda _: ()) -> Stage:
        """So many random moves, or until the end."""
        for number in range(moves):
            legal = self.state.legal_moves()
            if not legal:
                break
            move = self.rng.choice(legal)
            team, self.state = self.state.to_move, self.state.play(move)
            self.follow(MoveMade(self.history.id, team, move, self.state, hints(number), self.times()))
        return self

    def follow(self, event: MoveMade | NotesTaken | ClockChanged | GameEnded) -> None:
        """The referee says what happens."""
        self.writer.write(self.history.follow(event))

    def end(self, ending: str = "regular") -> Path:
        """End the game in this way; gives the finished file."""
        result, offence = ENDINGS[ending](self)
        self.follow(GameEnded(self.history.id, result, self.state, self.now + 0.000_1, offence))
        self.writer.close()
        return self.path

    def _illegal(self) -> Any:
        while self.state.violation(move := self.game.garbage_move(self.rng)) is None:
            pass
        return move


Ending = Callable[[Stage], tuple[Any, Any]]


def _regular(stage: Stage) -> tuple[Any, Any]:
    stage.play()
    return verdict.by_the_rules(stage.state, stage.state.outcome), None


def _fault(cause: Cause, **offence: Callable[[Stage], Any]) -> Ending:
    def end(stage: Stage) -> tuple[Any, Any]:
        team = stage.state.to_move
        offence_line = Offence(team, REASON, **{name: make(stage) for name, make in offence.items()})
        return verdict.by_fault(stage.state, {team: cause}, REASON), offence_line

    return end


def _silence(stage: Stage) -> tuple[Any, Any]:
    stage.now += 10.01
    return _fault(Cause.HARD_TIMEOUT)(stage)


def _other_leaves(stage: Stage) -> tuple[Any, Any]:
    team = stage.state.to_move.opponent
    return verdict.by_fault(stage.state, {team: Cause.LEFT}, REASON), Offence(team, REASON)


ENDINGS: dict[str, Ending] = {
    "regular": _regular,
    "illegal": _fault(Cause.RULE_VIOLATION, move=Stage._illegal, timing=lambda stage: stage.times()),
    "no move at all": _fault(
        Cause.RULE_VIOLATION, sent=lambda stage: Element("data", {"class": "é\n"}), timing=lambda stage: stage.times()
    ),
    "unasked": lambda stage: (
        verdict.by_fault(stage.state, {stage.state.to_move.opponent: Cause.RULE_VIOLATION}, REASON),
        Offence(stage.state.to_move.opponent, REASON),
    ),
    "late": _fault(
        Cause.SOFT_TIMEOUT,
        move=lambda stage: stage.state.legal_moves()[0],
        timing=lambda stage: stage.times(stage.game.limits.soft + 0.001),
    ),
    "very late": _fault(Cause.HARD_TIMEOUT, timing=lambda stage: stage.times(stage.game.limits.hard + 0.001)),
    "silence": _silence,
    "left": _fault(Cause.LEFT),
    "other left": _other_leaves,
    "cancelled": lambda stage: (verdict.undecided(stage.state, REASON), None),
}


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The events in a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, lines: list[dict[str, Any]]) -> Path:
    """The file with these events instead."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def moves_in(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The events that are moves."""
    return (line for line in lines if line["event"] == "move")
