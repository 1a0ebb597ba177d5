"""How programs ended: exit code, memory and last words, kept beside the record of their game, within bounds."""

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

log = logging.getLogger("spielleiter.web")

_ENDING = ".programs.json"
_LINES = 60
_CHARACTERS = 12_000
"""So much of the last words is kept: lines, and characters altogether."""
_LARGEST_FILE = 1 << 18


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """What is known of a program: while it runs, how far it has come."""

    exit_code: int | None
    """Minus the signal if one ended it; ``None`` while it runs."""
    peak_memory: int
    """The most bytes that it had at once, 0 where nobody knows."""
    output: str
    errors: str
    """The last lines on both of its outputs."""
    was_killed: bool = False
    """Whether it was still running some time after its game, and had to be ended."""

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
    lines = text[-_CHARACTERS:].rstrip().split("\n")[-_LINES:]
    return "\n".join("".join(char if char.isprintable() or char == "\t" else "�" for char in line) for line in lines)


def beside(record: Path) -> Path:
    """Where the ends of the programs of a recorded game are kept."""
    return record.with_name(record.name.removesuffix(".gz").removesuffix(".jsonl") + _ENDING)


def keep(record: Path, ends: Mapping[Team, ProgramEnd]) -> None:
    """Write down how the programs of a recorded game ended. A full disk is no reason to end anything else."""
    path = beside(record)
    try:
        unfinished = path.with_name(path.name + ".new")
        unfinished.write_text(json.dumps({team.name: asdict(end) for team, end in ends.items()}), encoding="utf-8")
        os.replace(unfinished, path)
    except OSError as problem:
        log.warning("%s: how the programs ended is not kept: %s", path, problem.strerror or problem)


def find(record: Path) -> dict[Team, ProgramEnd]:
    """How the programs of a recorded game ended, as far as that was kept and can be read."""
    path = beside(record)
    try:
        if not path.is_file() or path.is_symlink() or path.stat().st_size > _LARGEST_FILE:
            return {}
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(told, dict):
        return {}
    found = {team: _read(told.get(team.name)) for team in TEAMS}
    return {team: end for team, end in found.items() if end is not None}


def _read(told: Any) -> ProgramEnd | None:
    match told:
        case {
            "exit_code": int() | None as code,
            "peak_memory": int(memory),
            "output": str(output),
            "errors": str(errors),
        }:
            killed = told.get("was_killed") is True
            return None if memory < 0 else ProgramEnd(code, memory, last_lines(output), last_lines(errors), killed)
    return None
