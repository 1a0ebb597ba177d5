"""Players that are programs: built-in ones, and those that people bring. Started, listened to, and ended for sure."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.errors import SettingsError

_TAIL_LINES = 200
_LONGEST_LINE = 2000
_GRACE = 3.0
"""Seconds that a program has to end by itself when its game is over."""


@dataclass(slots=True)
class ProgramReport:
    """What is known about a program that plays or has played."""

    command: tuple[str, ...]
    tail: deque[str] = field(default_factory=lambda: deque(maxlen=_TAIL_LINES))
    """The last lines that it wrote, output and errors together."""
    exit_code: int | None = None
    """``None`` while it runs; negative: the signal that ended it."""
    peak_kib: int | None = None
    """The most memory that it had at once, where the system tells."""

    @property
    def signal_name(self) -> str | None:
        """The name of the signal that ended it, if one did."""
        if self.exit_code is None or self.exit_code >= 0:
            return None
        try:
            return signal.Signals(-self.exit_code).name
        except ValueError:
            return str(-self.exit_code)


def command_for(path: Path) -> tuple[str, ...]:
    """How the program at ``path`` is started. Raises ``SettingsError`` if it is none that we can start."""
    if not path.is_file():
        raise SettingsError(f"there is no program at {path}")
    match path.suffix.lower():
        case ".py":
            return (sys.executable, "-u", str(path))
        case ".jar":
            return ("java", "-jar", str(path))
    if not os.access(path, os.X_OK):
        raise SettingsError(f"{path} cannot be started: expected a .py file, a .jar file or an executable program")
    return (str(path.resolve()),)


class Program:
    """One process in a group of its own, and what it says."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.report = ProgramReport(command)
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None

    async def start(self, *, folder: Path | None = None, stdin: bool = False) -> None:
        """Start it. Raises ``SettingsError`` if that cannot be done."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.report.command,
                stdin=asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                cwd=folder,
                start_new_session=True,
                limit=1 << 16,
            )
        except OSError as problem:
            raise SettingsError(f"{self.report.command[0]}: {problem.strerror or problem}") from None
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._watch_memory())]

    def write(self, line: str) -> None:
        """Hand a line to its input."""
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write(line.encode() + b"\n")

    def end(self, grace: float = _GRACE) -> None:
        """Let it end by itself, and after ``grace`` seconds by force. Returns at once."""
        if self._ending is None and self._process is not None:
            self._ending = asyncio.create_task(self._end(grace))

    async def ended(self) -> None:
        """Wait until it is gone."""
        if self._ending is not None:
            await self._ending
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _end(self, grace: float) -> None:
        process = self._process
        assert process is not None
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(grace):
                await process.wait()
        except TimeoutError:
            self._kill(signal.SIGKILL)
            await process.wait()
        finally:
            self._kill(signal.SIGKILL)  # Whatever it has started itself ends with it.

    def _kill(self, number: int) -> None:
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)

    async def _listen(self) -> None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        line = b""
        while data := await process.stdout.read(4096):
            *whole, line = (line + data).split(b"\n")
            for text in whole:
                self._note(text)
            if len(line) > _LONGEST_LINE:
                self._note(line)
                line = b""
        if line:
            self._note(line)
        self.report.exit_code = await process.wait()

    def _note(self, line: bytes) -> None:
        text = line[:_LONGEST_LINE].decode("utf-8", "replace").rstrip("\r")
        self.report.tail.append("".join(char if char.isprintable() or char == "\t" else "�" for char in text))

    async def _watch_memory(self) -> None:
        process = self._process
        assert process is not None
        status = Path(f"/proc/{process.pid}/status")
        while process.returncode is None:
            with suppress(OSError, ValueError, IndexError):
                found = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]  # noqa: ASYNC240
                self.report.peak_kib = int(found[0].split()[1])
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await process.wait()


def computer(address: tuple[str, int], game_key: str, name: str) -> Program:
    """The process of a built-in player; it takes reservation codes as lines."""
    host, port = address
    return Program((sys.executable, "-m", "spielleiter.web.computer", host, str(port), game_key, name))
