"""Players that are processes: built-in ones, which play game after game, and the programs that people bring."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from spielleiter.errors import START, SettingsError, refusing
from spielleiter.game import Team
from spielleiter.programs.sandbox import ExitStatus
from spielleiter.programs.seat import ProgramSeat
from spielleiter.server import OpenedRoom
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.library import Library

_MAX_ROOMS = 30
"""Rooms with programs that are remembered."""
GRACE_SECONDS = 3.0
"""How long a program may take to exit when its game is over."""


class RoomPrograms:
    """The programs of recent rooms: each ends with its game, and how it ended is stored beside the record."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._programs: dict[str, dict[Team, ProgramSeat]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, room: OpenedRoom, team: Team, program: ProgramSeat, exited: Callable[[], None]) -> None:
        """Have a program end with its game, and store how it ended; ``exited`` is called when it has."""
        if room.room_id not in self._programs:
            self._do(self._store(room, self._programs.setdefault(room.room_id, {})))
        self._programs[room.room_id][team] = program
        self._do(self._follow(room, program, exited))
        while len(self._programs) > _MAX_ROOMS:
            del self._programs[next(iter(self._programs))]

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _follow(self, room: OpenedRoom, program: ProgramSeat, exited: Callable[[], None]) -> None:
        ends: list[asyncio.Future[Any]] = [room.ended]
        if program.process is not None:
            ends.append(asyncio.ensure_future(program.process.wait()))
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await program.stop(GRACE_SECONDS)  # Its last words have come too then.
        exited()

    async def _store(self, room: OpenedRoom, programs: dict[Team, ProgramSeat]) -> None:
        await asyncio.wait([room.ended])
        await asyncio.gather(*(program.stop(GRACE_SECONDS) for program in programs.values()))
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
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=patience)


class Computer:
    """The process of a built-in player, which takes one place after the other."""

    def __init__(self, address: tuple[str, int], game_key: str, name: str) -> None:
        host, port = address
        self._command = (sys.executable, "-m", "spielleiter.web.play.builtin_process", host, str(port), game_key, name)
        self._process: asyncio.subprocess.Process | None = None
        self._ending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start it. Raises ``SettingsError`` if that cannot be done."""
        with refusing(SettingsError, "Computer", START):
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE, start_new_session=True
            )

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
            async with asyncio.timeout(GRACE_SECONDS):
                await process.wait()
        except TimeoutError:  # It is deep in thought.
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
