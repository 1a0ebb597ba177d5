"""The classes of moves and the accuracy of a side, at their thresholds."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spielleiter.analysis import BLUNDER, MoveClass, accuracy, chance_text, classify, loss_between
from spielleiter.rating.formatting import number


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (0.0, MoveClass.BEST),
        (0.0049, MoveClass.BEST),
        (0.005, MoveClass.GOOD),
        (0.0499, MoveClass.GOOD),
        (0.05, MoveClass.INACCURACY),
        (0.1, MoveClass.MISTAKE),
        (0.1999, MoveClass.MISTAKE),
        (BLUNDER, MoveClass.BLUNDER),
        (1.0, MoveClass.BLUNDER),
    ],
)
def test_a_move_is_classified_by_what_it_lost(loss: float, expected: MoveClass) -> None:
    assert classify(loss) is expected


@given(chances=st.tuples(st.floats(0, 1), st.floats(0, 1)))
@example(chances=(0.0125, 0.0005))
@example(chances=(1.0, 0.9999))
def test_a_loss_is_the_difference_of_the_chances_as_they_are_shown(chances: tuple[float, float]) -> None:
    before, after = (Decimal(chance_text(chance).en.removesuffix(" %")) for chance in chances)
    assert Decimal(number(100 * loss_between(*chances), 1).en) == max(Decimal(0), before - after)


def test_only_what_could_have_been_played_better_is_an_error() -> None:
    assert [found for found in MoveClass if found.is_error] == [
        MoveClass.INACCURACY,
        MoveClass.MISTAKE,
        MoveClass.BLUNDER,
    ]


def test_the_accuracy_is_the_one_that_is_documented() -> None:
    assert [round(accuracy([loss]) or 0) for loss in (0.0, 0.05, 0.1, 0.2, 1.0)] == [100, 80, 64, 41, 1]
    assert accuracy([0.0, 1.0]) == pytest.approx(50.6, abs=0.1)
    assert accuracy([]) is None
