"""A game whose players are called one after the other in this process: no network, no sandbox, no other process.

The referee is the same as everywhere: a ``Room`` without connections. Its clock runs only while a player computes:
whatever else the machine does costs the players nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from spielleiter.game import TEAMS, AnyGame, AnyPlayer, Cause, Clock, Limits, MoveTiming, Team, Text
from spielleiter.records.history import History, Software
from spielleiter.referee import Arrival, Effects, GameEnded, MoveMade, Offence, Room, Seat

ISOLATION = "in-process"
"""How the record names the sandbox of such players."""


class DirectGame:
    """One game while it is played; its times are seconds in which the players have computed."""

    def __init__(
        self,
        id: str,  # noqa: A002 - the name it has everywhere
        game: AnyGame,
        start: Any,
        players: tuple[AnyPlayer, AnyPlayer],
        names: tuple[str, str],
        *,
        limits: Limits,
        can_timeout: tuple[bool, bool] = (True, True),
        explain: Callable[[Team, Exception], Text],
    ) -> None:
        """``explain`` says what the record tells of a player that raised."""
        self.crashed = False
        self._players, self._limits, self._explain = players, limits, explain
        self._clock = _ProcessorClock()
        one, two = (Seat(team, name=names[team], can_timeout=can_timeout[team]) for team in TEAMS)
        self.room = Room(id, game, start, (one, two), prepared=True, limits=limits)
        self.history = History(
            game_key=game.key,
            id=id,
            start=game.notation.format_state(start),
            names=names,
            started=datetime.now(timezone.utc),
            limits=(limits, limits),
            clock=Clock.PROCESSOR,
            software=Software.running(),
            isolation=(ISOLATION, ISOLATION),
        )

    def play(self, adjudicate: Callable[[MoveMade], Effects] = lambda made: []) -> Iterator[MoveMade | GameEnded]:
        """Play to the end: what happened, as it happens. ``adjudicate`` may end the game after a move."""
        self.room.start(0.0)
        while self.room.result is None:
            effects = self._next_move()
            if isinstance(made := effects[0], MoveMade):
                yield replace(made, timing=_by_processor(made.timing))
                effects += adjudicate(made)
        [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
        if (wrong := ended.offence) is not None and wrong.timing is not None:
            ended = replace(ended, offence=replace(wrong, timing=_by_processor(wrong.timing)))
        yield ended

    @property
    def now(self) -> float:
        """The present on the clock of this game."""
        return self._clock.seconds

    def _next_move(self) -> Effects:
        room = self.room
        state, team = room.state, room.state.to_move
        try:
            with self._clock.running():
                move = self._players[team].choose(state, room.thinking_time or self._limits.soft)
            return room.judge_move(team, move, Arrival(self.now))
        except Exception as problem:  # noqa: BLE001 - a player may fail in any way, and that is a result
            self.crashed = True
            return room.forfeit(Offence(team, self._explain(team, problem)), Cause.LEFT, self.now)


class _ProcessorClock:
    """Seconds in which this process computed while it ran, never more than have passed.

    Not those of the thread alone, since the engine searches in threads of its own. Other games in this process count,
    too; they cannot make it run faster than any other clock.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of the block."""
        wall, used = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.seconds += min(time.perf_counter() - wall, time.process_time() - used)


def _by_processor(timing: MoveTiming) -> MoveTiming:
    return replace(timing, judged_by=Clock.PROCESSOR)
