"""A trial: one program plays one game on a game master of ours, and everything about it is observed.

Our own side has no clock, and in a game with an incident neither has the program: such a game is not about time. A game
that did not end by the rules, by the program's fault or as planned says nothing about it: it is not judged.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

from spielleiter.game import AnyGame, Cause, Team, Text
from spielleiter.pressure import busy_machine, is_busy
from spielleiter.programs.check.noise_proxy import noise_proxy
from spielleiter.programs.check.throttle import throttle
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import SandboxedProcess
from spielleiter.programs.seat import JOIN_SECONDS, ProgramGame, ProgramSeat
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.referee import GameEnded, GameEvent, NotesTaken
from spielleiter.text import NO_TEXT

MAX_OUTPUT = 10 << 20
"""Bytes of output after which a program is ended."""
POLL_SECONDS = 0.01
MAX_ATTEMPTS = 3
"""How often a game is played that was not judged."""
_GRACE_WITHOUT_GAME = 0.5
"""Seconds that a program has to end which has not joined."""
_OPPONENT = "random"
_REPLY_SECONDS = 0.01
"""How soon we answer a move: no program of an opponent would be quicker, and some read two states as one message."""
_MAX_UNREAD_LOOKS = 50
"""How often we look whether the program has read the state before we answer nevertheless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long we wait for a program, in seconds."""

    to_join: float = JOIN_SECONDS
    to_end: float = 5.0
    """After the game is over."""
    to_end_cancelled: float | None = None
    """After we have cancelled it; ``None``: as after any other end."""
    pause: float = 3.0
    """How long a game stays paused."""
    to_go_on: float = 30.0
    """Seconds for each move after an incident."""
    whole_game: float = 900.0


class ArgumentForm(Enum):
    """The ways in which the contest may name host, port and reservation."""

    LONG = "--host {host} --port {port} --reservation {code}"
    SHORT = "-h {host} -p {port} -r {code}"
    EQUALS = "--reservation={code} --port={port} --host={host}"
    MIXED = "-r {code} --host={host} -p {port}"

    def arguments(self, reservation: str) -> list[str]:
        """The arguments in this form, with ``{host}`` and ``{port}`` to be filled in."""
        return self.value.replace("{code}", reservation).split()


class Incident(Enum):
    """What else happens in a game."""

    NOTHING = "nothing"
    PAUSE = "the game is paused and goes on"
    UNKNOWN_ELEMENTS = "the server sends elements that this season does not know"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """How a trial is played."""

    name: str
    """Bytes of its log."""
    form: ArgumentForm = ArgumentForm.LONG
    team: Team = Team.ONE
    incident: Incident = Incident.NOTHING
    slowdown: float = 1.0
    moves: int | None = None
    """Moves of the program after which the game is cancelled; ``None`` plays to the end."""
    seconds: float | None = None
    """Seconds after which it is cancelled with fewer moves, but not without one."""
    start: Any = None
    """The position to start from; ``None``: a new game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one game says about the program on one side."""

    plan: TrialPlan
    side: SideResult
    reason: Text = NO_TEXT
    """Why the game ended, or went on no longer."""
    position: str = ""
    """Where the game ended."""
    has_ended: bool = True
    not_judged: Text = NO_TEXT
    """Why the game says nothing about the program, if it does not: something else ended it."""
    log: bytes = b""
    """What the program printed."""
    notes: tuple[NotesTaken, ...] = ()
    """What it noted and printed, move by move."""
    moves: tuple[Any, ...] = ()
    """The moves that were legal and in time."""
    late_time: float | None = None
    """Seconds of a move that was not."""
    joined_elsewhere: bool = False
    """It joined, but not the place that was reserved for it."""
    incident_survived: bool = False
    """Whether it has moved since the incident."""

    @property
    def joined(self) -> bool:
        return self.side.joined

    @property
    def times(self) -> tuple[float, ...]:
        """Seconds of its answers, in their order."""
        return self.side.move_times + (() if self.late_time is None else (self.late_time,))

    @property
    def cause(self) -> Cause | None:
        """How the game ended for it; ``None`` if there was none."""
        if not (self.joined and self.has_ended):
            return None
        return Cause.REGULAR if self.side.fault is None else self.side.fault.cause

    @property
    def is_judged(self) -> bool:
        """Whether the game says something about the program: every finding asks this."""
        return not self.not_judged.en

    @property
    def played_well(self) -> bool:
        """Whether it played as long as it was meant to, without a fault."""
        return self.is_judged and self.cause is Cause.REGULAR and bool(self.times)


def why_not_judged(own: SideResult, other: Fault | None, reason: Text, pressure: float | None) -> Text:
    """Why a game says nothing about a player: its opponent failed, or it was slow on a busy machine; else empty."""
    if own.fault is None and other is not None:
        return reason
    return busy_machine(pressure) if pressure is not None and is_busy(pressure) and own.lost_on_time else NO_TEXT


async def run_trial(
    launcher: Launcher,
    game: AnyGame,
    entrant: Entrant,
    plan: TrialPlan,
    patience: Patience,
    on_move: Callable[[int], None] = lambda moves: None,
) -> Trial:
    """Let ``entrant`` play as planned against a random player; ``on_move`` gets the number of its moves so far.

    Raises ``SettingsError`` if no program can run here.
    """
    return await _Trial(launcher, game, entrant, plan, patience, on_move).run()


class _Trial:
    """A trial while it runs. Our side is played by hand: it is always there, and never late."""

    def __init__(
        self,
        launcher: Launcher,
        game: AnyGame,
        entrant: Entrant,
        plan: TrialPlan,
        patience: Patience,
        on_move: Callable[[int], None],
    ) -> None:
        self._master = launcher.master
        self._game = game
        self._plan = plan
        self._patience = patience
        self._on_move, self._seen_moves = on_move, 0
        self._unread_looks = 0
        self._rng = Random(1)
        self._seat = ProgramSeat(launcher, entrant, patience.to_join * plan.slowdown)
        has_clock = plan.incident is Incident.NOTHING
        is_first = plan.team is Team.ONE
        self._played = ProgramGame(
            launcher,
            game,
            (self._seat, None) if is_first else (None, self._seat),
            names=(entrant.name, _OPPONENT) if is_first else (_OPPONENT, entrant.name),
            start=plan.start,
            can_timeout=(has_clock, False) if is_first else (False, has_clock),
            on_event=self._on_event,
        )
        self._room = self._played.room
        self._incident_survived = self._is_cancelled = False
        self._reason = NO_TEXT
        self._notes: list[NotesTaken] = []

    async def run(self) -> Trial:
        is_elsewhere = False
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._played)
            process = await self._launch(stack)
            slowing = asyncio.create_task(throttle(process, self._plan.slowdown))
            try:
                if await self._played.start(self._is_elsewhere):
                    await self._play()
                else:
                    is_elsewhere = self._is_elsewhere()
            finally:
                slowing.cancel()
                await asyncio.gather(slowing, return_exceptions=True)
            ended = self._room.ended.result() if self._room.ended.done() else None
            await self._played.end(self._grace)
        return self._trial(ended, is_elsewhere)

    async def _launch(self, stack: AsyncExitStack) -> SandboxedProcess:
        seat, arguments = self._seat, self._plan.form.arguments(self._room.codes[self._plan.team])
        if self._plan.incident is not Incident.UNKNOWN_ELEMENTS:
            await seat.launch(arguments, report_leftovers=True)
        else:
            proxy = await stack.enter_async_context(noise_proxy(self._master))
            await seat.launch(arguments, report_leftovers=True, proxy=proxy.address)
            if seat.process is not None and seat.process.listener is not None:
                await proxy.listen(seat.process.listener)
        assert seat.process is not None
        return seat.process

    def _is_elsewhere(self) -> bool:
        rooms = self._master.lobby.rooms.values()
        return any(other.players for other in rooms if other.room_id != self._room.room_id)

    @property
    def _grace(self) -> float:
        if self._is_cancelled and self._patience.to_end_cancelled is not None:
            return self._patience.to_end_cancelled
        return self._patience.to_end if self._played.has_begun else _GRACE_WITHOUT_GAME

    # --- our side -----------------------------------------------------------------------------------------------------

    def _on_event(self, event: GameEvent) -> None:
        if isinstance(event, NotesTaken):
            self._notes.append(event)
        else:
            self._move_soon()

    def _move_soon(self) -> None:
        """Something has happened: perhaps it is our turn."""
        asyncio.get_running_loop().call_later(_REPLY_SECONDS, self._move)

    def _move(self) -> None:
        if (made := len(self._seat.moves)) != self._seen_moves:
            self._seen_moves = made
            self._on_move(made)
        if self._plan.incident is Incident.NOTHING and made >= (self._plan.moves or made + 1):
            return  # It is asked for no more moves than planned: the game is about to be cancelled.
        room, own = self._master.lobby.rooms.get(self._room.room_id), self._plan.team.opponent
        if room is None or room.awaited is not own:
            return
        if self._unread_looks < _MAX_UNREAD_LOOKS and not self._master.has_read(room.room_id, self._plan.team):
            self._unread_looks += 1
            self._move_soon()
            return
        self._unread_looks = 0
        self._master.play(room.room_id, own, self._rng.choice(room.state.legal_moves()))

    # --- the game -----------------------------------------------------------------------------------------------------

    async def _play(self) -> None:
        """Wait for the end of the game, or of our patience; let the incident happen on the way."""
        plan, patience = self._plan, self._patience
        if plan.incident is not Incident.NOTHING:
            if await self._moves(1, patience.to_go_on) and not self._is_over:
                await self._let_happen(plan.incident)
                before = len(self._seat.moves)
                self._incident_survived = await self._moves(before + 1, patience.to_go_on) and await self._moves(
                    before + 2, patience.to_go_on
                )
            if not (self._is_over or self._incident_survived):
                if self._master.lobby.rooms[self._room.room_id].awaited is plan.team:
                    seconds = f"{patience.to_go_on:g} s"
                    self._reason = Text(f"zog {seconds} lang nicht mehr", f"did not move for {seconds}")
                return
        if plan.moves is not None and await self._is_enough(plan.moves) and not self._is_over:
            self._is_cancelled = True
            self._master.cancel_room(self._room.room_id)
        await asyncio.wait([self._room.ended], timeout=patience.whole_game)

    async def _is_enough(self, moves: int) -> bool:
        """Whether the program has made so many moves, or at least one in the time that is planned."""
        seconds = self._plan.seconds
        if seconds is None:
            return await self._moves(moves, self._patience.whole_game)
        return await self._moves(moves, seconds) or await self._moves(1, self._patience.whole_game)

    async def _let_happen(self, incident: Incident) -> None:
        if incident is Incident.PAUSE:
            self._master.pause_room(self._room.room_id, True)
            await asyncio.sleep(self._patience.pause)
            self._master.pause_room(self._room.room_id, False)
            self._move_soon()

    @property
    def _is_over(self) -> bool:
        return self._room.ended.done()

    async def _moves(self, number: int, seconds: float) -> bool:
        """Whether the program has made so many moves, in that time and before the end of the game."""
        end = time.monotonic() + seconds
        while len(self._seat.moves) < number and not self._is_over and time.monotonic() < end:
            await asyncio.wait([self._room.ended], timeout=POLL_SECONDS)
        return len(self._seat.moves) >= number

    # --- the report ---------------------------------------------------------------------------------------------------

    def _trial(self, ended: GameEnded | None, is_elsewhere: bool) -> Trial:
        seat, team, status = self._seat, self._plan.team, self._seat.status
        side = seat.report(None if ended is None else ended.result.teams[team])
        not_judged, late = NO_TEXT, None
        if is_elsewhere:
            pass  # It came, to the wrong place: no machine is too busy for that to be its own fault.
        elif ended is not None:
            other = Fault.from_cause(ended.result.teams[team.opponent].cause)
            not_judged = why_not_judged(side, other, ended.result.reason, ended.result.pressure)
            if ended.offence is not None and ended.offence.team is team and ended.offence.timing is not None:
                late = ended.offence.timing.elapsed
        elif not self._reason.en:
            not_judged = Text("das Spiel kam zu keinem Ende", "the game came to no end")
        return Trial(
            plan=self._plan,
            side=side,
            reason=self._reason if ended is None else ended.result.reason,
            position="" if ended is None else self._game.notation.format_state(ended.state),
            has_ended=ended is not None,
            not_judged=not_judged,
            log=b"" if status is None else status.log,
            notes=tuple(self._notes),
            moves=tuple(seat.moves),
            late_time=late,
            joined_elsewhere=is_elsewhere,
            incident_survived=self._incident_survived,
        )
