"""The fair clock: what counts is when the move arrived."""

import pytest

from spielleiter.game import Cause, Clock, Limits
from spielleiter.referee import Arrival
from spielleiter.referee.clock import MoveClock

CLOCK = MoveClock(100.0, Limits(soft=2.0, hard=10.0))


@pytest.mark.parametrize(
    ("elapsed", "fault"),
    [
        (0.0, None),
        (1.999, None),
        (2.0, None),
        (2.001, Cause.SOFT_TIMEOUT),
        (10.0, Cause.SOFT_TIMEOUT),
        (10.001, Cause.HARD_TIMEOUT),
    ],
)
@pytest.mark.parametrize("read_later", [None, 0.0, 5.0])
def test_a_move_is_judged_to_the_millisecond(elapsed: float, fault: Cause | None, read_later: float | None) -> None:
    arrived = CLOCK.requested + elapsed
    arrival = Arrival(arrived) if read_later is None else Arrival(arrived + read_later, arrived)
    assert CLOCK.fault(CLOCK.timing(arrival)) is fault


def test_the_stamp_judges_where_there_is_one() -> None:
    timing = CLOCK.timing(Arrival(103.0, 101.0))
    assert timing.judged_by is Clock.KERNEL
    assert timing.elapsed == 1.0
    assert CLOCK.timing(Arrival(103.0)).judged_by is Clock.READING


@pytest.mark.parametrize("stamp", [99.0, 103.001, 1e9, -1e9])
def test_a_stamp_that_cannot_be_true_does_not_judge(stamp: float) -> None:
    timing = CLOCK.timing(Arrival(103.0, stamp))
    assert timing.judged_by is Clock.READING
    assert timing.elapsed == 3.0
    assert timing.received == stamp


def test_silence_is_over_exactly_at_the_deadline() -> None:
    assert CLOCK.deadline == 110.0
    assert CLOCK.fault_of_silence(109.999) is None
    assert CLOCK.fault_of_silence(110.0) is Cause.HARD_TIMEOUT


def test_without_limits_there_is_neither_deadline_nor_fault() -> None:
    clock = MoveClock(100.0, None)
    assert clock.deadline is None
    assert clock.fault_of_silence(1e9) is None
    assert clock.fault(clock.timing(Arrival(1e9))) is None
