"""A game with player programs: a room, sandboxes, join, play, exit, and what became of each of them.

Whatever a program does is a result. Only if this machine cannot do its part there is an error.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from spielleiter.game import TEAMS, AnyGame, Cause, Limits, Team, TeamResult, Text
from spielleiter.game.note_reader import read_printed
from spielleiter.pressure import PressureMeter, is_busy
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.failure import explain_failure
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import ExitStatus, Level, SandboxedProcess, has_cgroups
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade, NotesTaken
from spielleiter.server import Peer, RoomHooks
from spielleiter.text import NO_TEXT, printable

JOIN_SECONDS = 30.0
"""Seconds in which a program must join its game: the same in a check and in a match."""
REMOTE = "remote"
"""Instead of a level of the sandbox: a player on its own machine, neither sandboxed nor limited."""
DID_NOT_JOIN = Text("lief, kam aber nicht ins Spiel", "ran, but did not join the game")
_BUSY_JOIN_FACTOR = 2.0
_POLL_SECONDS = 0.02
_LAST_BYTES_SECONDS = 0.05
"""How long what a player has sent before its end may still be on its way."""
_LAST_WORDS = 2000


class ProgramSeat:
    """One player of one game: its program in the sandbox, or a manual player, who has none."""

    def __init__(self, launcher: Launcher, entrant: Entrant, patience: float = JOIN_SECONDS) -> None:
        """It must have joined after ``patience`` seconds; a program on a busy machine later."""
        self.entrant = entrant
        self.process: SandboxedProcess | None = None
        self.joined_after: float | None = None
        self.moves: list[Any] = []
        self._launcher = launcher
        self._patience = patience
        self._deadline = self._began = 0.0
        self._has_more_time = self._is_proxied = self._is_ended_by_us = False
        self._times: list[float] = []
        self._exit_status: ExitStatus | None = None
        self._ended_after: float | None = None
        self._asked_at: float | None = None
        """Its processor time when it was asked for a move, while it is."""
        self._own_time = self._start_time = self._ponder_time = 0.0
        """Processor time in which it was asked for a move; before the first request; in that of the opponent."""

    @property
    def isolation(self) -> str:
        """How it is sandboxed."""
        if self.entrant.kind is EntrantKind.MANUAL:
            return REMOTE
        return self._launcher.level.isolation(counted=has_cgroups())

    @property
    def processor_time(self) -> float:
        """CPU time of its program so far; that of a player on its own machine is unknown."""
        if self._exit_status is not None:
            return self._exit_status.processor_time
        return 0.0 if self.process is None else self.process.processor_time

    # --- start and join -----------------------------------------------------------------------------------------------

    async def launch(
        self,
        arguments: Sequence[str],
        *,
        limits: Limits | None = None,
        cores: tuple[int, ...] = (),
        report_leftovers: bool = False,
        proxy: tuple[str, int] | None = None,
        takes_notes: bool = True,
    ) -> None:
        """Start its program, if it has one; it waits for ``go``, and has to be ended with ``stop``.

        ``proxy`` is the address of a proxy between it and the game master, which then serves its listener.
        """
        if self.entrant.kind is not EntrantKind.MANUAL:
            self._is_proxied = proxy is not None
            self.process = await self._launcher.start(
                self.entrant,
                arguments,
                limits=limits,
                cores=cores,
                report_leftovers=report_leftovers,
                address=proxy,
                takes_notes=takes_notes,
            )

    def go(self) -> None:
        """Let it join from now on."""
        self._began = time.monotonic()
        self._deadline = self._began + self._patience
        if self.process is not None:
            self.process.go()

    def admits(self, peer: Peer) -> bool:
        """Whether a connection is its own."""
        return self.process is None or self._is_proxied or self._launcher.admits(self.process, peer)

    def has_read(self, peer: Peer) -> bool:
        """Whether its program has read all that was sent to it, as far as that can be known."""
        if self.process is None:
            return True
        self.process.freeze(False)  # A program that is stopped reads nothing.
        return self.process.has_read(peer.socket_address)

    def has_given_up(self, meter: PressureMeter) -> bool:
        """Whether it will not join any more: its program has ended, or it had all the time that it gets."""
        if self.process is None:
            return time.monotonic() >= self._deadline
        if self.process.running and time.monotonic() >= self._deadline and not self._has_more_time:
            self._has_more_time = True
            self._deadline += _BUSY_JOIN_FACTOR * self._patience if is_busy(meter.pressure()) else 0.0
        return not self.process.running or time.monotonic() >= self._deadline

    # --- play ---------------------------------------------------------------------------------------------------------

    def begun(self) -> None:
        """Its game has begun."""
        self.joined_after = time.monotonic() - self._began
        if self.process is not None:
            self.process.game_began()

    def before_first_request(self) -> None:
        """A player is asked for the first time."""
        self._start_time = self.processor_time

    def asked(self) -> None:
        """It is to move."""
        self.answered()  # Perhaps twice in a row.
        if self.process is not None:
            self.process.freeze(False)
            self._asked_at = self.process.processor_time

    def answered(self) -> None:
        """It has moved, or its game is over."""
        if self.process is not None and self._asked_at is not None:
            self._own_time += self.process.processor_time - self._asked_at
            self._asked_at = None

    def moved(self, made: MoveMade) -> None:
        """Its move was legal and in time."""
        self.answered()
        self.moves.append(made.move)
        self._times.append(round(made.timing.elapsed, 4))

    def freeze(self) -> None:
        """Let it not think until it is asked."""
        if self.process is not None:
            self.process.freeze(True)

    def take_notes(self, game: AnyGame, room_id: str, team: Team, ply: int) -> NotesTaken | None:
        """What its player noted and printed since the last call; ``None`` if nothing."""
        if self.process is None:
            return None
        out, err = self.process.take_output()
        if not (out or err):
            return None
        notes, problem, output = read_printed(out, err, game)
        return NotesTaken(room_id, team, ply, notes, problem, output) if notes or problem or output else None

    # --- exit ---------------------------------------------------------------------------------------------------------

    def finished(self) -> None:
        """Its game is over."""
        self.answered()
        if self.process is not None:
            self._ponder_time = max(0.0, self.process.processor_time - self._own_time - self._start_time)
            self.process.freeze(False)

    async def stop(self, grace: float = 0.0) -> None:
        """Let it end by itself, and after ``grace`` seconds by force, with everything that it started. Idempotent."""
        if self.process is None or self._exit_status is not None:
            return
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self.process.wait()
                if not self._is_ended_by_us:
                    self._ended_after = time.monotonic() - began
        self._is_ended_by_us = True
        self._exit_status = await self._launcher.stop(self.process)

    @property
    def status(self) -> ExitStatus | None:
        """How its program ended, or how far it has come; ``None`` if it was never started."""
        return None if self.process is None else self.process.status

    @property
    def failure(self) -> Text | None:
        """Why its program ended by itself, in one line; ``None`` while it runs."""
        status = self.status
        if status is None or (status.code is None and status.breach is None):
            return None
        return explain_failure(status, self.entrant.start_script)

    def report(self, own: TeamResult | None) -> SideResult:
        """What became of it, once it is stopped, in a game that ended so for it; ``None``: the game has not ended."""
        status, fault = self._exit_status, None if own is None else self._fault(own.cause)
        side = SideResult(
            name=self.entrant.name,
            points=() if own is None else own.points,
            fault=fault,
            move_times=tuple(self._times),
            joined_after=self.joined_after,
            ponder_time=round(self._ponder_time, 2),
            sandbox=self.isolation,
        )
        if self.process is None or status is None:
            return side
        failure, words = NO_TEXT, ""
        if fault is not None or own is None:
            failure = explain_failure(status, self.entrant.start_script)
            if fault is Fault.NO_START and status.code is None and status.breach is None:
                failure = DID_NOT_JOIN.followed_by(failure)
            words = printable(status.log[-_LAST_WORDS:].decode("utf-8", "replace"))
        return replace(
            side,
            exit_code=status.code,
            ended_after=self._ended_after,
            lingered=self._ended_after is None,
            leftovers=status.leftovers,
            output=self.process.output_size,
            growth=status.disk_growth,
            peak_memory=status.peak_memory,
            processor_time=round(status.processor_time, 2),
            failure=failure,
            last_words=words,
        )

    def _fault(self, cause: Cause) -> Fault | None:
        fault, status = Fault.from_cause(cause), self._exit_status
        if fault is not Fault.LEFT:
            return fault
        if status is None:
            return fault if self.joined_after is not None else Fault.ABSENT
        # The referee saw a connection end; the process knows why.
        if status.breach is not None:
            return Fault.from_breach(status.breach)
        if self.joined_after is None:
            return Fault.NO_START
        return Fault.CRASH if status.code else fault


class ProgramGame:
    """One game with programs. Use it as ``async with``, launch the programs, then ``start``; at its end none is left.

    A seat that is ``None`` is played ``by_hand`` (``GameMaster.play``). ``on_event`` gets the events of this game.
    """

    def __init__(
        self,
        launcher: Launcher,
        game: AnyGame,
        seats: tuple[ProgramSeat | None, ProgramSeat | None],
        *,
        names: tuple[str, str],
        start: Any = None,
        limits: Limits | None = None,
        can_timeout: tuple[bool, bool] = (True, True),
        ponder: bool = True,
        takes_notes: bool = True,
        on_event: Callable[[GameEvent], None] = lambda event: None,
    ) -> None:
        """Without ``ponder`` a program is stopped while its opponent thinks."""
        self.seats = seats
        self.plies = 0
        self._game = game
        self._programs = [seat for seat in seats if seat is not None]
        self._master = launcher.master
        self._ponder = ponder
        self._has_asked = False
        self._on_event = on_event
        self._begun = asyncio.get_running_loop().create_future()
        one, two = seats
        hooks = RoomHooks(
            admits=self._admits,
            has_read=self._has_read,
            before_request=self._asked,
            players_time=self.processor_time,
        )
        self.room = self._master.open_room(
            game,
            names=names,
            start=start,
            limits=limits,
            can_timeout=can_timeout,
            isolation=(_isolation(one), _isolation(two)),
            codes=(_reservation(one), _reservation(two)),
            by_hand=(one is None, two is None),
            hooks=replace(hooks, take_notes=self._take_notes) if takes_notes else hooks,
        )

    async def __aenter__(self) -> Self:
        self._unsubscribe = self._master.subscribe(self._note)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unsubscribe()
        self._master.cancel_room(self.room.room_id)
        await asyncio.gather(*(seat.stop() for seat in self._programs))

    def processor_time(self) -> float:
        """Seconds of processor time that its programs have used so far."""
        return sum(seat.processor_time for seat in self._programs)

    @property
    def has_begun(self) -> bool:
        return self._begun.done()

    async def start(self, is_lost: Callable[[], bool] = lambda: False) -> bool:
        """Let the players join; whether the game has begun. If it never will, or ``is_lost``, its room ends."""
        for seat in self._programs:
            seat.go()
        self._master.admit(self.room.room_id)
        while not (self.has_begun or self.room.ended.done()):
            if self._cannot_start() or is_lost():
                await asyncio.sleep(_LAST_BYTES_SECONDS)
                if not self.has_begun:
                    self._master.cancel_room(self.room.room_id)
                break
            futures = (self._begun, self.room.ended)
            await asyncio.wait(futures, timeout=_POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        return self.has_begun

    def _cannot_start(self) -> bool:
        """Whether a player will not join any more, and the other one is there or will not, either."""
        room = self._master.lobby.rooms.get(self.room.room_id)
        if room is None:
            return True
        missing = [self.seats[seat.team] for seat in room.seats if not seat.is_taken]
        return bool(missing) and all(seat is not None and seat.has_given_up(self.room.meter) for seat in missing)

    async def end(self, grace: float) -> None:
        """The game is over: let the programs end by themselves, and after ``grace`` seconds by force."""
        for seat in self._programs:
            seat.finished()
        await asyncio.gather(*(seat.stop(grace) for seat in self._programs))

    def _admits(self, team: Team, peer: Peer) -> bool:
        seat = self.seats[team]
        return seat is not None and seat.admits(peer)

    def _has_read(self, team: Team, peer: Peer) -> bool:
        seat = self.seats[team]
        return seat is None or seat.has_read(peer)

    def _asked(self, team: Team) -> None:
        """The game master is about to ask ``team`` for a move."""
        waiting, seat = self.seats[team.opponent], self.seats[team]
        if not self._has_asked:
            self._has_asked = True
            for program in self._programs:
                program.before_first_request()
        if waiting is not None and not self._ponder:
            waiting.freeze()
        # Last, so that the clock starts with a player that runs.
        if seat is not None:
            seat.asked()

    def _take_notes(self, event: MoveMade | GameEnded) -> list[NotesTaken]:
        """What was noted for the move that was made; or by both players since their last moves, before the end."""
        teams: tuple[Team, ...] = (event.team,) if isinstance(event, MoveMade) else TEAMS
        ply = self.plies - 1 if isinstance(event, MoveMade) else self.plies
        seats = [(seat, team) for team in teams if (seat := self.seats[team]) is not None]
        taken = [seat.take_notes(self._game, self.room.room_id, team, ply) for seat, team in seats]
        return [each for each in taken if each is not None]

    def _note(self, event: GameEvent) -> None:
        if event.room_id != self.room.room_id:
            return
        if isinstance(event, GameStarted):
            for seat in self._programs:
                seat.begun()
            self._begun.set_result(None)
        elif isinstance(event, MoveMade):
            self.plies += 1
            if (mover := self.seats[event.team]) is not None:
                mover.moved(event)
        self._on_event(event)


def _isolation(seat: ProgramSeat | None) -> str:
    return Level.NONE.value if seat is None else seat.isolation


def _reservation(seat: ProgramSeat | None) -> str | None:
    return None if seat is None else seat.entrant.reservation or None
