"""Names that people type or a host lists, and the join code: what is admitted, and what is said if it is not."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import Path

from spielleiter.errors import Refused, SettingsError
from spielleiter.values import read_text

MAX_NAME = 30
MAX_PEOPLE = 120
"""Seats of one class; a script that joins again and again fills no more."""
MAX_LISTED = 200
_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without letters and digits that look alike: people copy it from a projector."""
_CODE_LENGTH = 5
_MAX_MARKS = 2
"""Accents on one letter; more of them cover the lines around it."""


def new_code() -> str:
    """A join code that cannot be guessed in the time of a lesson: ``K7QMX``."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_CODE_LENGTH))


def plain_code(text: str) -> str:
    """The code as it is compared: people type it in small letters and with spaces."""
    return "".join(char for char in text[:40].upper() if char.isalnum())


def checked_name(text: str) -> str:
    """The name in one line, with single spaces. Raises ``Refused`` with what was expected."""
    name = unicodedata.normalize("NFC", " ".join(text[: 20 * MAX_NAME].split()))
    if not name:
        raise Refused("Gib deinen Namen ein.", "Type your name.")
    if len(name) > MAX_NAME:
        raise Refused(
            f"Ein Name hat höchstens {MAX_NAME} Zeichen, deiner hat {len(text.strip())}.",
            f"A name has at most {MAX_NAME} characters; yours has {len(text.strip())}.",
        )
    if not name.isprintable() or any(char in "<>{}|\\^~`" for char in name) or _has_stacked_marks(name):
        raise Refused(
            "Ein Name besteht aus Buchstaben, Ziffern, Leerzeichen und Zeichen wie - . '",
            "A name consists of letters, digits, spaces and characters such as - . '",
        )
    if not any(char.isalnum() for char in name):
        raise Refused(
            "Ein Name hat mindestens einen Buchstaben oder eine Ziffer.", "A name has at least one letter or digit."
        )
    return name


def _has_stacked_marks(name: str) -> bool:
    marks = 0
    for char in name:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks > _MAX_MARKS:
            return True
    return False


def same_name(one: str, other: str) -> bool:
    """Whether people would take the two for one name."""
    return _compared(one) == _compared(other)


def _compared(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "")


def find_name(name: str, names: Iterable[str]) -> str | None:
    """The one of ``names`` that people would take for ``name``."""
    return next((other for other in names if same_name(name, other)), None)


def another_name(name: str, taken: Collection[str]) -> str:
    """A name like ``name`` that is not taken: with a number behind."""
    number = 2
    while find_name(candidate := f"{name[: MAX_NAME - 4]} {number}", taken) is not None:
        number += 1
    return candidate


def read_names(path: Path) -> tuple[str, ...]:
    """The names in a file, one in each line; of a table only the first column. Raises ``SettingsError``."""
    names: list[str] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cell = line.partition(";")[0].partition("\t")[0].strip().strip('"')
        if not cell or cell.startswith("#"):
            continue
        try:
            name = checked_name(cell)
        except Refused as problem:
            raise SettingsError(
                f"{path}, Zeile {number}: {problem.text.de}", f"{path}, line {number}: {problem.text.en}"
            ) from None
        if find_name(name, names) is not None:
            raise SettingsError(
                f"{path}, Zeile {number}: {name} steht zweimal da; häng etwas an: „{another_name(name, names)}“.",
                f"{path}, line {number}: {name} is there twice; add something: '{another_name(name, names)}'",
            )
        names.append(name)
    if not names:
        raise SettingsError(
            f"{path}: enthält keine Namen; erwartet wird einer in jeder Zeile.",
            f"{path}: has no names; expected one in each line",
        )
    if len(names) > MAX_LISTED:
        raise SettingsError(f"{path}: mehr als {MAX_LISTED} Namen.", f"{path}: more than {MAX_LISTED} names")
    return tuple(names)
