"""Files to records: bounded, validated, and clear about what is wrong.

A record whose last line is cut is the record of an unfinished game. Any other damage is a ``RecordError`` that names
file and line. Nothing is believed but that the file exists; whether the game is one by its rules says ``verify``.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG

from spielleiter.errors import READ, RecordError, refusing
from spielleiter.game import Cause, Clock, Limits, MoveTiming, Team, TeamResult, Text
from spielleiter.game.note import MAX_NOTES, MAX_OUTPUT
from spielleiter.game.note_reader import note_of
from spielleiter.records.history import (
    FORMAT,
    ClockChange,
    History,
    HistoryEvent,
    RecordedMove,
    RecordedNotes,
    RecordedOffence,
    RecordedResult,
    Referee,
    Software,
)
from spielleiter.records.variations import Variation
from spielleiter.values import Values, by_value, parse_json

MAX_FILE_SIZE = 32 << 20
"""Bytes of a file once it is unpacked; no game of any season comes near."""
_MAX_LINE_SIZE = 1 << 20
_MAX_LINES = 10_000
_MAX_POINTS = 16
TIME_TOLERANCE = 5e-6
"""Seconds: files have whole microseconds, so a difference of two times is only as exact as this."""
_MAX_SECONDS = 1e9
"""Seconds: no game lasts thirty years."""


def read_bounded(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped. Raises ``RecordError`` if there are too many or none."""
    with refusing(RecordError, path, READ):
        about = path.stat()
        if not S_ISREG(about.st_mode):
            raise RecordError(f"{path}: das ist keine lesbare Datei", f"{path}: not a regular file")
        try:
            with path.open("rb") as file:
                packed = file.read(2) == b"\x1f\x8b"
                file.seek(0)
                with gzip.GzipFile(fileobj=file) if packed else file as content:
                    # A packed file must not be too large either: it may be packed nothing.
                    data = content.read(MAX_FILE_SIZE + 1) if about.st_size <= MAX_FILE_SIZE else b"."
        except (gzip.BadGzipFile, EOFError, zlib.error) as problem:
            raise RecordError(
                f"{path}: lässt sich nicht lesen: die komprimierte Datei ist beschädigt",
                f"{path}: cannot be read: the compressed file is damaged: {problem}",
            ) from None
    if max(len(data), about.st_size) > MAX_FILE_SIZE:
        size = MAX_FILE_SIZE >> 20
        raise RecordError(
            f"{path}: die Datei ist größer als {size} MiB: keine Aufzeichnung eines Spiels",
            f"{path}: the file is larger than {size} MiB: no record of a game",
        )
    if not data.strip():
        raise RecordError(
            f"{path}: die Datei ist leer; erwartet wird die Aufzeichnung eines Spiels",
            f"{path}: the file is empty; expected the record of a game",
        )
    return data


def read_record(path: Path) -> History:
    """The record in a file. Raises ``RecordError``."""
    return parse_record(read_bounded(path), str(path))


def parse_record(data: bytes, place: str = "record") -> History:
    """The record whose file has these bytes; ``place`` is named in errors."""
    reader = RecordReader(place)
    for line in _objects(data, place):
        reader.take(line)
    if reader.history is None:
        raise RecordError(
            f"{place}:1: die Aufzeichnung bricht in der ersten Zeile ab, bevor sie das Spiel nennt",
            f"{place}:1: the record breaks off in its first line, before it says which game it is",
        )
    return reader.history


class RecordReader:
    """Reads a record line by line, as it is written."""

    def __init__(self, place: str = "record") -> None:
        self._place = place
        self._lines = 0
        self.history: History | None = None
        """The game as far as it was read; ``None`` before its first line."""

    def read_line(self, line: bytes) -> History | HistoryEvent:
        """What the next line says, which has its newline no more. Raises ``RecordError``."""
        self._lines += 1
        here = f"{self._place}:{self._lines}"
        if self._lines > _MAX_LINES or len(line) > _MAX_LINE_SIZE:
            raise _too_much(here)
        return self.take(parse_json(line, here, RecordError))

    def take(self, line: Values) -> History | HistoryEvent:
        """Like ``read_line``, for a line that is parsed."""
        if self.history is None:
            self.history = _start(line, self._place)
            return self.history
        event = _event(line, self.history)
        self.history.add(event)
        return event


# --- lines ------------------------------------------------------------------------------------------------------------


def _objects(data: bytes, place: str) -> Iterator[Values]:
    """The lines of a file as JSON objects; a last line that is cut counts as not written."""
    lines = data.split(b"\n", _MAX_LINES)
    for number, line in enumerate(lines, 1):
        is_last = number == len(lines)
        if is_last and not line:
            return
        here = f"{place}:{number}"
        if number > _MAX_LINES or len(line) > _MAX_LINE_SIZE:
            raise _too_much(here)
        try:
            found = parse_json(line, here, RecordError)
        except RecordError:
            if is_last:  # It has no newline: the writer was stopped in the middle.
                return
            raise
        yield found


def _too_much(here: str) -> RecordError:
    return RecordError(
        f"{here}: mehr als {_MAX_LINES} Zeilen oder {_MAX_LINE_SIZE} Bytes in einer Zeile: keine Aufzeichnung",
        f"{here}: more than {_MAX_LINES} lines or {_MAX_LINE_SIZE} bytes in a line: no record of a game",
    )


# --- events -----------------------------------------------------------------------------------------------------------


def _start(line: Values, place: str) -> History:
    if not line.has("event") or line.text("event") != "start":
        raise line.wrong(
            "",
            Text(
                'als "event" wird start erwartet: das ist keine Aufzeichnung eines Spiels',
                'expected the "event" start: this is not a record of a game',
            ),
        )
    version = line.whole("format")
    if version != FORMAT:
        raise line.wrong(
            "",
            Text(
                f"die Aufzeichnung hat das Format {version}; dieses Programm kennt {FORMAT}",
                f"the record has the format {version}; this program knows {FORMAT}",
            ),
        )
    line.texts("names")
    return History(
        game_key=line.text("game"),
        id=line.text("id"),
        start=line.text("start"),
        names=line.pair("names", str),
        started=_instant(line) if line.has("started") else None,
        limits=line.pair("limits", lambda value: None if value is None else _limits(line.as_table("limits", value))),
        clock=line.choice("clock", by_value(Clock)) if line.has("clock") else None,
        referee=line.choice("referee", by_value(Referee)),
        software=_software(line.table("software")) if line.has("software") else None,
        isolation=_isolation(line) if line.has("isolation") else None,
        variations=_variations(line) if line.has("variations") else (),
        format=version,
        place=place,
    )


def _event(line: Values, history: History) -> HistoryEvent:
    if history.result is not None:
        raise line.wrong(
            "", Text("nach dem Ende des Spiels darf nichts folgen", "nothing may follow the end of the game")
        )
    match line.text("event"):
        case "move":
            return _move(line, len(history.moves))
        case "notes":
            return _notes(line, history)
        case "clock":
            return _clock_change(line, len(history.moves))
        case "end":
            return _end(line)
        case event:
            raise line.wrong(
                "",
                Text(
                    f'als "event" wird move, notes, clock oder end erwartet, nicht {event[:40]!r}',
                    f'expected the "event" move, notes, clock or end, not {event[:40]!r}',
                ),
            )


def _isolation(line: Values) -> tuple[str, str]:
    line.texts("isolation")
    return line.pair("isolation", str)


def _variations(line: Values) -> tuple[Variation, ...]:
    found = (line.as_table("variations", value) for value in line.value("variations", list))
    return tuple(Variation(each.whole("ply"), each.texts("moves")) for each in found)


def _instant(line: Values) -> datetime:
    text = line.text("started")
    try:
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is None:
            raise ValueError("no time zone")
        return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        raise line.wrong(
            "",
            Text(
                f'als "started" wird eine Zeit wie 2026-11-15T20:30:00Z erwartet, nicht {text[:40]!r}',
                f'expected a time like 2026-11-15T20:30:00Z as "started", not {text[:40]!r}',
            ),
        ) from None


def _seconds(values: Values, key: str) -> float:
    return values.number(key, low=-_MAX_SECONDS, high=_MAX_SECONDS)


def _limits(limits: Values) -> Limits:
    increment = _seconds(limits, "increment") if limits.has("increment") else None
    return Limits(_seconds(limits, "soft"), _seconds(limits, "hard"), increment)


def _software(software: Values) -> Software:
    return Software(software.text("spielleiter"), software.text("python"), software.text("platform"))


def _move(line: Values, expected: int) -> RecordedMove:
    ply = line.whole("ply")
    if ply != expected:
        raise line.wrong(
            "",
            Text(
                f"erwartet wird Zug {expected}, gefunden Zug {ply}: eine Zeile fehlt oder ist zu viel",
                f"expected the move of ply {expected}, found ply {ply}: a line is missing or too much",
            ),
        )
    return RecordedMove(
        ply,
        line.whole("turn"),
        line.choice("team", by_value(Team)),
        line.text("move"),
        _timing(line),
        line.texts("hints") if line.has("hints") else (),
    )


def _notes(line: Values, history: History) -> RecordedNotes:
    if len(history.notes) >= _MAX_LINES // 2:
        raise line.wrong("", Text("zu viele Notizen", "too many notes"))
    given = line.value("notes", list) if line.has("notes") else []
    return RecordedNotes(
        line.whole("ply", high=len(history.moves)),
        line.choice("team", by_value(Team)),
        tuple(note_of(line.as_table("notes", each)) for each in given[:MAX_NOTES]),
        _text(line.table("problem")) if line.has("problem") else None,
        line.text("output", "")[:MAX_OUTPUT],
    )


def _timing(line: Values) -> MoveTiming | None:
    if not line.has("requested"):
        return None
    received = _seconds(line, "received") if line.has("received") else None
    timing = MoveTiming(
        _seconds(line, "requested"), received, _seconds(line, "read"), line.choice("judged", by_value(Clock))
    )
    if abs(timing.elapsed - _seconds(line, "took")) > TIME_TOLERANCE:
        raise line.wrong(
            "",
            Text(
                '"took" ist nicht die Zeit von der Aufforderung bis zur Uhr, die geurteilt hat',
                '"took" is not the time from the request to the clock that judged',
            ),
        )
    return timing


def _clock_change(line: Values, expected: int) -> ClockChange:
    ply = line.whole("ply")
    if ply != expected:
        raise line.wrong(
            "",
            Text(
                f"erwartet wird eine Änderung der Uhr bei Zug {expected}, gefunden {ply}: eine Zeile fehlt",
                f"expected a change of the clock at ply {expected}, found {ply}: a line is missing",
            ),
        )
    return ClockChange(
        ply, line.choice("team", by_value(Team)), _limits(line.table("limits")) if line.has("limits") else None
    )


def _end(line: Values) -> RecordedResult:
    return RecordedResult(
        line.pair("teams", lambda value: _team_result(line.as_table("teams", value))),
        line.choice("winner", by_value(Team)) if line.has("winner") else None,
        _text(line.table("reason")),
        line.text("end") if line.has("end") else None,
        adjudicated=line.flag("adjudicated"),
        pressure=line.number("pressure", low=0, high=1) if line.has("pressure") else None,
        final=line.text("final"),
        finished=_seconds(line, "finished") if line.has("finished") else None,
        offence=_offence(line.table("offence")) if line.has("offence") else None,
    )


def _team_result(team: Values) -> TeamResult:
    points = team.value("points", list)
    if len(points) > _MAX_POINTS or not all(type(part) is int and abs(part) < 1_000_000 for part in points):
        raise team.expected("points", Text("eine Liste ganzer Zahlen", "a list of whole numbers"))
    return TeamResult(team.choice("cause", by_value(Cause)), tuple(points))


def _text(text: Values) -> Text:
    return Text(text.text("de"), text.text("en"))


def _offence(offence: Values) -> RecordedOffence:
    return RecordedOffence(
        offence.choice("team", by_value(Team)),
        _text(offence.table("text")),
        offence.text("sent") if offence.has("sent") else None,
        _timing(offence),
        offence.text("xml") if offence.has("xml") else None,
    )
