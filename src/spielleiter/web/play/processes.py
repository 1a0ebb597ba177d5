"""Players that are processes: built-in ones, which play game after game, and programs that people bring."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

from spielleiter.errors import SettingsError
from spielleiter.game import Team, Text
from spielleiter.programs.entrants import contest_arguments, resolve
from spielleiter.programs.failure import explain_failure
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import ExitStatus, ProgramFile, SandboxedProcess
from spielleiter.server.master import OpenedRoom
from spielleiter.text import system_error
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.library import Library

_MAX_ROOMS = 30
"""Rooms with programs that are remembered."""
_GRACE_SECONDS = 3.0
"""How long a program may take to exit when its game is over."""


class Program:
    """A program that somebody brought: a Python file, a folder or ZIP with start.sh, or a command."""

    def __init__(self, launcher: Launcher, text: str, reservation: str) -> None:
        self._launcher = launcher
        self._text = text
        self._arguments = contest_arguments(reservation)
        self._process: SandboxedProcess | None = None
        self._ending: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._start_script: ProgramFile | None = None

    async def start(self, exited: Callable[[], None] = lambda: None) -> None:
        """Start it; ``exited`` is called when it ends by itself. Raises ``ProgramError`` or ``SettingsError``."""
        entrant = await asyncio.to_thread(resolve, self._text)
        self._start_script = entrant.start_script
        self._process = await self._launcher.start(entrant, self._arguments)
        self._process.go()
        self._watching = asyncio.create_task(self._watch(self._process, exited))

    async def _watch(self, process: SandboxedProcess, exited: Callable[[], None]) -> None:
        await process.wait()
        await self._launcher.stop(process)  # Its last words have come too then.
        exited()

    async def exited(self) -> None:
        """Wait until it has ended by itself."""
        if self._watching is not None:
            await asyncio.wait([self._watching])

    def end(self, grace: float = _GRACE_SECONDS) -> None:
        """Let it end by itself, and after ``grace`` seconds by force. Returns at once; ``ended`` waits for it."""
        if self._ending is None and self._process is not None:
            self._ending = asyncio.create_task(self._end(self._process, grace))

    async def ended(self) -> None:
        """Wait until it is gone."""
        if self._ending is not None:
            await self._ending

    async def _end(self, process: SandboxedProcess, grace: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await process.wait()
        if self._watching is not None:
            self._watching.cancel()
        await self._launcher.stop(process)

    @property
    def status(self) -> ExitStatus | None:
        """How it ended, or how far it has come; ``None`` if it was never started."""
        return None if self._process is None else self._process.status

    @property
    def failure(self) -> Text | None:
        """Why it ended by itself, in one line; ``None`` while it runs."""
        status = self.status
        if status is None or (status.code is None and status.breach is None):
            return None
        return explain_failure(status, self._start_script)


class RoomPrograms:
    """The programs of recent rooms: each ends with its game, and how it ended is stored beside the record."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._programs: dict[str, dict[Team, Program]] = {}
        self._storing: set[asyncio.Task[None]] = set()

    def add(self, room: OpenedRoom, team: Team, program: Program) -> None:
        """Have a program end with its game, and store how it ended."""
        first = room.room_id not in self._programs
        self._programs.setdefault(room.room_id, {})[team] = program
        while len(self._programs) > _MAX_ROOMS:
            del self._programs[next(iter(self._programs))]
        if first:
            task = asyncio.create_task(self._store(room, self._programs[room.room_id]))
            self._storing.add(task)
            task.add_done_callback(self._storing.discard)

    async def _store(self, room: OpenedRoom, programs: dict[Team, Program]) -> None:
        await asyncio.wait([room.ended])
        for program in programs.values():
            program.end()
        await asyncio.gather(*(program.ended() for program in programs.values()))
        path = None if self._library is None else await asyncio.to_thread(self._library.path_of_room, room.room_id)
        if path is not None:
            statuses = {team: end for team, program in programs.items() if (end := program.status) is not None}
            await asyncio.to_thread(exit_statuses.write, path, statuses)

    def exit_status(self, room_id: str, team: Team) -> ExitStatus | None:
        """How a program of a room ended or is doing, as long as that is remembered; later its record knows."""
        program = self._programs.get(room_id, {}).get(team)
        return None if program is None else program.status

    async def stored(self, patience: float) -> None:
        """Wait until everything is stored, at most so many seconds."""
        if self._storing:
            await asyncio.wait(self._storing, timeout=patience)


class Computer:
    """The process of a built-in player, which takes one place after the other."""

    def __init__(self, address: tuple[str, int], game_key: str, name: str) -> None:
        host, port = address
        self._command = (sys.executable, "-m", "spielleiter.web.play.builtin_process", host, str(port), game_key, name)
        self._process: asyncio.subprocess.Process | None = None
        self._ending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start it. Raises ``SettingsError`` if that cannot be done."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, start_new_session=True
            )
        except OSError as problem:
            reason = system_error(problem)
            raise SettingsError(
                f"Der Computer-Spieler lässt sich nicht starten: {reason.de}.",
                f"the computer cannot be started: {reason.en}",
            ) from None

    @property
    def is_there(self) -> bool:
        """Whether it is running and not about to end."""
        return self._process is not None and self._process.returncode is None and self._ending is None

    def sit_down(self, code: str) -> None:
        """Have it take the place that ``code`` opens, as soon as its last game is over."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(code.encode() + b"\n")

    def end(self) -> None:
        """Let it end; it does so as soon as its game is over. Returns at once."""
        if self._ending is None and self._process is not None:
            self._ending = asyncio.create_task(self._end(self._process))

    async def ended(self) -> None:
        """Wait until it is gone."""
        if self._ending is not None:
            await self._ending

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(_GRACE_SECONDS):
                await process.wait()
        except TimeoutError:  # It is deep in thought.
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
