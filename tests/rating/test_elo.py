"""Elo on published numbers, against scipy, at the edges, and its laws."""

from __future__ import annotations

import math
from random import Random

import pytest
import scipy
from hypothesis import assume, given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.rating.elo import (
    Z95,
    elo_of_score,
    estimate,
    expected_score,
    explain_more_games,
    more_games,
    rule_of_thumb,
    scatter,
)
from spielleiter.rating.pairs import Counts, Pentanomial, Results, Tally


def singles(won: int, drawn: int = 0, lost: int = 0) -> Tally:
    return Tally(unpaired=Results(won, drawn, lost))


def pairs(*counts: int) -> Tally:
    zero, half, one, one_and_half, two = counts
    return Tally(Pentanomial((zero, half, one, one_and_half, two)))


# --- published numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.75, 190.85), (0.76, 200.24), (0.64, 99.95), (0.9, 381.70), (0.99, 798.25), (10 / 11, 400.0)],
)
def test_a_score_has_its_published_elo(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo, abs=0.005)
    assert elo_of_score(1 - score) == pytest.approx(-elo, abs=0.005)
    assert expected_score(elo) == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize(("games", "margin"), [(6, 278), (20, 152), (100, 68), (200, 48), (1000, 22)])
def test_the_rule_of_thumb_gives_the_published_error_bars(games: int, margin: int) -> None:
    assert round(rule_of_thumb(games)) == margin


@pytest.mark.parametrize(("games", "margin"), [(6, 255), (20, 148), (100, 68), (200, 48), (1000, 22)])
def test_the_interval_of_an_even_match_has_the_published_width_from_100_games_on(games: int, margin: int) -> None:
    # With few games the Wilson interval is a little narrower than the rule of thumb, which counts as if Elo were
    # straight: at 3:3 the score lies within 0.5 ± 0.31, by the rule of thumb within 0.5 ± 0.40.
    found = estimate(singles(games // 2, 0, games // 2)).margin
    assert found is not None
    assert round(found) == margin


@pytest.mark.parametrize(
    ("counts", "elo", "margin", "normalised", "normalised_margin", "los"),
    [
        # Match reports in public threads (fastchess): pull requests 836, 820, 800 and 879 of brunocodutra/cinder.
        ((835, 6884, 13116, 7201, 852), 2.11, 1.70, 3.52, 2.83, 99.25),
        ((244, 1980, 3630, 2067, 263), 2.65, 3.24, 4.36, 5.32, 94.56),
        ((147, 1252, 2509, 1445, 165), 7.21, 3.87, 12.07, 6.48, 99.99),
        ((115, 1156, 2443, 1233, 141), 4.40, 3.91, 7.61, 6.75, 98.64),
    ],
)
def test_long_matches_get_the_published_numbers(
    counts: Counts, elo: float, margin: float, normalised: float, normalised_margin: float, los: float
) -> None:
    found = estimate(Tally(Pentanomial(counts)))
    assert found.elo == pytest.approx(elo, abs=0.005)
    assert found.margin == pytest.approx(margin, abs=0.01)
    assert found.normalised == pytest.approx(normalised, abs=0.005)
    assert found.normalised_margin == pytest.approx(normalised_margin, abs=0.005)
    assert 100 * found.superiority == pytest.approx(los, abs=0.01)


def test_an_extreme_match_has_a_margin_where_the_usual_formula_has_none() -> None:
    # Published for 76:2 in 39 pairs: Elo 631.91 +/- nan, normalised 1056.68 +/- 77.10.
    found = estimate(pairs(0, 0, 2, 0, 37))
    assert found.elo == pytest.approx(631.91, abs=0.005)
    assert found.normalised == pytest.approx(1056.68, abs=0.005)
    assert found.normalised_margin == pytest.approx(77.10, abs=0.005)
    assert found.margin is not None
    assert 200 < found.margin < 250


def test_los_without_draws_is_the_textbook_formula() -> None:
    # LOS = Phi((wins - losses) / sqrt(wins + losses)): 55:45 is one standard deviation.
    assert estimate(singles(55, 0, 45)).superiority == pytest.approx(scipy.stats.norm.cdf(1.0))


# --- against scipy ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("won", "lost"), [(3, 3), (5, 1), (1, 19), (60, 40), (6, 0), (0, 20)])
def test_the_interval_of_decided_games_is_scipys_wilson_interval(won: int, lost: int) -> None:
    theirs = scipy.stats.binomtest(won, won + lost).proportion_ci(0.95, method="wilson")
    ours = estimate(singles(won, 0, lost))
    if ours.low is not None:
        assert expected_score(ours.low) == pytest.approx(theirs.low, abs=1e-9)
    if ours.high is not None:
        assert expected_score(ours.high) == pytest.approx(theirs.high, abs=1e-9)
    assert (ours.low is None, ours.high is None) == (won == 0, lost == 0)


def test_the_normal_quantile_is_scipys() -> None:
    assert pytest.approx(scipy.stats.norm.ppf(0.975), abs=1e-12) == Z95


# --- what pairs and draws do ------------------------------------------------------------------------------------------


def test_coin_tosses_in_pairs_scatter_like_single_games() -> None:
    assert scatter(pairs(25, 0, 50, 0, 25)) == pytest.approx(1.0)
    assert scatter(singles(100, 0, 100)) == pytest.approx(1.0)


def test_cancelled_luck_of_the_start_narrows_the_interval() -> None:
    # Bias 0.3 as in test_pairs: the variance falls to 0.64, the margin to 0.8, here with 1000 pairs.
    biased, fair = estimate(pairs(160, 0, 680, 0, 160)), estimate(pairs(250, 0, 500, 0, 250))
    assert biased.margin is not None
    assert fair.margin is not None
    assert biased.margin / fair.margin == pytest.approx(0.8, abs=0.002)


def test_pairs_that_always_go_alike_are_worth_only_one_game_each() -> None:
    # Two deterministic players repeat themselves: 1000 pairs with 2 or 0 points tell no more than 1000 single games.
    alike, single = estimate(pairs(500, 0, 0, 0, 500)), estimate(singles(500, 0, 500))
    assert alike.margin == pytest.approx(single.margin, rel=0.002)


def test_draws_narrow_the_interval() -> None:
    # Half of the games drawn: the variance of a game is 1/8 instead of 1/4.
    drawn, decided = estimate(singles(250, 500, 250)), estimate(singles(500, 0, 500))
    assert drawn.margin is not None
    assert decided.margin is not None
    assert drawn.margin / decided.margin == pytest.approx(math.sqrt(0.5), abs=0.002)


def test_three_equal_pairs_do_not_prove_certainty() -> None:
    few, many = estimate(pairs(0, 0, 3, 0, 0)), estimate(pairs(0, 0, 3000, 0, 0))
    assert few.margin is not None
    assert many.margin is not None
    assert few.margin > 100
    assert many.margin < 1
    assert few.normalised is None


# --- the edges --------------------------------------------------------------------------------------------------------


def test_no_game_means_no_claim() -> None:
    nothing = estimate(Tally())
    assert (nothing.games, nothing.elo, nothing.low, nothing.high, nothing.margin) == (0, 0.0, None, None, None)
    assert nothing.superiority == 0.5
    assert not nothing.decided
    assert "nothing is known" in nothing.explain("Ada", "Bob").en


@pytest.mark.parametrize("games", [1, 2, 6, 100, 100_000])
def test_a_clean_sweep_has_a_finite_number_and_an_open_end(games: int) -> None:
    swept = estimate(singles(games))
    assert math.isfinite(swept.elo)
    assert swept.high is None
    assert swept.low is not None
    assert swept.low < swept.elo
    lost = estimate(singles(0, 0, games))
    assert (lost.elo, lost.high, lost.low) == (pytest.approx(-swept.elo), pytest.approx(-swept.low), None)


def test_six_wins_are_said_in_words() -> None:
    # Wilson at 6 of 6: the score is at least 6 / (6 + 1.96^2) = 0.6097, which is 77 Elo.
    text = estimate(singles(6)).explain("Ada", "Bob")
    assert text.de.startswith("Ada hat alle 6 Spiele gewonnen: mindestens 77 Elo stärker als Bob (95 %)")
    assert text.en.startswith("Ada has won all 6 games: at least 77 Elo stronger than Bob (95 %)")
    assert estimate(singles(0, 0, 6)).explain("Ada", "Bob").en.startswith("Bob has won all 6 games: at least 77 Elo")


def test_where_every_game_went_one_way_only_a_bound_is_known() -> None:
    won, lost = estimate(pairs(0, 0, 0, 0, 30)), estimate(pairs(30, 0, 0, 0, 0))
    assert won.bound == ("≥", won.low)
    assert lost.bound == ("≤", lost.high)
    assert won.low == -lost.high  # type: ignore[operator]
    assert estimate(pairs(0, 0, 1, 0, 30)).bound is None
    assert estimate(pairs(0, 0, 0, 0, 0)).bound is None


def test_sixty_games_in_thirty_pairs_that_were_all_won_count_as_thirty() -> None:
    paired, thirty, sixty = (
        estimate(tally).low for tally in (pairs(0, 0, 0, 0, 30), singles(30, 0, 0), singles(60, 0, 0))
    )
    assert paired == pytest.approx(thirty)
    assert thirty is not None
    assert sixty is not None
    assert thirty < sixty


def test_two_wins_prove_little() -> None:
    text = estimate(singles(2)).explain("Ada", "Bob")
    assert "beweist noch wenig: auch 113 Elo schwächer" in text.de
    assert "both games" in text.en


def test_a_sentence_says_whether_it_is_decided() -> None:
    open_text = estimate(pairs(1, 2, 10, 4, 3)).explain("Ada", "Bob")
    assert open_text.en == (
        "Ada against Bob: +53 ± 81 Elo; who is stronger is still open, "
        "because the 95 % interval from -28 to +133 contains zero."
    )
    assert estimate(pairs(1, 2, 10, 14, 13)).explain("Ada", "Bob").de == (
        "Ada ist 168 ± 68 Elo stärker als Bob (95-%-Intervall +100 bis +236)."
    )
    assert "Elo schwächer als Bob" in estimate(pairs(13, 14, 10, 2, 1)).explain("Ada", "Bob").de
    assert "97.7 %" in estimate(singles(60, 0, 40)).explain_superiority("Ada").en


@pytest.mark.parametrize("score", [0.0, 1.0, -0.1, math.nan])
def test_an_impossible_score_has_no_elo(score: float) -> None:
    with pytest.raises(RatingError, match="between 0 and 1"):
        elo_of_score(score)


def test_huge_differences_do_not_overflow() -> None:
    assert expected_score(1e6) == 1.0
    assert expected_score(-1e6) == 0.0


# --- how many more ----------------------------------------------------------------------------------------------------


def test_an_even_match_needs_the_games_of_the_rule_of_thumb() -> None:
    assert more_games(Tally(), 20) == 1158
    assert rule_of_thumb(1158) == pytest.approx(20, abs=0.02)
    assert more_games(singles(50, 0, 50), 20) == 1058


def test_games_are_foretold_in_whole_pairs() -> None:
    assert all(more_games(singles(50, 0, 50), margin) % 2 == 0 for margin in range(5, 60))


def test_half_the_margin_takes_four_times_the_games() -> None:
    assert more_games(Tally(), 5) == pytest.approx(4 * more_games(Tally(), 10), rel=0.001)


def test_enough_is_enough() -> None:
    tally = pairs(250, 0, 500, 0, 250)
    assert more_games(tally, 30) == 0
    assert explain_more_games(tally, 30).de == "Auf ±30 Elo genau ist das schon."
    assert explain_more_games(Tally(), 20).en.startswith("About 1158 more games (579 pairs) until ±20 Elo")


@given(st.integers(30, 400), st.integers(0, 200), st.integers(30, 400), st.floats(1, 100))
def test_the_games_foretold_bring_the_margin(won: int, drawn: int, lost: int, margin: float) -> None:
    tally = singles(won, drawn, lost)
    more = more_games(tally, margin)
    assume(more > 0)
    # The same results go on, scaled up; rounding to whole games and the steadying pairs leave a little slack.
    factor = 1 + more / tally.games
    later = estimate(singles(round(won * factor), round(drawn * factor), round(lost * factor)))
    assert later.margin == pytest.approx(margin, rel=0.03)


@pytest.mark.parametrize("margin", [0.0, -1.0, math.nan])
def test_no_number_of_games_brings_a_margin_of_nothing(margin: float) -> None:
    with pytest.raises(RatingError, match="must be positive"):
        more_games(Tally(), margin)


def test_without_games_there_is_no_error_bar() -> None:
    with pytest.raises(RatingError, match="no margin"):
        rule_of_thumb(0)


# --- laws -------------------------------------------------------------------------------------------------------------

counts = st.tuples(*[st.integers(0, 60)] * 5).map(lambda five: Pentanomial(five))
results = st.builds(Results, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
tallies = st.builds(Tally, counts, results)


@given(tallies)
def test_changing_the_players_places_negates(tally: Tally) -> None:
    here, there = estimate(tally), estimate(tally.mirrored)
    assert there.elo == pytest.approx(-here.elo)
    assert there.low == (None if here.high is None else pytest.approx(-here.high))
    assert there.superiority == pytest.approx(1 - here.superiority)
    assert there.normalised == (None if here.normalised is None else pytest.approx(-here.normalised))


@given(tallies)
def test_the_interval_is_above_zero_exactly_when_the_los_is_above_97_5_per_cent(tally: Tally) -> None:
    found = estimate(tally)
    assume(abs(found.superiority - 0.975) > 1e-9)
    assert (found.low is not None and found.low > 0) == (found.superiority > 0.975)


@given(tallies)
def test_the_estimate_lies_in_its_interval_and_everything_is_finite(tally: Tally) -> None:
    found = estimate(tally)
    for value in (found.elo, found.low, found.high, found.superiority, found.normalised, found.normalised_margin):
        assert value is None or math.isfinite(value)
    assert found.low is None or found.low <= found.elo
    assert found.high is None or found.high >= found.elo
    for text in (found.explain("Ada", "Bob"), explain_more_games(tally, 10)):
        assert "inf" not in text.en
        assert "nan" not in text.en


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_more_points_are_more_elo(score: float, other: float) -> None:
    assume(score != other)
    assert (elo_of_score(score) < elo_of_score(other)) == (score < other)
    assert expected_score(elo_of_score(score)) == pytest.approx(score)


@given(tallies)
def test_more_games_with_the_same_results_narrow_the_interval(tally: Tally) -> None:
    here, twice = estimate(tally), estimate(tally + tally)
    assume(here.margin is not None)
    assert twice.margin is not None
    assert here.margin is not None
    assert twice.margin < here.margin


@pytest.mark.parametrize(
    ("weights", "score"), [((25, 0, 50, 0, 25), 0.5), ((4, 8, 36, 32, 20), 0.64), ((0, 0, 36, 0, 64), 0.82)]
)
def test_the_interval_covers_the_truth_in_95_per_cent_of_matches(weights: Counts, score: float) -> None:
    # 20 pairs each; the truth is the Elo of the mean score of the weights.
    rng, truth, covered, runs = Random(7), elo_of_score(score), 0, 1500
    assert float(Pentanomial(weights).score) == pytest.approx(score)
    for _ in range(runs):
        seen = [0, 0, 0, 0, 0]
        for victory_points in rng.choices(range(5), weights, k=20):
            seen[victory_points] += 1
        found = estimate(pairs(*seen))
        covered += (found.low is None or found.low <= truth) and (found.high is None or truth <= found.high)
    assert covered / runs == pytest.approx(0.95, abs=0.025)
