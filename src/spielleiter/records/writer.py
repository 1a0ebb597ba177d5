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
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import FileIO
from json import JSONEncoder
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from spielleiter.errors import RecordError
from spielleiter.game import AnyGame, Clock, GameResult, Limits, MoveTiming, Team, Text
from spielleiter.records.record import (
    ClockChange,
    GameRecord,
    RecordedMove,
    RecordedOffence,
    RecordedResult,
    Software,
)
from spielleiter.records.variations import Variation
from spielleiter.text import system_error

_MAX_ID_LENGTH = 64
_MAX_NAMESAKES = 1000
_MAX_SENT_LENGTH = 2000
"""Of what a player sent instead of a move, in characters."""
_json = JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class RecordWriter:
    """Writes the record of one game while it is played; the file is there as soon as the writer is.

    ``folder`` is made if it is missing. ``started`` is the wall-clock time of the start; ``limits`` are those of ONE
    and TWO, ``None`` where nobody counts; ``clock`` is the better of the clocks that the server has. The writer follows
    the game by itself: it only needs the moves. ``on_line`` gets every line that is written.
    """

    def __init__(
        self,
        folder: Path,
        game: AnyGame,
        start: Any,
        *,
        game_id: str,
        names: tuple[str, str],
        started: datetime,
        limits: tuple[Limits | None, Limits | None],
        clock: Clock,
        isolation: tuple[str, str] | None = None,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> None:
        self._game = game
        self._on_line = on_line
        self._state = start
        self._ply = 0
        self._file: FileIO | None = None
        record = GameRecord(
            game=game.key,
            id=game_id,
            start=game.notation.format_state(start),
            names=names,
            started=started.astimezone(UTC),
            limits=limits,
            clock=clock,
            software=Software.running(),
            isolation=isolation,
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file, self.path = _new_file(folder, record_name(record))
        except OSError as problem:
            raise _unwritable(folder, problem) from None
        self._size = 0
        self._write(start_line(record))

    @property
    def is_open(self) -> bool:
        """Whether events are still written down."""
        return self._file is not None

    def move(self, move: Any, after: Any, timing: MoveTiming | None, hints: Sequence[str] = ()) -> None:
        """Write down a legal move in time; ``after`` is the state it led to."""
        before, ply = self._state, self._ply
        self._state, self._ply = after, ply + 1
        if self._file is not None:
            text = self._game.notation.format_move(before, move)
            self._write(move_line(RecordedMove(ply, before.turn, before.to_move, text, timing, tuple(hints))))

    def clock_changed(self, team: Team, limits: Limits | None) -> None:
        """Write down that ``team`` has other limits from the next request on."""
        self._write(_json(_clock_change(ClockChange(self._ply, team, limits))))

    def offence(
        self, team: Team, text: Text, *, move: Any = None, sent: str | None = None, timing: MoveTiming | None = None
    ) -> RecordedOffence:
        """The offence as ``finish`` takes it; ``sent`` is what came, whether it was a ``move`` or not."""
        sent = None if sent is None else sent[:_MAX_SENT_LENGTH]
        if move is None:
            return RecordedOffence(team, text, sent, timing)
        notation = self._game.notation.format_move(self._state, move)[:_MAX_SENT_LENGTH]
        return RecordedOffence(team, text, notation, timing, sent)

    def finish(self, result: GameResult, finished: float, offence: RecordedOffence | None = None) -> None:
        """Write down how the game ended. The file stays open until ``close``."""
        if self._file is not None:
            final = self._game.notation.format_state(self._state)
            end = None if result.outcome is None else result.outcome.reason.name
            recorded = RecordedResult(
                result.teams, result.winner, result.reason, end, final, finished, offence, result.adjudicated
            )
            self._write(end_line(recorded))

    def close(self) -> None:
        """Wait until the disk has the record, and close it. That may take long: call it where nobody waits."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            with file:
                os.fsync(file.fileno())
        except OSError as problem:
            why = system_error(problem)
            raise RecordError(
                f"{self.path}: die Aufzeichnung ist vielleicht nicht auf der Platte angekommen: {why.de}",
                f"{self.path}: the record may not have reached the disk: {why.en}",
            ) from None

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
            why = system_error(problem)
            raise RecordError(
                f"{self.path}: die Aufzeichnung endet nach {self._ply} Zügen, Schreiben ist nicht möglich: {why.de}",
                f"{self.path}: the record ends after {self._ply} plies, it cannot be written: {why.en}",
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


def record_name(record: GameRecord) -> str:
    """The name of a record's file, without its ending: when, what, which; safe on every system."""
    started = record.started.astimezone(UTC).strftime("%Y%m%d-%H%M%S") if record.started else "00000000-000000"
    safe = re.sub(r"[^A-Za-z0-9-]+", "-", record.id)[:_MAX_ID_LENGTH].strip("-") or "game"
    return f"{started}_{record.game}_{safe}"


def try_folder(folder: Path) -> None:
    """Raise ``RecordError`` if no record can be written to ``folder``, which is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder) as file:
            file.write(b"record")
    except OSError as problem:
        raise _unwritable(folder, problem) from None


def _unwritable(folder: Path, problem: OSError) -> RecordError:
    why = system_error(problem)
    return RecordError(
        f"{folder}: hier lässt sich keine Aufzeichnung schreiben: {why.de}",
        f"{folder}: no record can be written here: {why.en}",
    )


def _new_file(folder: Path, name: str) -> tuple[FileIO, Path]:
    for number in range(1, _MAX_NAMESAKES):
        path = folder / (f"{name}.jsonl" if number == 1 else f"{name}-{number}.jsonl")
        with suppress(FileExistsError):
            return FileIO(path, "x"), path
    raise FileExistsError(f"{_MAX_NAMESAKES} records called {name} are there already")


def write_record(record: GameRecord, path: Path) -> None:
    """Write a whole record to a new file, gzipped if its name ends so. Raises ``RecordError``, also if it is there."""
    data = "".join(f"{line}\n" for line in record_lines(record)).encode("utf-8", "replace")
    write_new_file(path, data)


def write_new_file(path: Path, data: bytes) -> None:
    """Write ``data`` to a new file, gzipped if its name ends so. Raises ``RecordError``, also if it is there."""
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)  # Without a time in it the same record gives the same bytes.
    try:
        file = path.open("xb")
    except OSError as problem:
        raise _cannot_write(path, problem) from None
    try:
        with file:
            file.write(data)
    except OSError as problem:
        path.unlink(missing_ok=True)
        raise _cannot_write(path, problem) from None


def _cannot_write(path: Path, problem: OSError) -> RecordError:
    why = system_error(problem)
    return RecordError(f"{path}: lässt sich nicht schreiben: {why.de}", f"{path}: cannot be written: {why.en}")


# --- events as lines --------------------------------------------------------------------------------------------------


def record_lines(record: GameRecord) -> Iterator[str]:
    """The record as the lines of its file."""
    yield start_line(record)
    changes = list(record.clock_changes)
    for move in record.moves:
        while changes and changes[0].ply <= move.ply:
            yield _json(_clock_change(changes.pop(0)))
        yield move_line(move)
    yield from (_json(_clock_change(change)) for change in changes)
    if record.result is not None:
        yield end_line(record.result)


def start_line(record: GameRecord) -> str:
    """The first line of a record."""
    return _json(_start(record))


def _start(record: GameRecord) -> dict[str, Any]:
    started, software = record.started, record.software
    return {
        "event": "start",
        "format": record.format,
        "game": record.game,
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


def move_line(move: RecordedMove) -> str:
    """The line of a move."""
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
        f',"move":{_json(move.move)}{times}{hints}}}'
    )


def _clock_change(change: ClockChange) -> dict[str, Any]:
    return {"event": "clock", "ply": change.ply, "team": change.team.name, "limits": _limits(change.limits)}


def end_line(result: RecordedResult) -> str:
    """The last line of the record of a game that has ended."""
    return _json(_end(result))


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
