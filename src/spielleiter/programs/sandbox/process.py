"""A player program at work: watched, and ended with everything that it started."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from spielleiter.programs.sandbox.capture import Capture
from spielleiter.programs.sandbox.limits import Breach, Level
from spielleiter.programs.sandbox.users import OwnUser
from spielleiter.programs.sandbox.watchdog import EVERY, Watchdog

_DEATH = 10.0
"""Seconds in which everything that was killed must be gone."""


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a player program ended, and what it used."""

    code: int | None
    """Its exit code, negative for a signal; ``None`` if we ended it."""
    breach: Breach | None
    out: bytes
    err: bytes
    peak_memory: int
    processor_time: float


@dataclass(slots=True)
class Resources:
    """What belongs to a player program while it runs, and is given back when it has ended."""

    control: socket.socket | None = None
    """The way into the sandbox, until the player may run."""
    lifeline: int | None = None
    """The pipe whose end is the end of the supervisor."""
    user: OwnUser | None = None
    folder: Path | None = None
    root: int | None = None
    """A descriptor of the sandbox's file system."""
    first: int | None = None
    """A descriptor of the sandbox's first process: with it the kernel ends all others, before it is gone itself."""

    def release(self) -> None:
        """Close, release and delete everything."""
        if self.control is not None:
            self.control.close()
        for file in (self.lifeline, self.root, self.first):
            if file is not None:
                os.close(file)
        if self.user is not None:
            self.user.release()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.control = self.lifeline = self.root = self.first = self.user = self.folder = None


class SandboxedProcess:
    """A running player program. ``starting.start`` makes it; ``stop`` must be called, and leaves no process."""

    def __init__(
        self, level: Level, process: subprocess.Popen[bytes], watchdog: Watchdog, resources: Resources
    ) -> None:
        self.level = level
        self.listener: socket.socket | None = None
        """Where the player will knock, if it has a network of its own; it belongs to the caller."""
        self.breach: Breach | None = None
        self._process = process
        self._watchdog = watchdog
        self._resources = resources
        self._loop = asyncio.get_running_loop()
        assert process.stdout is not None
        assert process.stderr is not None
        self._out, self._err = (
            Capture(os.dup(pipe.fileno()), watchdog.resource_limits.output) for pipe in (process.stdout, process.stderr)
        )
        process.stdout.close()
        process.stderr.close()
        self._killed = False
        self._exited = asyncio.ensure_future(_exit_of(process))
        self._watch: asyncio.TimerHandle | None = None

    def go(self) -> None:
        """Let the player run: from now on it may connect."""
        control, self._resources.control = self._resources.control, None
        if control is not None:
            with control, suppress(OSError):
                control.send(b"!")
        self._look()

    @property
    def running(self) -> bool:
        """Whether the program has not ended yet."""
        return not self._exited.done()

    @property
    def last_words(self) -> str:
        """The end of what the program printed, errors first."""
        return (self._err.last or self._out.last).decode("utf-8", "replace")

    async def wait(self) -> int:
        """The exit code of the program, when it has ended."""
        return await asyncio.shield(self._exited)

    async def stop(self) -> ExitStatus:
        """End the program with everything that it started, and tell how it was. Once is enough, more is no mistake."""
        ended_by_itself = not (self.running or self._killed)
        if self._watch is not None:
            self._watch.cancel()
        self._kill()
        try:
            async with asyncio.timeout(_DEATH):
                code = await asyncio.shield(self._exited)
        except TimeoutError:
            self._process.kill()
            code = await self._exited
        if self._resources.first is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_DEATH):
                    await readable(self._resources.first)
        out, err = await asyncio.gather(self._out.finish(), self._err.finish())
        self._resources.release()
        watchdog = self._watchdog
        return ExitStatus(
            code if ended_by_itself else None, self.breach, out, err, watchdog.peak_memory, watchdog.processor_time
        )

    def _look(self) -> None:
        if self._killed or not self.running:
            return
        began = self._loop.time()
        self.breach = self._watchdog.look()
        if self.breach is not None:
            self._kill()
            return
        # A tree of many processes takes time to look at; looking must not become the main thing.
        pause = max(EVERY, 10 * (self._loop.time() - began))
        self._watch = self._loop.call_later(pause, self._look)

    def _kill(self) -> None:
        """Kill everything, in the way of the level."""
        if self._killed:
            return
        self._killed = True
        lifeline, self._resources.lifeline = self._resources.lifeline, None
        if lifeline is not None:
            os.close(lifeline)
        elif self.level is Level.BUBBLEWRAP:
            if self._resources.first is not None:
                with suppress(OSError):
                    signal.pidfd_send_signal(self._resources.first, signal.SIGKILL)
            elif self.running:
                self._process.kill()
        else:
            _kill_group(self._process)


async def _exit_of(process: subprocess.Popen[bytes]) -> int:
    """The exit code of ``process``, when it has ended."""
    if sys.platform != "linux":
        return await asyncio.to_thread(process.wait)
    ended = os.pidfd_open(process.pid)
    try:
        await readable(ended)
    finally:
        os.close(ended)
    return process.wait()


async def readable(file: int) -> None:
    """Wait until there is something to read from ``file``."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def ready() -> None:
        if not done.done():
            done.set_result(None)

    loop.add_reader(file, ready)
    try:
        await done
    finally:
        loop.remove_reader(file)


def first_process(bwrap: subprocess.Popen[bytes]) -> int | None:
    """A descriptor of the first process of a sandbox that stands."""
    try:
        child, *_ = Path(f"/proc/{bwrap.pid}/task/{bwrap.pid}/children").read_text().split()
        return os.pidfd_open(int(child))
    except (OSError, ValueError):
        return None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill as well as systems without supervisor allow."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S603, S607
        return
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
