"""Players that are processes: built-in ones, which play game after game, and programs that people bring."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress

from spielleiter.errors import ProgramError, SettingsError
from spielleiter.programs.process import RunningProgram
from spielleiter.programs.program import open_program
from spielleiter.web.replays.endings import ProgramEnd, last_lines

_GRACE = 3.0
"""Seconds that a program has to end by itself when its game is over."""
_MOST_OUTPUT = 64 << 20
_LOOK = 0.25


class Program:
    """A program that somebody brought: a Python file, a folder or ZIP with start.sh, or a command."""

    def __init__(self, text: str, arguments: tuple[str, ...]) -> None:
        self._text = text
        self._arguments = arguments
        self._stack = ExitStack()
        self._running: RunningProgram | None = None
        self._ending: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._by_us = False

    async def start(self, exited: Callable[[], None] = lambda: None) -> None:
        """Start it; ``exited`` is called when it ends by itself. Raises ``ProgramError`` if that cannot be done."""
        program = await asyncio.to_thread(self._stack.enter_context, open_program(self._text))
        running = RunningProgram(program, self._arguments, most_output=_MOST_OUTPUT)
        try:
            self._running = await running.__aenter__()
        except ProgramError:
            self._stack.close()
            raise
        self._watching = asyncio.create_task(self._watch(self._running, exited))

    async def _watch(self, running: RunningProgram, exited: Callable[[], None]) -> None:
        while running.exit_code is None:  # noqa: ASYNC110 - asyncio's own waiting lasts until all pipes are closed
            await asyncio.sleep(_LOOK)
        await running.wait(0)  # Its last words have come too then.
        exited()

    async def exited(self) -> None:
        """Wait until it has ended by itself."""
        if self._watching is not None:
            await asyncio.wait([self._watching])

    def end(self, grace: float = _GRACE) -> None:
        """Let it end by itself, and after ``grace`` seconds by force. Returns at once; ``ended`` waits for it."""
        if self._ending is None and self._running is not None:
            self._ending = asyncio.create_task(self._end(self._running, grace))

    async def ended(self) -> None:
        """Wait until it is gone."""
        if self._ending is not None:
            await self._ending

    async def _end(self, running: RunningProgram, grace: float) -> None:
        self._by_us = await running.wait(grace) is None
        if self._watching is not None:
            self._watching.cancel()
        await running.__aexit__(None, None, None)
        await asyncio.to_thread(self._stack.close)

    @property
    def end_so_far(self) -> ProgramEnd:
        """How it ended, or how far it has come."""
        running = self._running
        if running is None:
            return ProgramEnd(None, 0, "", "")
        output, errors = last_lines(running.stdout.text), last_lines(running.stderr.text)
        return ProgramEnd(running.exit_code, running.peak_memory, output, errors, self._by_us)


class Computer:
    """The process of a built-in player, which is told the places to take one after the other."""

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
            raise SettingsError(f"the computer cannot be started: {problem.strerror or problem}") from None

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
            async with asyncio.timeout(_GRACE):
                await process.wait()
        except TimeoutError:  # It is deep in thought.
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
