"""One running player program: in a session of its own, its output within bounds, and ended with all its offspring."""

from __future__ import annotations

import asyncio
import os
import signal
import time
import uuid
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from spielleiter.errors import ProgramError
from spielleiter.programs import proc as processes
from spielleiter.programs.program import PlayerProgram

_MARKER = "SPIELLEITER_PROGRAM"
_PIECE = 1 << 16
_POLL = 0.2
_LOOK = 0.01
_MANY = 200
"""How often we try to end processes that start new ones while we end them."""


class Output:
    """What a program writes: its beginning and its end are kept, everything is counted."""

    def __init__(self, keep: int = 1 << 16) -> None:
        self.total = 0
        self._keep = keep
        self._head = bytearray()
        self._tail = bytearray()

    def add(self, data: bytes) -> None:
        """Take in the next bytes."""
        self.total += len(data)
        room = self._keep - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room < len(data) else b""
        if len(self._tail) > 2 * self._keep:
            del self._tail[: -self._keep]

    @property
    def text(self) -> str:
        """What was written, without the middle if it was much."""
        tail = bytes(self._tail[-self._keep :])
        left_out = self.total - len(self._head) - len(tail)
        gap = f"\n[... {left_out} bytes ...]\n".encode() if left_out else b""
        return (bytes(self._head) + gap + tail).decode("utf-8", "replace")


class RunningProgram:
    """A started program; use it as ``async with RunningProgram(program, arguments) as running``."""

    def __init__(
        self,
        program: PlayerProgram,
        arguments: Sequence[str] = (),
        *,
        environment: Mapping[str, str] | None = None,
        most_output: int | None = None,
    ) -> None:
        """``most_output`` bytes on stdout and stderr together end the program."""
        self.program = program
        self.stdout, self.stderr = Output(), Output()
        self.peak_memory = 0
        """Bytes that it and its children kept in memory at most, as far as we looked."""
        self.wrote_too_much = False
        self._arguments = tuple(arguments)
        token = str(uuid.uuid4())
        self._marker = f"{_MARKER}={token}"
        self._environment = {**(program.environment() if environment is None else environment), _MARKER: token}
        self._most_output = most_output
        self._process: Process | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.program.command, *self._arguments,
                stdin=DEVNULL, stdout=PIPE, stderr=PIPE,
                cwd=self.program.folder, env=self._environment, start_new_session=True,
            )  # fmt: skip
        except OSError as problem:
            raise ProgramError(f"{self.program.command[0]} cannot be started: {problem.strerror or problem}") from None
        for stream, output in ((self._process.stdout, self.stdout), (self._process.stderr, self.stderr)):
            assert stream is not None
            self._tasks.append(asyncio.create_task(self._drain(stream, output)))
        self._tasks.append(asyncio.create_task(self._watch()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.kill()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # Not all pipes are at their end: a child that fled far may still hold one.
        transport = getattr(self._process, "_transport", None)
        if transport is not None:
            transport.close()

    @property
    def pid(self) -> int:
        """The process id; also that of its session and its process group."""
        assert self._process is not None
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended, minus the signal if by one; ``None`` while it runs."""
        assert self._process is not None
        return self._process.returncode

    async def wait(self, seconds: float) -> int | None:
        """The exit code, or ``None`` if it still runs after so many seconds."""
        end = time.monotonic() + seconds
        # asyncio's own waiting goes on until all pipes are closed, and a child may hold them for ever.
        while self.exit_code is None and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK)
        if self.exit_code is not None:
            # What was written before the end is there, but maybe not read yet.
            await asyncio.wait(self._tasks[:2], timeout=0.2)
        return self.exit_code

    def family(self) -> list[processes.ProcessInfo]:
        """The program and all that it has started and that still runs."""
        return processes.family(self.pid, self._marker)

    def leftovers(self) -> list[processes.ProcessInfo]:
        """What it has started and that still runs."""
        return [info for info in self.family() if info.pid != self.pid]

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and its children, as far as they have not left its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    async def kill(self) -> None:
        """End the program and everything that it has started, at once."""
        for _ in range(_MANY):
            left = self.family()
            if not left and self.exit_code is not None:
                return
            if self.exit_code is None:  # Its number, and so that of its group, is not given to anybody else yet.
                self.signal(signal.SIGKILL)
            for info in left:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(info.pid, signal.SIGKILL)
            await asyncio.sleep(_LOOK)

    # --- watching -----------------------------------------------------------------------------------------------------

    async def _drain(self, stream: asyncio.StreamReader, output: Output) -> None:
        while data := await stream.read(_PIECE):
            output.add(data)
            if self._most_output is not None and self.stdout.total + self.stderr.total > self._most_output:
                self.wrote_too_much = True
                self.signal(signal.SIGKILL)
                return

    async def _watch(self) -> None:
        while processes.known():
            self.peak_memory = max(self.peak_memory, sum(info.memory for info in processes.of_session(self.pid)))
            await asyncio.sleep(_POLL)
