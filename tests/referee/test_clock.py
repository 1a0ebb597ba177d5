"""The fair clock: what counts is when the move arrived."""

from random import Random

import pytest

from spielleiter.game import TEAMS, Cause, Clock, Limits, Team, Text
from spielleiter.games import load
from spielleiter.referee import Arrival, Room, Seat
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


# --- a clock for the whole game ---------------------------------------------------------------------------------------


def test_a_game_clock_counts_what_all_moves_took_and_adds_the_increment() -> None:
    clock = Limits.of_game(60.0, 0.5)
    assert clock.after(0, 0.0) == clock
    assert clock.after(4, 10.0).soft == 52.0
    assert clock.after(4, 70.0).soft == 0.0
    assert Limits().after(4, 70.0) == Limits()


def test_a_share_of_a_game_clock_leaves_time_for_more_moves() -> None:
    assert Limits.of_game(60.0, 0.5).share == pytest.approx(3.5)
    assert Limits.of_game(0.2, 5.0).share == 0.2
    assert Limits(2.0).share == 2.0


def clocked_room() -> Room:
    game = load("ostseeschach-2022")
    one, two = (Seat(team, name=team.name) for team in TEAMS)
    room = Room("r", game, game.new_state(Random(1)), (one, two), prepared=True, limits=Limits.of_game(10.0, 1.0))
    room.start(0.0)
    return room


def move(room: Room, at: float) -> None:
    room.judge_move(room.state.to_move, room.state.legal_moves()[0], Arrival(at))


def test_who_has_used_up_the_time_of_the_game_loses() -> None:
    room = clocked_room()
    move(room, 6.0)  # ONE took 6 s and has 5 left
    move(room, 7.0)
    assert room.deadline == 12.0
    move(room, 11.9)
    assert room.result is None
    move(room, 12.0)
    move(room, 13.2)  # 1.1 s were left
    assert room.result is not None
    assert room.result.winner is Team.TWO
    assert room.result.teams[0].cause is Cause.SOFT_TIMEOUT
    assert room.result.reason == Text(
        "ONE hat die Bedenkzeit von 10+1 s verbraucht", "ONE has used up the 10+1 s of the game"
    )


def test_silence_loses_when_the_clock_has_run_down() -> None:
    room = clocked_room()
    room.time_passed(9.99)
    assert room.result is None
    room.time_passed(10.0)
    assert room.result is not None
    assert room.result.teams[0].cause is Cause.HARD_TIMEOUT
