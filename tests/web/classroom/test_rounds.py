"""Rounds of games between people: everybody plays, nobody twice against the same, the strong ones meet."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.errors import Refused
from spielleiter.web.classroom.rounds import next_round, points_of, scores
from spielleiter.web.classroom.state import ClassState, PairDecided, PersonJoined, PersonRemoved

GAME = "ostseeschach-2022"


def people(number: int) -> ClassState:
    return ClassState.of(PersonJoined(at, f"Person {at:02}", f"browser-{at}", 0.0) for at in range(1, number + 1))


def play(state: ClassState, present: list[int], rng: Random) -> None:
    state.apply(next_round(state, present, GAME))
    assert state.round is not None
    for at, pair in enumerate(state.round.pairs):
        better = pair.people[0] < pair.people[1]
        state.apply(PairDecided(state.round.number, at, rng.choice((float(better), float(better), 0.5))))


@pytest.mark.parametrize("number", [2, 3, 9, 30, 31])
def test_in_every_round_all_play_new_opponents_and_one_of_an_odd_number_has_a_bye(number: int) -> None:
    state, rng = people(number), Random(number)
    present = list(state.people)
    for _ in range(min(5, number - 1)):
        play(state, present, rng)
        assert state.round is not None
        seated = [person for pair in state.round.pairs for person in pair.people]
        byes = [] if state.round.bye is None else [state.round.bye]
        assert sorted(seated + byes) == present
    met = [frozenset(pair.people) for played in state.rounds for pair in played.pairs]
    assert len(met) == len(set(met))
    byes = [played.bye for played in state.rounds if played.bye is not None]
    assert len(byes) == len(set(byes)) == (len(state.rounds) if number % 2 else 0)


def test_nobody_begins_much_more_often_than_others() -> None:
    state, rng = people(16), Random(1)
    for _ in range(6):
        play(state, list(state.people), rng)
    begun = [sum(pair.people[0] == person for _, pair in state.games_of(person)) for person in state.people]
    assert max(begun) - min(begun) <= 3


def test_who_has_won_meets_who_has_won() -> None:
    state = people(8)
    play(state, list(state.people), Random(0))
    points = {person: points_of(state, person) for person in state.people}
    following = next_round(state, list(state.people), GAME)
    apart = [abs(points[one] - points[two]) for one, two in following.pairs]
    assert sum(apart) <= 1.0


def test_only_those_who_are_here_are_paired_and_a_running_round_is_not_cut_off() -> None:
    state = people(6)
    with pytest.raises(Refused, match="At least two"):
        next_round(state, [3], GAME)
    state.apply(next_round(state, [2, 5], GAME))
    assert state.round is not None
    assert set(state.round.pairs[0].people) == {2, 5}
    with pytest.raises(Refused, match="Round 1 is not over"):
        next_round(state, [1, 2], GAME)


def test_equals_share_a_rank_and_who_is_removed_is_not_in_the_table() -> None:
    state = people(4)
    state.apply(next_round(state, [1, 2, 3, 4], GAME))
    for at in range(2):
        state.apply(PairDecided(1, at, 0.5))
    assert [(row.rank, row.points) for row in scores(state)] == [(1, 0.5)] * 4
    state.apply(PersonRemoved(3))
    assert [row.name for row in scores(state)] == ["Person 01", "Person 02", "Person 04"]
    assert "–" in {state.name_of(person) for pair in state.rounds[0].pairs for person in pair.people}


def test_the_word_of_the_host_replaces_that_of_the_board() -> None:
    state = people(2)
    state.apply(next_round(state, [1, 2], GAME))
    assert state.round is not None
    first, second = state.round.pairs[0].people
    state.apply(PairDecided(1, 0, 1.0))
    state.apply(PairDecided(1, 0, 0.0))
    assert (points_of(state, first), points_of(state, second)) == (0.0, 1.0)
