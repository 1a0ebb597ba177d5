"""The knock-out: who meets whom, for every course that it can take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.bracket import Round, Slot, bracket_size, final_places, name_of_size, slots
from spielleiter.errors import SettingsError

SEEDS = tuple("ABCDEFGH")
"""The best of the table first."""
sizes = st.sampled_from([8, 4, 2])


def course(size: int, choices: list[int]) -> tuple[tuple[Slot, ...], dict[tuple[int, int], str]]:
    """The whole knock-out if ``choices`` says of each encounter which of its two teams wins."""
    seeds = SEEDS[:size]
    results: dict[tuple[int, int], str] = {}
    left = list(choices)
    while open_ := [slot for slot in slots(seeds, results) if (slot.day, slot.place) not in results]:
        assert final_places(slots(seeds, results), results) == ()
        for slot in open_:
            results[slot.day, slot.place] = slot.teams[left.pop()]
    return slots(seeds, results), results


paths = st.lists(st.integers(0, 1), min_size=8, max_size=8)


def test_the_quarter_finals_are_1_8_and_4_5_and_2_7_and_3_6() -> None:
    known = slots(SEEDS, {})
    assert [slot.teams for slot in known] == [("A", "H"), ("D", "E"), ("B", "G"), ("C", "F")]
    assert {slot.round for slot in known} == {Round.QUARTER_FINAL}
    assert [(slot.day, slot.place) for slot in known] == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_the_semi_finals_of_four_are_1_4_and_2_3() -> None:
    assert [slot.teams for slot in slots(SEEDS[:4], {})] == [("A", "D"), ("B", "C")]


def test_two_play_the_final_at_once() -> None:
    (final,) = slots(SEEDS[:2], {})
    assert (final.day, final.place, final.round, final.teams) == (1, 1, Round.FINAL, ("A", "B"))
    assert final_places((final,), {(1, 1): "B"}) == ("B", "A")


def test_a_knock_out_by_hand() -> None:
    # Quarter-finals: A beats H, E beats D, G beats B, C beats F. Semi-finals: A-E, and the better seed C before G.
    results = {(1, 1): "A", (1, 2): "E", (1, 3): "G", (1, 4): "C"}
    assert [slot.teams for slot in slots(SEEDS, results) if slot.day == 2] == [("A", "E"), ("C", "G")]
    # E and G win them: third place is A-C, the final E-G, and it comes last.
    results |= {(2, 1): "E", (2, 2): "G"}
    last = [slot for slot in slots(SEEDS, results) if slot.day == 3]
    assert [(slot.place, slot.round, slot.teams) for slot in last] == [
        (1, Round.THIRD_PLACE, ("A", "C")),
        (2, Round.FINAL, ("E", "G")),
    ]
    assert final_places(slots(SEEDS, results), results | {(3, 2): "G"}) == ()
    assert final_places(slots(SEEDS, results), results | {(3, 1): "C", (3, 2): "G"}) == ("G", "E", "C", "A")


def test_the_next_day_is_known_only_when_the_whole_day_is_over() -> None:
    three = {(1, 1): "A", (1, 2): "D", (1, 3): "B"}
    assert {slot.day for slot in slots(SEEDS, three)} == {1}


@given(sizes, paths)
def test_every_course_ends_with_all_places(size: int, choices: list[int]) -> None:
    known, results = course(size, choices)
    places = final_places(known, results)
    assert len(places) == min(size, 4)
    assert len(set(places)) == len(places)
    # 4 + 2 + 2, 2 + 2 or 1 encounters, each with a winner.
    assert len(known) == len(results) == {8: 8, 4: 4, 2: 1}[size]


@given(sizes, paths)
def test_the_two_best_meet_only_in_the_final(size: int, choices: list[int]) -> None:
    known, _ = course(size, choices)
    meetings = [slot.round for slot in known if set(slot.teams) == {"A", "B"}]
    assert set(meetings) <= {Round.FINAL, Round.THIRD_PLACE}


@given(sizes, paths)
def test_the_better_seed_comes_first_and_nobody_plays_twice_a_day(size: int, choices: list[int]) -> None:
    known, _ = course(size, choices)
    assert all(slot.teams == tuple(sorted(slot.teams)) for slot in known)
    for day in {slot.day for slot in known}:
        playing = [team for slot in known if slot.day == day for team in slot.teams]
        assert len(set(playing)) == len(playing)


@given(sizes, paths)
def test_who_loses_before_the_semi_finals_plays_no_more(size: int, choices: list[int]) -> None:
    known, results = course(size, choices)
    for slot in known:
        loser = next(team for team in slot.teams if team != results[slot.day, slot.place])
        later = [other.round for other in known if other.day > slot.day and loser in other.teams]
        assert later == ([Round.THIRD_PLACE] if slot.round is Round.SEMI_FINAL else [])


def test_if_the_better_seed_always_wins_the_places_are_the_seeds() -> None:
    known, results = course(8, [0] * 8)
    assert final_places(known, results) == ("A", "B", "C", "D")


@pytest.mark.parametrize(("teams", "size"), [(0, 0), (1, 0), (2, 2), (3, 2), (4, 4), (7, 4), (8, 8), (24, 8)])
def test_the_size_fits_the_teams(teams: int, size: int) -> None:
    assert bracket_size(teams) == size


def test_each_size_has_its_name() -> None:
    assert [name_of_size(size).de for size in (8, 4, 2)] == ["Final Eight", "Final Four", "Finale"]


@pytest.mark.parametrize("number", [0, 1, 3, 5, 6, 7])
def test_other_numbers_of_seeds_are_refused(number: int) -> None:
    with pytest.raises(SettingsError, match=f"8, 4 or 2 teams, not {number}"):
        slots(SEEDS[:number], {})
