"""How a player program is started in each level of the sandbox."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import bubblewrap
from spielleiter.programs.sandbox.files import ProgramFiles
from spielleiter.programs.sandbox.limits import Level, ResourceLimits
from spielleiter.programs.sandbox.process import Resources, SandboxedProcess, first_process, readable
from spielleiter.programs.sandbox.seccomp import player_filter
from spielleiter.programs.sandbox.users import OwnUser
from spielleiter.programs.sandbox.watchdog import Watchdog

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_READY = 20.0
"""Seconds in which a sandbox must stand; it takes some hundredths on an idle machine."""
_NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Order:
    """What to start: the command as seen in the player's folder, and the files of that folder.

    In the command ``{host}`` and ``{port}`` stand for where the game master is, and ``{python}`` for our Python.
    """

    command: tuple[str, ...]
    parcel: ProgramFiles | None = None
    environment: tuple[tuple[str, str], ...] = ()

    def words(self, host: str, port: int) -> list[str]:
        """The command with everything filled in."""
        known = {"{host}": host, "{port}": str(port), "{python}": bubblewrap.python()}
        return [known.get(word, word) for word in self.command]


async def start(
    order: Order, level: Level, allowance: ResourceLimits, *, address: tuple[str, int], scratch: Path | None = None
) -> SandboxedProcess:
    """Start a player; it waits for ``go``. ``address`` is where it finds the game master without an own network.

    Raises ``SettingsError`` if this level does not work here.
    """
    if level is Level.BUBBLEWRAP:
        return await _start_in_bubblewrap(order, allowance)
    belongings = Resources(folder=Path(tempfile.mkdtemp(prefix="spielleiter-player-", dir=scratch)))
    try:
        return _start_in_folder(order, level, allowance, address, belongings)
    except BaseException:
        belongings.release()
        raise


# --- bubblewrap -------------------------------------------------------------------------------------------------------


async def _start_in_bubblewrap(order: Order, allowance: ResourceLimits) -> SandboxedProcess:
    bwrap = bubblewrap.executable()
    if bwrap is None:
        raise SettingsError("bubblewrap is not installed (the program bwrap)")
    ours, theirs = socket.socketpair()
    belongings = Resources(control=ours, user=OwnUser.claim())
    with theirs, _memory_files(order.parcel.data if order.parcel else None, player_filter()) as (parcel, seccomp):
        try:
            command = bubblewrap.command(
                bwrap,
                order.words("127.0.0.1", bubblewrap.PORT),
                allowance,
                environment=_environment(bubblewrap.HOME, "/tmp", allowance) | dict(order.environment),  # noqa: S108
                control=theirs.fileno(),
                parcel=(-1, 0) if parcel is None or order.parcel is None else (parcel, len(order.parcel.data)),
                seccomp=seccomp,
                uid=None if belongings.user is None else belongings.user.uid,
            )
            files = [file for file in (theirs.fileno(), parcel, seccomp) if file is not None]
            with _on_cores(allowance.cores):
                process = _spawn(command, pass_fds=files)
        except BaseException:
            belongings.release()
            raise
    watchdog = Watchdog(process.pid, allowance)
    player = SandboxedProcess(Level.BUBBLEWRAP, process, watchdog, belongings)
    try:
        async with asyncio.timeout(_READY):
            player.listener, watchdog.root = await _handed_over(ours)
            belongings.root = watchdog.root
            belongings.first = first_process(process)
    except (OSError, TimeoutError, EOFError) as problem:
        ending = await player.stop()
        told = ending.err.decode("utf-8", "replace").strip() or str(problem) or type(problem).__name__
        raise SettingsError(f"the sandbox does not start: {told[-500:]}") from None
    except BaseException:
        await player.stop()
        raise
    return player


async def _handed_over(control: socket.socket) -> tuple[socket.socket, int]:
    """The listening socket and the root folder that come out of a sandbox."""
    await readable(control.fileno())
    message, files, _, _ = socket.recv_fds(control, 16, 2)
    if not message or len(files) != 2:
        raise EOFError("the sandbox ended before its player could start")
    return socket.socket(fileno=files[0]), files[1]


@contextmanager
def _memory_files(*contents: bytes | None) -> Iterator[list[int | None]]:
    """Descriptors from which ``contents`` can be read, closed in the end."""
    files: list[int | None] = []
    try:
        for content in contents:
            file = None if content is None else os.memfd_create("player", os.MFD_CLOEXEC)
            files.append(file)
            if file is not None and content is not None:
                with open(file, "wb", closefd=False) as writer:
                    writer.write(content)
                os.lseek(file, 0, os.SEEK_SET)
        yield files
    finally:
        for file in files:
            if file is not None:
                os.close(file)


# --- the other levels -------------------------------------------------------------------------------------------------


def _start_in_folder(
    order: Order, level: Level, allowance: ResourceLimits, address: tuple[str, int], belongings: Resources
) -> SandboxedProcess:
    """Start a player in a fresh folder on the disk, under a supervisor where the system has what that needs."""
    folder = belongings.folder
    assert folder is not None
    free = level is Level.NONE
    if not free and OwnUser.works():
        belongings.user = OwnUser.claim()
    if order.parcel is not None:
        order.parcel.unpack(folder)
    if belongings.user is not None:
        _give(folder, belongings.user.uid)
    command, files = order.words(*address), []
    if sys.platform == "linux":
        end, belongings.lifeline = os.pipe()
        files = [end]
        told = {"player": command, "lifeline": end, **_supervision(level, allowance, address, belongings)}
        command = [bubblewrap.python(), "-I", "-S", str(_SUPERVISOR), json.dumps(told)]
    environment = _environment(str(folder), str(folder), allowance) | dict(order.environment)
    try:
        with _on_cores(allowance.cores):
            process = _spawn(command, environment=environment, folder=folder, pass_fds=files)
    finally:
        for file in files:
            os.close(file)
    watched = replace(allowance, memory=_NO_LIMIT, processes=_NO_LIMIT) if free else allowance
    return SandboxedProcess(level, process, Watchdog(process.pid, watched, folder=None if free else folder), belongings)


def _supervision(
    level: Level, allowance: ResourceLimits, address: tuple[str, int], belongings: Resources
) -> dict[str, object]:
    limits: dict[str, int] = {}
    if level is not Level.NONE:
        limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": allowance.disk, "RLIMIT_NOFILE": 4096}
        if belongings.user is not None:
            limits["RLIMIT_NPROC"] = allowance.processes  # Counted for each user, and for root not at all.
    landlock = None
    if level is Level.LANDLOCK:
        seen = [*bubblewrap.readable(), "/proc", "/sys/devices/system", "/etc/passwd"]
        landlock = {"readable": seen, "writable": [str(belongings.folder)], "port": address[1]}
    return {
        "uid": None if belongings.user is None else belongings.user.uid,
        "folder": str(belongings.folder),
        "limits": limits,
        "landlock": landlock,
        "nice": 0 if level is Level.NONE else bubblewrap.NICE,
    }


def _give(folder: Path, uid: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


# --- all levels -------------------------------------------------------------------------------------------------------


def _environment(home: str, scratch: str, allowance: ResourceLimits) -> dict[str, str]:
    """The few variables that a player gets: nothing of ours is told to strangers."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        # A JVM would take a quarter of the machine's memory and as many collector threads as it has cores.
        "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={allowance.memory // 10**6}m -XX:ActiveProcessorCount=1 -XX:+UseSerialGC",
    }
    if sys.platform == "win32":
        environment |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "TEMP") if name in os.environ}
    return environment


def _spawn(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    # Here and not in a thread: bubblewrap's --die-with-parent means the thread that spawned it.
    try:
        return subprocess.Popen(  # noqa: S603 - to run strangers' programs is what we are for
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            cwd=folder,
            pass_fds=pass_fds,
            start_new_session=sys.platform != "win32",
        )
    except OSError as problem:
        raise SettingsError(f"{command[0]}: cannot be started: {problem.strerror}") from None


@contextmanager
def _on_cores(cores: tuple[int, ...]) -> Iterator[None]:
    """What is spawned inside inherits these cores; this thread gets its own back."""
    if not cores or sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
