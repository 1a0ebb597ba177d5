"""The schedule keeps its laws for every size of a group."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.schedule import begins, days_needed, round_robin
from spielleiter.errors import SettingsError

groups = st.lists(st.text(min_size=1, max_size=4), min_size=2, max_size=41, unique=True)


@given(groups)
def test_every_pair_meets_exactly_once(teams: list[str]) -> None:
    met = Counter(frozenset(pair) for day in round_robin(teams) for pair in day.pairs)
    assert met == Counter(map(frozenset, combinations(teams, 2)))


@given(groups)
def test_nobody_plays_twice_on_a_day(teams: list[str]) -> None:
    for day in round_robin(teams):
        playing = [team for pair in day.pairs for team in pair]
        assert len(set(playing)) == len(playing)


@given(groups)
def test_each_day_everybody_plays_or_rests(teams: list[str]) -> None:
    for day in round_robin(teams):
        resting = [] if day.resting is None else [day.resting]
        assert sorted([*(team for pair in day.pairs for team in pair), *resting]) == sorted(teams)


@given(groups)
def test_in_an_odd_group_every_team_rests_once_and_in_an_even_one_nobody(teams: list[str]) -> None:
    resting = Counter(day.resting for day in round_robin(teams) if day.resting is not None)
    assert resting == (Counter(teams) if len(teams) % 2 else Counter())


@given(groups)
def test_sides_are_balanced_to_within_one(teams: list[str]) -> None:
    days = round_robin(teams)
    first = Counter(day_pair[0] for day in days for day_pair in day.pairs)
    second = Counter(day_pair[1] for day in days for day_pair in day.pairs)
    for team in teams:
        difference = first[team] - second[team]
        assert abs(difference) <= 1
        # An odd group has an even number of encounters for each team: there the halves are equal.
        assert difference == 0 or len(teams) % 2 == 0


@given(groups)
def test_days_are_numbered_and_as_many_as_are_needed(teams: list[str]) -> None:
    days = round_robin(teams)
    assert [day.number for day in days] == list(range(1, days_needed(len(teams)) + 1))


@pytest.mark.parametrize(("teams", "days"), [(2, 1), (3, 3), (4, 3), (5, 5), (8, 7), (20, 19), (21, 21)])
def test_days_needed_by_hand(teams: int, days: int) -> None:
    assert days_needed(teams) == days


def test_the_schedule_of_four_by_hand() -> None:
    # Place 3 (d) stands still; 0, 1, 2 walk round. Day 1: 0-3 and 1-2; day 2: 1-3 and 2-0; day 3: 2-3 and 0-1.
    # The lower place begins for odd distances: 0-3 (3), 1-2 (1), 2-3 (1), 0-1 (1); not for 1-3 (2) and 0-2 (2).
    days = round_robin("abcd")
    assert [day.pairs for day in days] == [
        (("a", "d"), ("b", "c")),
        (("d", "b"), ("c", "a")),
        (("c", "d"), ("a", "b")),
    ]
    assert begins(0, 3)
    assert not begins(1, 3)


def test_a_schedule_needs_two_different_teams() -> None:
    with pytest.raises(SettingsError, match="at least two teams, not 1"):
        round_robin(["a"])
    with pytest.raises(SettingsError, match="at least two teams, not 0"):
        round_robin([])
    with pytest.raises(SettingsError, match="is in a group twice"):
        round_robin(["a", "b", "a"])
