"""Checked values from TOML and JSON: a cursor on a table that knows its file, section and line."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime, time
from enum import Enum
from functools import cache
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from spielleiter.errors import READ, Refused, SettingsError, refusing
from spielleiter.text import NO_TEXT, Text, did_you_mean

MAX_BYTES = 2_000_000
_YEARS = (2000, 2999)
_MAX_WHOLE = 999_999
_MAX_NUMBER = sys.float_info.max
_MAX_SHOWN = 80
_KINDS = {
    str: Text("ein Text in Anführungszeichen", "a text in quotes"),
    int: Text("eine ganze Zahl", "a whole number"),
    float: Text("eine Zahl", "a number"),
    bool: Text("true oder false", "true or false"),
    list: Text("eine Liste", "a list"),
    dict: Text("eine Tabelle", "a table"),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
T = TypeVar("T")
EnumT = TypeVar("EnumT", bound=Enum)


@cache
def by_value(kind: type[EnumT]) -> Mapping[str, EnumT]:
    """The words for ``Values.choice`` of an enumeration: its values, or its names where the values are numbers."""
    return {member.value if isinstance(member.value, str) else member.name: member for member in kind}


def read_text(path: Path, *, if_missing: Text = NO_TEXT) -> str:
    """The text of a file. Raises ``SettingsError``; ``if_missing`` is the end of the sentence that it is not there."""
    with refusing(SettingsError, path, READ):
        try:
            if path.stat().st_size > MAX_BYTES:
                size = MAX_BYTES // 10**6
                raise SettingsError(f"{path}: größer als {size} MB.", f"{path}: larger than {size} MB")
            return path.read_text(encoding="utf-8-sig")  # Some editors write a byte order mark.
        except FileNotFoundError:
            raise SettingsError(
                f"{path}: Diese Datei gibt es nicht{if_missing.de}", f"{path}: there is no such file{if_missing.en}"
            ) from None


def read_toml(path: Path) -> Values:
    """The top of a TOML file. Raises ``SettingsError``."""
    return parse_toml(read_text(path), str(path))


def parse_toml(text: str, place: str) -> Values:
    """The top of a TOML text; ``place`` names it in messages. Raises ``SettingsError``."""
    try:
        return Values(tomllib.loads(text), place, lines=text.splitlines())
    except ValueError as problem:  # Also TOML numbers and dates that Python does not support.
        raise SettingsError(f"{place}: kein gültiges TOML: {problem}", f"{place}: {problem}") from None
    except RecursionError:
        raise SettingsError(
            f"{place}: zu viele verschachtelte Klammern.", f"{place}: too many nested brackets"
        ) from None


def parse_json(data: bytes, place: str, error: type[Refused]) -> Values:
    """The JSON object in ``data``, in which no key appears twice. What is wrong there raises ``error``."""
    try:
        found = json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        if not isinstance(found, dict):
            raise ValueError(f"expected a JSON object, found {type(found).__name__}")
    except (ValueError, RecursionError) as problem:
        raise error(f"{place}: beschädigt: {problem}", f"{place}: damaged: {problem}") from None
    return Values(found, place, error)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _is_text(value: Any) -> bool:
    # JSON can say half a character, but no file and no terminal can.
    return isinstance(value, str) and not _SURROGATE.search(value)


def _is_a(kind: type, value: Any) -> bool:
    kinds = (int, float) if kind is float else (kind,)
    return isinstance(value, kinds) and (kind is bool or not isinstance(value, bool))


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= _MAX_SHOWN else shown[:_MAX_SHOWN] + "..."


class Values:
    """One table. A missing value is its ``default``; without one, and of another kind or beyond its bounds, an error.

    ``data`` is everything as it stands there, not checked. Without a ``place``, as for what a form says, errors name no
    line.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        place: str,
        error: type[Refused] = SettingsError,
        *,
        lines: Collection[str] = (),
        section: str = "",
        number: int = 0,
    ) -> None:
        self.data = data
        self.section = section
        self._place = place
        self._error = error
        self._lines = lines
        self._number = number

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def has(self, key: str) -> bool:
        """Whether there is a value other than ``null``."""
        return self.data.get(key) is not None

    # --- errors -------------------------------------------------------------------------------------------------------

    def wrong(self, key: str, problem: Text) -> Refused:
        """The error of a value, or with an empty key of the whole table."""
        if not self._place:
            return self._error(problem.de, problem.en)
        line = self._line(key)
        return self._error(
            f"{self._place}{f', Zeile {line}' if line else ''}: {problem.de}",
            f"{self._place}{f', line {line}' if line else ''}: {problem.en}",
        )

    def unknown(self, key: str, known: Collection[str]) -> Refused:
        """The error for a key that is not ``known``."""
        hint = did_you_mean(key, sorted(known))
        where = Text(f"in [{self.section}]", f"in [{self.section}]") if self.section else Text("hier", "here")
        return self.wrong(
            key, Text(f"{key!r} gibt es {where.de} nicht: {hint.de}", f"{key!r} is unknown {where.en}: {hint.en}")
        )

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Raise the error of the first key that is not ``known``."""
        for key in self.data:
            if key not in known:
                raise self.unknown(key, known)

    def expected(self, key: str, what: Text) -> Refused:
        """The error for a value of another kind than ``what``."""
        value = _shown(self.data.get(key))
        return self.wrong(
            key, Text(f"{key} muss {what.de} sein, nicht {value}.", f"{key} must be {what.en}, not {value}")
        )

    def _line(self, key: str) -> int:
        """The line of a key, or of its section; 0 if it cannot be found."""
        section = self.section or key
        current, seen, header = "", -1, 0
        for at, line in enumerate(self._lines, 1):
            bare = line.strip()
            if bare.startswith("["):
                current = bare.split("#")[0].strip().strip("[]").strip().replace('"', "").replace("'", "")
                seen += current == section
                if current == f"{section}.{key}":
                    return at
                if current == section and seen == self._number:
                    header = at
                elif current == section:
                    current = "another"
                continue
            written = bare.split("=")[0].strip().strip("\"'")
            # Above all sections, a section can be written as an inline value, and its keys as dotted ones.
            wanted = (key,) if section and current == section else (section, f"{section}.{key}") if not current else ()
            if written and written in wanted:
                return at
        return header

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, key: str, kind: type[T], default: T | None = None) -> T:
        """A value of this kind; a number may be written without a point."""
        if key not in self.data:
            if default is not None:
                return default
            where = f" in [{self.section}]" if self.section else ""
            raise self.wrong("", Text(f"{key!r} fehlt{where}.", f"{key!r} is missing{where}"))
        if not _is_a(kind, self.data[key]):
            raise self.expected(key, _KINDS[kind])
        return cast("T", self.data[key])

    def text(self, key: str, default: str | None = None) -> str:
        """Any text that can be written into a file."""
        value = self.value(key, str, default)
        if not _is_text(value):
            raise self.expected(key, _KINDS[str])
        return value

    def one_line(self, key: str, default: str | None = None, *, max_length: int = 60) -> str:
        """A text that can be printed in one line."""
        # Normalised, so that two names that look the same are the same.
        value = unicodedata.normalize("NFC", self.text(key, default))
        if not value.isprintable() or len(value) > max_length or (default is None and not value.strip()):
            raise self.wrong(
                key,
                Text(
                    f"{key} muss 1 bis {max_length} druckbare Zeichen haben, nicht {value[:80]!r}.",
                    f"{key} must have 1 to {max_length} printable characters, not {value[:80]!r}",
                ),
            )
        return value.strip()

    def whole(self, key: str, default: int | None = None, *, low: int = 0, high: int = _MAX_WHOLE) -> int:
        """A whole number within bounds."""
        return self._within(key, self.value(key, int, default), low, high)

    def number(
        self, key: str, default: float | None = None, *, low: float = -_MAX_NUMBER, high: float = _MAX_NUMBER
    ) -> float:
        """A number within bounds, never infinite."""
        return self.finite(key, self.value(key, float, default), low, high)

    def finite(self, key: str, value: float, low: float = -_MAX_NUMBER, high: float = _MAX_NUMBER) -> float:
        """A number that stands under a key, or in a list there."""
        return float(self._within(key, value, low, high))

    def _within(self, key: str, value: T, low: Any, high: Any) -> T:
        if not low <= value <= high:  # Written so that NaN fails too.
            first, last = (f"{bound:g}" if isinstance(bound, float) else bound for bound in (low, high))
            raise self.wrong(
                key,
                Text(
                    f"{key} muss zwischen {first} und {last} liegen, nicht bei {_shown(value)}.",
                    f"{key} must lie between {first} and {last}, not {_shown(value)}",
                ),
            )
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether it is true."""
        return self.value(key, bool, default)

    def choice(self, key: str, words: Mapping[str, T], default: T | None = None) -> T:
        """What one of the known words means."""
        if key not in self.data and default is not None:
            return default
        return self.choose(key, self.data.get(key), words)

    def choose(self, key: str, value: Any, words: Mapping[str, T]) -> T:
        """What a value that stands under a key, or in a list there, means."""
        if not isinstance(value, str) or value not in words:
            quoted = [f'"{word}"' for word in words]
            raise self.expected(key, Text(" oder ".join(quoted), " or ".join(quoted)))
        return words[value]

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        values = self.value(key, list)
        if not all(map(_is_text, values)):
            raise self.expected(key, Text("eine Liste von Texten", "a list of texts"))
        return tuple(values)

    def pair(self, key: str, read: Callable[[Any], T]) -> tuple[T, T]:
        """A list with two entries, one for each team."""
        values = self.value(key, list)
        if len(values) != 2:
            raise self.expected(
                key, Text("eine Liste mit zwei Einträgen, einem je Seite", "a list with two entries, one for each team")
            )
        return read(values[0]), read(values[1])

    def table(self, key: str) -> Values:
        """The table under a key; an empty one if it is not there."""
        return self.as_table(key, self.data.get(key, {}))

    def tables(self, key: str) -> list[Values]:
        """Each ``[[key]]`` of a TOML file."""
        found = self.data.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise self.expected(key, Text(f"[[{key}]] für jeden Eintrag", f"[[{key}]] for each entry"))
        return [self.as_table(key, each, number) for number, each in enumerate(found)]

    def as_table(self, key: str, value: Any, number: int = 0) -> Values:
        """A value that stands under a key, or in a list there, as a table."""
        if not isinstance(value, dict):
            raise self.expected(
                key, Text(f"ein Abschnitt [{key}]", f"a section [{key}]") if self._lines else _KINDS[dict]
            )
        return Values(value, self._place, self._error, lines=self._lines, section=key, number=number)

    def read(self, kind: type[T], *, besides: Collection[str] = ()) -> T:
        """The table as a dataclass, each field by its name and type; names of none, but ``besides``, are refused."""
        readers, required = _fields(cast("Hashable", kind))
        if not self.data.keys() <= readers.keys():
            self.refuse_unknown({*readers, *besides})
        for key in required:
            if key not in self.data:
                self.value(key, object)
        return kind(**{key: read(self, key, self.data[key]) for key, read in readers.items() if key in self.data})

    def moments(self, key: str) -> tuple[datetime, ...]:
        """A list of moments."""
        return tuple(self._moment(key, value) for value in self.value(key, list, []))

    def moment(self, key: str) -> datetime | None:
        """A moment with its time zone (default: this machine's); a date means its beginning."""
        return self._moment(key, self.data[key]) if key in self.data else None

    def _moment(self, key: str, value: Any) -> datetime:
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time())
        if not isinstance(value, datetime):
            raise self.wrong(
                key,
                Text(
                    f"{key} braucht Daten wie 2027-02-01 oder 2027-02-01T18:00:00, nicht {value!r}.",
                    f"{key} must be dates like 2027-02-01 or 2027-02-01T18:00:00, not {value!r}",
                ),
            )
        if not _YEARS[0] <= value.year <= _YEARS[1]:
            raise self.wrong(
                key,
                Text(
                    f"{key} muss zwischen den Jahren {_YEARS[0]} und {_YEARS[1]} liegen.",
                    f"{key} must lie between the years {_YEARS[0]} and {_YEARS[1]}",
                ),
            )
        return value.astimezone() if value.tzinfo is None else value


# --- dataclasses ------------------------------------------------------------------------------------------------------

_Reader = Callable[[Values, str, Any], Any]
"""Checks a value that stands under a key, or in a list there, and returns it as its type says."""


@cache
def _fields(kind: Any) -> tuple[dict[str, _Reader], tuple[str, ...]]:
    """How to read each field of a dataclass, and which of them have no default. Results have thousands of rows."""
    hints = get_type_hints(kind)
    readers = {name: _reader(hint) for name, hint in hints.items()}
    return readers, tuple(field.name for field in fields(kind) if field.default is MISSING)


def _reader(hint: Any) -> _Reader:
    arguments = get_args(hint)
    if NoneType in arguments:
        inner = _reader(arguments[0])
        return lambda values, key, value: None if value is None else inner(values, key, value)
    if get_origin(hint) is tuple:
        return _list_reader(_reader(arguments[0]), None if arguments[-1] is Ellipsis else len(arguments))
    if is_dataclass(hint):
        return lambda values, key, value: values.as_table(key, value).read(cast("type", hint))
    if issubclass(hint, Enum):
        return lambda values, key, value: values.choose(key, value, by_value(hint))
    return _scalar_reader(hint)


def _list_reader(inner: _Reader, length: int | None) -> _Reader:
    def read(values: Values, key: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or length not in (None, len(value)):
            raise values.expected(key, _KINDS[list])
        return tuple([inner(values, key, each) for each in value])

    return read


def _scalar_reader(kind: type) -> _Reader:
    fits: Callable[[Any], bool] | None = {str: _is_text, float: isfinite}.get(kind)

    def read(values: Values, key: str, value: Any) -> Any:
        if type(value) is kind and (fits is None or fits(value)):
            return value
        if kind is not float or not _is_a(float, value):
            raise values.expected(key, _KINDS[kind])
        return values.finite(key, value)

    return read
