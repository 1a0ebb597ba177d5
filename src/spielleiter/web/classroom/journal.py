"""The file of a class: a line of JSON for each event, on the disk before it counts, and read again after a restart."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, get_args

from spielleiter.errors import WRITE, RecordError, SettingsError, refusing
from spielleiter.matches.results import LineFile
from spielleiter.web.classroom.state import ClassEvent
from spielleiter.web.event_file import EventFile

JOURNAL = "class.jsonl"
_KINDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(ClassEvent)}


def open_journal(folder: Path) -> EventFile[ClassEvent]:
    """The events of one class, in a folder that only this user can read; one process at a time.

    Raises ``SettingsError`` if another process has it, ``RecordError`` if it is damaged.
    """
    with refusing(SettingsError, folder, WRITE):
        folder.mkdir(parents=True, exist_ok=True)
        os.chmod(folder, 0o700)
    try:
        LineFile(folder / JOURNAL).close()
    except RecordError:
        raise _is_open(folder) from None
    return EventFile(folder / JOURNAL, _KINDS)


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
