"""SPSA on a player whose strength is known: the best values are found within the stated error, or said not to be."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.lab.spsa import Optimum, Parameter, Spsa, TunedPair
from spielleiter.rating.elo import expected_score

BEST = (3.0, -2.0)
ELO_PER_STEP = 10.0
"""Lost by the square of the distance from the best value, in steps."""
DRAWS = 0.1


def simulated(pairs: int, *, best: tuple[float, ...] = BEST, elo: float = ELO_PER_STEP, seed: int = 1) -> list[Optimum]:
    """What a run finds whose games are drawn by the true strength of both versions."""
    parameters = tuple(Parameter(name=f"p{at}", start=0.0, low=-9.0, high=9.0, step=1.0) for at in range(len(best)))
    spsa, rng = Spsa(parameters, pairs, seed), Random(seed)
    values, played = tuple(0.0 for _ in best), []
    for number in range(1, pairs + 1):
        versions = spsa.versions(values, number)
        plus, minus = (
            -elo * sum((value - top) ** 2 for value, top in zip(version, best, strict=True))
            for version in (versions.plus, versions.minus)
        )
        score = expected_score(plus - minus)
        draws = [rng.random() for _ in range(2)]
        ahead = sum((draw < score - DRAWS / 2) - (draw >= score + DRAWS / 2) for draw in draws)
        values = spsa.after(values, number, ahead)
        played.append(TunedPair(number, versions.plus, versions.minus, ahead, values))
    return list(spsa.optima(played))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_values_are_found_within_the_stated_error(seed: int) -> None:
    for optimum, best in zip(simulated(1000, seed=seed), BEST, strict=True):
        assert optimum.margin is not None
        assert optimum.margin < 1.0
        assert abs(optimum.tuned - best) <= optimum.margin


def test_the_intervals_hold_the_truth_as_often_as_they_say() -> None:
    held = [
        optimum.low is None or optimum.high is None or optimum.low <= best <= optimum.high
        for seed in range(20)
        for optimum, best in zip(simulated(300, seed=seed), BEST, strict=True)
    ]
    assert sum(held) / len(held) >= 0.9


def test_what_is_not_allowed_is_not_said_to_be_the_best() -> None:
    [optimum] = simulated(300, best=(30.0,), elo=1.0)
    assert optimum.tuned <= 9.0
    assert optimum.high is None or optimum.high <= 9.0


def test_a_parameter_without_effect_is_not_said_to_have_a_best_value() -> None:
    unknown = [simulated(200, best=(0.0,), elo=0.0, seed=seed)[0].margin is None for seed in range(20)]
    assert sum(unknown) / len(unknown) >= 0.9


def test_whole_numbers_are_right_on_average_and_values_stay_within_bounds() -> None:
    whole = Parameter(name="depth", start=2, low=1, high=4, step=0.5, whole=True)
    rng = Random(1)
    rounded = [whole.round(2.3, rng) for _ in range(2000)]
    assert set(rounded) == {2.0, 3.0}
    assert sum(rounded) / len(rounded) == pytest.approx(2.3, abs=0.05)
    assert (whole.round(9.7, rng), whole.clamp(-3)) == (4.0, 1.0)


def test_the_versions_of_a_pair_follow_from_seed_and_number() -> None:
    parameter = Parameter(name="p", start=0, low=-5, high=5, step=1)
    spsa = Spsa((parameter,) * 8, 100, seed=4)
    values = (0.0,) * 8
    assert spsa.versions(values, 7) == spsa.versions(values, 7) != spsa.versions(values, 8)
    versions, coins = spsa.versions(values, 7), spsa.coins(7)
    assert [plus > minus for plus, minus in zip(versions.plus, versions.minus, strict=True)] == [
        up > 0 for up, _ in coins
    ]
    assert [plus + minus > 0 for plus, minus in zip(versions.plus, versions.minus, strict=True)] == [
        side > 0 for _, side in coins
    ]
    assert [value > 0 for value in spsa.after(values, 7, 2)] == [up > 0 for up, _ in coins]
    assert spsa.after(values, 7, 0) == values
