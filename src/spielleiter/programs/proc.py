"""What the system tells of running processes, by its folder /proc; where there is none, nothing is known."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True, slots=True)
class ProcessInfo:
    """A running process."""

    pid: int
    name: str
    session: int
    memory: int
    """Bytes that it keeps in memory now."""


def known() -> bool:
    """Whether this system tells of its processes."""
    return (_PROC / "self" / "stat").exists()


def of_session(session: int) -> list[ProcessInfo]:
    """The processes of this session."""
    return [info for info in _processes() if info.session == session]


def family(session: int, marker: str) -> list[ProcessInfo]:
    """The processes of this session, and those whose environment has ``marker``, wherever they have fled."""
    return [info for info in _processes() if info.session == session or _has_marker(info.pid, marker)]


def _processes() -> Iterator[ProcessInfo]:
    for entry in _PROC.glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # Gone meanwhile.
        # The name stands in brackets and may hold anything, brackets too.
        name, _, rest = stat.partition("(")[2].rpartition(")")
        fields = rest.split()
        if fields[0] not in "ZX":  # The dead do not count.
            yield ProcessInfo(int(entry.name), name, int(fields[3]), int(fields[21]) * _PAGE)


def _has_marker(pid: int, marker: str) -> bool:
    try:
        return marker.encode() in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except OSError:
        return False  # Gone, or somebody else's.
