"""A trial: one program plays one game on a game master of ours, and everything about it is written down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

from spielleiter.client import ClientSettings, play_async
from spielleiter.errors import PlayingError, ProgramError, RemoteProtocolError
from spielleiter.game import AnyGame, Cause, Team
from spielleiter.programs.check.throttle import throttle
from spielleiter.programs.process import RunningProgram
from spielleiter.programs.program import PlayerProgram
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade
from spielleiter.server import GameMaster
from spielleiter.server.master import OpenedRoom
from spielleiter.wire import ClientConnection
from spielleiter.wire.messages import Authenticate, Pause, Request

MOST_OUTPUT = 10 << 20
"""Bytes of output after which a program is ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long we wait for a program, in seconds."""

    to_join: float = 15.0
    to_end: float = 5.0
    """After the game is over."""
    pause: float = 3.0
    """How long a paused game is held."""
    whole: float = 900.0
    """For one game in all."""


class ArgumentForm(Enum):
    """The ways in which the contest may name host, port and reservation."""

    LONG = "--host {host} --port {port} --reservation {code}"
    SHORT = "-h {host} -p {port} -r {code}"
    EQUALS = "--reservation={code} --port={port} --host={host}"
    MIXED = "-r {code} --host={host} -p {port}"

    def arguments(self, host: str, port: int, code: str) -> list[str]:
        """The arguments in this form."""
        return self.value.format(host=host, port=port, code=code).split()


class Incident(Enum):
    """What happens in a game beside the game."""

    NOTHING = "nothing"
    PAUSE = "the game is paused and goes on"
    UNKNOWN_ELEMENTS = "the server says what this season does not know"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPlan:
    """What to do in a trial."""

    form: ArgumentForm = ArgumentForm.LONG
    team: Team = Team.ONE
    incident: Incident = Incident.NOTHING
    slowdown: float = 1.0
    moves: int | None = None
    """Moves of the program after which the game is cancelled; ``None`` plays to the end."""


@dataclass(slots=True)
class TrialReport:
    """What was seen in a trial."""

    plan: TrialPlan
    joined: bool = False
    joined_elsewhere: bool = False
    """It came, but not to the place that was reserved for it."""
    joined_after: float | None = None
    times: list[float] = field(default_factory=list)
    """Seconds of its moves, in their order."""
    incident_survived: bool = False
    """Whether it has moved since the incident."""
    cause: Cause | None = None
    """How the game ended for it; ``None`` if there was none."""
    reason: str = ""
    cancelled: bool = False
    """Whether we ended the game as planned."""
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
    wrote_too_much: bool = False
    said: str = ""
    """The end of its stderr, or of its stdout."""
    growth: int = 0
    """Bytes by which its folder has grown."""
    peak_memory: int = 0

    @property
    def played_well(self) -> bool:
        """Whether it played as long as it was meant to, without a fault."""
        return self.cause is Cause.REGULAR


async def run_trial(
    master: GameMaster, game: AnyGame, program: PlayerProgram, plan: TrialPlan, patience: Patience
) -> TrialReport:
    """Let ``program`` play as planned against a random player."""
    report = TrialReport(plan)
    room = master.open_room(game, names=("check", "check"))
    unsubscribe = master.subscribe(lambda event: _note(report, room, event))
    opponent = asyncio.create_task(_opponent(master, room.codes[plan.team.opponent]))
    size = folder_size(program.folder)
    try:
        async with proxied_address(master, plan.incident) as (host, port):
            arguments = plan.form.arguments(host, port, room.codes[plan.team])
            async with RunningProgram(program, arguments, most_output=MOST_OUTPUT) as running:
                await _follow(master, game, room, report, running, patience)
    except ProgramError as problem:
        report.exit_code, report.said = 127, str(problem)
    finally:
        unsubscribe()
        master.cancel_room(room.room_id)
        opponent.cancel()
        await asyncio.gather(opponent, return_exceptions=True)
    report.growth = max(0, folder_size(program.folder) - size)
    return report


async def _follow(
    master: GameMaster,
    game: AnyGame,
    room: OpenedRoom,
    report: TrialReport,
    running: RunningProgram,
    patience: Patience,
) -> None:
    began = time.monotonic()
    slowing = asyncio.create_task(throttle(running, report.plan.slowdown))
    try:

        def elsewhere() -> bool:
            rooms = master.lobby.rooms.values()
            return any(other.players for other in rooms if other.room_id != room.room_id)

        await _until(lambda: report.joined or elsewhere(), running, patience.to_join * report.plan.slowdown)
        if report.joined:
            report.joined_after = time.monotonic() - began
            await _play(master, room, report, running, patience)
        else:
            report.joined_elsewhere = elsewhere()
    finally:
        slowing.cancel()
        await asyncio.gather(slowing, return_exceptions=True)
    if room.ended.done() and not room.ended.cancelled():
        _note_end(game, report, room.ended.result())
    over = time.monotonic()
    report.exit_code = await running.wait(patience.to_end if report.joined else 0.5)
    if report.exit_code is not None:
        report.ended_after = time.monotonic() - over
        report.leftovers = tuple(sorted({info.name for info in running.leftovers()}))
    report.wrote_too_much = running.wrote_too_much
    report.output = running.stdout.total + running.stderr.total
    report.said = (running.stderr.text.strip() or running.stdout.text.strip())[-2000:]
    report.peak_memory = running.peak_memory


async def _play(
    master: GameMaster, room: OpenedRoom, report: TrialReport, running: RunningProgram, patience: Patience
) -> None:
    """Wait for the end of the game, or of our patience; let the incident happen on the way."""
    plan = report.plan

    def enough() -> bool:
        return room.ended.done() or running.wrote_too_much

    async def moves(number: int) -> bool:
        await _until(lambda: enough() or len(report.times) >= number, None, patience.whole)
        return not enough()

    if plan.incident is not Incident.NOTHING and await moves(1):
        if plan.incident is Incident.PAUSE:
            await _pause(master, room.room_id, patience.pause)
        before = len(report.times)
        await moves(before + 2)
        report.incident_survived = len(report.times) >= before + 2
    if plan.moves is not None and await moves(plan.moves):
        report.cancelled = True
        master.cancel_room(room.room_id)
    await _until(enough, None, patience.whole)


async def _until(condition: Callable[[], bool], running: RunningProgram | None, seconds: float) -> bool:
    """Whether the condition came true before the time was up, or the program ended."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end or (running is not None and running.exit_code is not None):
            # What it sent with its last breath may still be on its way.
            await asyncio.sleep(0.05)
            return condition()
        await asyncio.sleep(0.01)
    return True


def _note(report: TrialReport, room: OpenedRoom, event: GameEvent) -> None:
    if event.room_id != room.room_id:
        return
    if isinstance(event, GameStarted):
        report.joined = True
    elif isinstance(event, MoveMade) and event.team is report.plan.team:
        report.times.append(event.timing.elapsed)


def _note_end(game: AnyGame, report: TrialReport, ended: GameEnded) -> None:
    report.cause = ended.result.teams[report.plan.team].cause
    report.reason = ended.result.reason.en
    if report.cause is not Cause.REGULAR:
        report.position = game.notation.format_state(ended.state)
        if ended.offence is not None and ended.offence.timing is not None:
            report.times.append(ended.offence.timing.elapsed)


async def _opponent(master: GameMaster, code: str) -> None:
    rng = Random(1)

    async def choose(state: Any, seconds: float) -> Any:
        return rng.choice(state.legal_moves())

    host, port = master.address
    with suppress(PlayingError, RemoteProtocolError):
        await play_async(choose, ClientSettings(host=host, port=port, reservation=code))


def folder_size(folder: Path) -> int:
    """Bytes of all files in the folder and below."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # Gone meanwhile.
            total += 0 if path.is_symlink() or not path.is_file() else path.stat().st_size
    return total


# --- incidents --------------------------------------------------------------------------------------------------------


async def _pause(master: GameMaster, room_id: str, seconds: float) -> None:
    assert master.settings.password is not None
    host, port = master.address
    reader, writer = await asyncio.open_connection(host, port)
    wire = ClientConnection()

    async def say(request: Request) -> None:
        wire.send(request)
        writer.write(wire.data_to_send())
        await writer.drain()

    await say(Authenticate(master.settings.password))
    await say(Pause(room_id, True))
    await asyncio.sleep(seconds)
    await say(Pause(room_id, False))
    wire.close()
    writer.write(wire.data_to_send())
    await reader.read()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def proxied_address(master: GameMaster, incident: Incident) -> AsyncIterator[tuple[str, int]]:
    """The address that a program gets: the master's, or that of somebody in between who adds strange elements."""
    if incident is not Incident.UNKNOWN_ELEMENTS:
        yield master.address
        return
    tasks: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        with closing(writer), suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(*master.address)
            with closing(far_writer):
                await asyncio.gather(
                    _pass_on(reader, far_writer, _as_it_is), _pass_on(far_reader, writer, _NoiseInjector())
                )

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        host, port = server.sockets[0].getsockname()[:2]
        yield host, port
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, change: Callable[[bytes], bytes]
) -> None:
    with suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(change(data))
            await writer.drain()
        writer.write_eof()


def _as_it_is(data: bytes) -> bytes:
    return data


class _NoiseInjector:
    """Adds elements that no season knows: one after joining, one of them in the room after each of its messages."""

    def __call__(self, data: bytes) -> bytes:
        joined, end, rest = data.partition(b"/>")
        if b"<joined " in joined:
            data = joined + end + b'\n  <announcement text="check">\n    <detail>1</detail>\n  </announcement>' + rest
        # Our master hands every message to the kernel in one piece, so that this is the end of one.
        if data.endswith(b"</room>"):
            data += b'\n  <announcement text="check"/>'
        return data
