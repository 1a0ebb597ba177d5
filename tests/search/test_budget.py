from __future__ import annotations

from contextlib import suppress

import pytest

from spielleiter.errors import BudgetSpent
from spielleiter.search.budget import Budget, Meter
from tests.support.toys import TickingClock


def spend_all(meter: Meter) -> None:
    with suppress(BudgetSpent):
        while meter.nodes < 1000:
            meter.spend()
    assert meter.nodes < 1000


def test_a_budget_without_a_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="seconds, nodes or depth"):
        Budget()


def test_exactly_the_nodes_allowed_are_spent() -> None:
    meter = Meter(Budget(nodes=7), TickingClock(1.0))
    spend_all(meter)
    assert meter.nodes == 7


def test_a_steady_clock_is_used_to_the_last_step_and_not_beyond() -> None:
    clock = TickingClock(1.0)
    meter = Meter(Budget(seconds=50), clock)
    spend_all(meter)
    assert meter.seconds() == 50


def test_the_longest_step_so_far_is_kept_in_reserve() -> None:
    clock = TickingClock(1.0, 1.0, 6.0, 1.0)
    meter = Meter(Budget(seconds=50), clock)
    spend_all(meter)
    assert 50 - 6 - 1 <= meter.seconds() <= 50


def test_no_time_at_all_allows_no_node() -> None:
    meter = Meter(Budget(seconds=0), TickingClock(0.001))
    spend_all(meter)
    assert meter.nodes == 0
