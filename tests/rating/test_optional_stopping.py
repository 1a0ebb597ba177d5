"""The teaching example: equal players, and how often a test takes them for different."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from spielleiter.errors import RatingError
from spielleiter.rating.elo import expected_score
from spielleiter.rating.optional_stopping import false_alarms, significant, warning
from spielleiter.rating.pairs import Counts, Pentanomial
from spielleiter.rating.sprt import SCORES, Sprt, Verdict
from tests.support.night import by_day

COINS: Counts = (2500, 0, 5000, 0, 2500)
"""Weights of a pair's results between equal players: independent games without draws."""
COINS_30: Counts = (2088, 0, 4962, 0, 2950)
"""The same for a player 30 Elo stronger: a score of 0.5431."""
DRAWS: Counts = (625, 2500, 3750, 2500, 625)
DRAWS_30: Counts = (428, 2069, 3713, 2931, 859)
"""Half of the games drawn."""
ALIKE: Counts = (5000, 0, 0, 0, 5000)
ALIKE_30: Counts = (4569, 0, 0, 0, 5431)
"""Two programs without chance: who wins a start, wins it from both sides."""


def finished(
    test: Sprt, weights: Counts, rng: np.random.Generator, max_pairs: int = 4000
) -> tuple[Verdict, np.ndarray]:
    """The end of one run of the test, with a look after every pair: verdict and counts.

    The LLR is computed where a normal approximation of it comes near the bounds; elsewhere the test cannot end.
    """
    pairs = np.arange(1, max_pairs + 1)
    results = rng.choice(5, size=max_pairs, p=np.array(weights) / sum(weights))
    seen = (results[:, None] == np.arange(5)).cumsum(axis=0)
    scores = np.array(SCORES)
    mean = seen @ scores / pairs
    variance = np.maximum(seen @ scores**2 / pairs - mean**2, 1e-9)
    s0, s1 = expected_score(test.elo0), expected_score(test.elo1)
    normal = pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    for place in np.flatnonzero((normal < test.lower + 1) | (normal > test.upper - 1)):
        zero, half, one, one_and_half, two = seen[place].tolist()
        state = test.state(Pentanomial((zero, half, one, one_and_half, two)))
        # The approximation exaggerates; if it ever fell short by so much, an end could have been passed over.
        assert abs(state.llr) < abs(normal[place]) + 0.75
        if state.verdict is not Verdict.CONTINUE:
            return state.verdict, seen[place]
    raise AssertionError("the test has not ended")


@pytest.mark.nightly
def test_the_sprt_takes_equal_players_for_different_in_5_per_cent_of_runs() -> None:
    # Chance moves the share by 0.7 % (one standard deviation); the next test is sharper, and 4.8 % is what it says.
    rng, test, runs = np.random.default_rng(1), Sprt(0, 30), 1000
    wrong = sum(finished(test, COINS, rng)[0] is Verdict.H1 for _ in range(runs))
    assert wrong / runs == pytest.approx(0.048, abs=0.014)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("equal", "stronger"),
    by_day([(COINS, COINS_30), (DRAWS, DRAWS_30), (ALIKE, ALIKE_30)], [(COINS, COINS_30)]),
    ids=["coins", "draws", "alike"],
)
def test_the_error_of_the_sprt_is_at_most_5_per_cent(equal: Counts, stronger: Counts) -> None:
    # Let one player really be 30 Elo stronger, so that nearly every run ends with H1, and weigh each of these by how
    # much rarer the same games are between equal players. The mean weight is the error rate of equal players, and it is
    # found with a hundredth of the runs that counting the rare errors would take.
    assert float(Pentanomial(equal).score) == 0.5
    assert float(Pentanomial(stronger).score) == pytest.approx(expected_score(30), abs=1e-4)
    # With draws the rate is 4.9 %, so more of these short runs are needed to be sure.
    rng, test, runs = np.random.default_rng(1), Sprt(0, 30), 1500 if equal is DRAWS else 500
    rarer = np.log(np.maximum(equal, 1)) - np.log(np.maximum(stronger, 1))
    weights, missed = np.zeros(runs), 0
    for run in range(runs):
        verdict, seen = finished(test, stronger, rng, 12_000 if equal is ALIKE else 4000)
        if verdict is Verdict.H1:
            weights[run] = np.exp(seen @ rarer)
        else:
            missed += 1
    error, doubt = weights.mean(), weights.std() / runs**0.5
    assert 0.04 < error <= 0.05
    assert doubt < 0.001
    # And the true difference is missed in about 5 % of runs; here chance moves the share by 1 %.
    assert missed / runs == pytest.approx(0.05, abs=0.03)


def test_looking_after_every_game_with_a_naive_test_is_wrong_far_more_often() -> None:
    # PEERS: 39 % of runs between equal players at a setting of 5 %. Here: 200 games, a look after each.
    rng, runs, wrong = Random(2026), 2000, 0
    for _ in range(runs):
        ahead = 0
        for games in range(1, 201):
            ahead += rng.choice((-1, 1))
            if significant(ahead, games):
                wrong += 1
                break
    assert wrong / runs > 0.35
    assert wrong / runs == pytest.approx(false_alarms(200), abs=0.03)


def test_a_single_look_at_the_end_is_wrong_in_5_per_cent() -> None:
    # |wins - losses| > 1.96 * 10 after 100 coins: 61 or more heads or tails, 2 * 0.0176 by the binomial table, and the
    # 60:40 lies just beyond it too (20 > 19.6): 2 * 0.0284.
    assert false_alarms(100, first_look=100) == pytest.approx(2 * 0.0284, abs=1e-4)


def test_four_wins_in_a_row_are_the_first_false_alarm() -> None:
    # 4 > 1.96 * 2, but 3 < 1.96 * 1.73: in one run of eight the first four games go one way.
    assert false_alarms(3) == 0
    assert false_alarms(4) == pytest.approx(1 / 8)


def test_more_looks_are_more_false_alarms() -> None:
    assert all(few <= many + 1e-12 for few, many in pairwise(map(false_alarms, range(1, 150))))
    assert false_alarms(1000) > 0.5


def test_a_look_before_the_end_shows_what_it_costs() -> None:
    text = warning(80, 200)
    assert text is not None
    assert "in 42 % der Fälle" in text.de
    assert "80 of 200 games" in text.en
    assert warning(200, 200) is None
    long = warning(10, 5000)
    assert long is not None
    assert "in more than 52 % of cases" in long.en


def test_looks_that_never_happen_are_refused() -> None:
    with pytest.raises(RatingError, match="are none"):
        false_alarms(10, first_look=11)
    with pytest.raises(RatingError, match="are none"):
        false_alarms(0)
