"""The results of a match: one line of JSON per game, safe on the disk before the next one counts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from types import UnionType
from typing import Any

from spielleiter.errors import RecordError
from spielleiter.game import Cause, Team, Text
from spielleiter.matches.cpu_load import TOO_MUCH
from spielleiter.programs.sandbox import Breach
from spielleiter.text import NO_TEXT, system_error

FORMAT = 1


class Fault(StrEnum):
    """Why a player's game ended by its own fault; the texts are for people."""

    ILLEGAL = "illegal"
    LATE = "late"
    SILENT = "silent"
    LEFT = "left"
    CRASH = "crash"
    NO_START = "no-start"
    ABSENT = "absent"
    MEMORY = "memory"
    DISK = "disk"
    FILES = "files"
    PROCESSES = "processes"
    OUTPUT = "output"

    @property
    def text(self) -> Text:
        """In words, for people."""
        return _TEXTS[self]

    @property
    def is_of_process(self) -> bool:
        """Whether only the process knows of it; the referee saw a connection that was left."""
        return self not in _BY_CAUSE.values()

    @classmethod
    def from_cause(cls, cause: Cause) -> Fault | None:
        """What the referee saw, before the process adds what it knows; ``None`` if the game ended by the rules."""
        return None if cause is Cause.REGULAR else _BY_CAUSE[cause]

    @classmethod
    def from_breach(cls, breach: Breach) -> Fault:
        """The fault of a player that was ended because it went over a resource limit."""
        return _BY_BREACH[breach]

    @property
    def cause(self) -> Cause:
        """What the referee saw of it."""
        return next((cause for cause, fault in _BY_CAUSE.items() if fault is self), Cause.LEFT)


_TEXTS = {
    Fault.ILLEGAL: Text("ungültiger Zug", "illegal move"),
    Fault.LATE: Text("Zug zu spät", "late move"),
    Fault.SILENT: Text("kein Zug", "no move"),
    Fault.LEFT: Text("Verbindung verlassen", "left the game"),
    Fault.CRASH: Text("abgestürzt", "crashed"),
    Fault.NO_START: Text("nicht gestartet", "did not start"),
    Fault.ABSENT: Text("nicht gekommen", "did not come"),
    Fault.MEMORY: Text("zu viel Speicher", "too much memory"),
    Fault.DISK: Text("zu viel auf der Platte", "too much on disk"),
    Fault.FILES: Text("zu viele Dateien", "too many files"),
    Fault.PROCESSES: Text("zu viele Prozesse", "too many processes"),
    Fault.OUTPUT: Text("zu viel Ausgabe", "too much output"),
}

_BY_CAUSE = {
    Cause.LEFT: Fault.LEFT,
    Cause.RULE_VIOLATION: Fault.ILLEGAL,
    Cause.SOFT_TIMEOUT: Fault.LATE,
    Cause.HARD_TIMEOUT: Fault.SILENT,
}
_BY_BREACH = {
    Breach.MEMORY: Fault.MEMORY,
    Breach.DISK: Fault.DISK,
    Breach.FILES: Fault.FILES,
    Breach.PROCESSES: Fault.PROCESSES,
    Breach.OUTPUT: Fault.OUTPUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """How one game was for one player."""

    name: str
    points: tuple[int, ...]
    fault: Fault | None = None
    move_times: tuple[float, ...] = ()
    """Seconds, to the tenth of a millisecond, judged as the record says."""
    exit_code: int | None = None
    """``None``: it had to be ended, or it was no process."""
    lingered: bool = False
    """It did not end by itself after the game."""
    peak_memory: int = 0
    processor_time: float = 0.0
    ponder_time: float = 0.0
    """Of that, in the opponent's time."""
    sandbox: str = "none"
    log: str = ""
    """The name of the file with what it printed, if it did."""
    failure: Text = NO_TEXT
    """Why its program failed, in one line of its own; see ``programs.failure``."""
    last_words: str = ""
    """The end of its log, where something went wrong."""


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
    """False for a game that nobody played: both failed to start."""
    reason: Text
    start: str
    final: str
    plies: int
    seconds: float
    started: str
    host: str = ""
    record: str = ""
    others_load: float | None = None
    """The share of the machine that other programs used meanwhile; ``None`` where it was not measured."""
    adjudicated: bool = False
    """It was ended early, because it seemed decided."""
    attempt: int = 1
    """From 1: a game that was lost on time on a busy machine may be played again, and the last attempt counts."""

    @property
    def untimely(self) -> tuple[bool, bool]:
        """Which sides lost on time while the machine was too busy to trust the times."""
        busy = self.others_load is not None and self.others_load >= TOO_MUCH
        one, two = (busy and side.fault in (Fault.LATE, Fault.SILENT) for side in self.sides)
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

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> MatchGame:
        """The row of a line. Raises ``KeyError``, ``TypeError`` or ``ValueError`` if it is none."""
        _check_types(data, _ROW_TYPES)
        for side in data["sides"]:
            _check_types(side, _SIDE_TYPES)
        one, two = (
            SideResult(
                **{
                    **side,
                    "points": tuple(side["points"]),
                    "move_times": tuple(side["move_times"]),
                    "fault": None if side["fault"] is None else Fault(side["fault"]),
                    "failure": Text(**side["failure"]),
                }
            )
            for side in data["sides"]
        )
        winner = None if data["winner"] is None else Team[data["winner"]]
        return cls(**{**data, "sides": (one, two), "winner": winner, "reason": Text(**data["reason"])})


_ROW_TYPES: dict[str, type | UnionType] = {
    **dict.fromkeys(("id", "pair", "start", "final", "started", "host", "record"), str),
    **dict.fromkeys(("round", "plies", "attempt"), int),
    **dict.fromkeys(("counts", "adjudicated"), bool),
    "seconds": int | float,
    "others_load": int | float | None,
}
_SIDE_TYPES: dict[str, type | UnionType] = {
    **dict.fromkeys(("name", "sandbox", "log", "last_words"), str),
    **dict.fromkeys(("points", "move_times"), list | tuple),
    **dict.fromkeys(("processor_time", "ponder_time"), int | float),
    "peak_memory": int,
    "exit_code": int | None,
}


def _check_types(data: Mapping[str, Any], types: Mapping[str, type | UnionType]) -> None:
    for name, kind in types.items():
        if name in data and not isinstance(data[name], kind):
            raise TypeError(f"{name}: {str(data[name])[:40]!r}")


class LineFile:
    """A file to which lines are appended and forced to the disk; one process at a time. Raises ``RecordError``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as problem:
            why = system_error(problem)
            raise RecordError(
                f"{path}: lässt sich nicht öffnen: {why.de}.", f"{path}: cannot be opened: {why.en}"
            ) from None
        if not _lock(self._file):
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
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as problem:
            with suppress(OSError):
                self.go_on_after(self._size)
            why = system_error(problem)
            raise RecordError(
                f"{self.path}: ein Ergebnis lässt sich nicht schreiben: {why.de}.",
                f"{self.path}: a result cannot be written: {why.en}",
            ) from None
        self._size += len(line)

    def close(self) -> None:
        """Let others write."""
        os.close(self._file)


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
    """Whether nobody else has the file; from now on we do. A shared lock keeps out those who write, not readers."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_being_written(path: Path) -> bool:
    """Whether a match is writing its results there now; on Windows nobody knows."""
    try:
        with path.open("rb") as file:
            return not _lock(file.fileno(), shared=True)
    except OSError:
        return False  # Its reader will report it.


def last_attempts(rows: Iterable[MatchGame]) -> list[MatchGame]:
    """Of each game the last attempt, in the order in which they came."""
    last: dict[str, MatchGame] = {}
    for row in rows:
        last.pop(row.id, None)
        last[row.id] = row
    return list(last.values())


def read_rows(path: Path) -> Iterator[tuple[MatchGame, int]]:
    """The rows of a file, each with where it ends; an unfinished last line is ignored. Raises ``RecordError``."""
    end = 0
    seen: set[tuple[str, int]] = set()
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return
                end += len(line)
                try:
                    row = MatchGame.from_json(json.loads(line))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
                    raise RecordError(
                        f"{path}, Zeile {number}: ist kein Ergebnis eines Spiels: {problem!r}",
                        f"{path}, line {number}: is no result of a game: {problem!r}",
                    ) from None
                if (row.id, row.attempt) in seen:
                    raise RecordError(
                        f"{path}, Zeile {number}: das Spiel {row.id} kommt zweimal vor.",
                        f"{path}, line {number}: the game {row.id} is there twice",
                    )
                seen.add((row.id, row.attempt))
                yield row, end
    except OSError as problem:
        why = system_error(problem)
        raise RecordError(f"{path}: lässt sich nicht lesen: {why.de}.", f"{path}: cannot be read: {why.en}") from None
