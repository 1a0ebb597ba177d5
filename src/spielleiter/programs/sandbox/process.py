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
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.game.note import without_notes
from spielleiter.programs.sandbox.capture import Capture
from spielleiter.programs.sandbox.kernel.cgroup import Cgroup
from spielleiter.programs.sandbox.kernel.sockets import owns_socket, unread_bytes
from spielleiter.programs.sandbox.kernel.users import OwnUser
from spielleiter.programs.sandbox.limits import Breach, Level
from spielleiter.programs.sandbox.signal_freezer import SignalFreezer
from spielleiter.programs.sandbox.watchdog import POLL_SECONDS, Watchdog

_KILL_TIMEOUT = 10.0
"""Seconds in which everything that was killed must be gone."""
_KILL_POLL_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a player program ended, and what it used."""

    code: int | None
    """Its exit code, minus the signal if by one; ``None`` if we ended it."""
    breach: Breach | None
    out: bytes
    err: bytes
    """Its errors, without its notes."""
    peak_memory: int
    processor_time: float
    disk_growth: int = 0
    leftovers: tuple[str, ...] = ()
    """The names of the processes that it left behind, if they were asked for."""

    @property
    def log(self) -> bytes:
        """What it printed: its output, then its errors."""
        return self.out + (b"\n--- stderr ---\n" if self.out and self.err else b"") + self.err


@dataclass(slots=True)
class Resources:
    """What belongs to a player program while it runs, and is released when it has ended."""

    control: socket.socket | None = None
    """The way into the sandbox, until the player may run."""
    lifeline: int | None = None
    """The pipe whose end is the end of the supervisor."""
    user: OwnUser | None = None
    cgroup: Cgroup | None = None
    folder: Path | None = None
    root: int | None = None
    """A descriptor of the sandbox's file system."""
    report: int | None = None
    """The pipe with the names of the processes that the player leaves behind."""
    first: int | None = None
    """A descriptor of the sandbox's first process: with it the kernel ends all others, before it is gone itself."""

    def release(self) -> None:
        """Close, release and delete everything."""
        if self.control is not None:
            self.control.close()
        for file in (self.lifeline, self.root, self.report, self.first):
            if file is not None:
                os.close(file)
        if self.cgroup is not None:
            self.cgroup.remove()
        if self.user is not None:
            self.user.release()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.control = self.lifeline = self.root = self.report = self.first = self.user = self.folder = None
        self.cgroup = None


class SandboxedProcess:
    """A running player program. ``launch.start`` makes it; ``stop`` must be called, and leaves no process."""

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
        self._freezer = SignalFreezer(watchdog.player_pids)
        self._loop = asyncio.get_running_loop()
        assert process.stdout is not None
        assert process.stderr is not None
        self._out, self._err = (
            Capture(os.dup(pipe.fileno()), watchdog.resource_limits.log) for pipe in (process.stdout, process.stderr)
        )
        process.stdout.close()
        process.stderr.close()
        self._killed = False
        self._stopping: asyncio.Future[ExitStatus] | None = None
        self._exited = asyncio.ensure_future(_exit_of(process))
        self._watch: asyncio.TimerHandle | None = None

    def go(self) -> None:
        """Let the player run: from now on it may connect."""
        self._watchdog.start()
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
    def status(self) -> ExitStatus:
        """How it ended, or how far it has come: then without a code."""
        if self._stopping is not None and self._stopping.done():
            return self._stopping.result()
        return self._status_with(self._exited.result() if self._exited.done() and not self._killed else None)

    @property
    def output_size(self) -> int:
        """How many bytes it has printed so far."""
        return self._out.total + self._err.total

    def take_output(self) -> tuple[bytes, bytes]:
        """What it has printed since the last call: its output, and its errors with its notes."""
        return self._out.take(), self._err.take()

    @property
    def last_words(self) -> str:
        """The end of what the program printed, errors first."""
        return (self._err.last or self._out.last).decode("utf-8", "replace")

    async def wait(self) -> int:
        """The exit code of the program, when it has ended."""
        return await asyncio.shield(self._exited)

    def has_connection(self, address: tuple[str, int]) -> bool:
        """Whether a process of the program has the socket with this address of its own, or that cannot be known."""
        return owns_socket(self._watchdog.player_pids(), address)

    def has_read(self, address: tuple[str, int]) -> bool:
        """Whether nothing waits in its socket with this address of its own, or that cannot be known."""
        return not unread_bytes(self._watchdog.player_pids(), address)

    @property
    def processor_time(self) -> float:
        """The seconds of processor time that it has used so far."""
        return self._watchdog.measure_processor_time()

    def game_began(self) -> None:
        """Count what it writes into files from now on (``disk_growth``)."""
        self._watchdog.game_began()

    def freeze(self, frozen: bool) -> None:
        """Stop the program and everything that it has started, or let all of it go on."""
        cgroup = self._resources.cgroup
        if cgroup is not None and cgroup.can_freeze:
            cgroup.freeze(frozen)
        else:
            self._freezer.freeze(frozen)

    async def stop(self) -> ExitStatus:
        """End the program with everything that it started. Idempotent; a cancelled caller does not cancel it."""
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop())
        return await asyncio.shield(self._stopping)

    async def _stop(self) -> ExitStatus:
        ended_by_itself = not (self.running or self._killed)
        if self._watch is not None:
            self._watch.cancel()
        self._kill()
        try:
            async with asyncio.timeout(_KILL_TIMEOUT):
                code = await asyncio.shield(self._exited)
        except TimeoutError:
            self._process.kill()
            code = await self._exited
        if self._resources.first is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_KILL_TIMEOUT):
                    await readable(self._resources.first)
        if self._resources.cgroup is not None:
            await _empty(self._resources.cgroup)
        await asyncio.gather(self._out.finish(), self._err.finish())
        self.breach = self.breach or self._watchdog.last_look()
        exit_status = replace(
            self._status_with(code if ended_by_itself else None),
            disk_growth=self._watchdog.disk_growth(),
            leftovers=_leftovers(self._resources.report),
        )
        self._resources.release()
        return exit_status

    def _status_with(self, code: int | None) -> ExitStatus:
        return ExitStatus(
            code=code,
            breach=self.breach,
            out=self._out.text,
            err=without_notes(self._err.text),
            peak_memory=self._watchdog.peak_memory,
            processor_time=self._watchdog.processor_time,
        )

    def _look(self) -> None:
        if self._killed or not self.running:
            return
        began = self._loop.time()
        self.breach = self._watchdog.look() or self._flood() or self._evasion()
        if self.breach is not None:
            self._kill()
            return
        # A tree of many processes takes time to look at; looking must not take most of the time.
        pause = max(POLL_SECONDS, 10 * (self._loop.time() - began))
        self._watch = self._loop.call_later(pause, self._look)

    def _flood(self) -> Breach | None:
        allowed = self._watchdog.resource_limits.output
        return Breach.OUTPUT if allowed is not None and self.output_size > allowed else None

    def _evasion(self) -> Breach | None:
        return Breach.PONDERING if self._freezer.is_evaded() else None

    def _kill(self) -> None:
        """Kill everything, in the way of the level."""
        if self._killed:
            return
        self._killed = True
        self.freeze(False)  # In some control groups who is frozen does not die.
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


async def _empty(cgroup: Cgroup) -> None:
    """End all processes in the group, also orphans, and wait until they are gone."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_KILL_TIMEOUT):
            while cgroup.pids():
                cgroup.kill()
                await asyncio.sleep(_KILL_POLL_SECONDS)


async def _exit_of(process: subprocess.Popen[bytes]) -> int:
    """The exit code of ``process``, when it has ended; minus the signal if by one."""
    if sys.platform == "linux":
        ended = os.pidfd_open(process.pid)
        try:
            await readable(ended)
        finally:
            os.close(ended)
    code = await asyncio.to_thread(process.wait) if sys.platform != "linux" else process.wait()
    # A process between us and the player, such as a shell, adds 128 to its signal.
    return 128 - code if code - 128 in set(signal.Signals) else code


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


def first_process(bwrap: subprocess.Popen[bytes]) -> tuple[int | None, int | None]:
    """The first process of a sandbox that stands: a descriptor of it, and its id."""
    try:
        child, *_ = map(int, Path(f"/proc/{bwrap.pid}/task/{bwrap.pid}/children").read_text().split())
        return os.pidfd_open(child), child
    except (OSError, ValueError):
        return None, None


def _leftovers(report: int | None) -> tuple[str, ...]:
    """The names in a report; all processes that could write more have ended."""
    if report is None:
        return ()
    os.set_blocking(report, False)
    with suppress(BlockingIOError):
        return tuple(sorted(set(os.read(report, 1 << 16).decode("utf-8", "replace").splitlines())))
    return ()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill as well as systems without supervisor allow."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S603, S607
        return
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
