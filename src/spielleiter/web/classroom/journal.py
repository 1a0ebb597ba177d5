"""The file of a class: a line of JSON for each event, on the disk before it counts, and read again after a restart."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any, get_args

from spielleiter.errors import READ, WRITE, RecordError, SettingsError, refusing
from spielleiter.matches.results import LineFile
from spielleiter.values import parse_json
from spielleiter.web.classroom.state import ClassEvent

JOURNAL = "class.jsonl"
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(ClassEvent)}
_MAX_SIZE = 64 << 20


class Journal:
    """The events of one class, in a folder that only this user can read; one process at a time."""

    def __init__(self, folder: Path) -> None:
        """Raises ``SettingsError`` if another process has it, ``RecordError`` if it is damaged."""
        with refusing(SettingsError, folder, WRITE):
            folder.mkdir(parents=True, exist_ok=True)
            os.chmod(folder, 0o700)
        try:
            self._file = LineFile(folder / JOURNAL)
        except RecordError:
            raise _is_open(folder) from None
        try:
            self.events: list[ClassEvent] = []
            size = 0
            for event, end in _read(folder / JOURNAL):
                self.events.append(event)
                size = end
            self._file.go_on_after(size)
        except BaseException:
            self._file.close()
            raise

    def append(self, event: ClassEvent) -> None:
        """Store an event. Raises ``RecordError`` if the disk does not take it."""
        self._file.append({"event": type(event).__name__, **asdict(event, dict_factory=_plain)})

    def close(self) -> None:
        """Let others have the folder."""
        self._file.close()


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.value if isinstance(value, Enum) else value for name, value in pairs}


def _read(path: Path) -> Iterator[tuple[ClassEvent, int]]:
    """The events of a file, each with where it ends; an unfinished last line was never answered, and is dropped."""
    end = 0
    with refusing(RecordError, path, READ), path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > _MAX_SIZE:
            raise RecordError(
                f"{path}: größer als {_MAX_SIZE >> 20} MiB.", f"{path}: larger than {_MAX_SIZE >> 20} MiB"
            )
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                return
            end += len(line)
            values = parse_json(line, f"{path}:{number}", RecordError)
            kind = values.choice("event", _KINDS)
            yield values.read(kind, besides=("event",)), end


def forget(folder: Path) -> bool:
    """Delete everything that is known of a class; ``False`` if there is nothing.

    Raises ``SettingsError`` if the class is open, or the folder is not one of a class.
    """
    if not folder.is_dir():
        return False
    if not (folder / JOURNAL).is_file():
        raise SettingsError(
            f"{folder}: ist kein Ordner einer Klasse, {JOURNAL} fehlt; nichts wurde gelöscht.",
            f"{folder}: not the folder of a class, {JOURNAL} is missing; nothing was deleted",
        )
    try:
        LineFile(folder / JOURNAL).close()
    except RecordError:
        raise _is_open(folder) from None
    with refusing(SettingsError, folder, WRITE):
        shutil.rmtree(folder)
    return True


def _is_open(folder: Path) -> SettingsError:
    return SettingsError(
        f"{folder}: diese Klasse ist gerade in einem anderen Fenster offen; beende sie dort mit Strg-C.",
        f"{folder}: this class is open in another window; stop it there with Ctrl-C",
    )
