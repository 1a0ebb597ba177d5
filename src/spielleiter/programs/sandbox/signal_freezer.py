"""Stops the processes of a program by signals, where no control group can freeze them.

A stopped process starts no other and wakes none. Whatever runs later was started or woken by one that was missed (a
fork that was under way), or by a program that evades on purpose: chains of short-lived processes, timers that send
SIGCONT. So the program is looked at again and again while it should stand still.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

_MAX_PASSES = 20
"""An honest program stands still after two or three."""
_MAX_ESCAPES = 10
"""Looks at a program that should stand still and does not: more than system calls that were under way explain."""
_TIMES, _START = slice(11, 13), 19
"""Fields of a process in /proc, behind its name."""


class _Process(NamedTuple):
    start: bytes
    """Start time; ids are reused, so only both together identify a process."""
    ticks: int
    """Its processor time: on a busy machine a process that is about to stop may take long, but it does not run."""


class SignalFreezer:
    """Stops all processes that ``pids`` finds, and knows when they do not stay stopped."""

    def __init__(self, pids: Callable[[], Iterable[int]]) -> None:
        self._pids = pids
        self._stopped: dict[int, _Process] | None = None
        """Stopped processes as last seen, by id; ``None`` while all may run."""
        self._escapes = 0

    def freeze(self, frozen: bool) -> None:
        """Stop all processes, or let them go on."""
        if frozen:
            self._stopped, self._escapes = {}, 0
            for _ in range(_MAX_PASSES):
                if not self._stop_running(self._stopped):
                    return
            self._escapes = _MAX_ESCAPES // 2
        else:
            self._stopped = None
            for pid in self._pids():
                with suppress(OSError):
                    os.kill(pid, signal.SIGCONT)

    def is_evaded(self) -> bool:
        """Whether the program runs on though it is stopped; what runs is stopped again."""
        if self._stopped is not None and self._stop_running(self._stopped):
            self._escapes += 1
        return self._escapes > _MAX_ESCAPES

    def _stop_running(self, processes: dict[int, _Process]) -> bool:
        """Stop what is new or runs again; whether there was any."""
        found = False
        for pid in self._pids():
            before, now = processes.get(pid), _look_at(pid)
            if now is None:
                found |= before is None  # It came and went.
                continue
            if before is None or before.start != now.start or before.ticks < now.ticks:
                found = True
                with suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
            processes[pid] = now
        return found


def _look_at(pid: int) -> _Process | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return _Process(fields[_START], sum(map(int, fields[_TIMES])))
    except (OSError, IndexError):
        return None
