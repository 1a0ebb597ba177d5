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
class LaunchSpec:
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
    spec: LaunchSpec,
    level: Level,
    resource_limits: ResourceLimits,
    *,
    address: tuple[str, int],
    scratch: Path | None = None,
) -> SandboxedProcess:
    """Start a player; it waits for ``go``. ``address`` is where it finds the game master without an own network.

    Raises ``SettingsError`` if this level does not work here.
    """
    if level is Level.BUBBLEWRAP:
        return await _start_in_bubblewrap(spec, resource_limits)
    resources = Resources(folder=Path(tempfile.mkdtemp(prefix="spielleiter-player-", dir=scratch)))
    try:
        return _start_in_folder(spec, level, resource_limits, address, resources)
    except BaseException:
        resources.release()
        raise


# --- bubblewrap -------------------------------------------------------------------------------------------------------


async def _start_in_bubblewrap(spec: LaunchSpec, resource_limits: ResourceLimits) -> SandboxedProcess:
    bwrap = bubblewrap.executable()
    if bwrap is None:
        raise SettingsError("bubblewrap is not installed (the program bwrap)")
    ours, theirs = socket.socketpair()
    resources = Resources(control=ours, user=OwnUser.claim())
    with theirs, _memory_files(spec.parcel.data if spec.parcel else None, player_filter()) as (parcel, seccomp):
        try:
            command = bubblewrap.command(
                bwrap,
                spec.words("127.0.0.1", bubblewrap.PORT),
                resource_limits,
                environment=_environment(bubblewrap.HOME, "/tmp", resource_limits) | dict(spec.environment),  # noqa: S108
                control=theirs.fileno(),
                parcel=(-1, 0) if parcel is None or spec.parcel is None else (parcel, len(spec.parcel.data)),
                seccomp=seccomp,
                uid=None if resources.user is None else resources.user.uid,
            )
            files = [file for file in (theirs.fileno(), parcel, seccomp) if file is not None]
            with _on_cores(resource_limits.cores):
                process = _spawn(command, pass_fds=files)
        except BaseException:
            resources.release()
            raise
    watchdog = Watchdog(process.pid, resource_limits)
    player = SandboxedProcess(Level.BUBBLEWRAP, process, watchdog, resources)
    try:
        async with asyncio.timeout(_READY):
            player.listener, watchdog.root = await _handed_over(ours)
            resources.root = watchdog.root
            resources.first = first_process(process)
    except (OSError, TimeoutError, EOFError) as problem:
        exit_status = await player.stop()
        told = exit_status.err.decode("utf-8", "replace").strip() or str(problem) or type(problem).__name__
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
    spec: LaunchSpec, level: Level, resource_limits: ResourceLimits, address: tuple[str, int], resources: Resources
) -> SandboxedProcess:
    """Start a player in a fresh folder on the disk, under a supervisor where the system has what that needs."""
    folder = resources.folder
    assert folder is not None
    free = level is Level.NONE
    if not free and OwnUser.works():
        resources.user = OwnUser.claim()
    if spec.parcel is not None:
        spec.parcel.unpack(folder)
    if resources.user is not None:
        _give(folder, resources.user.uid)
    command, files = spec.words(*address), []
    if sys.platform == "linux":
        end, resources.lifeline = os.pipe()
        files = [end]
        told = {"player": command, "lifeline": end, **_supervision(level, resource_limits, address, resources)}
        command = [bubblewrap.python(), "-I", "-S", str(_SUPERVISOR), json.dumps(told)]
    environment = _environment(str(folder), str(folder), resource_limits) | dict(spec.environment)
    try:
        with _on_cores(resource_limits.cores):
            process = _spawn(command, environment=environment, folder=folder, pass_fds=files)
    finally:
        for file in files:
            os.close(file)
    watched = replace(resource_limits, memory=_NO_LIMIT, processes=_NO_LIMIT) if free else resource_limits
    return SandboxedProcess(level, process, Watchdog(process.pid, watched, folder=None if free else folder), resources)


def _supervision(
    level: Level, resource_limits: ResourceLimits, address: tuple[str, int], resources: Resources
) -> dict[str, object]:
    limits: dict[str, int] = {}
    if level is not Level.NONE:
        limits = {"RLIMIT_CORE": 0, "RLIMIT_FSIZE": resource_limits.disk, "RLIMIT_NOFILE": 4096}
        if resources.user is not None:
            limits["RLIMIT_NPROC"] = resource_limits.processes  # Counted for each user, and for root not at all.
    landlock = None
    if level is Level.LANDLOCK:
        seen = [*bubblewrap.readable(), "/proc", "/sys/devices/system", "/etc/passwd"]
        landlock = {"readable": seen, "writable": [str(resources.folder)], "port": address[1]}
    return {
        "uid": None if resources.user is None else resources.user.uid,
        "folder": str(resources.folder),
        "limits": limits,
        "landlock": landlock,
        "nice": 0 if level is Level.NONE else bubblewrap.NICE,
    }


def _give(folder: Path, uid: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, uid, uid, follow_symlinks=False)


# --- all levels -------------------------------------------------------------------------------------------------------


def _environment(home: str, scratch: str, resource_limits: ResourceLimits) -> dict[str, str]:
    """The few variables that a player gets: nothing of ours is told to strangers."""
    environment = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        # A JVM would take a quarter of the machine's memory and as many collector threads as it has cores.
        "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={resource_limits.memory // 10**6}m -XX:ActiveProcessorCount=1"
        " -XX:+UseSerialGC",
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
