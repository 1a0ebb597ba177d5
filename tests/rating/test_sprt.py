"""The SPRT on published numbers, against a general optimiser, and its laws (error rates: test_optional_stopping)."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RatingError
from spielleiter.rating.elo import NORMALISED_PER_SIGMA, expected_score
from spielleiter.rating.pairs import Counts, Pentanomial
from spielleiter.rating.sprt import SCORES, UNSEEN, Model, Sprt, Verdict

MODELS: list[Model] = ["logistic", "normalised"]


# --- published numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alpha", "beta", "lower", "upper"),
    [(0.05, 0.05, -2.94, 2.94), (0.05, 0.10, -2.25, 2.89), (0.01, 0.01, -4.60, 4.60)],
)
def test_the_bounds_are_the_well_known_ones(alpha: float, beta: float, lower: float, upper: float) -> None:
    test = Sprt(0, 5, alpha, beta)
    assert (round(test.lower, 2), round(test.upper, 2)) == (lower, upper)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        # Match reports in public threads: Disservin/fastchess 783, brunocodutra/cinder 836, 820, 800, 782, 802,
        # Yoshie2000/PlentyChess 334; the last is an extreme short match in a student's notes. All in normalised Elo.
        ((379, 10170, 21828, 10640, 343), 0, 2, 2.946),
        ((835, 6884, 13116, 7201, 852), 0, 3, 2.89),
        ((244, 1980, 3630, 2067, 263), -3, 1, 2.90),
        ((147, 1252, 2509, 1445, 165), 0, 3, 2.89),
        ((457, 4273, 9516, 4350, 467), -3, 0, 2.89),
        ((363, 3205, 5861, 3376, 414), 0, 3, 2.91),
        ((5, 942, 2469, 1050, 5), -3, 1, 2.90),
        ((0, 0, 2, 0, 37), 0, 20, 2.96),
    ],
)
def test_published_matches_get_their_llr(counts: Counts, elo0: float, elo1: float, llr: float) -> None:
    assert Sprt(elo0, elo1, model="normalised").llr(Pentanomial(counts)) == pytest.approx(llr, abs=0.006)


# --- against a general optimiser --------------------------------------------------------------------------------------


def log_likelihood(counts: Counts, elo: float, model: Model) -> float:
    """The same likelihood by scipy, which knows nothing of how ours is found."""
    seen = np.array([count or UNSEEN for count in counts])
    scores = np.array(SCORES)

    def surplus(shares: np.ndarray) -> float:
        mean = shares @ scores
        if model == "logistic":
            return float(mean - expected_score(elo))
        deviation = math.sqrt(shares @ scores**2 - mean**2)
        return float(mean - 0.5 - math.sqrt(2) * elo / NORMALISED_PER_SIGMA * deviation)

    found = scipy.optimize.minimize(
        lambda shares: -(seen @ np.log(shares)) / seen.sum(),
        np.full(5, 0.2),
        method="SLSQP",
        bounds=[(1e-9, 1)] * 5,
        constraints=[{"type": "eq", "fun": lambda shares: shares.sum() - 1}, {"type": "eq", "fun": surplus}],
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert found.success, found.message
    return float(-found.fun * seen.sum())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "counts", [(20, 30, 60, 35, 28), (3, 0, 8, 0, 5), (100, 2, 7, 3, 90), (1, 40, 200, 44, 1), (9, 9, 9, 9, 9)]
)
def test_the_llr_is_the_ratio_of_the_best_likelihoods(counts: Counts, model: Model) -> None:
    expected = log_likelihood(counts, 30, model) - log_likelihood(counts, -5, model)
    assert Sprt(-5, 30, model=model).llr(Pentanomial(counts)) == pytest.approx(expected, abs=1e-3)


def test_what_was_never_seen_hardly_counts() -> None:
    # Five pairs, all won: to have the mean s the best shares are s for 2 points and 1 - s for 0 points, which costs the
    # factor s for each pair. LLR = 5 ln(s1 / s0) = 5 ln(0.54307 / 0.5) = 0.41312.
    assert Sprt(0, 30).llr(Pentanomial((0, 0, 0, 0, 5))) == pytest.approx(0.41312, abs=0.002)
    # Only 1 : 1: for the mean s > 1/2 move 2 s - 1 to 2 points, which costs 1 - (2 s - 1): 5 ln(2 - 2 s1) = -0.45035.
    assert Sprt(0, 30).llr(Pentanomial((0, 0, 5, 0, 0))) == pytest.approx(-0.45035, abs=0.01)


def test_for_close_hypotheses_the_llr_is_that_of_a_normal_mean() -> None:
    # N (s1 - s0)(2 s - s0 - s1) / (2 v) with the mean s and variance v of a pair's score per game.
    counts = Pentanomial((2000, 3000, 6000, 3100, 2100))
    mean, variance = float(counts.score), float(counts.variance) / 4
    s0, s1 = expected_score(0), expected_score(2)
    normal = counts.pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 2).llr(counts) == pytest.approx(normal, rel=0.01)


def test_coin_tosses_have_the_same_llr_in_both_models_for_close_hypotheses() -> None:
    # Without draws and bias a game's deviation is 1/2, and normalised Elo are Elo.
    counts = Pentanomial((2450, 0, 5000, 0, 2550))
    assert Sprt(0, 5, model="normalised").llr(counts) == pytest.approx(Sprt(0, 5).llr(counts), rel=0.01)


# --- verdicts and words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((0, 0, 0, 0, 0), Verdict.CONTINUE),
        ((20, 30, 60, 35, 28), Verdict.CONTINUE),
        ((0, 5, 10, 30, 80), Verdict.H1),
        ((80, 30, 10, 5, 0), Verdict.H0),
    ],
)
@pytest.mark.parametrize("model", MODELS)
def test_the_verdict_follows_the_bounds(counts: Counts, verdict: Verdict, model: Model) -> None:
    assert Sprt(0, 30, model=model).state(Pentanomial(counts)).verdict is verdict


def test_each_verdict_explains_itself_in_one_sentence() -> None:
    test = Sprt(0, 30)
    assert test.state(Pentanomial((0, 5, 10, 30, 80))).explain("Ada", "Bob").de == (
        "Entschieden nach 125 Paaren: Ada ist stärker als Bob; bei einem wahren Unterschied von 0 Elo käme dieser "
        "Schluss nur in etwa 5 % der Läufe vor."
    )
    assert test.state(Pentanomial((80, 30, 10, 5, 0))).explain("Ada", "Bob").en == (
        "Decided after 125 pairs: Ada is not 30 Elo stronger than Bob; at a true difference of 30 Elo this conclusion "
        "would come in only about 5 % of runs."
    )
    assert test.state(Pentanomial()).explain("Ada", "Bob").en == (
        "Still open after 0 pairs: the LLR 0.00 lies between -2.94 (for 0 Elo) and 2.94 (for 30); "
        "this test may be watched at any time."
    )
    text = Sprt(-2.5, 12.5, 0.025, model="normalised").state(Pentanomial((0, 5, 10, 30, 80))).explain("Ada", "Bob")
    assert "Ada steht gegen Bob besser als -2,5 normierte Elo" in text.de
    assert "in etwa 2,5 % der Läufe" in text.de
    assert Verdict.H0.text.de == "H0 angenommen"


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "model", "said"),
    [
        (5, 5, 0.05, 0.05, "logistic", "elo0 < elo1"),
        (30, 0, 0.05, 0.05, "logistic", "elo0 < elo1"),
        (0, math.inf, 0.05, 0.05, "logistic", "elo0 < elo1"),
        (math.nan, 5, 0.05, 0.05, "logistic", "elo0 < elo1"),
        (0, 5, 0.0, 0.05, "logistic", "error rates"),
        (0, 5, 0.6, 0.6, "logistic", "error rates"),
        (0, 5, math.nan, 0.05, "logistic", "error rates"),
        (0, 801, 0.05, 0.05, "logistic", "up to ±800 Elo"),
        (-201, 0, 0.05, 0.05, "normalised", "up to ±200 Elo in the normalised model"),
    ],
)
def test_a_test_that_cannot_work_is_refused(
    elo0: float, elo1: float, alpha: float, beta: float, model: Model, said: str
) -> None:
    with pytest.raises(RatingError, match=said):
        Sprt(elo0, elo1, alpha, beta, model)


# --- laws -------------------------------------------------------------------------------------------------------------

five = st.tuples(*[st.one_of(st.just(0), st.integers(0, 300))] * 5)
elos = st.tuples(st.floats(-150, 140), st.floats(1, 50)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@pytest.mark.parametrize("model", MODELS)
@given(counts=five, hypotheses=elos)
def test_changing_the_players_places_negates(model: Model, counts: Counts, hypotheses: tuple[float, float]) -> None:
    elo0, elo1 = hypotheses
    here = Sprt(elo0, elo1, model=model).llr(Pentanomial(counts))
    there = Sprt(-elo1, -elo0, model=model).llr(Pentanomial(counts).mirrored)
    assert math.isfinite(here)
    assert there == pytest.approx(-here, rel=1e-6, abs=1e-6)


@given(counts=five, hypotheses=elos)
def test_a_score_beyond_a_hypothesis_speaks_for_it(counts: Counts, hypotheses: tuple[float, float]) -> None:
    seen = [count or UNSEEN for count in counts]
    score = sum(map(lambda count, value: count * value, seen, SCORES)) / sum(seen)
    llr = Sprt(*hypotheses).llr(Pentanomial(counts))
    if score >= expected_score(hypotheses[1]):
        assert llr >= 0
    if score <= expected_score(hypotheses[0]):
        assert llr <= 0


@pytest.mark.parametrize("model", MODELS)
@given(counts=five)
def test_llrs_of_neighbouring_hypotheses_add_up(model: Model, counts: Counts) -> None:
    seen = Pentanomial(counts)
    whole = Sprt(0, 40, model=model).llr(seen)
    assert Sprt(0, 10, model=model).llr(seen) + Sprt(10, 40, model=model).llr(seen) == pytest.approx(whole, abs=1e-6)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("true_elo", [0.0, 30.0])
def test_the_length_is_about_the_one_foretold(model: Model, true_elo: float) -> None:
    # Wald's formula leaves out the overshoot at the end, so real runs are a little longer; 40 runs vary by some 10 %.
    rng, test, score = Random(5), Sprt(0, 60, model=model), expected_score(2 * true_elo)
    weights = [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]
    lengths = []
    for _ in range(40):
        seen = [0, 0, 0, 0, 0]
        state = test.state(Pentanomial())
        while state.verdict is Verdict.CONTINUE:
            seen[rng.choices(range(5), weights)[0]] += 1
            state = test.state(Pentanomial((seen[0], seen[1], seen[2], seen[3], seen[4])))
        lengths.append(state.pairs)
    assert sum(lengths) / 40 == pytest.approx(test.expected_pairs(2 * true_elo), rel=0.3)


def test_the_length_is_longest_between_the_hypotheses() -> None:
    test = Sprt(0, 30)
    middle = test.expected_pairs(15)
    assert middle > test.expected_pairs(0) == pytest.approx(test.expected_pairs(30), rel=0.01)
    assert test.expected_pairs(15 + 1e-5) == pytest.approx(middle, rel=1e-3)
    # Half the deviation is a quarter of the games.
    assert test.expected_pairs(0, 0.25) == pytest.approx(test.expected_pairs(0) / 4)


@pytest.mark.parametrize("elo", [-800.0, 800.0])
def test_far_beyond_the_hypotheses_the_test_is_short(elo: float) -> None:
    # The LLR then drifts straight to one bound: 2.94 / ((s1 - s0) |2 s - s0 - s1| / (1/4)) pairs, with s = 0.99.
    test, s1 = Sprt(0, 1), expected_score(1)
    drift = (s1 - 0.5) * abs(2 * expected_score(elo) - 0.5 - s1) * 4
    assert test.expected_pairs(elo) == pytest.approx(test.upper / drift)


def test_what_is_left_follows_from_the_way_that_was_made() -> None:
    test = Sprt(0, 30)
    for counts in ((5, 8, 16, 10, 7), (7, 10, 16, 8, 5)):
        half = test.state(Pentanomial(counts))
        bound = test.upper if half.llr > 0 else test.lower
        assert half.pairs_left == math.ceil(half.pairs * (bound / half.llr - 1)) > half.pairs
    assert test.state(Pentanomial((0, 0, 0, 0, 100))).pairs_left == 0, "it is decided"
    assert test.state(Pentanomial((0, 0, 1, 1, 1))).pairs_left is None, "too early"
    assert test.state(Pentanomial((1, 0, 10, 0, 0))).pairs_left
    nowhere = test.state(Pentanomial((50, 0, 0, 0, 54)))
    assert abs(nowhere.llr) < 0.05
    assert nowhere.pairs_left is None, "the LLR goes nowhere"
