"""How a player program is started in each level of the sandbox."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import spielleiter
from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import bubblewrap
from spielleiter.programs.sandbox.files import ProgramFiles
from spielleiter.programs.sandbox.limits import Level, ResourceLimits
from spielleiter.programs.sandbox.process import Resources, SandboxedProcess, first_process, readable
from spielleiter.programs.sandbox.seccomp import player_filter
from spielleiter.programs.sandbox.users import OwnUser
from spielleiter.programs.sandbox.watchdog import Watchdog
from spielleiter.programs.temporary import temporary_folder

PYTHON = "{python}"
"""As the first word of a command: the Python that runs us."""
_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_READY_TIMEOUT = 20.0
"""Seconds in which a sandbox must stand; it takes some hundredths on an idle machine."""
_NO_LIMIT = 1 << 62
_LOOKED_UP = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf")
"""What names are looked up in; in bubblewrap a player has its own."""
_SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What to start: a command as seen in the player's folder, its arguments, and the files of that folder.

    In the arguments ``{host}`` and ``{port}`` stand for where the game master is.
    """

    command: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    files: ProgramFiles | None = None
    with_package: bool = False
    """Whether it finds this Python and this package, as on the machine of its author."""

    def words(self, host: str, port: int) -> list[str]:
        """The command line with everything filled in."""
        first, *rest = self.command
        program = bubblewrap.python() if first == PYTHON else first
        filled = (word.replace("{host}", host).replace("{port}", str(port)) for word in self.arguments)
        return [program, *rest, *filled]

    def environment(self, home: str, scratch: str, resource_limits: ResourceLimits) -> dict[str, str]:
        """The few variables that a player gets: nothing of ours is shown to untrusted programs."""
        variables = {
            "PATH": _SYSTEM_PATH,
            "HOME": home,
            "TMPDIR": scratch,
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            # A JVM would take a quarter of the machine's memory and as many collector threads as it has cores. Which
            # collector it takes, and another heap (-Xmx), is for the program to say: two collectors end the JVM.
            "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={resource_limits.memory // 10**6}m -XX:MaxRAMPercentage=70"
            " -XX:ActiveProcessorCount=1",
            # Go collects when its memory has doubled; from here on it does so earlier.
            "GOMEMLIMIT": str(resource_limits.memory * 4 // 5),
        }
        if sys.platform == "win32":
            variables |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "TEMP") if name in os.environ}
        if self.with_package:
            variables["PYTHONPATH"] = str(Path(spielleiter.__file__).parent.parent)
            variables["PATH"] = os.pathsep.join((str(Path(bubblewrap.python()).parent), variables["PATH"]))
        return variables


async def start(
    spec: LaunchSpec,
    level: Level,
    resource_limits: ResourceLimits,
    *,
    address: tuple[str, int],
    report_leftovers: bool = False,
) -> SandboxedProcess:
    """Start a player; it waits for ``go``. ``address`` is where it finds the game master without a network of its own.

    With ``report_leftovers`` its exit status names the processes that it left behind. Raises ``SettingsError`` if this
    level does not work here.
    """
    resources = Resources()
    reports: list[int] = []
    try:
        if report_leftovers and sys.platform == "linux":
            resources.report, end = os.pipe()
            reports.append(end)
        if level is Level.BUBBLEWRAP:
            return await _start_in_bubblewrap(spec, resource_limits, resources, reports)
        resources.folder = temporary_folder("player")
        return _start_in_folder(spec, level, resource_limits, address, resources, reports)
    except BaseException:
        resources.release()
        raise
    finally:
        for end in reports:
            os.close(end)


# --- bubblewrap -------------------------------------------------------------------------------------------------------


async def _start_in_bubblewrap(
    spec: LaunchSpec, resource_limits: ResourceLimits, resources: Resources, reports: list[int]
) -> SandboxedProcess:
    bwrap = bubblewrap.executable()
    if bwrap is None:
        raise SettingsError(
            "bubblewrap ist nicht installiert (das Programm bwrap).", "bubblewrap is not installed (the program bwrap)"
        )
    resources.user = OwnUser.claim()
    resources.control, theirs = socket.socketpair()
    control = resources.control
    with theirs, _memory_files(spec.files.data if spec.files else None, player_filter()) as (files, seccomp):
        command = bubblewrap.command(
            bwrap,
            spec.words("127.0.0.1", bubblewrap.PORT),
            resource_limits,
            environment=spec.environment(bubblewrap.HOME, "/tmp", resource_limits),  # noqa: S108
            control=theirs.fileno(),
            files=(-1, 0) if files is None or spec.files is None else (files, len(spec.files.data)),
            report=reports[0] if reports else -1,
            seccomp=seccomp,
            uid=None if resources.user is None else resources.user.uid,
        )
        passed = [file for file in (theirs.fileno(), files, seccomp, *reports) if file is not None]
        with _on_cores(resource_limits.cores):
            process = _spawn(command, pass_fds=passed)
    watchdog = Watchdog(process.pid, resource_limits)
    player = SandboxedProcess(Level.BUBBLEWRAP, process, watchdog, resources)
    try:
        async with asyncio.timeout(_READY_TIMEOUT):
            player.listener, watchdog.root = await _handed_over(control)
            resources.root = watchdog.root
            resources.first, watchdog.first = first_process(process)
    except (OSError, TimeoutError, EOFError) as problem:
        exit_status = await player.stop()
        said = exit_status.err.decode("utf-8", "replace").strip() or str(problem) or type(problem).__name__
        raise SettingsError(
            f"Die Sandbox startet nicht: {said[-500:]}", f"the sandbox does not start: {said[-500:]}"
        ) from None
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
    spec: LaunchSpec,
    level: Level,
    resource_limits: ResourceLimits,
    address: tuple[str, int],
    resources: Resources,
    reports: list[int],
) -> SandboxedProcess:
    """Start a player in a fresh folder on the disk, under a supervisor where the system has what that needs."""
    folder = resources.folder
    assert folder is not None
    unlimited = level is Level.NONE
    if not unlimited and OwnUser.works():
        resources.user = OwnUser.claim()
    if spec.files is not None:
        spec.files.unpack(folder)
    if resources.user is not None:
        _give(folder, resources.user.uid)
    command, files = spec.words(*address), [*reports]
    if sys.platform == "linux":
        lifeline, resources.lifeline = os.pipe()
        files.append(lifeline)
        supervised = {
            "player": command,
            "lifeline": lifeline,
            "report": reports[0] if reports else None,
            **_supervision(level, resource_limits, address, resources),
        }
        command = [bubblewrap.python(), "-I", "-S", str(_SUPERVISOR), json.dumps(supervised)]
    environment = spec.environment(str(folder), str(folder), resource_limits)
    try:
        with _on_cores(resource_limits.cores):
            process = _spawn(command, environment=environment, folder=folder, pass_fds=files)
    finally:
        if sys.platform == "linux":
            os.close(lifeline)
    watched = resource_limits
    if unlimited:
        watched = replace(watched, memory=_NO_LIMIT, processes=_NO_LIMIT, disk=_NO_LIMIT, files=_NO_LIMIT)
    return SandboxedProcess(level, process, Watchdog(process.pid, watched, folder=folder), resources)


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
        seen = [*bubblewrap.readable(), *_LOOKED_UP, "/proc", "/sys/devices/system"]
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


def _spawn(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    # Here and not in a thread: bubblewrap's --die-with-parent means the thread that spawned it.
    try:
        return subprocess.Popen(  # noqa: S603 - to run untrusted programs is what we are for
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
        raise SettingsError(
            f"{command[0]}: lässt sich nicht starten: {problem.strerror}.",
            f"{command[0]}: cannot be started: {problem.strerror}",
        ) from None


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
