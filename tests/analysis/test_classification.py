"""The classes of moves and the accuracy of a side, at their thresholds."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spielleiter.analysis import BLUNDER, MoveClass, accuracy, chance_text, classify, loss_between
from spielleiter.rating.formatting import number


@pytest.mark.parametrize(
    ("cost", "expected"),
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
def test_a_move_is_classified_by_what_it_cost(cost: float, expected: MoveClass) -> None:
    assert classify(cost) is expected


def test_a_move_that_could_not_have_been_worse_is_not_best_but_makes_no_difference() -> None:
    assert classify(0.0, 0.0049) is MoveClass.NO_DIFFERENCE
    assert classify(0.0, 0.005) is MoveClass.BEST
    assert classify(0.3, 0.0) is MoveClass.BLUNDER


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


def test_each_move_counts_in_the_accuracy_as_much_as_was_at_stake() -> None:
    assert accuracy([(0.0, 0.3), (0.1, 0.1)]) == pytest.approx(75)
    assert accuracy([(0.0, 0.3), (0.1, 0.1), (0.0, 0.0)]) == pytest.approx(75)
    assert accuracy([(0.1, 0.2)] * 3) == pytest.approx(50)


def test_a_move_that_cost_more_than_others_would_have_has_no_accuracy_at_all() -> None:
    assert accuracy([(0.4, 0.1)]) == 0
    assert accuracy([(0.4, 0.1), (0.0, 0.4)]) == pytest.approx(50)


def test_where_nothing_was_at_stake_there_is_no_accuracy() -> None:
    assert accuracy([]) is None
    assert accuracy([(0.0, 0.0)]) is None
