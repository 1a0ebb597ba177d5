"""How programs ended: exit code, memory and last output, stored beside the record of their game."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spielleiter.game import TEAMS, Team
from spielleiter.text import printable

log = logging.getLogger("spielleiter.web")

_SUFFIX = ".programs.json"
_MAX_LINES = 60
_MAX_CHARACTERS = 12_000
"""Of the last output."""
_MAX_FILE_SIZE = 1 << 18


@dataclass(frozen=True, slots=True)
class ExitStatusView:
    """How a program ended, as pages show it; or how far it has come, while it runs."""

    exit_code: int | None
    """Minus the signal if one ended it; ``None`` while it runs."""
    peak_memory: int
    """In bytes; 0 where it is not known."""
    output: str
    errors: str
    """The last lines on both of its outputs."""
    was_killed: bool = False
    """Whether it was still running some time after its game, and had to be killed."""

    @property
    def signal_name(self) -> str | None:
        """The name of the signal that ended it, if one did."""
        if self.exit_code is None or self.exit_code >= 0:
            return None
        with suppress(ValueError):
            return signal.Signals(-self.exit_code).name
        return str(-self.exit_code)


def last_lines(text: str) -> str:
    """The end of what a program wrote, fit to be shown."""
    return "\n".join(printable(text[-_MAX_CHARACTERS:]).rstrip().split("\n")[-_MAX_LINES:])


def path_beside(record: Path) -> Path:
    """Where the exit statuses of a recorded game are stored."""
    return record.with_name(record.name.removesuffix(".gz").removesuffix(".jsonl") + _SUFFIX)


def write(record: Path, statuses: Mapping[Team, ExitStatusView]) -> None:
    """Store how the programs of a recorded game ended. A full disk is logged, and ends nothing else."""
    path = path_beside(record)
    try:
        unfinished = path.with_name(path.name + ".new")
        unfinished.write_text(
            json.dumps({team.name: asdict(status) for team, status in statuses.items()}), encoding="utf-8"
        )
        os.replace(unfinished, path)
    except OSError as problem:
        log.warning("%s: the exit statuses are not stored: %s", path, problem.strerror or problem)


def read(record: Path) -> dict[Team, ExitStatusView]:
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


def _read(data: Any) -> ExitStatusView | None:
    match data:
        case {
            "exit_code": int() | None as code,
            "peak_memory": int(memory),
            "output": str(output),
            "errors": str(errors),
        }:
            killed = data.get("was_killed") is True
            return None if memory < 0 else ExitStatusView(code, memory, last_lines(output), last_lines(errors), killed)
    return None
