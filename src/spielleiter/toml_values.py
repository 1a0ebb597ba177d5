"""Values of a TOML file, each checked; an error names the line and what was expected there."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Collection, Mapping
from datetime import date, datetime, time
from math import inf, isfinite
from pathlib import Path
from typing import Any

from spielleiter.errors import SettingsError
from spielleiter.text import Text, did_you_mean, system_error

MAX_BYTES = 2_000_000
_YEARS = (2000, 2999)
_KINDS = {
    str: Text("ein Text in Anführungszeichen", "a text in quotes"),
    int: Text("eine ganze Zahl", "a whole number"),
    float: Text("eine Zahl", "a number"),
    bool: Text("true oder false", "true or false"),
    list: Text("eine Liste", "a list"),
    dict: Text("eine Tabelle", "a table"),
}


def read_text(path: Path) -> str:
    """The text of a file. Raises ``SettingsError``; ``FileNotFoundError`` stays, for whoever knows what to do then."""
    try:
        if path.stat().st_size > MAX_BYTES:
            size = MAX_BYTES // 10**6
            raise SettingsError(f"{path}: größer als {size} MB.", f"{path}: larger than {size} MB")
        return path.read_text(encoding="utf-8-sig")  # Some editors write a byte order mark.
    except FileNotFoundError:
        raise
    except OSError as problem:
        why = system_error(problem)
        raise SettingsError(f"{path}: lässt sich nicht lesen: {why.de}", f"{path}: cannot be read: {why.en}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: ist kein UTF-8-Text", f"{path}: is not UTF-8 text") from None


def parse_toml(text: str, place: str) -> dict[str, Any]:
    """What stands in a TOML text; ``place`` names it in messages. Raises ``SettingsError``."""
    try:
        return tomllib.loads(text)
    except ValueError as problem:  # Also TOML numbers and dates that Python does not support.
        raise SettingsError(f"{place}: kein gültiges TOML: {problem}", f"{place}: {problem}") from None
    except RecursionError:
        raise SettingsError(
            f"{place}: zu viele verschachtelte Klammern.", f"{place}: too many nested brackets"
        ) from None


class TomlValues:
    """The sections of a file; of sections that come several times, ``number`` says which one is meant, from 0."""

    def __init__(self, text: str, place: str, content: Mapping[str, Any]) -> None:
        self._lines = text.splitlines()
        self._place = place
        self._content = content

    @classmethod
    def read(cls, path: Path) -> TomlValues:
        """The values of a file. Raises ``SettingsError``."""
        try:
            text = read_text(path)
        except FileNotFoundError:
            raise SettingsError(f"{path}: Diese Datei gibt es nicht.", f"{path}: there is no such file") from None
        return cls(text, str(path), parse_toml(text, str(path)))

    @property
    def content(self) -> Mapping[str, Any]:
        """Everything as it stands there, not checked."""
        return self._content

    def unknown(self, name: str, known: Collection[str], section: str = "", number: int = 0) -> SettingsError:
        """The error for a name that is not ``known``; without a section, for one above all sections."""
        hint = did_you_mean(name, known)
        return self.wrong(
            f"{name!r} gibt es hier nicht: {hint.de}",
            f"{name!r} is unknown here: {hint.en}",
            section or name,
            name,
            number,
        )

    def wrong(self, de: str, en: str, section: str = "", key: str = "", number: int = 0) -> SettingsError:
        """An error that says where it is."""
        line = self._line(section, key, number)
        return SettingsError(
            f"{self._place}{f', Zeile {line}' if line else ''}: {de}",
            f"{self._place}{f', line {line}' if line else ''}: {en}",
        )

    def _line(self, section: str, key: str, number: int) -> int:
        """The line of a key, or of its section; 0 if it cannot be found."""
        current, seen, header = "", -1, 0
        is_repeated = isinstance(self._content.get(section), list)
        for at, line in enumerate(self._lines, 1):
            bare = line.strip()
            if bare.startswith("["):
                current = bare.split("#")[0].strip().strip("[]").strip().replace('"', "").replace("'", "")
                seen += current == section
                if current == f"{section}.{key}":
                    return at
                if current == section and (not is_repeated or seen == number):
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

    def value(self, section: str, key: str, kind: type, default: Any = None, number: int = 0) -> Any:
        """The value of a key, of the right type; the default if it is not there."""
        content = self._content.get(section, {})
        part = content[number] if isinstance(content, list) else content
        if key not in part:
            if default is None:
                raise self.wrong(
                    f"{key!r} fehlt in [{section}].", f"{key!r} is missing in [{section}]", section, "", number
                )
            return default
        return self._checked(part[key], section, key, kind, number)

    def plain(self, key: str, kind: type) -> Any:
        """The value of a key above all sections, of the right type."""
        return self._checked(self._content[key], key, key, kind, 0)

    def _checked(self, value: Any, section: str, key: str, kind: type, number: int) -> Any:
        kinds = (int, float) if kind is float else (kind,)
        if not isinstance(value, kinds) or (kind is not bool and isinstance(value, bool)):
            expected = _KINDS[kind]
            raise self.wrong(
                f"{key} muss {expected.de} sein, nicht {value!r}.",
                f"{key} must be {expected.en}, not {value!r}",
                section,
                key,
                number,
            )
        return value

    def text(self, section: str, key: str, default: str | None = None, *, number: int = 0, max_length: int = 60) -> str:
        """A text that can be printed in one line."""
        # Normalised, so that two names that look the same are the same.
        value = unicodedata.normalize("NFC", self.value(section, key, str, default, number))
        if not value.isprintable() or len(value) > max_length or (default is None and not value.strip()):
            raise self.wrong(
                f"{key} muss 1 bis {max_length} druckbare Zeichen haben, nicht {value[:80]!r}.",
                f"{key} must have 1 to {max_length} printable characters, not {value[:80]!r}",
                section,
                key,
                number,
            )
        return value.strip()

    def whole(self, section: str, key: str, default: int, *, low: int, high: int) -> int:
        """A whole number within bounds."""
        value: int = self.value(section, key, int, default)
        if not low <= value <= high:
            raise self.wrong(
                f"{key} muss zwischen {low} und {high} liegen, nicht bei {value}.",
                f"{key} must lie between {low} and {high}, not {value}",
                section,
                key,
            )
        return value

    def number(
        self, section: str, key: str, default: float | None = None, *, low: float = -inf, high: float = inf
    ) -> float:
        """A number within bounds."""
        value = float(self.value(section, key, float, default))
        if not isfinite(value) or not low <= value <= high:
            raise self.wrong(
                f"{key} muss zwischen {low:g} und {high:g} liegen, nicht bei {value:g}.",
                f"{key} must lie between {low:g} and {high:g}, not {value:g}",
                section,
                key,
            )
        return value

    def choice(self, section: str, key: str, known: list[str], default: str) -> str:
        """One of the known texts."""
        value: str = self.value(section, key, str, default)
        if value not in known:
            words = [f'"{word}"' for word in known]
            raise self.wrong(
                f"{key} muss {' oder '.join(words)} sein, nicht {value!r}.",
                f"{key} must be {' or '.join(words)}, not {value!r}",
                section,
                key,
            )
        return value

    def even(self, section: str, key: str, default: int, *, high: int) -> int:
        """An even number of games."""
        value = self.whole(section, key, default, low=2, high=high)
        if value % 2:
            raise self.wrong(
                f"{key} muss gerade sein, damit beide gleich oft anfangen, nicht {value}.",
                f"{key} must be even, so that both have the first move equally often, not {value}",
                section,
                key,
            )
        return value

    def dates(self, section: str) -> tuple[datetime, ...]:
        """A list of moments under the key ``dates``."""
        values: list[Any] = self.value(section, "dates", list, [])
        moments = [self.moment(section, "dates", value) for value in values]
        return tuple(moment for moment in moments if moment is not None)

    def moment(self, section: str, key: str, value: Any) -> datetime | None:
        """A moment with its time zone (default: this machine's); a date means its beginning."""
        if value is None:
            return None
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time())
        if not isinstance(value, datetime):
            raise self.wrong(
                f"{key} braucht Daten wie 2027-02-01 oder 2027-02-01T18:00:00, nicht {value!r}.",
                f"{key} must be dates like 2027-02-01 or 2027-02-01T18:00:00, not {value!r}",
                section,
                key,
            )
        if not _YEARS[0] <= value.year <= _YEARS[1]:
            raise self.wrong(
                f"{key} muss zwischen den Jahren {_YEARS[0]} und {_YEARS[1]} liegen.",
                f"{key} must lie between the years {_YEARS[0]} and {_YEARS[1]}",
                section,
                key,
            )
        return value.astimezone() if value.tzinfo is None else value
