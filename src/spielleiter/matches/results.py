"""The results of a match: one line of JSON per game, safe on the disk before the next one counts."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spielleiter.errors import OPEN, READ, WRITE, RecordError, refusing
from spielleiter.game import Team, Text
from spielleiter.pressure import is_busy
from spielleiter.programs.side_result import SideResult
from spielleiter.values import Values, parse_json

FORMAT = 1
MAX_ATTEMPTS = 3
"""Attempts at a game lost on time on a busy machine; then a match counts it, and a contest asks its organisers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """One finished game of a match."""

    id: str
    pair: str = ""
    """The two games from one start, with sides changed; empty outside of a match."""
    round: int = 0
    sides: tuple[SideResult, SideResult]
    """ONE and TWO."""
    winner: Team | None
    counts: bool
    """False for a game without a move: both failed to start."""
    reason: Text
    start: str
    final: str
    plies: int
    seconds: float
    started: str
    host: str = ""
    record: str = ""
    pressure: float | None = None
    """How busy the machine was meanwhile; ``None`` where it was not measured. See ``pressure``."""
    adjudicated: bool = False
    """It was ended early, because it seemed decided."""
    attempt: int = 1
    """The first is 1: a game lost on time on a busy machine may be played again, and the last attempt counts."""

    @property
    def untimely(self) -> tuple[bool, bool]:
        """Which sides lost on time while the machine was too busy to trust the times."""
        one, two = (is_busy(self.pressure) and side.lost_on_time for side in self.sides)
        return one, two

    @property
    def names(self) -> tuple[str, str]:
        """The players, ONE first."""
        return self.sides[0].name, self.sides[1].name

    @property
    def victory_points(self) -> tuple[int, int]:
        """2 for a win, 1 for a draw, 0 for a loss."""
        if self.winner is None:
            return (1, 1)
        return (2, 0) if self.winner is Team.ONE else (0, 2)

    def to_json(self) -> dict[str, Any]:
        """The row as it stands in the file."""
        data = asdict(self)
        data["winner"] = None if self.winner is None else self.winner.name
        return data


_LOCK_TRIES, _PEEK_SECONDS = 3, 0.005
"""Who only asks whether somebody writes (``is_being_written``) has the file for a moment."""


class LineFile:
    """A file to which lines are appended and forced to the disk; one process at a time. Raises ``RecordError``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with refusing(RecordError, path, OPEN):
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        for _ in range(_LOCK_TRIES):
            if _lock(self._file):
                break
            time.sleep(_PEEK_SECONDS)
        else:
            os.close(self._file)
            raise RecordError(f"{path}: ein anderes Match schreibt hier.", f"{path}: another match is writing here")
        self._size = 0

    def go_on_after(self, size: int) -> None:
        """Drop what stands behind the last whole line: it was cut when the process was killed."""
        self._size = size
        os.ftruncate(self._file, size)
        os.lseek(self._file, 0, os.SEEK_END)

    def append(self, data: dict[str, Any]) -> None:
        """Store a line of JSON. If the disk does not take it, the file is as before."""
        line = json_line(data)
        with refusing(RecordError, self.path, WRITE):
            try:
                written = 0
                while written < len(line):
                    written += os.write(self._file, line[written:])
                os.fsync(self._file)
            except OSError:
                with suppress(OSError):
                    self.go_on_after(self._size)
                raise
        self._size += len(line)

    def close(self) -> None:
        """Let others write. Idempotent."""
        file, self._file = self._file, -1  # A later write must not hit another file of that number.
        if file >= 0:
            os.close(file)


def json_line(data: dict[str, Any]) -> bytes:
    """The line of a file."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class ResultFile:
    """``results.jsonl``: rows are appended and forced to the disk; one process at a time.

    A line that was cut when the process was killed is dropped: that game counts as not played.
    """

    def __init__(self, path: Path) -> None:
        self.rows: list[MatchGame] = []
        self._file = LineFile(path)
        try:
            size = 0
            for row, end in read_rows(path):
                self.rows.append(row)
                size = end
            self._file.go_on_after(size)
        except BaseException:
            self._file.close()
            raise

    def append(self, row: MatchGame) -> None:
        """Store a row. Raises ``RecordError`` if the disk does not take it; then the file is as before."""
        self._file.append(row.to_json())
        self.rows.append(row)

    def close(self) -> None:
        """Let others write."""
        self._file.close()


def _lock(file: int, *, shared: bool = False) -> bool:
    """Whether no other process has the file; we do from now on. A shared lock keeps writers out, not readers."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_being_written(path: Path) -> bool:
    """Whether a match is writing its results there now; unknown on Windows."""
    try:
        with path.open("rb") as file:
            return not _lock(file.fileno(), shared=True)
    except OSError:
        return False  # Its reader will report it.


def last_attempts(rows: Iterable[MatchGame]) -> list[MatchGame]:
    """The last attempt of each game, in the order in which they came."""
    last: dict[str, MatchGame] = {}
    for row in rows:
        last.pop(row.id, None)
        last[row.id] = row
    return list(last.values())


def read_rows(path: Path) -> Iterator[tuple[MatchGame, int]]:
    """The rows of a file, each with where it ends; an unfinished last line is ignored. Raises ``RecordError``."""
    end = 0
    seen: set[tuple[str, int]] = set()
    with refusing(RecordError, path, READ), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            end += len(line)
            row = _parse_row(line, f"{path}:{number}")
            if (row.id, row.attempt) in seen:
                raise RecordError(
                    f"{path}:{number}: das Spiel {row.id} kommt zweimal vor.",
                    f"{path}:{number}: the game {row.id} is there twice",
                )
            seen.add((row.id, row.attempt))
            yield row, end


def _parse_row(line: bytes, place: str) -> MatchGame:
    row = parse_json(line, place, RecordError)
    if "others_load" in row:  # Version 1.0.0 measured only others' share of the cores.
        data = dict(row.data)
        row = Values({"pressure": data.pop("others_load"), **data}, place, RecordError)
    return row.read(MatchGame)
