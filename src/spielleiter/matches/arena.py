"""The arena of matches and contests: one game between two player programs after the other, or at the same time.

Whatever a player does is a result of the game. Only if this machine cannot do its part there is an error.
"""

from __future__ import annotations

import asyncio
import platform
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from spielleiter import games
from spielleiter.analysis.adjudication import Adjudication, Adjudicator
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, AnyGame, Text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.pressure import with_pressure
from spielleiter.programs.entrants import Entrant, EntrantKind, contest_arguments
from spielleiter.programs.failure import exit_name
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level, ResourceLimits
from spielleiter.programs.seat import JOIN_SECONDS, ProgramGame, ProgramSeat
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.programs.temporary import temporary_folder
from spielleiter.referee import GameEnded, GameEvent, MoveMade
from spielleiter.server import GameMaster, MasterSettings

_RETURN_SECONDS = 30.0
"""A manual player who was waited for before must be back by then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaSettings:
    """How games are played on this machine."""

    level: Level
    resource_limits: ResourceLimits = field(default_factory=ResourceLimits)
    private: tuple[Path, ...] = ()
    """Folders that no program sees, wherever they are: that of the season, for one."""
    join_timeout: float = JOIN_SECONDS
    """Seconds in which a player must have joined."""
    exit_timeout: float = 1.0
    """Seconds that a player has to end after the game."""
    host: str = "127.0.0.1"
    port: int = 0
    """Where players who join manually come to."""
    wait: float = 600.0
    """Seconds in which a player who joins manually must have come to their first game."""


class _Adjudicating:
    """Looks at the positions of a game beside it, in their order, and ends it when the rule of the match says so."""

    def __init__(self, master: GameMaster, game: AnyGame, rule: Adjudication | None) -> None:
        self._master = master
        self._made: asyncio.Queue[MoveMade] = asyncio.Queue()
        self._task = None if rule is None else asyncio.create_task(self._judge(Adjudicator(game, rule)))

    def look_at(self, event: GameEvent) -> None:
        """A move was made, say."""
        if self._task is not None and isinstance(event, MoveMade):
            self._made.put_nowait(event)

    async def _judge(self, adjudicator: Adjudicator) -> None:
        end = None
        while end is None:
            made = await self._made.get()
            end = await asyncio.to_thread(adjudicator.end_after, made.state)
        self._master.adjudicate(made.room_id, end.winner, end.reason)

    async def stop(self) -> None:
        """The game is over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait((self._task,))
            if not self._task.cancelled():
                self._task.result()  # An engine that fails is a failure of this machine.


class Arena:
    """A game master with a sandbox: use it as ``async with Arena(settings) as arena``, then ``await arena.play(task)``.

    Games may run at the same time.
    """

    def __init__(self, settings: ArenaSettings, on_arrival: Callable[[str], None] = lambda name: None) -> None:
        """``on_arrival`` gets the name of each manual player that has joined."""
        self._settings = settings
        self._on_arrival = on_arrival
        self._host = platform.node()
        self._on_line: dict[str, OnLine] = {}
        self._running: set[ProgramGame] = set()
        self._used = 0.0
        self._waited_for: set[str] = set()
        """The reservations of those who join manually and were called before."""

    def processor_time(self) -> float:
        """Seconds of processor time that all players have used so far."""
        return self._used + sum(played.processor_time() for played in self._running)

    async def __aenter__(self) -> Self:
        self._records = temporary_folder("records")
        settings = MasterSettings(
            host=self._settings.host,
            port=self._settings.port,
            records=self._records,
            reserved_only=True,
            language="en",
        )
        try:
            self._master = await GameMaster(
                settings, on_record_line=self._record_line, on_arrival=self._on_arrival
            ).__aenter__()
        except SettingsError:
            shutil.rmtree(self._records, ignore_errors=True)
            raise
        self._launcher = Launcher(
            self._master, self._settings.level, self._settings.resource_limits, self._settings.private
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._master.stop()
        shutil.rmtree(self._records, ignore_errors=True)

    @property
    def address(self) -> tuple[str, int]:
        """Where players who join manually come to."""
        return self._master.address

    def invite(self, entrant: Entrant) -> None:
        """Let a manual player come from now on, and wait for their games."""
        self._master.invite(entrant.reservation, entrant.name)

    def _record_line(self, room_id: str, line: str) -> None:
        if (on_line := self._on_line.get(room_id)) is not None:
            on_line(line)

    # --- a game -------------------------------------------------------------------------------------------------------

    async def play(
        self,
        task: GameTask,
        cores: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
        on_line: OnLine | None = None,
    ) -> FinishedGame:
        """Play one game to its end; the players run on these cores. Raises only if the machine fails."""
        began, wall = time.monotonic(), datetime.now(UTC)
        game = games.load(task.game)
        one, two = task.entrants
        adjudicator = _Adjudicating(self._master, game, task.adjudication)
        played = ProgramGame(
            self._launcher,
            game,
            (seats := (self._seat(one), self._seat(two))),
            names=(one.name, two.name),
            start=game.notation.parse_state(task.start),
            limits=task.limits,
            can_timeout=task.can_timeout,
            ponder=task.ponder,
            takes_notes=task.takes_notes,
            on_event=adjudicator.look_at,
        )
        room = played.room
        if on_line is not None:
            self._on_line[room.room_id] = on_line
        self._running.add(played)
        try:
            async with played:
                # Both sandboxes stand before one of the players may run, so that none has an advantage.
                for seat, code, own in zip(seats, room.codes, cores, strict=True):
                    await seat.launch(
                        contest_arguments(code), limits=task.limits, cores=own, takes_notes=task.takes_notes
                    )
                await played.start()
                ended = await room.ended
                await played.end(self._settings.exit_timeout)
        finally:
            await adjudicator.stop()
            self._on_line.pop(room.room_id, None)
            self._running.remove(played)
            self._used += played.processor_time()
        return self._finished(task, game, seats, ended, played.plies, time.monotonic() - began, wall)

    def _seat(self, entrant: Entrant) -> ProgramSeat:
        if entrant.kind is not EntrantKind.MANUAL:
            return ProgramSeat(self._launcher, entrant, self._settings.join_timeout)
        self.invite(entrant)
        patience = self._settings.wait
        if entrant.reservation in self._waited_for:
            patience = min(patience, _RETURN_SECONDS)
        self._waited_for.add(entrant.reservation)
        return ProgramSeat(self._launcher, entrant, patience)

    def _finished(
        self,
        task: GameTask,
        game: AnyGame,
        seats: tuple[ProgramSeat, ProgramSeat],
        ended: GameEnded,
        plies: int,
        seconds: float,
        wall: datetime,
    ) -> FinishedGame:
        result = ended.result
        one, two = (seats[team].report(result.teams[team]) for team in TEAMS)
        row = MatchGame(
            id=task.id,
            sides=(one, two),
            winner=result.winner,
            counts=one.fault is None or two.fault is None,
            reason=_reason(result.reason, (one, two)),
            start=task.start,
            final=game.notation.format_state(ended.state),
            plies=plies,
            seconds=round(seconds, 3),
            started=wall.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            adjudicated=result.adjudicated,
            host=self._host,
            pressure=result.pressure,
        )
        if any(row.untimely):
            row = replace(row, reason=with_pressure(row.reason, row.pressure))
        one_log, two_log = (b"" if seat.status is None else seat.status.log for seat in seats)
        return FinishedGame(row, (one_log, two_log), self._record(ended.room_id))

    def _record(self, room_id: str) -> bytes:
        """The record of a game, which leaves the folder of this arena for that of the match."""
        for path in self._records.glob(f"*{room_id}*"):
            data = path.read_bytes()
            path.unlink()
            return data
        return b""


def _reason(reason: Text, sides: tuple[SideResult, SideResult]) -> Text:
    """Why the game ended: in the words of the process, where it knows more than the referee."""
    known = [
        (side.name, _end_of_process(side.fault, side.exit_code))
        for side in sides
        if side.fault is not None and side.fault.is_of_process
    ]
    if not known:
        return reason
    return Text(
        "; ".join(f"{name}: {text.de}" for name, text in known), "; ".join(f"{name}: {text.en}" for name, text in known)
    )


def _end_of_process(fault: Fault, code: int | None) -> Text:
    """What became of a program, with its exit code or signal where it has one."""
    if not code:
        return fault.text
    # Before it joined it can have done nothing else.
    what = Text("endete sofort", "ended at once") if fault is Fault.NO_START else fault.text
    de, en = ("", "") if code < 0 else ("Exit-Code ", "exit code ")
    return Text(f"{what.de} ({de}{exit_name(code)})", f"{what.en} ({en}{exit_name(code)})")
