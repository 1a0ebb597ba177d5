"""A control group for each player, where one can be had: there the kernel itself counts memory, processes and time.

It counts what no process maps as well: memfd, detached shared memory, buffers of sockets, extended attributes. Groups
lie in one folder ``spielleiter`` of the hierarchy. That of a run that was killed is found and removed by the next one:
a group is locked while its run lives.

There are two versions, and both are served: version 1 as root, version 2 where we may write (as root, or in what
systemd has delegated to a user).
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

_FOLDER = "spielleiter"
_NEEDED = ("memory", "pids")
_USEFUL = ("freezer", "cpuacct")
"""Controllers of version 1; in version 2 every group can be frozen, and knows its time."""
_SOCKET_MEMORY = "memory.kmem.tcp.{}_in_bytes"
_REMOVE_SECONDS = 2.0
_CREATE_RETRIES = 3
"""Between its making and its lock, a group looks abandoned to a run that has just begun."""
_numbers = count(1)


@dataclass(slots=True)
class Cgroup:
    """The group of one player. ``remove`` must be called, and leaves no process in it."""

    folders: Mapping[str, Path]
    """The folder of each controller; in version 2 it is always the same one."""
    unified: bool
    """Whether this is version 2."""
    _lock: int
    _removed: bool = field(default=False, init=False)

    @classmethod
    def create(cls, *, memory: int, processes: int) -> Cgroup | None:
        """A group with these limits; ``None`` where there are none. Raises ``OSError`` if this one cannot be made."""
        place = _place()
        if place is None:
            return None
        for _ in range(_CREATE_RETRIES):
            with suppress(OSError):
                return cls._created(place, memory, processes)
        return cls._created(place, memory, processes)

    @classmethod
    def _created(cls, place: _Place, memory: int, processes: int) -> Cgroup:
        name = f"player-{os.getpid()}-{next(_numbers)}"
        folders = {controller: root / name for controller, root in place.roots.items()}
        for folder in dict.fromkeys(folders.values()):
            folder.mkdir()
        group = cls(folders, place.unified, _locked(folders["memory"]))
        try:
            group._limit(memory, processes)
        except OSError:
            group.remove()
            raise
        return group

    def _limit(self, memory: int, processes: int) -> None:
        if self.unified:
            self._write("memory", "memory.max", memory)
            self._write_if_there("memory", "memory.swap.max", 0)
            self._write_if_there("memory", "memory.oom.group", 1)
        else:
            self._write("memory", "memory.limit_in_bytes", memory)
            self._write_if_there("memory", "memory.memsw.limit_in_bytes", memory)
            # Only with a limit does version 1 count what TCP and UDP hold, and it counts that apart.
            self._write_if_there("memory", _SOCKET_MEMORY.format("limit"), memory)
        self._write("pids", "pids.max", processes)

    @property
    def entrances(self) -> list[str]:
        """Files for a process to enter by: it writes ``0`` to each of them."""
        return [str(folder / "cgroup.procs") for folder in dict.fromkeys(self.folders.values())]

    def entered_by(self, command: Sequence[str]) -> list[str]:
        """``command``, which enters the group before it starts: so nothing of it was ever outside."""
        enter = [f"echo 0 >{shlex.quote(entrance)}" for entrance in self.entrances]
        return ["/bin/sh", "-c", " && ".join((*enter, 'exec "$@"')), "sh", *command]

    # --- what it uses -------------------------------------------------------------------------------------------------

    @property
    def memory(self) -> int:
        """The bytes in use, without copies of files on the disk, which the kernel can drop at any time."""
        prefix, files = ("", "file") if self.unified else ("total_", "cache")
        stat = self._table("memory", "memory.stat")
        current = self._number("memory", "memory.current" if self.unified else "memory.usage_in_bytes")
        sockets = 0 if self.unified else self._number("memory", _SOCKET_MEMORY.format("usage"))
        return max(0, current - stat.get(f"{prefix}{files}", 0) + stat.get(f"{prefix}shmem", 0)) + sockets

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel had to end a process because the group was at its limit."""
        events = self._table("memory", "memory.events" if self.unified else "memory.oom_control")
        return events.get("oom_kill", 0) > 0

    @property
    def processes(self) -> int:
        """Processes and threads."""
        return self._number("pids", "pids.current")

    @property
    def processor_time(self) -> float | None:
        """Seconds, of those that have ended too; ``None`` if the group does not count them."""
        if self.unified:
            used = self._table("memory", "cpu.stat").get("usage_usec")
            return None if used is None else used / 1e6
        return self._number("cpuacct", "cpuacct.usage") / 1e9 if "cpuacct" in self.folders else None

    # --- what can be done to it ---------------------------------------------------------------------------------------

    @property
    def can_freeze(self) -> bool:
        """Whether ``freeze`` works."""
        return self.unified or "freezer" in self.folders

    def freeze(self, frozen: bool) -> None:
        """Stop all processes in it, or let them go on: none of them can notice or prevent it."""
        with suppress(OSError):
            if self.unified:
                self._write("memory", "cgroup.freeze", int(frozen))
            else:
                self._write("freezer", "freezer.state", "FROZEN" if frozen else "THAWED")

    def pids(self) -> list[int]:
        """The processes in it."""
        try:
            return [int(pid) for pid in (self.folders["pids"] / "cgroup.procs").read_text().split()]
        except OSError:
            return []

    def kill(self) -> None:
        """Send SIGKILL to all processes in it."""
        if self.can_freeze:
            self.freeze(False)  # In version 1 who is frozen does not die.
        for pid in self.pids():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)

    def remove(self) -> None:
        """End all processes in it, then the group. Idempotent."""
        if not self._removed:
            self._removed = True
            _remove(self)
            os.close(self._lock)

    # --- files --------------------------------------------------------------------------------------------------------

    def _write(self, controller: str, name: str, value: object) -> None:
        (self.folders[controller] / name).write_text(str(value), encoding="ascii")

    def _write_if_there(self, controller: str, name: str, value: object) -> None:
        with suppress(FileNotFoundError):
            self._write(controller, name, value)

    def _number(self, controller: str, name: str) -> int:
        try:
            return int((self.folders[controller] / name).read_bytes())
        except (OSError, ValueError):
            return 0

    def _table(self, controller: str, name: str) -> dict[str, int]:
        try:
            lines = (self.folders[controller] / name).read_text(encoding="ascii").splitlines()
        except OSError:
            return {}
        return {key: int(value) for key, _, value in (line.partition(" ") for line in lines)}


def _locked(folder: Path) -> int:
    """A descriptor of the folder, locked while this process lives. Raises ``OSError`` if another process has it."""
    import fcntl

    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise
    return file


def _remove(group: Cgroup) -> None:
    deadline = time.monotonic() + _REMOVE_SECONDS
    # The memory's folder is made first and goes last: it is the one by which an abandoned group is found.
    for folder in reversed(dict.fromkeys(group.folders.values())):
        while folder.exists():
            try:
                folder.rmdir()
            except OSError:
                # A killed process takes a moment to be gone.
                if time.monotonic() > deadline:
                    break
                group.kill()
                time.sleep(0.002)


# --- where groups can be made -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """The folders in which groups are made, by controller."""

    roots: Mapping[str, Path]
    unified: bool


def available() -> bool:
    """Whether players get a control group here."""
    return _place() is not None


@cache
def _place() -> _Place | None:
    """Where groups can be made, found by trying; what dead runs have left there is removed."""
    if sys.platform != "linux":
        return None
    for roots, unified in _candidates():
        place = _Place({controller: root / _FOLDER for controller, root in roots.items()}, unified)
        if _works(place):
            _remove_abandoned(place)
            return place
    return None


def _candidates() -> Iterator[tuple[dict[str, Path], bool]]:
    """The hierarchies of this machine that have what we need: the folder of each controller."""
    mounts = _mounts()
    named = {name: path for names, path in mounts if names is not None for name in names}
    if all(name in named for name in _NEEDED):
        yield {name: named[name] for name in (*_NEEDED, *_USEFUL) if name in named}, False
    for names, path in mounts:
        if names is None:
            yield from ((dict.fromkeys(_NEEDED, folder), True) for folder in _delegated(path))


def _mounts() -> list[tuple[tuple[str, ...] | None, Path]]:
    """Every mounted hierarchy: its controllers (``None`` for version 2), and where it is."""
    found: list[tuple[tuple[str, ...] | None, Path]] = []
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
            fields, _, rest = line.partition(" - ")
            kind, _, options = rest.split(" ", 2)
            if kind in ("cgroup", "cgroup2"):
                names = None if kind == "cgroup2" else tuple(options.split(","))
                found.append((names, Path(fields.split()[4])))
    return found


def _delegated(mount: Path) -> Iterator[Path]:
    """The groups of version 2 above ours, the topmost first, in which we may make others with all controllers."""
    with suppress(OSError, StopIteration, ValueError):
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        own = next(line[3:] for line in lines if line.startswith("0::"))
        folder = mount
        for part in ("", *Path(own.lstrip("/")).parts):
            folder /= part
            controllers = (folder / "cgroup.subtree_control").read_text(encoding="ascii").split()
            if set(_NEEDED) <= set(controllers) and os.access(folder / "cgroup.procs", os.W_OK):
                yield folder


def _works(place: _Place) -> bool:
    """Whether a group can be made there: tried with an empty one."""
    trial = f"trial-{os.getpid()}"
    try:
        for root in dict.fromkeys(place.roots.values()):
            root.mkdir(exist_ok=True)
            if place.unified:
                (root / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in _NEEDED), encoding="ascii")
            (root / trial).mkdir()
            (root / trial).rmdir()
    except OSError:
        return False
    return True


def _remove_abandoned(place: _Place) -> None:
    """Remove the groups that are not locked: their run was killed."""
    for folder in place.roots["memory"].glob("player-*"):
        try:
            lock = _locked(folder)
        except OSError:
            continue
        Cgroup(
            {controller: root / folder.name for controller, root in place.roots.items()}, place.unified, lock
        ).remove()
