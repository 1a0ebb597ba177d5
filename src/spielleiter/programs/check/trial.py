"""A trial: one program plays one game on a game master of ours, and everything about it is observed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Any

from spielleiter.client import ClientSettings, play_async
from spielleiter.errors import PlayingError, RemoteProtocolError
from spielleiter.game import AnyGame, Cause, Team, Text
from spielleiter.programs.check.noise_proxy import noise_proxy
from spielleiter.programs.check.throttle import throttle
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.failure import explain_failure
from spielleiter.programs.launcher import JOIN_SECONDS, Launcher
from spielleiter.programs.sandbox import Breach, ExitStatus, SandboxedProcess
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade
from spielleiter.server import GameMaster
from spielleiter.server.master import OpenedRoom
from spielleiter.text import NO_TEXT

MAX_OUTPUT = 10 << 20
"""Bytes of output after which a program is ended."""
POLL_SECONDS = 0.01
_OPPONENT = "random"


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
    """Of its log."""
    form: ArgumentForm = ArgumentForm.LONG
    team: Team = Team.ONE
    incident: Incident = Incident.NOTHING
    slowdown: float = 1.0
    moves: int | None = None
    """Moves of the program after which the game is cancelled; ``None`` plays to the end."""
    start: Any = None
    """The position to start from; ``None``: a new game."""


@dataclass(slots=True)
class TrialReport:
    """What was observed in a trial."""

    plan: TrialPlan
    joined: bool = False
    joined_elsewhere: bool = False
    """It joined, but not the place that was reserved for it."""
    joined_after: float | None = None
    times: list[float] = field(default_factory=list)
    """Seconds of its moves, in their order."""
    moves: list[Any] = field(default_factory=list)
    """Those that were legal and in time."""
    incident_survived: bool = False
    """Whether it has moved since the incident."""
    cause: Cause | None = None
    """How the game ended for it; ``None`` if there was none."""
    reason: Text = NO_TEXT
    cancelled: bool = False
    """Whether we ended the game, as planned."""
    position: str = ""
    """Where the game ended, if by its fault."""
    exit_code: int | None = None
    """``None`` if it had to be ended."""
    ended_after: float | None = None
    """Seconds from the end of the game to its own end."""
    leftovers: tuple[str, ...] = ()
    """What it had started and left running."""
    output: int = 0
    """Bytes on stdout and stderr."""
    breach: Breach | None = None
    """The limit it went over, which ended it."""
    log: bytes = b""
    """What it printed."""
    failure: Text = NO_TEXT
    """Why it ended, or its last line; see ``programs.failure``."""
    growth: int = 0
    """Bytes by which its folder has grown."""
    peak_memory: int = 0

    @property
    def played_well(self) -> bool:
        """Whether it played as long as it was meant to, without a fault."""
        return self.cause is Cause.REGULAR


async def run_trial(
    launcher: Launcher, game: AnyGame, entrant: Entrant, plan: TrialPlan, patience: Patience
) -> TrialReport:
    """Let ``entrant`` play as planned against a random player. Raises ``SettingsError`` if no program can run here."""
    master = launcher.master
    report = TrialReport(plan)
    names = (entrant.name, _OPPONENT) if plan.team is Team.ONE else (_OPPONENT, entrant.name)
    room = master.open_room(game, names=names, start=plan.start)
    unsubscribe = master.subscribe(lambda event: _note(report, room, event))
    opponent = asyncio.create_task(_opponent(master, room.codes[plan.team.opponent]))
    try:
        async with AsyncExitStack() as stack:
            process = await _start(launcher, entrant, room, plan, stack)
            try:
                await _follow(master, game, room, report, process, patience)
            finally:
                exit_status = await launcher.stop(process)
    finally:
        unsubscribe()
        master.cancel_room(room.room_id)
        opponent.cancel()
        await asyncio.gather(opponent, return_exceptions=True)
    _note_exit(report, process, exit_status, entrant)
    return report


async def _start(
    launcher: Launcher, entrant: Entrant, room: OpenedRoom, plan: TrialPlan, stack: AsyncExitStack
) -> SandboxedProcess:
    arguments = plan.form.arguments(room.codes[plan.team])
    if plan.incident is Incident.UNKNOWN_ELEMENTS:
        proxy = await stack.enter_async_context(noise_proxy(launcher.master))
        process = await launcher.start(entrant, arguments, report_leftovers=True, address=proxy.address)
        if process.listener is not None:
            await proxy.listen(process.listener)
    else:
        process = await launcher.start(entrant, arguments, report_leftovers=True)
    process.go()
    return process


async def _follow(
    master: GameMaster,
    game: AnyGame,
    room: OpenedRoom,
    report: TrialReport,
    process: SandboxedProcess,
    patience: Patience,
) -> None:
    began = time.monotonic()
    slowing = asyncio.create_task(throttle(process, report.plan.slowdown))
    try:

        def elsewhere() -> bool:
            rooms = master.lobby.rooms.values()
            return any(other.players for other in rooms if other.room_id != room.room_id)

        await _until(lambda: report.joined or elsewhere(), process, patience.to_join * report.plan.slowdown)
        if report.joined:
            report.joined_after = time.monotonic() - began
            await _play(master, room, report, process, patience)
        else:
            report.joined_elsewhere = elsewhere()
    finally:
        slowing.cancel()
        await asyncio.gather(slowing, return_exceptions=True)
    if room.ended.done() and not room.ended.cancelled():
        _note_end(game, report, room.ended.result())
    over, to_end = time.monotonic(), patience.to_end if report.joined else 0.5
    if report.cancelled and patience.to_end_cancelled is not None:
        to_end = patience.to_end_cancelled
    with suppress(TimeoutError):
        async with asyncio.timeout(to_end):
            await process.wait()
            report.ended_after = time.monotonic() - over


async def _play(
    master: GameMaster, room: OpenedRoom, report: TrialReport, process: SandboxedProcess, patience: Patience
) -> None:
    """Wait for the end of the game, or of our patience; let the incident happen on the way."""
    plan = report.plan

    def over() -> bool:
        return room.ended.done() or process.breach is not None

    async def moves(number: int) -> bool:
        await _until(lambda: over() or len(report.times) >= number, None, patience.whole_game)
        return not over()

    if plan.incident is not Incident.NOTHING and await moves(1):
        if plan.incident is Incident.PAUSE:
            master.pause_room(room.room_id, True)
            await asyncio.sleep(patience.pause)
            master.pause_room(room.room_id, False)
        before = len(report.times)
        await moves(before + 2)
        report.incident_survived = len(report.times) >= before + 2
    if plan.moves is not None and await moves(plan.moves):
        report.cancelled = True
        master.cancel_room(room.room_id)
    await _until(over, None, patience.whole_game)


async def _until(condition: Callable[[], bool], process: SandboxedProcess | None, seconds: float) -> bool:
    """Whether the condition came true before the time was up, or the program ended."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end or (process is not None and not process.running):
            # What it sent right before its end may still be on its way.
            await asyncio.sleep(0.05)
            return condition()
        await asyncio.sleep(POLL_SECONDS)
    return True


def _note(report: TrialReport, room: OpenedRoom, event: GameEvent) -> None:
    if event.room_id != room.room_id:
        return
    if isinstance(event, GameStarted):
        report.joined = True
    elif isinstance(event, MoveMade) and event.team is report.plan.team:
        report.times.append(event.timing.elapsed)
        report.moves.append(event.move)


def _note_end(game: AnyGame, report: TrialReport, ended: GameEnded) -> None:
    report.cause = ended.result.teams[report.plan.team].cause
    report.reason = ended.result.reason
    if report.cause is not Cause.REGULAR:
        report.position = game.notation.format_state(ended.state)
        if ended.offence is not None and ended.offence.timing is not None:
            report.times.append(ended.offence.timing.elapsed)


def _note_exit(report: TrialReport, process: SandboxedProcess, exit_status: ExitStatus, entrant: Entrant) -> None:
    report.exit_code = exit_status.code
    report.leftovers = exit_status.leftovers
    report.output = process.output_size
    report.breach = exit_status.breach
    report.log = exit_status.log
    report.failure = explain_failure(exit_status, entrant.start_script)
    report.growth = exit_status.disk_growth
    report.peak_memory = exit_status.peak_memory


async def _opponent(master: GameMaster, code: str) -> None:
    rng = Random(1)

    async def choose(state: Any, seconds: float) -> Any:
        return rng.choice(state.legal_moves())

    host, port = master.address
    with suppress(PlayingError, RemoteProtocolError):
        await play_async(choose, ClientSettings(host=host, port=port, reservation=code))
