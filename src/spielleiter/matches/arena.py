"""One game between two player programs: a room, two sandboxes, and the result.

Whatever a player does is a result of the game. Only if this machine cannot do its part there is an error.
"""

from __future__ import annotations

import asyncio
import platform
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from spielleiter import games
from spielleiter.analysis.adjudication import Adjudication, Adjudicator
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, AnyGame, Cause, Team, Text
from spielleiter.matches.results import Fault, MatchGame, SideResult
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine
from spielleiter.programs.entrants import Entrant, EntrantKind, contest_arguments
from spielleiter.programs.failure import exit_name, explain_failure
from spielleiter.programs.launcher import JOIN_SECONDS, Launcher
from spielleiter.programs.sandbox import ExitStatus, Level, ResourceLimits, SandboxedProcess, has_cgroups
from spielleiter.programs.temporary import temporary_folder
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade
from spielleiter.server import GameMaster, MasterSettings, OpenedRoom, Peer
from spielleiter.text import NO_TEXT, printable

REMOTE = "remote"
"""Instead of a level of the sandbox: a player on its own machine, neither sandboxed nor limited."""
_RETURN_SECONDS = 30.0
"""Somebody who joins manually and was waited for before must be back by then."""
_LAST_WORDS = 2000


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


@dataclass(slots=True)
class _Seat:
    """One player during one game."""

    entrant: Entrant
    process: SandboxedProcess | None = None
    exit_status: ExitStatus | None = None
    isolation: str = Level.NONE.value
    lingered: bool = False
    times: list[float] = field(default_factory=list)
    asked_at: float | None = None
    """Its processor time when it was asked for a move, while it is."""
    own_time: float = 0.0
    """Processor time in which it was asked for a move."""
    start_time: float = 0.0
    """Processor time before the first request to anybody."""
    ponder_time: float = 0.0
    """Processor time in that of the opponent, when the game is over."""

    def asked(self) -> None:
        """It is to move."""
        self.answered()  # Perhaps twice in a row.
        if self.process is not None:
            self.process.freeze(False)
            self.asked_at = self.process.processor_time

    def answered(self) -> None:
        """It has moved."""
        if self.process is not None and self.asked_at is not None:
            self.own_time += self.process.processor_time - self.asked_at
            self.asked_at = None

    def finished(self) -> None:
        """The game is over."""
        self.answered()
        if self.process is not None:
            self.ponder_time = max(0.0, self.process.processor_time - self.own_time - self.start_time)
            self.process.freeze(False)


@dataclass(slots=True)
class _Turns:
    """Who may think when: measured, and enforced where pondering is not allowed."""

    seats: tuple[_Seat, _Seat]
    ponder: bool
    _begun: bool = False

    def asked(self, team: Team) -> None:
        """The game master is about to ask ``team`` for a move."""
        waiting = self.seats[team.opponent]
        if not self._begun:
            self._begun = True
            for seat in self.seats:
                seat.start_time = 0.0 if seat.process is None else seat.process.processor_time
        if not self.ponder and waiting.process is not None:
            waiting.process.freeze(True)
        # Last, so that the clock starts with a player that runs.
        self.seats[team].asked()

    def end(self) -> None:
        """The game is over: both may say goodbye."""
        for seat in self.seats:
            seat.finished()


class _Adjudicating:
    """Looks at the positions of a game beside it, in their order, and ends it when the rule of the match says so."""

    def __init__(self, master: GameMaster, room: OpenedRoom, game: AnyGame, rule: Adjudication | None) -> None:
        self._master = master
        self._room = room
        self._states: asyncio.Queue[Any] = asyncio.Queue()
        self._task = None if rule is None else asyncio.create_task(self._judge(Adjudicator(game, rule), rule.reason))

    def look_at(self, state: Any) -> None:
        """Somebody has moved."""
        if self._task is not None:
            self._states.put_nowait(state)

    async def _judge(self, adjudicator: Adjudicator, why: Text) -> None:
        winner = None
        while winner is None:
            winner = await asyncio.to_thread(adjudicator.winner, await self._states.get())
        self._master.adjudicate(self._room.room_id, winner, why)

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
        self._running: set[SandboxedProcess] = set()
        self._used = 0.0
        self._waited_for: set[str] = set()
        """The reservations of those who join manually and were called before."""

    def processor_time(self) -> float:
        """Seconds of processor time that all players have used so far."""
        return self._used + sum(process.processor_time for process in self._running)

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
        """Let somebody who joins manually come from now on, and wait for their games."""
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
        master = self._master
        names = (task.entrants[0].name, task.entrants[1].name)
        position = game.notation.parse_state(task.start)
        one, two = task.entrants
        for entrant in (one, two):
            if entrant.kind is EntrantKind.MANUAL:
                self.invite(entrant)
        seats = (_Seat(one), _Seat(two))
        turns = _Turns(seats, ponder=task.ponder)
        room = master.open_room(
            game,
            names=names,
            start=position,
            limits=task.limits,
            isolation=(self._isolation(one), self._isolation(two)),
            codes=(one.reservation or None, two.reservation or None),
            admits=lambda team, peer: _admits(self._launcher, seats[team], peer),
            before_request=turns.asked,
        )
        started = asyncio.Event()
        plies = 0
        adjudicator = _Adjudicating(master, room, game, task.adjudication)

        def listen(event: GameEvent) -> None:
            nonlocal plies
            if event.room_id == room.room_id:
                if isinstance(event, GameStarted):
                    started.set()
                elif isinstance(event, MoveMade):
                    plies += 1
                    seats[event.team].answered()
                    seats[event.team].times.append(round(event.timing.elapsed, 4))
                    adjudicator.look_at(event.state)

        unsubscribe = master.subscribe(listen)
        if on_line is not None:
            self._on_line[room.room_id] = on_line
        try:
            await self._start(room, task, seats, cores)
            master.admit(room.room_id)
            await self._let_join(master, room, seats, started)
            ended = await room.ended
            turns.end()
            await self._let_end(seats)
        finally:
            unsubscribe()
            await adjudicator.stop()
            master.cancel_room(room.room_id)
            self._on_line.pop(room.room_id, None)
            await asyncio.gather(*(self._stop(seat) for seat in seats))
        return self._finished(task, game, seats, ended, room, started.is_set(), plies, time.monotonic() - began, wall)

    def _isolation(self, entrant: Entrant) -> str:
        if entrant.kind is EntrantKind.MANUAL:
            return REMOTE
        return self._settings.level.isolation(counted=has_cgroups())

    async def _start(
        self,
        room: OpenedRoom,
        task: GameTask,
        seats: tuple[_Seat, _Seat],
        cores: tuple[tuple[int, ...], tuple[int, ...]],
    ) -> None:
        """Both sandboxes stand before one of the players may run, so that none has an advantage."""
        for seat, code, own in zip(seats, room.codes, cores, strict=True):
            if seat.entrant.kind is EntrantKind.MANUAL:
                seat.isolation = REMOTE
                continue
            arguments = contest_arguments(code)
            seat.process = await self._launcher.start(seat.entrant, arguments, limits=task.limits, cores=own)
            self._running.add(seat.process)
            seat.isolation = self._isolation(seat.entrant)
        for seat in seats:
            if seat.process is not None:
                seat.process.go()

    async def _stop(self, seat: _Seat) -> None:
        if seat.process is not None:
            seat.exit_status = await self._launcher.stop(seat.process)
            self._running.discard(seat.process)
            self._used += seat.exit_status.processor_time

    async def _let_join(
        self, master: GameMaster, room: OpenedRoom, seats: tuple[_Seat, _Seat], started: asyncio.Event
    ) -> None:
        """Wait until the game has begun; end the room if it never will."""
        now = time.monotonic()
        deadlines = [now + self._patience(seat) for seat in seats]
        begun = asyncio.ensure_future(started.wait())
        exits = [None if seat.process is None else asyncio.ensure_future(seat.process.wait()) for seat in seats]
        try:
            while not (begun.done() or room.ended.done()):
                given_up = [
                    (exit_ is not None and exit_.done()) or time.monotonic() >= deadline
                    for exit_, deadline in zip(exits, deadlines, strict=True)
                ]
                if self._is_hopeless(master, room, given_up):
                    # What a player has sent before its end may still be on its way.
                    await asyncio.sleep(0.05)
                    if not (begun.done() or room.ended.done()):
                        master.cancel_room(room.room_id)
                    return
                # Nobody tells us when the other one sits down.
                patience = 0.05 if any(given_up) else min(deadlines) - time.monotonic()
                waiting: list[asyncio.Future[Any]] = [begun, room.ended]
                waiting += [exit_ for exit_ in exits if exit_ is not None and not exit_.done()]
                await asyncio.wait(waiting, timeout=max(0.0, patience), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for future in (begun, *exits):
                if future is not None:
                    future.cancel()

    def _patience(self, seat: _Seat) -> float:
        """How many seconds a player has to join."""
        code = seat.entrant.reservation
        if seat.process is not None:
            return self._settings.join_timeout
        if code not in self._waited_for:
            self._waited_for.add(code)
            return self._settings.wait
        return min(self._settings.wait, _RETURN_SECONDS)

    def _is_hopeless(self, master: GameMaster, room: OpenedRoom, given_up: Sequence[bool]) -> bool:
        """Whether somebody will not join any more, and the other one is there or will not, either."""
        waiting = master.lobby.rooms.get(room.room_id)
        if waiting is None:
            return True
        joined = [seat.connection is not None for seat in waiting.seats]
        failed = [not here and lost for here, lost in zip(joined, given_up, strict=True)]
        return any(failed) and all(here or lost for here, lost in zip(joined, failed, strict=True))

    async def _let_end(self, seats: tuple[_Seat, _Seat]) -> None:
        """Give the players the time to end by themselves."""
        running = [asyncio.ensure_future(seat.process.wait()) for seat in seats if seat.process is not None]
        if running:
            await asyncio.wait(running, timeout=self._settings.exit_timeout)
        for exit_ in running:
            exit_.cancel()
        for seat in seats:
            seat.lingered = seat.process is not None and seat.process.running

    # --- the result ---------------------------------------------------------------------------------------------------

    def _finished(
        self,
        task: GameTask,
        game: AnyGame,
        seats: tuple[_Seat, _Seat],
        ended: GameEnded,
        room: OpenedRoom,
        started: bool,
        plies: int,
        seconds: float,
        wall: datetime,
    ) -> FinishedGame:
        result = ended.result
        one, two = (_side(seats[team], result.teams[team].cause, result.teams[team].points, started) for team in TEAMS)
        counts = one.fault is None or two.fault is None
        row = MatchGame(
            id=task.id,
            sides=(one, two),
            winner=result.winner,
            counts=counts,
            reason=_reason(result.reason, (one, two)),
            start=task.start,
            final=game.notation.format_state(ended.state),
            plies=plies,
            seconds=round(seconds, 3),
            started=wall.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            adjudicated=result.adjudicated,
            host=self._host,
        )
        one_log, two_log = (b"" if seat.exit_status is None else seat.exit_status.log for seat in seats)
        return FinishedGame(row, (one_log, two_log), self._record(room.room_id))

    def _record(self, room_id: str) -> bytes:
        """The record of a game, which leaves the folder of this arena for that of the match."""
        for path in self._records.glob(f"*{room_id}*"):
            data = path.read_bytes()
            path.unlink()
            return data
        return b""


def _admits(launcher: Launcher, seat: _Seat, peer: Peer) -> bool:
    return seat.process is None or launcher.admits(seat.process, peer)


def _side(seat: _Seat, cause: Cause, points: tuple[int, ...], started: bool) -> SideResult:
    exit_status = seat.exit_status
    fault = Fault.from_cause(cause)
    if exit_status is not None and fault is Fault.LEFT:
        # The referee saw a connection end; the process knows why.
        if exit_status.breach is not None:
            fault = Fault.from_breach(exit_status.breach)
        elif not started:
            fault = Fault.NO_START
        elif exit_status.code:
            fault = Fault.CRASH
    elif fault is Fault.LEFT and not started:
        fault = Fault.ABSENT
    failure, words = NO_TEXT, ""
    if exit_status is not None and fault is not None:
        failure = explain_failure(exit_status, seat.entrant.start_script)
        if fault is Fault.NO_START and exit_status.code is None and exit_status.breach is None:
            waited = Text("lief, kam aber nicht ins Spiel", "ran, but did not join the game")
            failure = Text(f"{waited.de}; {failure.de}", f"{waited.en}; {failure.en}") if failure.en else waited
        words = printable(exit_status.log[-_LAST_WORDS:].decode("utf-8", "replace"))
    return SideResult(
        name=seat.entrant.name,
        points=points,
        fault=fault,
        move_times=tuple(seat.times),
        exit_code=None if exit_status is None else exit_status.code,
        lingered=seat.lingered,
        peak_memory=0 if exit_status is None else exit_status.peak_memory,
        processor_time=0.0 if exit_status is None else round(exit_status.processor_time, 2),
        ponder_time=round(seat.ponder_time, 2),
        sandbox=seat.isolation,
        failure=failure,
        last_words=words,
    )


def _reason(reason: Text, sides: tuple[SideResult, SideResult]) -> Text:
    """Why the game ended: in the words of the process, where it knows more than the referee."""
    known = [
        (side.name, side.fault.text, f" ({exit_name(side.exit_code)})" if side.exit_code else "")
        for side in sides
        if side.fault is not None and side.fault.is_of_process
    ]
    if not known:
        return reason
    return Text(
        "; ".join(f"{name}: {text.de}{code}" for name, text, code in known),
        "; ".join(f"{name}: {text.en}{code}" for name, text, code in known),
    )
