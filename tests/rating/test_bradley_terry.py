"""Bradley-Terry against choix and numpy, on cases with known answers, on hopeless cases, and its laws."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.game import Team
from spielleiter.rating.bradley_terry import Ratings, rate
from spielleiter.rating.elo import ELO_PER_LOGIT, Z95, elo_of_score, estimate, expected_score
from spielleiter.rating.pairs import Pentanomial, PlayedGame, Results, Tally, cross_table

Table = dict[tuple[str, str], Tally]
NAMES = ("Ada", "Bob", "Cem", "Dora", "Emil", "Finn")


def singles(won: int, drawn: int = 0, lost: int = 0) -> Tally:
    return Tally(unpaired=Results(won, drawn, lost))


def simulated(strengths: dict[str, float], pairs: int, rng: Random) -> list[PlayedGame]:
    """Everybody against everybody, ``pairs`` pairs of independent games without draws."""
    games = []
    for one in strengths:
        for two in strengths:
            if one != two:
                for start in range(pairs):
                    wins = rng.random() < expected_score(strengths[one] - strengths[two])
                    games.append(PlayedGame(one, two, Team.ONE if wins else Team.TWO, str(start)))
    return games


def elos(ratings: Ratings) -> dict[str, float]:
    return {rating.player: rating.elo for rating in ratings.ratings}


# --- known answers ----------------------------------------------------------------------------------------------------


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    ratings = rate({("Ada", "Bob"): singles(75, 0, 25)}, prior=0)
    assert ratings.of("Ada").elo == pytest.approx(190.85 / 2, abs=0.01)
    assert ratings.of("Bob").elo == pytest.approx(-190.85 / 2, abs=0.01)
    assert ratings.ratings[0].player == "Ada"
    assert ratings.of("Ada").score == 0.75


def test_two_players_get_the_margin_of_the_plain_formula() -> None:
    # The information of 100 games at 0.75 is 100 * 0.75 * 0.25; one fitted number costs 100/99 of the scatter.
    apart = rate({("Ada", "Bob"): singles(75, 0, 25)}, prior=0).difference("Ada", "Bob")
    assert apart.margin == pytest.approx(Z95 * ELO_PER_LOGIT / math.sqrt(18.75) * math.sqrt(100 / 99), rel=0.001)
    direct = estimate(singles(75, 0, 25))
    assert apart.superiority == pytest.approx(direct.superiority, abs=0.001)


def test_a_chain_of_opponents_adds_up() -> None:
    # Ada - Bob 75 %, Bob - Cem 64 %: without a cycle each step is fitted exactly, 190.85 and 99.95 Elo.
    ratings = elos(rate({("Ada", "Bob"): singles(75, 0, 25), ("Bob", "Cem"): singles(64, 0, 36)}, prior=0))
    assert ratings["Ada"] - ratings["Bob"] == pytest.approx(elo_of_score(0.75))
    assert ratings["Ada"] - ratings["Cem"] == pytest.approx(elo_of_score(0.75) + elo_of_score(0.64))
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-9)


def test_a_draw_is_half_a_win() -> None:
    drawn = rate({("Ada", "Bob"): singles(10, 20, 0)}, prior=0)
    decided = rate({("Ada", "Bob"): singles(20, 0, 10)}, prior=0)
    assert drawn.of("Ada").elo == pytest.approx(decided.of("Ada").elo)
    # ... but twenty draws scatter less than ten wins and ten losses, so more is known.
    assert drawn.of("Ada").margin < decided.of("Ada").margin


def test_pairs_that_cancel_luck_narrow_the_intervals() -> None:
    lucky = rate({("Ada", "Bob"): Tally(Pentanomial((16, 0, 68, 0, 16)))})
    coins = rate({("Ada", "Bob"): Tally(Pentanomial((25, 0, 50, 0, 25)))})
    assert lucky.of("Ada").margin / coins.of("Ada").margin == pytest.approx(0.8, abs=0.01)


def test_an_anchor_fixes_the_scale_and_the_margins() -> None:
    tallies = {("Ada", "Bob"): singles(75, 0, 25), ("Bob", "Cem"): singles(64, 0, 36)}
    anchored = rate(tallies, prior=0, anchors={"Bob": 1000.0})
    assert anchored.of("Bob").elo == 1000
    assert anchored.of("Bob").margin == 0
    assert anchored.of("Ada").elo == pytest.approx(1000 + elo_of_score(0.75))
    assert anchored.of("Ada").margin == pytest.approx(anchored.difference("Ada", "Bob").margin)
    free = rate(tallies, prior=0)
    assert free.difference("Ada", "Cem").elo == pytest.approx(anchored.difference("Ada", "Cem").elo)
    assert free.difference("Ada", "Cem").margin == pytest.approx(anchored.difference("Ada", "Cem").margin)


def test_two_anchors_keep_their_distance_whatever_the_games_say() -> None:
    tallies = {
        ("Ada", "Bob"): singles(50, 0, 50), ("Ada", "Cem"): singles(75, 0, 25), ("Bob", "Cem"): singles(75, 0, 25)
    }  # fmt: skip
    anchored = rate(tallies, prior=0, anchors={"Ada": 1100.0, "Bob": 900.0})
    assert [(rating.player, rating.elo) for rating in anchored.ratings[:2]] == [("Ada", 1100.0), ("Bob", 900.0)]
    assert anchored.of("Ada").margin == anchored.of("Bob").margin == 0
    # As far below both as the same score against two players of 1000 would be, and a little more.
    assert anchored.of("Cem").elo == pytest.approx(1000 - elo_of_score(0.75), abs=40)
    expected = expected_score(1100 - anchored.of("Cem").elo) + expected_score(900 - anchored.of("Cem").elo)
    assert expected == pytest.approx(1.5)
    assert 0 < anchored.of("Cem").margin < 100
    assert (anchored.difference("Ada", "Bob").superiority, anchored.difference("Bob", "Ada").superiority) == (1, 0)


def test_a_rating_explains_itself_in_one_sentence() -> None:
    tallies = {("Ada", "Bob"): singles(75, 0, 25)}
    free, anchored = rate(tallies, prior=0, players=()), rate(tallies, prior=0, anchors={"Bob": 1000.0})
    assert free.explain("Ada").de == "Ada: +95 ± 40 Elo nach 100 Spielen (95 %; 0 ist der Durchschnitt)."
    assert anchored.explain("Ada").en == "Ada: +1191 ± 79 Elo after 100 games (95 %; measured against Bob)."
    assert anchored.explain("Bob").de == "Bob hat +1000 Elo nach Vorgabe."
    assert rate(tallies, players=["Cem"]).explain("Cem").en == "Cem has no game yet."


# --- against others ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    choix = pytest.importorskip("choix")  # Here alone: it imports all of scipy.
    rng = Random(seed)
    games = simulated({name: rng.gauss(0, 150) for name in NAMES}, 5, rng)
    ours = rate(cross_table(games), prior=0)
    place = {name: number for number, name in enumerate(NAMES)}
    winners = [(game.one, game.two) if game.winner is Team.ONE else (game.two, game.one) for game in games]
    theirs = choix.opt_pairwise(len(NAMES), [(place[a], place[b]) for a, b in winners], alpha=0, tol=1e-12)
    theirs = ELO_PER_LOGIT * (theirs - theirs.mean())
    for name in NAMES:
        assert ours.of(name).elo == pytest.approx(theirs[place[name]], abs=0.01)


def test_the_margins_are_those_of_the_pseudo_inverse_of_the_information() -> None:
    games = simulated(dict(zip(NAMES, (200, 100, 50, 0, -100, -250), strict=True)), 4, Random(1))
    ratings = rate(cross_table(games), prior=0)
    size = len(NAMES)
    information = np.zeros((size, size))
    for first in range(size):
        for second in range(first):
            score = expected_score(ratings.of(NAMES[first]).elo - ratings.of(NAMES[second]).elo)
            weight = 8 * score * (1 - score)
            information[first, first] += weight
            information[second, second] += weight
            information[first, second] -= weight
            information[second, first] -= weight
    deviations = ELO_PER_LOGIT * np.sqrt(ratings.dispersion * np.diag(np.linalg.pinv(information)))
    for number, name in enumerate(NAMES):
        assert ratings.of(name).margin == pytest.approx(Z95 * deviations[number], rel=1e-6)


def test_the_intervals_cover_the_truth_in_95_per_cent_of_cases() -> None:
    rng = Random(11)
    truth = dict(zip(NAMES, (150.0, 90.0, 30.0, -30.0, -90.0, -150.0), strict=True))
    covered = total = 0
    for _ in range(150):
        ratings = rate(cross_table(simulated(truth, 3, rng)))
        for name, elo in truth.items():
            covered += ratings.of(name).low <= elo <= ratings.of(name).high
            total += 1
    assert covered / total == pytest.approx(0.95, abs=0.025)


# --- hopeless cases ---------------------------------------------------------------------------------------------------


def test_who_has_won_every_game_gets_a_finite_number_and_a_note() -> None:
    ratings = rate({("Ada", "Bob"): singles(6), ("Ada", "Cem"): singles(6), ("Bob", "Cem"): singles(3, 0, 3)})
    assert ratings.of("Ada").bound == "lower"
    assert ratings.of("Bob").bound is None
    assert 200 < ratings.of("Ada").elo < 800
    assert ratings.of("Bob").elo == pytest.approx(ratings.of("Cem").elo)
    assert [note.en for note in ratings.notes] == ["Won every game, so rather stronger still: Ada."]


def test_who_has_lost_every_game_gets_a_finite_number_and_a_note() -> None:
    ratings = rate({("Ada", "Bob"): singles(6), ("Ada", "Cem"): singles(3, 0, 3)})
    assert ratings.of("Bob").bound == "upper"
    assert [note.de for note in ratings.notes] == ["Alle Spiele verloren, in Wahrheit also eher noch schwächer: Bob."]


def test_groups_that_never_met_are_named() -> None:
    ratings = rate({("Ada", "Bob"): singles(4, 0, 2), ("Cem", "Dora"): singles(3, 0, 3)}, players=["Emil"])
    assert ratings.notes[0].en.startswith("The players form 2 groups that have never met")
    assert ratings.notes[1].en == "No game yet, so unknown: Emil."
    # Only the prior ties the groups together: across them much less is known than within one.
    assert ratings.difference("Ada", "Cem").margin > 1.2 * ratings.difference("Ada", "Bob").margin
    assert ratings.of("Emil").elo == pytest.approx(0, abs=1e-6)
    assert ratings.of("Emil").score is None
    assert ratings.of("Emil").margin > 500


def test_a_block_that_only_won_against_another_is_named() -> None:
    ratings = rate(
        {
            ("Ada", "Bob"): singles(3, 0, 3),
            ("Cem", "Dora"): singles(3, 0, 3),
            ("Ada", "Cem"): singles(6),
            ("Bob", "Dora"): singles(6),
        }
    )
    assert [note.en for note in ratings.notes] == [
        "Points have gone only one way between these, so the distance is rather larger: Ada/Bob, Cem/Dora."
    ]


def test_one_connected_group_needs_no_note() -> None:
    assert rate({("Ada", "Bob"): singles(3, 0, 3), ("Bob", "Cem"): singles(1, 0, 1)}).notes == ()


@pytest.mark.parametrize(
    "tallies",
    [
        {("Ada", "Bob"): singles(6)},
        {("Ada", "Bob"): singles(3, 0, 3), ("Cem", "Dora"): singles(3, 0, 3)},
        {("Ada", "Bob"): singles(3, 0, 3), ("Ada", "Cem"): singles(6), ("Bob", "Cem"): singles(6)},
    ],
)
def test_without_a_prior_a_hopeless_case_is_refused(tallies: Table) -> None:
    with pytest.raises(RatingError, match="cannot be compared"):
        rate(tallies, prior=0)


def test_one_draw_is_enough_to_compare() -> None:
    assert rate({("Ada", "Bob"): singles(5, 1)}, prior=0).of("Ada").elo == pytest.approx(elo_of_score(11 / 12) / 2)


@pytest.mark.parametrize("prior", [-1.0, math.nan, math.inf])
def test_a_senseless_prior_is_refused(prior: float) -> None:
    with pytest.raises(RatingError, match="prior"):
        rate({("Ada", "Bob"): singles(1, 0, 1)}, prior=prior)


def test_senseless_players_are_refused() -> None:
    with pytest.raises(RatingError, match="no players"):
        rate({})
    with pytest.raises(RatingError, match="'Cem' is not among"):
        rate({("Ada", "Bob"): singles(1)}, anchors={"Cem": 0})
    with pytest.raises(RatingError, match="against itself"):
        rate({("Ada", "Ada"): singles(1)})
    with pytest.raises(RatingError, match="'Cem' has no rating"):
        rate({("Ada", "Bob"): singles(1)}).of("Cem")


def test_extreme_results_settle_too() -> None:
    tallies = {
        ("Ada", "Bob"): singles(100_000, 0, 1),
        ("Bob", "Cem"): singles(100_000, 0, 1),
        ("Ada", "Cem"): singles(100_000),
        ("Cem", "Dora"): singles(0, 1, 0),
    }
    ratings = rate(tallies, prior=1e-3)
    assert ratings.of("Ada").elo - ratings.of("Bob").elo == pytest.approx(2000, abs=2)
    assert ratings.steps < 50


def test_contradicting_extremes_settle_too() -> None:
    # Bob loses nearly all against Ada, wins nearly all against Dora, who draws with Ada: whole Newton steps run away.
    tallies = {
        ("Ada", "Bob"): singles(27_408, 1),
        ("Ada", "Cem"): singles(0, 21),
        ("Ada", "Dora"): singles(0, 7),
        ("Bob", "Cem"): singles(0, 0, 19),
        ("Bob", "Dora"): singles(101_082, 3),
        ("Cem", "Dora"): singles(9_519, 0, 4),
    }
    assert rate(tallies, prior=0.1).steps < 30


def test_a_million_games_and_a_tiny_prior_settle_too() -> None:
    # Rounding in sums of this size moves the ratings more than a finer criterion would allow.
    assert rate({("Ada", "Bob"): singles(451_630)}, prior=1e-3).of("Ada").elo > 1000


# --- laws -------------------------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Table:
    pairs = draw(st.sets(st.sampled_from([(a, b) for a in NAMES for b in NAMES if a < b]), min_size=1))
    counts = st.integers(0, 20)
    tally = st.builds(
        Tally,
        st.tuples(counts, counts, counts, counts, counts).map(Pentanomial),
        st.builds(Results, counts, counts, counts),
    )
    return {pair: draw(tally) for pair in sorted(pairs)}


@given(tables(), st.randoms(use_true_random=False))
def test_neither_order_nor_point_of_view_matters(tallies: Table, rng: Random) -> None:
    items = list(tallies.items())
    rng.shuffle(items)
    turned = {(b, a) if rng.random() < 0.5 else (a, b): tally for (a, b), tally in items}
    mirrored = {key: tally if key in tallies else tally.mirrored for key, tally in turned.items()}
    here, there = rate(tallies), rate(mirrored)
    for rating in here.ratings:
        other = there.of(rating.player)
        assert other.elo == pytest.approx(rating.elo, abs=1e-6)
        assert other.margin == pytest.approx(rating.margin, abs=1e-6)


@given(tables())
def test_turning_every_result_round_negates(tallies: Table) -> None:
    here, there = rate(tallies), rate({key: tally.mirrored for key, tally in tallies.items()})
    for rating in here.ratings:
        assert there.of(rating.player).elo == pytest.approx(-rating.elo, abs=1e-6)


@given(tables())
def test_at_the_solution_each_player_has_the_points_that_the_ratings_expect(tallies: Table) -> None:
    # What makes it the maximum, prior included: one drawn game against a player at the zero of the prior.
    ratings = rate(tallies, prior=1.0)
    mean = _mean_of_prior(ratings, tallies)
    for rating in ratings.ratings:
        expected = points = 0.0
        for (first, second), tally in tallies.items():
            if rating.player in (first, second):
                seen, other = (tally, second) if rating.player == first else (tally.mirrored, first)
                expected += seen.games * expected_score(rating.elo - ratings.of(other).elo)
                points += seen.victory_points / 2
        assert points + 0.5 == pytest.approx(expected + expected_score(rating.elo + mean), abs=1e-5)


def _mean_of_prior(ratings: Ratings, tallies: Table) -> float:
    """Where the zero of the prior lies below the mean of the ratings: there the expected points add up."""
    low, high = -2000.0, 2000.0
    for _ in range(80):
        middle = (low + high) / 2
        total = sum(expected_score(rating.elo + middle) for rating in ratings.ratings)
        low, high = (middle, high) if total < len(ratings.ratings) / 2 else (low, middle)
    return (low + high) / 2


@given(tables(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_one_more_win_never_lowers_a_rating(tallies: Table, winner: str, loser: str) -> None:
    if winner == loser:
        return
    key = (min(winner, loser), max(winner, loser))
    before = dict(tallies)
    before.setdefault(key, Tally())
    after = {**before, key: before[key] + (singles(1) if key[0] == winner else singles(0, 0, 1))}
    assert rate(after).of(winner).elo >= rate(before).of(winner).elo - 1e-6


@given(tables())
def test_differences_are_antisymmetric_and_no_surer_than_possible(tallies: Table) -> None:
    ratings = rate(tallies)
    first, last = ratings.ratings[0].player, ratings.ratings[-1].player
    there, back = ratings.difference(first, last), ratings.difference(last, first)
    assert back.elo == pytest.approx(-there.elo)
    assert back.margin == pytest.approx(there.margin)
    assert back.superiority == pytest.approx(1 - there.superiority)
    if first != last:
        assert 0.5 <= there.superiority <= 1
    assert ratings.difference(first, first).superiority == 0.5
