"""How a player program is started in each level of the sandbox."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from mmap import mmap
from pathlib import Path

import spielleiter
from spielleiter import plugins
from spielleiter.errors import START, WRITE, SettingsError, refusing
from spielleiter.programs.sandbox import bubblewrap, system_paths
from spielleiter.programs.sandbox.files import ProgramFiles
from spielleiter.programs.sandbox.kernel.cgroup import Cgroup
from spielleiter.programs.sandbox.kernel.seccomp import player_filter
from spielleiter.programs.sandbox.kernel.users import OwnUser
from spielleiter.programs.sandbox.limits import Level, ResourceLimits
from spielleiter.programs.sandbox.process import Resources, SandboxedProcess, first_process, readable
from spielleiter.programs.sandbox.watchdog import SANDBOX_PROCESSES, Watchdog, processes_of_user
from spielleiter.programs.temporary import temporary_folder
from spielleiter.text import Text, system_language

PYTHON = "{python}"
"""The first word of a command that stands for the Python that runs us."""
JAVA = "{java}"
"""The first word of a command that stands for the Java of the machine that starts it."""
_SUPERVISOR = Path(__file__).with_name("supervisor.py")
_READY_TIMEOUT = 20.0
"""Seconds in which a sandbox must stand; it takes some hundredths on an idle machine."""
_NO_LIMIT = 1 << 62
_LOOKED_UP = ("/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf")
"""What names are looked up in; in bubblewrap a player has its own."""
_SHARED_PROCESSES = 4
"""How many players' processes may come together under one user, where the kernel cannot tell them apart."""
_SAY_PROBLEM = "import sys; print(sys.argv[1], file=sys.stderr); sys.exit(127)"
"""What is started instead of a program that cannot be unpacked; see ``bootstrap.py``."""
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where programs find others, run-times among them."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """The Python that a program finds instead of the one that is there anyway."""

    python: str
    """Its ``python3``, in a folder that comes first in the program's search path."""
    readable: tuple[str, ...]
    """What a program must be able to read for it."""


@dataclass(frozen=True, slots=True)
class LaunchSpec:
    """What to start: a command as seen in the player's folder, its arguments, and the files of that folder.

    In the arguments ``{host}`` and ``{port}`` stand for where the game master is.
    """

    command: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    files: ProgramFiles | None = None
    package_path: tuple[str, ...] | None = None
    """Where it finds this package and its plug-ins beyond its Python's own places (``package_path``).

    ``None``: it does not get this package and its Python, as a ZIP must be self-contained.
    """
    runtime: Runtime | None = None
    """Its own Python, which then brings this package where that is wanted."""
    takes_notes: bool = True
    """Whether the caller wants the notes of the player."""

    @property
    def readable(self) -> tuple[str, ...]:
        """What it must be able to read beside what every program reads."""
        return () if self.runtime is None else self.runtime.readable

    def words(self, host: str, port: int) -> list[str]:
        """The command line with everything filled in."""
        first, *rest = self.command
        program = _python_of(self.runtime) if first == PYTHON else _java() if first == JAVA else first
        filled = (word.replace("{host}", host).replace("{port}", str(port)) for word in self.arguments)
        return [program, *rest, *filled]

    def environment(self, home: str, scratch: str, resource_limits: ResourceLimits) -> dict[str, str]:
        """The variables of a program, in every level: these few, and none of those with which we were started."""
        variables = {
            "PATH": SYSTEM_PATH,
            "HOME": home,
            "TMPDIR": scratch,
            "LANG": "C.UTF-8",
            # Our player kit prints in the language of its reader.
            "SPIELLEITER_LANG": system_language(),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            # A JVM would take a quarter of the machine's memory and as many collector threads as it has cores. Which
            # collector it takes, and another heap (-Xmx), is for the program to say: two collectors end the JVM.
            "JAVA_TOOL_OPTIONS": f"-XX:MaxRAM={resource_limits.memory // 10**6}m -XX:MaxRAMPercentage=70"
            " -XX:ActiveProcessorCount=1",
            # Go collects when its memory has doubled; from here on it does so earlier.
            "GOMEMLIMIT": str(resource_limits.memory * 4 // 5),
            # .NET would map its code twice by a memfd, which is refused where no control group counts memory.
            "DOTNET_EnableWriteXorExecute": "0",
        }
        if not self.takes_notes or os.environ.get("SPIELLEITER_NOTES") == "off":
            variables["SPIELLEITER_NOTES"] = "off"
        if sys.platform == "win32":
            variables |= {name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "TEMP") if name in os.environ}
        if self.runtime is not None or self.package_path is not None:
            python = _python_of(self.runtime)
            variables["PATH"] = os.pathsep.join((str(Path(python).parent), variables["PATH"]))
        if self.package_path:
            variables["PYTHONPATH"] = os.pathsep.join(self.package_path)
        return variables


def _python_of(runtime: Runtime | None) -> str:
    return bubblewrap.python() if runtime is None else runtime.python


def package_path(runtime: Runtime | None) -> tuple[str, ...]:
    """Where a Python finds this package and its plug-ins beyond its own places: what ``PYTHONPATH`` has to say.

    It says no more than that: ``PYTHONPATH`` comes before the packages of another Python that the program may start,
    and would give it this package instead of the one that is there. The first call for each Python starts it.
    """
    ours = () if runtime is not None else (str(Path(spielleiter.__file__).parent.parent),)
    known = _search_path(_python_of(runtime))
    places = dict.fromkeys((*ours, *plugins.search_paths()))
    return tuple(place for place in places if os.path.realpath(place) not in known)


@cache
def _search_path(python: str) -> frozenset[str]:
    """Where this Python looks for packages by itself, in whatever home; empty if that cannot be found out."""
    try:
        ran = subprocess.run(  # noqa: S603 - the Python that programs are started with
            [python, "-E", "-s", "-c", "import json, sys; print(json.dumps(sys.path[1:]))"],
            capture_output=True, timeout=_READY_TIMEOUT, check=True,
        )  # fmt: skip
        return frozenset(map(os.path.realpath, json.loads(ran.stdout)))
    except (OSError, TypeError, ValueError, subprocess.SubprocessError):
        return frozenset()


def _java() -> str:
    """Where it is, or its bare name, with which the start fails and says so."""
    return shutil.which("java") or "java"


async def start(
    spec: LaunchSpec,
    level: Level,
    resource_limits: ResourceLimits,
    *,
    address: tuple[str, int],
    report_leftovers: bool = False,
    private: Iterable[Path] = (),
) -> SandboxedProcess:
    """Start a player; it waits for ``go``. ``address`` is where it finds the game master without a network of its own.

    With ``report_leftovers`` its exit status names the processes that it left behind. It sees none of the ``private``
    folders, wherever they are. Raises ``SettingsError`` if this level does not work here.
    """
    resources = Resources()
    report = None
    try:
        if report_leftovers and sys.platform == "linux":
            resources.report, report = os.pipe()
        if level is not Level.NONE:
            # In bubblewrap the disk is memory, too, and its own processes are in the group.
            own_files = len(spec.files.data) if spec.files is not None and level is Level.BUBBLEWRAP else 0
            memory = resource_limits.memory + resource_limits.disk + own_files
            resources.cgroup = _cgroup(memory, resource_limits.processes + SANDBOX_PROCESSES)
        hidden = system_paths.exposed(private)
        if level is Level.BUBBLEWRAP:
            return await _start_in_bubblewrap(spec, resource_limits, resources, report, hidden)
        if level is Level.LANDLOCK and hidden:
            raise SettingsError(
                f"{hidden[0]} könnten in der Sandbox {level.value} alle Programme lesen: Lege die Saison in einen"
                " anderen Ordner.",
                f"in the sandbox {level.value} every program could read {hidden[0]}: move the season to another folder",
            )
        resources.folder = temporary_folder("player")
        return _start_in_folder(spec, level, resource_limits, address, resources, report)
    except BaseException:
        resources.release()
        raise
    finally:
        if report is not None:
            os.close(report)


def _cgroup(memory: int, processes: int) -> Cgroup | None:
    # To go on without would be against what the record says.
    with refusing(SettingsError, "Control Group", Text("lässt sich nicht anlegen", "cannot be created")):
        return Cgroup.create(memory=memory, processes=processes)


# --- bubblewrap -------------------------------------------------------------------------------------------------------


async def _start_in_bubblewrap(
    spec: LaunchSpec,
    resource_limits: ResourceLimits,
    resources: Resources,
    report: int | None,
    hidden: Sequence[str],
) -> SandboxedProcess:
    bwrap = bubblewrap.executable()
    if bwrap is None:
        raise SettingsError(
            "bubblewrap ist nicht installiert (das Programm bwrap).", "bubblewrap is not installed (the program bwrap)"
        )
    resources.user = OwnUser.claim()
    resources.control, theirs = socket.socketpair()
    control = resources.control
    counted = resources.cgroup is not None
    own_files = spec.files.data if spec.files else None
    with theirs, _memory_files(own_files, player_filter(counted=counted)) as (files, seccomp):
        command = bubblewrap.command(
            bwrap,
            spec.words("127.0.0.1", bubblewrap.PORT),
            resource_limits,
            environment=spec.environment(bubblewrap.HOME, "/tmp", resource_limits),  # noqa: S108
            control=theirs.fileno(),
            files=(-1, 0) if files is None or spec.files is None else (files, len(spec.files.data)),
            report=-1 if report is None else report,
            seccomp=seccomp,
            uid=None if resources.user is None else resources.user.uid,
            counted=counted,
            hidden=hidden,
            needed=spec.readable,
        )
        if resources.cgroup is not None:
            command = resources.cgroup.entered_by(command)
        inherited = [file for file in (theirs.fileno(), files, seccomp, report) if file is not None]
        with _on_cores(resource_limits.cores):
            process = _spawn(command, pass_fds=inherited)
    watchdog = Watchdog(process.pid, resource_limits, cgroup=resources.cgroup)
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
def _memory_files(*contents: bytes | mmap | None) -> Iterator[list[int | None]]:
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
    report: int | None,
) -> SandboxedProcess:
    """Start a player in a fresh folder on the disk, under a supervisor where the system has what that needs."""
    folder = resources.folder
    assert folder is not None
    unlimited = level is Level.NONE
    if not unlimited:
        resources.user = OwnUser.claim()  # Never root.
    words = spec.words(*address)
    if spec.files is not None and (problem := _unpack(spec.files, folder)):
        words = [bubblewrap.python(), "-I", "-S", "-c", _SAY_PROBLEM, problem]
    if resources.user is not None:
        _give(folder, resources.user.uid)
    environment = spec.environment(str(folder), str(folder), resource_limits)
    with _on_cores(resource_limits.cores):
        if sys.platform == "linux":
            lifeline, resources.lifeline = os.pipe()
            command = [bubblewrap.python(), "-I", "-S", str(_SUPERVISOR), str(lifeline)]
            try:
                inherited = [file for file in (lifeline, report) if file is not None]
                process = _spawn(command, environment=environment, folder=folder, pass_fds=inherited)
            finally:
                os.close(lifeline)
        else:
            process = _spawn(words, environment=environment, folder=folder)
    if resources.lifeline is not None:
        supervised = {
            "player": words,
            "report": report,
            "entrances": [] if resources.cgroup is None else resources.cgroup.entrances,
            **_supervision(level, resource_limits, address, resources, process.pid, spec.readable),
        }
        with suppress(BrokenPipeError), open(resources.lifeline, "wb", closefd=False) as writer:
            writer.write(json.dumps(supervised).encode() + b"\n")
    watched = resource_limits
    if unlimited:
        watched = replace(watched, memory=_NO_LIMIT, processes=_NO_LIMIT, disk=_NO_LIMIT, files=_NO_LIMIT)
    watchdog = Watchdog(process.pid, watched, folder=folder, cgroup=resources.cgroup)
    return SandboxedProcess(level, process, watchdog, resources)


def _unpack(files: ProgramFiles, folder: Path) -> str:
    """Why a program cannot be unpacked, by its own fault; raises ``SettingsError`` if it is the machine's."""
    with refusing(SettingsError, folder, WRITE):
        try:
            files.unpack(folder)
        except OSError as refusal:
            if refusal.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
                raise
            return f"the program cannot be unpacked: {refusal.strerror}"
    return ""


def _supervision(
    level: Level,
    resource_limits: ResourceLimits,
    address: tuple[str, int],
    resources: Resources,
    supervisor: int,
    needed: tuple[str, ...],
) -> dict[str, object]:
    limits: dict[str, int] = {}
    landlock = system_calls = None
    counted = resources.cgroup is not None
    if level is not Level.NONE:
        limits = {
            "RLIMIT_CORE": 0,
            "RLIMIT_FSIZE": resource_limits.disk,
            "RLIMIT_NOFILE": resource_limits.descriptors(counted=counted),
        }
        # Counted for each user: without one of its own only a ceiling, so that a fork bomb leaves the machine usable.
        if resources.user is not None:
            limits["RLIMIT_NPROC"] = resource_limits.processes
        elif not counted:
            limits["RLIMIT_NPROC"] = processes_of_user(os.getuid()) + _SHARED_PROCESSES * resource_limits.processes
        system_calls = player_filter(counted=counted, supervisor=supervisor)
    if level is Level.LANDLOCK:
        seen = [*system_paths.readable(needed), *_LOOKED_UP, "/proc", "/sys/devices/system"]
        # Python looks for a package by the names in the folder around it.
        around = sorted({str(Path(path).parent) for path in plugins.readable_paths()})
        landlock = {
            "readable": seen, "listable": around, "writable": [str(resources.folder)], "port": address[1]
        }  # fmt: skip
    return {
        "uid": None if resources.user is None else resources.user.uid,
        "covers": {} if resources.user is None else system_paths.closed_folders(needed),
        "folder": str(resources.folder),
        "limits": limits,
        "landlock": landlock,
        "filter": None if system_calls is None else system_calls.hex(),
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
    with refusing(SettingsError, command[0], START):
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
