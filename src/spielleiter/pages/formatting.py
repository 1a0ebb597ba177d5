"""Numbers, moments and long names as pages show them.

Decimal commas and German dates in German, a real minus sign in both languages.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from spielleiter.game import Language
from spielleiter.rating import formatting

_SOFT_HYPHEN = "\u00ad"
_LONG_WORD = re.compile(r"[^\W\d_]{18,}")
_SOUND = re.compile(r"sch|[cpt]h|ck|qu|[bgkp][lr]|.", re.IGNORECASE)
_VOWELS = frozenset("aeiouyäöüáàâéèêíóôú")
_MIN_SYLLABLE, _MAX_SYLLABLE = 3, 12
"""Letters between two places where a long word may break; more only without vowels."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def number(value: float | Fraction, language: Language, digits: int = 0, *, signed: bool = False) -> str:
    """``value`` with ``digits`` decimal places."""
    return formatting.number(value, digits, signed=signed).to(language).replace("-", "−")


def short_number(value: float, language: Language) -> str:
    """``value`` with as many decimal places as it needs: 2, 0.5."""
    return f"{value:g}".replace("-", "−").replace(".", "," if language == "de" else ".")


def countdown(seconds: float, language: Language) -> str:
    """What is left on a clock: ``4:59``, in the last ten seconds with tenths; as ``live.js`` goes on counting."""
    left = max(0.0, seconds)
    if left < 10:
        return number(math.floor(10 * left) / 10, language, 1)
    return f"{int(left) // 60}:{int(left) % 60:02}"


def moment(at: datetime | None, language: Language) -> str:
    """Date and time in the time zone of this machine, where the reader mostly is too; empty for ``None``."""
    if at is None:
        return ""
    local = at.astimezone()
    if language == "de":
        return f"{local:%d.%m.%Y, %H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%Y, %H:%M}"


def breakable(name: str) -> str:
    """``name`` with soft hyphens in its long words: not every browser knows where German words break."""
    return _LONG_WORD.sub(lambda word: _with_hyphens(word[0]), name)


def _with_hyphens(word: str) -> str:
    """A word that may break before each consonant that begins a syllable, as German words mostly do."""
    sounds = _SOUND.findall(word)
    parts, left, length = [], len(word), 0
    for sound, following in zip(sounds, [*sounds[1:], ""], strict=True):
        begins = sound.lower() not in _VOWELS and following.lower() in _VOWELS
        if left >= _MIN_SYLLABLE and ((begins and length >= _MIN_SYLLABLE) or length >= _MAX_SYLLABLE):
            parts.append(_SOFT_HYPHEN)
            length = 0
        parts.append(sound)
        length += len(sound)
        left -= len(sound)
    return "".join(parts)


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    file = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
        writer.writerow({key: _harmless(value) for key, value in row.items()})
    return file.getvalue()


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value and value[0] in "=+-@\t\r" else value
