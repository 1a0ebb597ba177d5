"""Numbers and moments as pages show them: decimal commas and German dates in German, a real minus sign in both."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

from spielleiter.game import Language
from spielleiter.rating import formatting

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def number(value: float | Fraction, language: Language, digits: int = 0, *, signed: bool = False) -> str:
    """``value`` with ``digits`` decimal places."""
    return formatting.number(value, digits, signed=signed).to(language).replace("-", "−")


def short_number(value: float, language: Language) -> str:
    """``value`` with as many decimal places as it needs: 2, 0.5."""
    return f"{value:g}".replace("-", "−").replace(".", "," if language == "de" else ".")


def moment(at: datetime | None, language: Language) -> str:
    """Date and time in the time zone of this machine, where the reader mostly is too; empty for ``None``."""
    if at is None:
        return ""
    local = at.astimezone()
    if language == "de":
        return f"{local:%d.%m.%Y, %H:%M}"
    return f"{local.day} {_MONTHS[local.month - 1]} {local:%Y, %H:%M}"
