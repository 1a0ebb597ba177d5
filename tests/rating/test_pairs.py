"""The pair as the unit: what is counted, that no game is lost, and that neither order nor point of view matters."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.game import Team
from spielleiter.rating.pairs import Pentanomial, PlayedGame, Results, Tally, cross_table, tally

ONE, TWO = Team.ONE, Team.TWO


def pair(name: str, first: Team | None, second: Team | None) -> list[PlayedGame]:
    """Ada is ONE in the first game and TWO in the second."""
    return [PlayedGame("Ada", "Bob", first, name), PlayedGame("Bob", "Ada", second, name)]


@pytest.mark.parametrize(
    ("first", "second", "victory_points"),
    [
        (TWO, ONE, 0),
        (None, ONE, 1),
        (TWO, None, 1),
        (ONE, ONE, 2),  # the side of ONE won both games
        (TWO, TWO, 2),
        (None, None, 2),
        (ONE, None, 3),
        (None, TWO, 3),
        (ONE, TWO, 4),
    ],
)
def test_a_pair_is_counted_by_the_points_of_both_games(
    first: Team | None, second: Team | None, victory_points: int
) -> None:
    seen = tally(pair("s", first, second), "Ada", "Bob")
    assert seen.pairs.counts.index(1) == victory_points
    assert seen.pairs.pairs == 1
    assert seen.unpaired == Results()


def test_two_draws_and_a_win_each_are_one_point_but_other_games() -> None:
    games = pair("s1", None, None) + pair("s2", ONE, ONE)
    seen = tally(games, "Ada", "Bob")
    assert seen.pairs.counts == (0, 0, 2, 0, 0)
    assert seen.drawn_pairs == 1
    assert seen.results == Results(won=1, drawn=2, lost=1)


def test_mean_and_variance_of_pairs_by_hand() -> None:
    # 1 pair with 0 points, 2 with 1, 1 with 2: mean (0 + 2 + 2) / 4 = 1, variance ((0-1)^2 + (2-1)^2) / 4 = 1/2.
    coins = Pentanomial((1, 0, 2, 0, 1))
    assert (coins.mean, coins.score, coins.variance) == (1, Fraction(1, 2), Fraction(1, 2))
    # Points 1/2, 1, 3/2, 3/2, 2: mean 13/2 / 5 = 13/10; squares 1/4 + 1 + 9/4 + 9/4 + 4 = 39/4, / 5 = 39/20;
    # variance 39/20 - 169/100 = 26/100.
    mixed = Pentanomial((0, 1, 1, 2, 1))
    assert (mixed.mean, mixed.variance) == (Fraction(13, 10), Fraction(26, 100))


def test_pairing_removes_the_luck_of_the_side() -> None:
    # Equal players, but ONE wins 80 % of games (bias b = 0.3). Both games independent: Ada's pair brings 2 points with
    # 0.8 * 0.2 = 0.16, 0 with 0.2 * 0.8 = 0.16 and 1 otherwise. The variance is 0.32 and not the 0.5 of two fair coins:
    # smaller by the factor 1 - 4 b^2 = 0.64.
    assert Pentanomial((16, 0, 68, 0, 16)).variance == Fraction(1, 2) * (1 - 4 * Fraction(3, 10) ** 2)


def test_a_game_without_its_partner_is_counted_and_named() -> None:
    games = [*pair("s1", ONE, TWO), PlayedGame("Bob", "Ada", TWO, "s2"), PlayedGame("Ada", "Bob", None, "s3")]
    seen = tally(games, "Ada", "Bob")
    assert seen.pairs.counts == (0, 0, 0, 0, 1)
    assert seen.unpaired == Results(won=1, drawn=1)
    assert seen.games == 4
    assert seen.score == Fraction(7, 8)
    assert seen.notice is not None
    assert "2 Spiele stehen" in seen.notice.de
    assert "2 games stand" in seen.notice.en
    assert tally(pair("s1", ONE, TWO), "Ada", "Bob").notice is None


def test_games_of_one_start_with_the_same_sides_contradict_each_other() -> None:
    game = PlayedGame("Ada", "Bob", ONE, "s1")
    with pytest.raises(RatingError, match="pair 's1' has two games with 'Ada' as ONE"):
        cross_table([game, game])


def test_the_same_start_makes_one_pair_for_each_two_players() -> None:
    games = [
        PlayedGame("Ada", "Bob", ONE, "s1"),
        PlayedGame("Bob", "Ada", TWO, "s1"),
        PlayedGame("Cem", "Ada", ONE, "s1"),
        PlayedGame("Ada", "Cem", TWO, "s1"),
    ]
    table = cross_table(games)
    assert list(table) == [("Ada", "Bob"), ("Ada", "Cem")]
    assert table["Ada", "Bob"].pairs.counts == (0, 0, 0, 0, 1)
    assert table["Ada", "Cem"].pairs.counts == (1, 0, 0, 0, 0)


def test_players_who_never_met_have_an_empty_tally() -> None:
    assert tally(pair("s1", ONE, TWO), "Ada", "Cem") == Tally()
    with pytest.raises(RatingError, match="no game is finished"):
        _ = Tally().score
    with pytest.raises(RatingError, match="no pair of games is finished"):
        _ = Pentanomial().variance


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(RatingError, match="negative"):
        Pentanomial((0, 0, -1, 0, 0))
    with pytest.raises(RatingError, match="negative"):
        Results(won=-1)
    with pytest.raises(RatingError, match="two draws"):
        Tally(Pentanomial((0, 0, 1, 0, 0)), drawn_pairs=2)
    with pytest.raises(RatingError, match="against itself"):
        PlayedGame("Ada", "Ada", None, "s1")


winners = st.sampled_from([ONE, TWO, None])
players = st.lists(st.sampled_from(["Ada", "Bob", "Cem"]), min_size=2, max_size=2, unique=True)


@st.composite
def matches(draw: st.DrawFn) -> list[PlayedGame]:
    """Some games of three players, with holes."""
    keys = draw(st.sets(st.tuples(players.map(tuple), st.integers(0, 5)), max_size=30))
    return [PlayedGame(one, two, draw(winners), str(start)) for (one, two), start in sorted(keys)]


@given(matches(), st.integers())
def test_the_order_of_games_is_irrelevant(games: list[PlayedGame], seed: int) -> None:
    shuffled = Random(seed).sample(games, len(games))
    assert list(cross_table(shuffled).items()) == list(cross_table(games).items())


@given(matches())
def test_the_opponent_sees_the_mirror_image(games: list[PlayedGame]) -> None:
    seen = tally(games, "Ada", "Bob")
    assert tally(games, "Bob", "Ada") == seen.mirrored
    assert seen.mirrored.mirrored == seen
    assert seen.mirrored.results == seen.results.mirrored
    assert seen.victory_points + seen.mirrored.victory_points == 2 * seen.games


@given(matches())
def test_no_game_is_lost(games: list[PlayedGame]) -> None:
    table = cross_table(games)
    assert sum(found.games for found in table.values()) == len(games)
    for (first, second), found in table.items():
        theirs = [game for game in games if {game.one, game.two} == {first, second}]
        assert found.results.games == found.games == len(theirs)
        assert found.results.drawn == sum(game.winner is None for game in theirs)
        assert found.results.victory_points == found.victory_points
        assert found.victory_points == sum(game.victory_points(ONE if game.one == first else TWO) for game in theirs)


@given(matches())
def test_squares_around_the_mean_are_the_variance(games: list[PlayedGame]) -> None:
    pairs_only = Tally(tally(games, "Ada", "Bob").pairs)
    if pairs_only.games:
        expected = float(pairs_only.pairs.variance) * pairs_only.pairs.pairs
        assert pairs_only.squares(float(pairs_only.score)) == pytest.approx(expected)


@given(matches(), matches())
def test_tallies_of_different_games_add_up(games: list[PlayedGame], others: list[PlayedGame]) -> None:
    renamed = [PlayedGame(game.one, game.two, game.winner, "other " + game.pair) for game in others]
    together = tally(games + renamed, "Ada", "Bob")
    assert tally(games, "Ada", "Bob") + tally(renamed, "Ada", "Bob") == together
