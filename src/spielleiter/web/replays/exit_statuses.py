"""How programs ended: exit code, memory and last output, stored beside the record of their game."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spielleiter.atomic_files import atomic_write
from spielleiter.game import TEAMS, Team
from spielleiter.programs.sandbox import Breach, ExitStatus
from spielleiter.text import printable

log = logging.getLogger("spielleiter.web")

_SUFFIX = ".programs.json"
_MAX_LINES = 60
_MAX_CHARACTERS = 12_000
"""Characters of the last output that a page shows."""
_MAX_STORED = 200_000
"""Bytes of each output that are stored, from the end."""
_MAX_FILE_SIZE = 4 << 20


def last_lines(printed: bytes) -> str:
    """The end of what a program wrote, fit to be shown."""
    text = printable(printed.decode("utf-8", "replace")[-_MAX_CHARACTERS:])
    return "\n".join(text.rstrip().split("\n")[-_MAX_LINES:])


def path_beside(record: Path) -> Path:
    """Where the exit statuses of a recorded game are stored."""
    return record.with_name(record.name.removesuffix(".gz").removesuffix(".jsonl") + _SUFFIX)


def write(record: Path, statuses: Mapping[Team, ExitStatus]) -> None:
    """Store how the programs of a recorded game ended. A full disk is logged, and ends nothing else."""
    path = path_beside(record)
    try:
        with atomic_write(path) as draft:
            draft.write_text(json.dumps({team.name: _to_json(status) for team, status in statuses.items()}))
    except OSError as problem:
        log.warning("%s: the exit statuses are not stored: %s", path, problem.strerror or problem)


def _to_json(status: ExitStatus) -> dict[str, Any]:
    out, err = (printed[-_MAX_STORED:].decode("utf-8", "replace") for printed in (status.out, status.err))
    return {
        "code": status.code,
        "breach": None if status.breach is None else status.breach.name,
        "out": out,
        "err": err,
        "peak_memory": status.peak_memory,
        "processor_time": status.processor_time,
    }


def read(record: Path) -> dict[Team, ExitStatus]:
    """How the programs of a recorded game ended, as far as that was stored and can be read."""
    path = path_beside(record)
    try:
        if not path.is_file() or path.is_symlink() or path.stat().st_size > _MAX_FILE_SIZE:
            return {}
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    found = {team: _read(data.get(team.name)) for team in TEAMS}
    return {team: end for team, end in found.items() if end is not None}


def _read(data: Any) -> ExitStatus | None:
    match data:
        case {
            "code": int() | None as code,
            "breach": str() | None as breach,
            "out": str(out),
            "err": str(err),
            "peak_memory": int(memory),
            "processor_time": float(seconds),
        } if memory >= 0 and (breach is None or breach in Breach.__members__):
            exceeded = None if breach is None else Breach[breach]
            return ExitStatus(
                code, exceeded, out.encode("utf-8", "replace"), err.encode("utf-8", "replace"), memory, seconds
            )
    return None
