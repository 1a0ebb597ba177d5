"""How numbers and times are written for people: a decimal comma in German, a point in English, and never infinity."""

from __future__ import annotations

from fractions import Fraction

from spielleiter.game import Text


def number(value: float | Fraction, digits: int = 0, *, signed: bool = False) -> Text:
    """``value`` with ``digits`` places after the comma; a ``Fraction`` is rounded exactly, halves away from zero."""
    if isinstance(value, Fraction):
        scaled = abs(value) * 10**digits
        whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
        text = f"{whole:0{digits + 1}d}"
        plain = f"{text[:-digits]}.{text[-digits:]}" if digits else text
        negative = value < 0
    else:
        plain = f"{abs(value):.{digits}f}"
        negative = value < 0
    # A rounded zero has no sign: "-0" would only raise questions.
    if any(character in "123456789" for character in plain):
        plain = ("-" if negative else "+" if signed else "") + plain
    return Text(plain.replace(".", ","), plain)


def thousands(value: float) -> Text:
    """A large number without places after the comma, its digits in groups of three."""
    grouped = f"{value:,.0f}"
    return Text(grouped.replace(",", "."), grouped)


def percent(share: float, digits: int = 1) -> Text:
    """A share between 0 and 1 as a percentage; 100 and 0 are kept for what is exactly so."""
    shown = 100 * share
    smallest: float = 10.0**-digits
    if 0 < share < 1:
        shown = min(max(shown, smallest), 100 - smallest)
    text = number(shown, digits)
    return Text(f"{text.de} %", f"{text.en} %")


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
