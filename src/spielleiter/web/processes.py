"""Players that are processes: built-in ones, which play game after game, and programs that people bring."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import ExitStack, suppress

from spielleiter.errors import ProgramError, SettingsError
from spielleiter.runner.process import RunningProgram
from spielleiter.runner.program import open_program

_TAIL = 60
"""So many of the last lines are shown."""
_GRACE = 3.0
"""Seconds that a program has to end by itself when its game is over."""
_MOST_OUTPUT = 64 << 20


class Program:
    """A program that somebody brought: a Python file, a folder or ZIP with start.sh, or a command."""

    def __init__(self, text: str, arguments: tuple[str, ...]) -> None:
        self._text = text
        self._arguments = arguments
        self._stack = ExitStack()
        self._running: RunningProgram | None = None
        self._ending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start it. Raises ``ProgramError`` if that cannot be done."""
        program = await asyncio.to_thread(self._stack.enter_context, open_program(self._text))
        running = RunningProgram(program, self._arguments, most_output=_MOST_OUTPUT)
        try:
            self._running = await running.__aenter__()
        except ProgramError:
            self._stack.close()
            raise

    def end(self, grace: float = _GRACE) -> None:
        """Let it end by itself, and after ``grace`` seconds by force. Returns at once."""
        if self._ending is None and self._running is not None:
            self._ending = asyncio.create_task(self._end(self._running, grace))

    async def ended(self) -> None:
        """Wait until it is gone."""
        if self._ending is not None:
            await self._ending

    async def _end(self, running: RunningProgram, grace: float) -> None:
        await running.wait(grace)
        await running.__aexit__(None, None, None)
        await asyncio.to_thread(self._stack.close)

    # --- what is known of it ------------------------------------------------------------------------------------------

    @property
    def exit_code(self) -> int | None:
        """How it ended, minus the signal if by one; ``None`` while it runs."""
        return None if self._running is None else self._running.exit_code

    @property
    def signal_name(self) -> str | None:
        """The name of the signal that ended it, if one did."""
        code = self.exit_code
        if code is None or code >= 0:
            return None
        with suppress(ValueError):
            return signal.Signals(-code).name
        return str(-code)

    @property
    def peak_memory(self) -> int:
        """The most bytes that it had at once, 0 where nobody knows."""
        return 0 if self._running is None else self._running.peak_memory

    @property
    def output(self) -> str:
        """The last lines that it wrote to its standard output."""
        return "" if self._running is None else _last_lines(self._running.stdout.text)

    @property
    def errors(self) -> str:
        """The last lines that it wrote to its standard error."""
        return "" if self._running is None else _last_lines(self._running.stderr.text)


def _last_lines(text: str) -> str:
    lines = text.rstrip().split("\n")[-_TAIL:]
    return "\n".join("".join(char if char.isprintable() or char == "\t" else "�" for char in line) for line in lines)


class Computer:
    """The process of a built-in player, which is told the places to take one after the other."""

    def __init__(self, address: tuple[str, int], game_key: str, name: str) -> None:
        host, port = address
        self._command = (sys.executable, "-m", "spielleiter.web.computer", host, str(port), game_key, name)
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
