"""Encounters: how many games, who begins, and that one of the final always ends."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.contest.season.encounter import (
    EncounterLength,
    Points,
    draw_winner,
    first_is_one,
    games_won,
    leader,
    missing_games,
    needs_lot,
    start_of,
)

WIN, DRAW, LOSS, NOTHING = (2, 0), (1, 1), (0, 2), (0, 0)
FINAL = EncounterLength(6, 20)

distances = st.integers(1, 6).flatmap(
    lambda pairs: st.builds(lambda more: EncounterLength(2 * pairs, 2 * (pairs + more)), st.integers(0, 8))
)
points = st.sampled_from([WIN, DRAW, LOSS, NOTHING])


def missing_after(*games: Points, length: EncounterLength = FINAL) -> tuple[int, ...]:
    return missing_games(dict(enumerate(games, 1)), length)


def winner_after(*games: Points) -> int | None:
    """Of an encounter of the final that is over by then."""
    assert missing_after(*games) == ()
    assert needs_lot(dict(enumerate(games, 1)), FINAL) == (leader(games) is None)
    return leader(games)


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
    assert missing_after(*games, length=EncounterLength(6)) == ()
    assert not needs_lot(dict(enumerate(games, 1)), EncounterLength(6))
    assert missing_after(*games[:5], length=EncounterLength(6)) == (6,)


def test_a_score_by_hand() -> None:
    # Won, won, drawn, lost, both lose, won: 3 won to 1, one drawn.
    games = [WIN, WIN, DRAW, LOSS, NOTHING, WIN]
    assert (games_won(games), leader(games)) == ((3, 1), 0)


def test_games_may_be_missing_in_the_middle() -> None:
    assert missing_games({1: WIN, 4: LOSS}, EncounterLength(6)) == (2, 3, 5, 6)
    # The seventh game of a final was played, the second annulled: both the second and the eighth are missing.
    level = {number: WIN if number % 2 else LOSS for number in range(1, 8) if number != 2}
    assert missing_games(level, FINAL) == (2, 8)


# --- in the final -----------------------------------------------------------------------------------------------------


def test_more_wins_after_six_games_win() -> None:
    assert winner_after(WIN, LOSS, WIN, LOSS, WIN, DRAW) == 0
    assert winner_after(LOSS, DRAW, DRAW, DRAW, DRAW, DRAW) == 1


def test_a_lead_before_the_least_number_decides_nothing() -> None:
    assert missing_after(WIN, WIN, WIN, WIN) == (5, 6)


def test_two_more_games_while_the_wins_are_equal() -> None:
    level = (WIN, LOSS, WIN, LOSS, DRAW, NOTHING)
    assert missing_after(*level) == (7, 8)
    assert not needs_lot(dict(enumerate(level, 1)), FINAL), "no lot while games may decide"
    # A lead after an odd number decides nothing: the other one has the first move in the eighth game.
    assert missing_after(*level, WIN) == (8,)
    assert missing_after(*level, WIN, LOSS) == (9, 10)
    assert winner_after(*level, WIN, DRAW) == 0


def test_draws_count_for_nobody() -> None:
    assert missing_after(*[DRAW] * 6) == (7, 8)
    assert winner_after(WIN, *[DRAW] * 5) == 0


def test_the_cap_ends_it_with_a_lot() -> None:
    assert missing_after(*[DRAW] * 18) == (19, 20)
    assert winner_after(*[DRAW] * 20) is None
    assert winner_after(*[DRAW] * 19, WIN) == 0


@given(distances, st.data())
def test_an_encounter_of_the_final_always_ends(length: EncounterLength, data: st.DataObject) -> None:
    """After an even number of games, from the least one to the cap, with more wins for one team or a lot at the cap."""
    assert length.cap is not None
    games: dict[int, Points] = {}
    rounds = 0
    while missing := missing_games(games, length):
        rounds += 1
        assert rounds <= length.cap
        assert max(missing) <= length.cap
        for number in data.draw(st.permutations(missing)):
            # Any order within what is to be played now: the other games of it stay missing, no others come.
            assert number in missing_games(games, length)
            games[number] = data.draw(points)
    assert sorted(games) == list(range(1, len(games) + 1))
    assert len(games) % 2 == 0
    assert length.games <= len(games) <= length.cap
    by_lot = needs_lot(games, length)
    assert by_lot == (leader(games.values()) is None)
    assert len(games) == length.cap or not by_lot
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
    assert missing_games(games, FINAL)
    assert missing_games(games, EncounterLength(2))
