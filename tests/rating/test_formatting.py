"""Numbers as people read them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from spielleiter.game import Text
from spielleiter.rating.formatting import number, percent


@pytest.mark.parametrize(
    ("value", "digits", "signed", "expected"),
    [
        (1.25, 1, False, "1.2"),  # binary floats round halves to even
        (Fraction(5, 4), 1, False, "1.3"),  # exact numbers round halves away from zero
        (Fraction(-5, 4), 1, False, "-1.3"),
        (Fraction(1, 3), 3, False, "0.333"),
        (Fraction(2, 3), 0, False, "1"),
        (Fraction(1, 200), 2, True, "+0.01"),
        (17.4, 0, True, "+17"),
        (-17.4, 0, True, "-17"),
        (-0.2, 0, True, "0"),
        (Fraction(-1, 1000), 2, True, "0.00"),
        (10.0, 0, True, "+10"),
    ],
)
def test_a_number_is_rounded_and_signed(value: float | Fraction, digits: int, signed: bool, expected: str) -> None:
    assert number(value, digits, signed=signed).en == expected


def test_german_has_a_decimal_comma() -> None:
    assert number(Fraction(37, 6), 2) == Text("6,17", "6.17")
    assert percent(0.125) == Text("12,5 %", "12.5 %")


def test_only_certainty_is_shown_as_hundred_per_cent() -> None:
    assert percent(0.99999).en == "99.9 %"
    assert percent(1.0).en == "100.0 %"
    assert percent(0.00001).en == "0.1 %"
    assert percent(0.0).en == "0.0 %"
