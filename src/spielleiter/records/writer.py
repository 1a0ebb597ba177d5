"""Records to files: one file a game, one line of JSON an event, written as the game goes.

Laws:

* Each line is handed to the system in one piece as soon as its event is known. If this process is killed, all lines
  before are there; only the last one can be cut.
* A file is never overwritten, and nothing that a player has chosen is part of its name.
* Whatever goes wrong is a ``RecordError``, raised once. Then the record stays as it is, whole up to the last good line,
  and every further call does nothing: the game goes on without it.
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC
from io import FileIO
from json import JSONEncoder
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, assert_never

from spielleiter.errors import WRITE, RecordError, refusing
from spielleiter.game import Clock, Limits, MoveTiming, Text
from spielleiter.records.history import ClockChange, History, HistoryEvent, RecordedMove, RecordedNotes, RecordedResult
from spielleiter.records.variations import Variation
from spielleiter.text import system_error

_NO_RECORD = Text("hier lässt sich keine Aufzeichnung schreiben", "no record can be written here")
_MAY_BE_LOST = Text(
    "die Aufzeichnung ist vielleicht nicht auf der Platte angekommen", "the record may not have reached the disk"
)

_MAX_ID_LENGTH = 64
_MAX_NAMESAKES = 1000
_json = JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class RecordWriter:
    """Writes the record of one game while it is played; the file is there as soon as the writer is.

    ``folder`` is made if it is missing. ``history`` is the game at its start; its owner tells the writer what is added.
    ``on_line`` gets every line that is written.
    """

    def __init__(self, folder: Path, history: History, on_line: Callable[[str], None] = lambda line: None) -> None:
        self._history = history
        self._on_line = on_line
        self._file: FileIO | None = None
        with refusing(RecordError, folder, _NO_RECORD):
            folder.mkdir(parents=True, exist_ok=True)
            self._file, self.path = _new_file(folder, record_name(history))
        self._size = 0
        self._write(start_line(history))
        for move in history.moves:
            self._write(event_line(move))

    @property
    def is_open(self) -> bool:
        """Whether events are still written down."""
        return self._file is not None

    def write(self, event: HistoryEvent) -> None:
        """Write down what happened. The file stays open until ``close``."""
        if self._file is not None:
            self._write(event_line(event))

    def close(self) -> None:
        """Wait until the disk has the record, and close it. That may take long: call it off the event loop."""
        file, self._file = self._file, None
        if file is None:
            return
        with refusing(RecordError, self.path, _MAY_BE_LOST), file:
            os.fsync(file.fileno())

    def _write(self, line: str) -> None:
        file = self._file
        if file is None:
            return
        data = (line + "\n").encode("utf-8", "replace")
        try:
            written = file.write(data)
            while written < len(data):  # A disk that is almost full takes a part; the next try shows it.
                written += file.write(data[written:])
        except OSError as problem:
            self._file = None
            self._repair(file)
            why, plies = system_error(problem), len(self._history.moves)
            raise RecordError(
                f"{self.path}: die Aufzeichnung endet nach {plies} Zügen, Schreiben ist nicht möglich: {why.de}",
                f"{self.path}: the record ends after {plies} plies, it cannot be written: {why.en}",
            ) from None
        self._size += len(data)
        self._on_line(line)

    def _repair(self, file: FileIO) -> None:
        """Leave whole lines behind, or no file if there is none; as far as a broken disk lets us."""
        with suppress(OSError):
            file.truncate(self._size)
        with suppress(OSError):
            file.close()
        if not self._size:
            with suppress(OSError):
                self.path.unlink()


# --- files ------------------------------------------------------------------------------------------------------------


def record_name(record: History) -> str:
    """The name of a record's file, without its ending: when, what, which; safe on every system."""
    started = record.started.astimezone(UTC).strftime("%Y%m%d-%H%M%S") if record.started else "00000000-000000"
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", record.id)[:_MAX_ID_LENGTH].strip("-") or "game"
    return f"{started}_{record.game_key}_{safe}"


def try_folder(folder: Path) -> None:
    """Raise ``RecordError`` if no record can be written to ``folder``, which is made if it is missing."""
    with refusing(RecordError, folder, _NO_RECORD):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"record")


def _new_file(folder: Path, name: str) -> tuple[FileIO, Path]:
    for number in range(1, _MAX_NAMESAKES):
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        with suppress(FileExistsError):
            return FileIO(path, "x"), path
    raise FileExistsError(f"{_MAX_NAMESAKES} records called {name} are there already")


def write_record(record: History, path: Path) -> None:
    """Write a whole record to a new file, gzipped if its name ends so. Raises ``RecordError``, also if it is there."""
    data = "".join(f"{line}\n" for line in record_lines(record)).encode("utf-8", "replace")
    write_new_file(path, data)


def write_new_file(path: Path, data: bytes) -> None:
    """Write ``data`` to a new file, gzipped if its name ends so. Raises ``RecordError``, also if it is there."""
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)  # Without a time in it the same record gives the same bytes.
    with refusing(RecordError, path, WRITE):
        file = path.open("xb")
        try:
            with file:
                file.write(data)
        except OSError:
            path.unlink(missing_ok=True)
            raise


# --- events as lines --------------------------------------------------------------------------------------------------


def record_lines(record: History) -> Iterator[str]:
    """The record as the lines of its file."""
    yield start_line(record)
    changes, notes = list(record.clock_changes), sorted(record.notes, key=lambda noted: noted.ply)
    for move in record.moves:
        while changes and changes[0].ply <= move.ply:
            yield event_line(changes.pop(0))
        yield event_line(move)
        while notes and notes[0].ply <= move.ply:
            yield event_line(notes.pop(0))
    yield from map(event_line, changes)
    yield from map(event_line, notes)
    if record.result is not None:
        yield event_line(record.result)


def event_line(event: HistoryEvent) -> str:
    """The line of what happened after the start."""
    match event:
        case RecordedMove():
            return _move_line(event)
        case RecordedNotes():
            return _json(_notes(event))
        case ClockChange():
            return _json(_clock_change(event))
        case RecordedResult():
            return _json(_end(event))
        case _:
            assert_never(event)


def start_line(record: History) -> str:
    """The first line of a record."""
    return _json(_start(record))


def is_start_line(line: str) -> bool:
    """Whether a line that was written here is the first one of a record."""
    return line.startswith('{"event":"start"')


def _start(record: History) -> dict[str, Any]:
    started, software = record.started, record.software
    return {
        "event": "start",
        "format": record.format,
        "game": record.game_key,
        "id": record.id,
        "started": None if started is None else started.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "start": record.start,
        "names": list(record.names),
        "limits": [_limits(limits) for limits in record.limits],
        "clock": None if record.clock is None else record.clock.value,
        "referee": record.referee.value,
        "software": None
        if software is None
        else {"spielleiter": software.spielleiter, "python": software.python, "platform": software.platform},
        **({} if record.isolation is None else {"isolation": list(record.isolation)}),
        **({"variations": [_variation(each) for each in record.variations]} if record.variations else {}),
    }


def _variation(variation: Variation) -> dict[str, Any]:
    return {"ply": variation.ply, "moves": list(variation.moves)}


def _limits(limits: Limits | None) -> dict[str, float] | None:
    if limits is None:
        return None
    clock = {} if limits.increment is None else {"increment": limits.increment}
    return {"soft": limits.soft, "hard": limits.hard, **clock}


def _move_line(move: RecordedMove) -> str:
    # This line is written while players wait: no dictionary, one format.
    times = ""
    if (timing := move.timing) is not None:
        requested, received, read, took = _in_microseconds(timing)
        stamp = "null" if received is None else f"{received:.6f}"
        times = (
            f',"requested":{requested:.6f},"received":{stamp},"read":{read:.6f}'
            f',"took":{took:.6f},"judged":"{timing.judged_by.value}"'
        )
    hints = f',"hints":{_json(move.hints)}' if move.hints else ""
    return (
        f'{{"event":"move","ply":{move.ply},"turn":{move.turn},"team":"{move.team.name}"'
        f',"move":{_json(move.text)}{times}{hints}}}'
    )


def _notes(noted: RecordedNotes) -> dict[str, Any]:
    return {
        "event": "notes",
        "ply": noted.ply,
        "team": noted.team.name,
        **({"notes": [note.data for note in noted.notes]} if noted.notes else {}),
        **({} if noted.problem is None else {"problem": _text(noted.problem)}),
        **({"output": noted.output} if noted.output else {}),
    }


def _clock_change(change: ClockChange) -> dict[str, Any]:
    return {"event": "clock", "ply": change.ply, "team": change.team.name, "limits": _limits(change.limits)}


def _end(result: RecordedResult) -> dict[str, Any]:
    offence = result.offence
    return {
        "event": "end",
        "winner": None if result.winner is None else result.winner.name,
        "teams": [{"cause": team.cause.value, "points": list(team.points)} for team in result.teams],
        "reason": _text(result.reason),
        "end": result.end,
        **({"adjudicated": True} if result.adjudicated else {}),
        "offence": None
        if offence is None
        else {
            "team": offence.team.name,
            "text": _text(offence.text),
            "sent": offence.sent,
            **({} if offence.xml is None else {"xml": offence.xml}),
            **_timing(offence.timing),
        },
        "final": result.final,
        "finished": None if result.finished is None else round(result.finished, 6),
        **({} if result.pressure is None else {"pressure": round(result.pressure, 3)}),
    }


def _timing(timing: MoveTiming | None) -> dict[str, Any]:
    if timing is None:
        return {}
    requested, received, read, took = _in_microseconds(timing)
    return {
        "requested": requested,
        "received": received,
        "read": read,
        "took": round(took, 6),
        "judged": timing.judged_by.value,
    }


def _in_microseconds(timing: MoveTiming) -> tuple[float, float | None, float, float]:
    """Requested, received, read and the time between as the file has them: ``took`` must fit what a reader finds."""
    requested, read = round(timing.requested, 6), round(timing.read, 6)
    received = None if timing.received is None else round(timing.received, 6)
    end = read if received is None or timing.judged_by is Clock.READING else received
    return requested, received, read, end - requested


def _text(text: Text) -> dict[str, str]:
    return {"de": text.de, "en": text.en}
