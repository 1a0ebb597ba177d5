"""Looks every 20 ms at what a player's processes use, and says when that is too much.

In a control group the kernel counts, and keeps a limit of its own a little above. Without one, memory is counted as
resident, over the whole tree of processes: under a limit of address space no JVM would start. Pages that forked
processes share are counted once, but only when the plain sum is too large, because that costs more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.programs.sandbox.files import MAX_FILES
from spielleiter.programs.sandbox.kernel.cgroup import Cgroup
from spielleiter.programs.sandbox.limits import Breach, ResourceLimits

POLL_SECONDS = 0.02
SANDBOX_PROCESSES = 4
"""Ours around a player, at most."""
_USUAL_SOCKETS = 64
SOCKET_BUFFERS = 212_992
"""What a socket holds at most: the kernel's own size of a buffer, which players cannot change, and less for TCP."""
_PAGE_TABLES = b"VmPTE:"
"""A program that only reads, far apart, in pages of zeros has nothing else."""
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def tree(pid: int) -> Iterator[int]:
    """``pid`` and all processes below it, as far as the system knows."""
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        yield parent
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children", "rb") as file:
                    waiting += map(int, file.read().split())
        except OSError:
            continue


def resident(pid: int) -> int:
    """The bytes of real memory of one process, shared ones included; 0 if it is gone."""
    return _sum_of(f"/proc/{pid}/status", b"VmRSS:", _PAGE_TABLES)


def proportional(pid: int) -> int:
    """The bytes of real memory of one process, with its part of the shared ones; 0 if it is gone."""
    return _sum_of(f"/proc/{pid}/smaps_rollup", b"Pss:") + _sum_of(f"/proc/{pid}/status", _PAGE_TABLES)


def _sum_of(path: str, *names: bytes) -> int:
    """The bytes that stand in kilobytes behind these names."""
    try:
        with open(path, "rb") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(names)) * 1024
    except (OSError, IndexError):
        return 0


def processor_time(pid: int) -> float:
    """The seconds of processor time of one process and of its children that have ended; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
            return sum(map(int, fields[11:15])) / _TICKS
    except (OSError, IndexError):
        return 0.0


def processes_of_user(uid: int) -> int:
    """How many processes and threads a user has now."""
    found = 0
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                if os.stat(f"/proc/{entry}").st_uid == uid:
                    with open(f"/proc/{entry}/stat", "rb") as file:
                        found += int(file.read().rpartition(b")")[2].split()[17])
            except OSError:
                continue
    return found


def _buffers(sockets: int) -> int:
    """The bytes that so many sockets may hold beyond those that every program has."""
    return max(0, sockets - _USUAL_SOCKETS) * SOCKET_BUFFERS


@dataclass(slots=True)
class Watchdog:
    """Watches the processes below ``pid`` and the disk: ``root`` of a sandbox, or a ``folder``."""

    pid: int
    resource_limits: ResourceLimits
    root: int | None = None
    """A descriptor of the sandbox's file system, which is a piece of memory."""
    folder: Path | None = None
    first: int | None = None
    """The first process of the sandbox's own namespace; without one, ``pid`` is that of a supervisor."""
    cgroup: Cgroup | None = None
    peak_memory: int = field(default=0, init=False)
    processor_time: float = field(default=0.0, init=False)
    _looks: int = field(default=0, init=False)
    _own: tuple[int, int] | None = field(default=None, init=False)
    """Bytes and number of the program's own files."""
    _at_game: int | None = field(default=None, init=False)
    """Bytes of its files when its game began."""

    def look(self) -> Breach | None:
        """What the player went over right now, or ``None``."""
        breach = self._look_at_processes() if self.cgroup is None else self._look_at_cgroup(self.cgroup)
        if breach is not None:
            return breach
        self._looks += 1
        # The disk fills more slowly than memory.
        return self._look_at_disk() if self._looks % 5 == 0 else None

    def last_look(self) -> Breach | None:
        """What only shows when all has ended: that the kernel had to end it."""
        self.measure_processor_time()
        return None if self.cgroup is None else self._look_at_cgroup(self.cgroup)

    def measure_processor_time(self) -> float:
        """The seconds of processor time so far; those that have ended may be missing without a control group."""
        used = None if self.cgroup is None else self.cgroup.processor_time
        if used is None:
            used = sum(map(processor_time, tree(self.pid)))
        self.processor_time = max(self.processor_time, used)
        return self.processor_time

    def _look_at_cgroup(self, cgroup: Cgroup) -> Breach | None:
        sockets = self._sockets()
        memory = cgroup.memory
        if self.root is not None and memory > self.peak_memory:
            # Its files lie in memory too, those that it brought and those that it wrote, but have limits of their own.
            memory = max(0, memory - self._disk()[0])
        # What waits for ``accept`` belongs to no group.
        memory += _buffers(sockets)
        self.measure_processor_time()
        if cgroup.out_of_memory:
            memory = max(memory, self.resource_limits.memory + 1)
        self.peak_memory = max(self.peak_memory, memory)
        if memory > self.resource_limits.memory:
            return Breach.MEMORY
        return Breach.SOCKETS if sockets > self.resource_limits.sockets else None

    def _look_at_processes(self) -> Breach | None:
        pids = list(tree(self.pid))
        memory = sum(map(resident, pids))
        if memory > self.resource_limits.memory:
            memory = sum(proportional(pid) for pid in pids) or memory
        sockets = self._sockets()
        memory += _buffers(sockets)
        self.peak_memory = max(self.peak_memory, memory)
        self.processor_time = max(self.processor_time, sum(map(processor_time, pids)))
        if memory > self.resource_limits.memory:
            return Breach.MEMORY
        if sockets > self.resource_limits.sockets:
            return Breach.SOCKETS
        return Breach.PROCESSES if len(pids) > self.resource_limits.processes + SANDBOX_PROCESSES else None

    def _sockets(self) -> int:
        """How many sockets there are in the sandbox's own network, also closed ones that still hold something."""
        if self.first is None:
            return 0
        try:
            with open(f"/proc/{self.first}/net/sockstat", "rb") as file:
                return int(file.readline().split()[2])
        except (OSError, ValueError, IndexError):
            return 0

    def player_pids(self) -> list[int]:
        """The player and all that it has started, without the processes of the sandbox around it."""
        guard = self.pid if self.first is None else self.first
        return [pid for pid in tree(guard) if pid != guard]

    def start(self) -> None:
        """Remember how much disk the program's own files take."""
        self._own = self._disk()

    def game_began(self) -> None:
        """Count what the program writes from now on as its log, without earlier files such as installed packages."""
        if self._own is not None:
            self._at_game = self._disk()[0]

    def disk_growth(self) -> int:
        """The bytes that the program has added to its files since its game began, or to its own ones if it has not."""
        if self._at_game is not None:
            return max(0, self._disk()[0] - self._at_game)
        return 0 if self._own is None else max(0, self._disk()[0] - self._own[0])

    def _look_at_disk(self) -> Breach | None:
        (size, files), (own_size, own_files) = self._disk(), self._own or (0, 0)
        # The size of a sandbox is limited by itself; what is left to count there are files, also empty ones.
        if self.root is None and size - own_size > self.resource_limits.disk:
            return Breach.DISK
        return Breach.FILES if files - own_files > self.resource_limits.files else None

    def _disk(self) -> tuple[int, int]:
        """Bytes and number of files and folders that the player has now, its own included."""
        if self.root is not None:
            try:
                system = os.fstatvfs(self.root)
            except OSError:
                return 0, 0
            return (system.f_blocks - system.f_bfree) * system.f_frsize, system.f_files - system.f_ffree
        return (0, 0) if self.folder is None else _size(self.folder, MAX_FILES + self.resource_limits.files)


def _size(folder: Path, max_files: int) -> tuple[int, int]:
    """Bytes and number of files and folders below ``folder``; with more than ``max_files`` it looks no further."""
    size = files = 0
    waiting = [os.fspath(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    if files > max_files:
                        return size, files
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue  # It was removed meanwhile.
    return size, files
