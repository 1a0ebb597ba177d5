"""The reference server's ``server.properties``, understood as settings of ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from spielleiter.errors import READ, SettingsError, refusing

_FLAGS = {"true": True, "false": False}


def read_properties(path: Path) -> dict[str, object]:
    """The options of ``spielleiter serve`` that the file sets, by our names. Raises ``SettingsError`` with the line."""
    with refusing(SettingsError, path, READ):
        return parse_properties(path.read_text(encoding="utf-8"), str(path))


def parse_properties(text: str, file: str) -> dict[str, object]:
    """The same of the text of a ``file``."""
    options: dict[str, object] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#!":
            continue
        key, separator, value = line.partition("=")
        place = f"{file}:{number}"
        if not separator:
            raise SettingsError(
                f"{place}: erwartet wird name=wert, gefunden {line[:60]!r}",
                f"{place}: expected name=value, found {line[:60]!r}",
            )
        name, read = _PROPERTIES.get(key.strip(), (None, _text))
        if name is not None:  # What the reference knows and we do not need (plugins, testMode) is ignored.
            options[name] = read(value.strip(), place)
    return options


def _text(value: str, place: str) -> object:
    return value


def _number(value: str, place: str) -> object:
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise SettingsError(
            f"{place}: erwartet wird eine Zahl, gefunden {value[:60]!r}",
            f"{place}: expected a number, found {value[:60]!r}",
        )
    return int(value)


def _flag(value: str, place: str) -> bool:
    if value.lower() not in _FLAGS:
        raise SettingsError(
            f"{place}: erwartet wird true oder false, gefunden {value[:60]!r}",
            f"{place}: expected true or false, found {value[:60]!r}",
        )
    return _FLAGS[value.lower()]


def _local(value: str, place: str) -> object:
    return "127.0.0.1" if _flag(value, place) else "0.0.0.0"  # noqa: S104 - the file says so


def _save_replay(value: str, place: str) -> object:
    return "replays" if _flag(value, place) else None


_PROPERTIES: dict[str, tuple[str, Callable[[str, str], object]]] = {
    "port": ("port", _number),
    "password": ("password", _text),
    "paused": ("paused", _flag),
    "local": ("host", _local),
    "timeout": ("timeout", _flag),
    "saveReplay": ("records", _save_replay),
    "loadGameFile": ("load", _text),
    "turn": ("turn", _number),
    "turnToLoad": ("turn", _number),
}
