"""Encounters: how many games, who begins, and that one of the final always ends."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.encounter import (
    EncounterLength,
    Points,
    Score,
    draw_winner,
    first_is_one,
    score,
    start_of,
)

WIN, DRAW, LOSS, NOTHING = (2, 0), (1, 1), (0, 2), (0, 0)
FINAL = EncounterLength(6, 20)

distances = st.integers(1, 6).flatmap(
    lambda pairs: st.builds(lambda more: EncounterLength(2 * pairs, 2 * (pairs + more)), st.integers(0, 8))
)
points = st.sampled_from([WIN, DRAW, LOSS, NOTHING])


def after(*games: Points, length: EncounterLength = FINAL) -> Score:
    return score(dict(enumerate(games, 1)), length)


# --- who begins -------------------------------------------------------------------------------------------------------


def test_the_first_move_alternates_and_each_start_is_played_twice() -> None:
    assert [first_is_one(number) for number in range(1, 7)] == [True, False] * 3
    assert [start_of(number) for number in range(1, 7)] == [0, 0, 1, 1, 2, 2]


@given(st.integers(1, 500))
def test_both_teams_get_every_start_once_on_each_side(pair: int) -> None:
    one, two = 2 * pair - 1, 2 * pair
    assert start_of(one) == start_of(two) == pair - 1
    assert first_is_one(one) != first_is_one(two)


# --- in the groups ----------------------------------------------------------------------------------------------------


@given(st.lists(points, min_size=6, max_size=6))
def test_in_a_group_an_encounter_has_exactly_its_games(games: list[Points]) -> None:
    reached = after(*games, length=EncounterLength(6))
    assert reached.finished
    assert not reached.needs_lot
    assert after(*games[:5], length=EncounterLength(6)).missing == (6,)


def test_a_score_by_hand() -> None:
    # Won, won, drawn, lost, both lose, won: 3 won to 1, one drawn.
    # 2 + 2 + 1 + 0 + 0 + 2 = 7 victory points to 0 + 0 + 1 + 2 + 0 + 0 = 3.
    reached = after(WIN, WIN, DRAW, LOSS, NOTHING, WIN, length=EncounterLength(6))
    assert reached == Score((3, 1), 1, (7, 3))
    assert reached.leader == 0


def test_games_may_be_missing_in_the_middle() -> None:
    assert score({1: WIN, 4: LOSS}, EncounterLength(6)).missing == (2, 3, 5, 6)
    # The seventh game of a final was played, the second annulled: both the second and the eighth are missing.
    level = {number: WIN if number % 2 else LOSS for number in range(1, 8) if number != 2}
    assert score(level, FINAL).missing == (2, 8)


# --- in the final -----------------------------------------------------------------------------------------------------


def test_more_wins_after_six_games_win() -> None:
    reached = after(WIN, LOSS, WIN, LOSS, WIN, DRAW)
    assert (reached.finished, reached.won, reached.leader) == (True, (3, 2), 0)
    assert after(LOSS, DRAW, DRAW, DRAW, DRAW, DRAW).leader == 1


def test_a_lead_before_the_least_number_decides_nothing() -> None:
    assert after(WIN, WIN, WIN, WIN).missing == (5, 6)


def test_two_more_games_while_the_wins_are_equal() -> None:
    level = (WIN, LOSS, WIN, LOSS, DRAW, NOTHING)
    assert after(*level).missing == (7, 8)
    # A lead after an odd number decides nothing: the other one has the first move in the eighth game.
    assert after(*level, WIN).missing == (8,)
    assert after(*level, WIN, LOSS).missing == (9, 10)
    assert after(*level, WIN, DRAW).leader == 0


def test_draws_count_for_nobody() -> None:
    assert after(*[DRAW] * 6).missing == (7, 8)
    assert after(WIN, *[DRAW] * 5).leader == 0


def test_the_cap_ends_it_with_a_lot() -> None:
    assert after(*[DRAW] * 18).missing == (19, 20)
    assert after(*[DRAW] * 20) == Score((0, 0), 20, (20, 20), (), needs_lot=True)
    assert after(*[DRAW] * 19, WIN).leader == 0
    assert not after(*[DRAW] * 19, WIN).needs_lot


@given(distances, st.data())
def test_an_encounter_of_the_final_always_ends(length: EncounterLength, data: st.DataObject) -> None:
    """After an even number of games, from the least one to the cap, with more wins for one team or a lot at the cap."""
    assert length.cap is not None
    games: dict[int, Points] = {}
    rounds = 0
    while missing := score(games, length).missing:
        rounds += 1
        assert rounds <= length.cap
        assert max(missing) <= length.cap
        for number in data.draw(st.permutations(missing)):
            # Any order within what is to be played now: the other games of it stay missing, no others come.
            assert number in score(games, length).missing
            games[number] = data.draw(points)
    reached = score(games, length)
    assert sorted(games) == list(range(1, len(games) + 1))
    assert len(games) % 2 == 0
    assert length.games <= len(games) <= length.cap
    assert reached.needs_lot == (reached.leader is None)
    assert len(games) == length.cap or not reached.needs_lot
    # It ended at the first even number at which the wins differ, and not later.
    for number in range(length.games, len(games), 2):
        wins = [games[at] for at in range(1, number + 1)]
        assert wins.count(WIN) == wins.count(LOSS)


def test_the_lot_names_the_winner_and_anybody_can_draw_it_again() -> None:
    lot, winner = draw_winner(("Ada", "Bob"), "42")
    digests = [hashlib.sha256(f"42:{team}".encode()).hexdigest() for team in ("Ada", "Bob")]
    assert winner == digests.index(min(digests))
    assert lot.teams == {"Ada", "Bob"}
    # Which of them stands first plays no part.
    assert draw_winner(("Bob", "Ada"), "42")[1] == 1 - winner


@pytest.mark.parametrize("games", [{}, {1: WIN}])
def test_without_its_games_it_is_not_finished(games: dict[int, Points]) -> None:
    assert not score(games, FINAL).finished
    assert not score(games, EncounterLength(2)).finished
