"""Files to records: bounded, validated, and clear about what is wrong.

A record whose last line is cut is the record of an unfinished game. Any other damage is a ``RecordError`` that names
file and line. Nothing is believed but that the file exists; whether the game is one by its rules says ``verify``.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from stat import S_ISREG
from typing import Any, TypeVar

from spielleiter.errors import RecordError
from spielleiter.game import Cause, Clock, Limits, MoveTiming, Team, TeamResult, Text
from spielleiter.records.record import (
    FORMAT,
    ClockChange,
    GameRecord,
    RecordedMove,
    RecordedOffence,
    RecordedResult,
    Referee,
    Software,
)
from spielleiter.records.variations import Variation
from spielleiter.text import system_error

MAX_FILE_SIZE = 32 << 20
"""Bytes of a file once it is unpacked; no game of any season comes near."""
_MAX_LINE_SIZE = 1 << 20
_MAX_LINES = 10_000
_MAX_POINTS = 16
TIME_TOLERANCE = 5e-6
"""Seconds: files have whole microseconds, so a difference of two times is only as exact as this."""
_MAX_SECONDS = 1e9
"""Seconds: no game lasts thirty years."""

RecordEvent = GameRecord | RecordedMove | ClockChange | RecordedResult
"""What one line of a record says: the start of the game, or what came then."""

EnumT = TypeVar("EnumT", bound=Enum)
T = TypeVar("T")
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_bounded(path: Path) -> bytes:
    """The bytes of a file, unpacked if it is gzipped. Raises ``RecordError`` if there are too many or none."""
    try:
        about = path.stat()
        if not S_ISREG(about.st_mode):
            raise RecordError(f"{path}: das ist keine lesbare Datei", f"{path}: this is no file that could be read")
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
    except OSError as problem:
        why = system_error(problem)
        raise RecordError(f"{path}: lässt sich nicht lesen: {why.de}", f"{path}: cannot be read: {why.en}") from None
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


def read_record(path: Path) -> GameRecord:
    """The record in a file. Raises ``RecordError``."""
    return parse_record(read_bounded(path), str(path))


def parse_record(data: bytes, place: str = "record") -> GameRecord:
    """The record whose file has these bytes; ``place`` is named in errors."""
    growing = GrowingRecord(place)
    for line in _objects(data, place):
        growing.take(line)
    return growing.record()


class GrowingRecord:
    """A record that is read line by line, as it is written."""

    def __init__(self, place: str = "record") -> None:
        self._place = place
        self._start: GameRecord | None = None
        self._lines = 0
        self._moves: list[RecordedMove] = []
        self._changes: list[ClockChange] = []
        self._result: RecordedResult | None = None

    def read_line(self, line: bytes) -> RecordEvent:
        """What the next line says, which has its newline no more. Raises ``RecordError``."""
        self._lines += 1
        here = f"{self._place}:{self._lines}"
        if self._lines > _MAX_LINES or len(line) > _MAX_LINE_SIZE:
            raise _too_much(here)
        try:
            found = _parse(line)
        except (ValueError, RecursionError) as problem:
            raise RecordError(f"{here}: beschädigt: {problem}", f"{here}: damaged: {problem}") from None
        return self.take(_Object(found, here))

    def take(self, line: _Object) -> RecordEvent:
        """As ``read_line``, of a line that is parsed."""
        if self._start is None:
            self._start = _start(line)
            return self._start
        if self._result is not None:
            raise line.error("nach dem Ende des Spiels darf nichts folgen", "nothing may follow the end of the game")
        match line.text("event"):
            case "move":
                self._moves.append(_move(line, len(self._moves)))
                return self._moves[-1]
            case "clock":
                self._changes.append(_clock_change(line, len(self._moves)))
                return self._changes[-1]
            case "end":
                self._result = _end(line)
                return self._result
            case event:
                raise line.error(
                    f'als "event" wird move, clock oder end erwartet, nicht {event[:40]!r}',
                    f'expected the "event" move, clock or end, not {event[:40]!r}',
                )

    def record(self) -> GameRecord:
        """The record as far as it was read. Raises ``RecordError`` if that is nothing."""
        if self._start is None:
            raise RecordError(
                f"{self._place}:1: die Aufzeichnung bricht in der ersten Zeile ab, bevor sie das Spiel nennt",
                f"{self._place}:1: the record breaks off in its first line, before it says which game it is",
            )
        return replace(
            self._start,
            moves=tuple(self._moves),
            clock_changes=tuple(self._changes),
            result=self._result,
            place=self._place,
        )


# --- lines ------------------------------------------------------------------------------------------------------------


def _objects(data: bytes, place: str) -> Iterator[_Object]:
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
            found = _parse(line)
        except (ValueError, RecursionError) as problem:
            if is_last:  # It has no newline: the writer was stopped in the middle.
                return
            raise RecordError(f"{here}: beschädigt: {problem}", f"{here}: damaged: {problem}") from None
        yield _Object(found, here)


def _too_much(here: str) -> RecordError:
    return RecordError(
        f"{here}: mehr als {_MAX_LINES} Zeilen oder {_MAX_LINE_SIZE} Bytes in einer Zeile: keine Aufzeichnung",
        f"{here}: more than {_MAX_LINES} lines or {_MAX_LINE_SIZE} bytes in a line: no record of a game",
    )


def _parse(line: bytes) -> Mapping[str, Any]:
    found = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, found {type(found).__name__}")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


class _Object:
    """One JSON object of a record; every reader says what it expected and where."""

    def __init__(self, data: Mapping[str, Any], place: str) -> None:
        self._data = data
        self._place = place

    def error(self, de: str, en: str) -> RecordError:
        return RecordError(f"{self._place}: {de}", f"{self._place}: {en}")

    def has(self, name: str) -> bool:
        """Whether there is a value other than ``null``."""
        return self._data.get(name) is not None

    def text(self, name: str) -> str:
        value = self._data.get(name)
        if not _is_text(value):
            raise self.error(f'als "{name}" wird ein Text erwartet', f'expected a text as "{name}"')
        return str(value)

    def integer(self, name: str) -> int:
        value = self._data.get(name)
        if type(value) is not int or not 0 <= value < 1_000_000:
            raise self.error(f'als "{name}" wird eine ganze Zahl erwartet', f'expected a whole number as "{name}"')
        return value

    def seconds(self, name: str) -> float:
        value = self._data.get(name)
        # Written so that NaN fails too.
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MAX_SECONDS:
            raise self.error(
                f'als "{name}" wird eine Zahl von Sekunden erwartet', f'expected a number of seconds as "{name}"'
            )
        return float(value)

    def truth(self, name: str) -> bool:
        """Whether ``name`` is there and true."""
        value = self._data.get(name, False)
        if not isinstance(value, bool):
            raise self.error(f'als "{name}" wird true oder false erwartet', f'expected true or false as "{name}"')
        return value

    def choice(self, name: str, kind: type[EnumT]) -> EnumT:
        # The numbers of the teams are our business, their names are everybody's.
        words = {str(member.name if kind is Team else member.value): member for member in kind}
        value = self._data.get(name)
        if not isinstance(value, str) or value not in words:
            known = ", ".join(words)
            raise self.error(f'als "{name}" wird eins von {known} erwartet', f'expected one of {known} as "{name}"')
        return words[value]

    def optional_choice(self, name: str, kind: type[EnumT]) -> EnumT | None:
        return self.choice(name, kind) if self.has(name) else None

    def inside(self, name: str) -> _Object:
        return self.as_object(self._data.get(name), name)

    def as_object(self, value: Any, name: str) -> _Object:
        """A value of this object, or inside one of its lists, as an object of its own."""
        if not isinstance(value, dict):
            raise self.error(f'als "{name}" wird ein Objekt erwartet', f'expected an object as "{name}"')
        return _Object(value, self._place)

    def items(self, name: str) -> list[Any]:
        value = self._data.get(name)
        if not isinstance(value, list):
            raise self.error(f'als "{name}" wird eine Liste erwartet', f'expected a list as "{name}"')
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.items(name)
        if not all(_is_text(value) for value in values):
            raise self.error(
                f'als "{name}" wird eine Liste von Texten erwartet', f'expected a list of texts as "{name}"'
            )
        return tuple(values)

    def pair(self, name: str, read: Callable[[Any], T]) -> tuple[T, T]:
        values = self.items(name)
        if len(values) != 2:
            raise self.error(
                f'in "{name}" werden zwei Einträge erwartet, einer für jede Seite',
                f'expected two entries in "{name}", one for each team',
            )
        return read(values[0]), read(values[1])


def _is_text(value: Any) -> bool:
    # JSON can say half a character, but no file and no terminal can.
    return isinstance(value, str) and not _SURROGATE.search(value)


# --- events -----------------------------------------------------------------------------------------------------------


def _start(line: _Object) -> GameRecord:
    if not line.has("event") or line.text("event") != "start":
        raise line.error(
            'als "event" wird start erwartet: das ist keine Aufzeichnung eines Spiels',
            'expected the "event" start: this is no record of a game',
        )
    version = line.integer("format")
    if version != FORMAT:
        raise line.error(
            f"die Aufzeichnung hat das Format {version}; dieses Programm kennt {FORMAT}",
            f"the record has the format {version}; this program knows {FORMAT}",
        )
    line.texts("names")
    return GameRecord(
        game=line.text("game"),
        id=line.text("id"),
        start=line.text("start"),
        names=line.pair("names", str),
        started=_instant(line) if line.has("started") else None,
        limits=line.pair("limits", lambda value: None if value is None else _limits(line.as_object(value, "limits"))),
        clock=line.optional_choice("clock", Clock),
        referee=line.choice("referee", Referee),
        software=_software(line.inside("software")) if line.has("software") else None,
        isolation=_isolation(line) if line.has("isolation") else None,
        variations=_variations(line) if line.has("variations") else (),
        format=version,
    )


def _isolation(line: _Object) -> tuple[str, str]:
    line.texts("isolation")
    return line.pair("isolation", str)


def _variations(line: _Object) -> tuple[Variation, ...]:
    found = (line.as_object(value, "variations") for value in line.items("variations"))
    return tuple(Variation(each.integer("ply"), each.texts("moves")) for each in found)


def _instant(line: _Object) -> datetime:
    text = line.text("started")
    try:
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is None:
            raise ValueError("no time zone")
        return instant.astimezone(UTC)
    except (ValueError, OverflowError):
        raise line.error(
            f'als "started" wird eine Zeit wie 2026-11-15T20:30:00Z erwartet, nicht {text[:40]!r}',
            f'expected a time like 2026-11-15T20:30:00Z as "started", not {text[:40]!r}',
        ) from None


def _limits(limits: _Object) -> Limits:
    increment = limits.seconds("increment") if limits.has("increment") else None
    return Limits(limits.seconds("soft"), limits.seconds("hard"), increment)


def _software(software: _Object) -> Software:
    return Software(software.text("spielleiter"), software.text("python"), software.text("platform"))


def _move(line: _Object, expected: int) -> RecordedMove:
    ply = line.integer("ply")
    if ply != expected:
        raise line.error(
            f"erwartet wird Zug {expected}, gefunden Zug {ply}: eine Zeile fehlt oder ist zu viel",
            f"expected the move of ply {expected}, found ply {ply}: a line is missing or too much",
        )
    return RecordedMove(
        ply,
        line.integer("turn"),
        line.choice("team", Team),
        line.text("move"),
        _timing(line),
        line.texts("hints") if line.has("hints") else (),
    )


def _timing(line: _Object) -> MoveTiming | None:
    if not line.has("requested"):
        return None
    received = line.seconds("received") if line.has("received") else None
    timing = MoveTiming(line.seconds("requested"), received, line.seconds("read"), line.choice("judged", Clock))
    if abs(timing.elapsed - line.seconds("took")) > TIME_TOLERANCE:
        raise line.error(
            '"took" ist nicht die Zeit von der Aufforderung bis zur Uhr, die geurteilt hat',
            '"took" is not the time from the request to the clock that judged',
        )
    return timing


def _clock_change(line: _Object, expected: int) -> ClockChange:
    ply = line.integer("ply")
    if ply != expected:
        raise line.error(
            f"erwartet wird eine Änderung der Uhr bei Zug {expected}, gefunden {ply}: eine Zeile fehlt",
            f"expected a change of the clock at ply {expected}, found {ply}: a line is missing",
        )
    return ClockChange(ply, line.choice("team", Team), _limits(line.inside("limits")) if line.has("limits") else None)


def _end(line: _Object) -> RecordedResult:
    return RecordedResult(
        line.pair("teams", lambda value: _team_result(line.as_object(value, "teams"))),
        line.optional_choice("winner", Team),
        _text(line.inside("reason")),
        line.text("end") if line.has("end") else None,
        line.text("final"),
        line.seconds("finished") if line.has("finished") else None,
        _offence(line.inside("offence")) if line.has("offence") else None,
        line.truth("adjudicated"),
    )


def _team_result(team: _Object) -> TeamResult:
    points = team.items("points")
    if len(points) > _MAX_POINTS or not all(type(part) is int and abs(part) < 1_000_000 for part in points):
        raise team.error(
            'als "points" wird eine Liste ganzer Zahlen erwartet', 'expected a list of whole numbers as "points"'
        )
    return TeamResult(team.choice("cause", Cause), tuple(points))


def _text(text: _Object) -> Text:
    return Text(text.text("de"), text.text("en"))


def _offence(offence: _Object) -> RecordedOffence:
    return RecordedOffence(
        offence.choice("team", Team),
        _text(offence.inside("text")),
        offence.text("sent") if offence.has("sent") else None,
        _timing(offence),
        offence.text("xml") if offence.has("xml") else None,
    )
