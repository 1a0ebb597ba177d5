"""SPRT: a test that may look after every pair and stops as soon as the games have decided.

H0 says that the difference is ``elo0``, H1 that it is ``elo1``. After each pair the log likelihood ratio (LLR) of the
two is compared with two bounds; below the lower one H0 is accepted, above the upper one H1. This is the generalised
test on pentanomial counts: each hypothesis fixes the difference and leaves the shares of the five results free, so it
is granted the shares that fit the games best among those that have its difference (maximum likelihood).

The difference is measured in Elo (logistic: the mean score) or in normalised Elo (the mean score above one half in
units of a game's standard deviation; the length of the test then hardly depends on how many games are drawn).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from operator import mul
from typing import Literal

from spielleiter.errors import BoundsError
from spielleiter.game import Text
from spielleiter.rating.elo import NORMALISED_PER_SIGMA, expected_score
from spielleiter.rating.formatting import number, percent
from spielleiter.rating.pairs import Pentanomial

Model = Literal["logistic", "normalised"]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The score per game of the five results of a pair."""
LIMITS: dict[Model, int] = {"logistic": 800, "normalised": 200}
"""The largest hypotheses; within them the best shares were always found, far beyond what a test is needed for."""
UNSEEN = 1e-3
"""A result never seen counts as so many pairs, as usual for this test: it is not impossible."""
_STEADY_PAIRS = 10
"""Too few pairs to estimate how the LLR continues."""
_LEAST_SHARE = 0.02
"""Nor as long as it has made less of its way to a bound."""


class Verdict(Enum):
    """What the test says so far."""

    CONTINUE = Text("weiterspielen", "play on")
    H0 = Text("H0 angenommen", "H0 accepted")
    H1 = Text("H1 angenommen", "H1 accepted")

    @property
    def text(self) -> Text:
        return self.value


@dataclass(frozen=True, slots=True)
class SprtState:
    """Where a test stands after some pairs."""

    test: Sprt
    pairs: int
    llr: float
    verdict: Verdict

    def explain(self, player: str, opponent: str) -> Text:
        """What the test says, in one sentence."""
        test = self.test
        unit = Text("Elo", "Elo") if test.model == "logistic" else Text("normierte Elo", "normalised Elo")
        elo0, elo1 = number(test.elo0, _digits(test.elo0)), number(test.elo1, _digits(test.elo1))
        match self.verdict:
            case Verdict.H1:
                if test.elo0 == 0:
                    said = Text(f"{player} ist stärker als {opponent}", f"{player} is stronger than {opponent}")
                else:
                    said = Text(
                        f"{player} steht gegen {opponent} besser als {elo0.de} {unit.de}",
                        f"{player} stands better than {elo0.en} {unit.en} against {opponent}",
                    )
                return self._decided(said, elo0, unit, test.alpha)
            case Verdict.H0:
                said = Text(
                    f"{player} ist keine {elo1.de} {unit.de} stärker als {opponent}",
                    f"{player} is not {elo1.en} {unit.en} stronger than {opponent}",
                )
                return self._decided(said, elo1, unit, test.beta)
            case Verdict.CONTINUE:
                llr, lower, upper = number(self.llr, 2), number(test.lower, 2), number(test.upper, 2)
                return Text(
                    f"Noch offen nach {self.pairs} Paaren: die LLR {llr.de} liegt zwischen {lower.de} "
                    f"(für {elo0.de} {unit.de}) und {upper.de} (für {elo1.de}); zusehen darf man bei diesem Test.",
                    f"Still open after {self.pairs} pairs: the LLR {llr.en} lies between {lower.en} "
                    f"(for {elo0.en} {unit.en}) and {upper.en} (for {elo1.en}); this test may be watched at any time.",
                )

    @property
    def pairs_left(self) -> int | None:
        """Estimated pairs until the test ends, at the present pace of the LLR; ``None`` where that is unknown."""
        if self.verdict is not Verdict.CONTINUE:
            return 0
        bound = self.test.upper if self.llr > 0 else self.test.lower
        share = self.llr / bound
        if self.pairs < _STEADY_PAIRS or share < _LEAST_SHARE:
            return None
        return math.ceil(self.pairs * (1 / share - 1))

    def _decided(self, said: Text, refuted: Text, unit: Text, error: float) -> Text:
        """The sentence for a test that has ended: its conclusion, and how often that would be wrong."""
        share = percent(error, _digits(100 * error))
        return Text(
            f"Entschieden nach {self.pairs} Paaren: {said.de}; bei einem wahren Unterschied von {refuted.de} {unit.de} "
            f"käme dieser Schluss nur in etwa {share.de} der Läufe vor.",
            f"Decided after {self.pairs} pairs: {said.en}; at a true difference of {refuted.en} {unit.en} "
            f"this conclusion would come in only about {share.en} of runs.",
        )


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0 against H1, wrong in about ``alpha`` of runs where H0 holds and ``beta`` where H1 holds."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BoundsError(
                f"Ein SPRT braucht elo0 < elo1, nicht {self.elo0:g} und {self.elo1:g}.",
                f"an SPRT needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}",
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise BoundsError(
                f"Mit den Irrtumsanteilen {self.alpha:g} und {self.beta:g} lässt sich nicht testen: beide über 0, "
                "zusammen unter 1.",
                f"error rates of {self.alpha:g} and {self.beta:g} make no test: both above 0, together below 1",
            )
        limit = LIMITS[self.model]
        if max(abs(self.elo0), abs(self.elo1)) > limit:
            raise BoundsError(
                f"Ein SPRT geht bis ±{limit} Elo im Modell {self.model}: mehr zeigt ein einfaches Match.",
                f"an SPRT takes up to ±{limit} Elo in the {self.model} model: a plain match shows more",
            )

    @property
    def lower(self) -> float:
        """The bound at or below which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The bound at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Pentanomial) -> float:
        """The log likelihood ratio of H1 to H0; positive speaks for H1."""
        if not counts.pairs:
            return 0.0
        seen = [count or UNSEEN for count in counts.counts]
        return self._log_likelihood(seen, self.elo1) - self._log_likelihood(seen, self.elo0)

    def state(self, counts: Pentanomial) -> SprtState:
        """Where the test stands after ``counts``; it ends the first time this is not ``CONTINUE``."""
        llr = self.llr(counts)
        verdict = Verdict.H0 if llr <= self.lower else Verdict.H1 if llr >= self.upper else Verdict.CONTINUE
        return SprtState(self, counts.pairs, llr, verdict)

    def expected_pairs(self, elo: float, deviation: float = 0.5) -> float:
        """About how many pairs the test takes if the true difference is ``elo``, in the unit of the test.

        ``deviation`` is the standard deviation of the score of one game, at most one half (no draws); the normalised
        model does not need it. Wald's approximation, which leaves out that the last step goes beyond the bound.
        """
        if self.model == "normalised":
            zero, one, true = (value / NORMALISED_PER_SIGMA for value in (self.elo0, self.elo1, elo))
            deviation = 1.0
        else:
            zero, one, true = (expected_score(value) for value in (self.elo0, self.elo1, elo))
        spread = (one - zero) ** 2 * 2 / deviation**2
        drift = (one - zero) * (2 * true - zero - one) / deviation**2
        if abs(drift) < 1e-9 * spread:
            return -self.lower * self.upper / spread
        # Far beyond the hypotheses the verdict is certain; the limit keeps the powers finite.
        tilt = min(max(2 * drift / spread, -100.0), 100.0)
        accept = math.expm1(-tilt * self.lower) / (math.exp(-tilt * self.lower) - math.exp(-tilt * self.upper))
        return (accept * self.upper + (1 - accept) * self.lower) / drift

    def _log_likelihood(self, seen: Sequence[float], elo: float) -> float:
        """The log likelihood of the counts under the best shares with this difference, up to a constant."""
        if self.model == "logistic":
            score = expected_score(elo)
            return _constrained(seen, [value - score for value in SCORES])[0]
        # A pair's mean score scatters less than a game's by the root of two.
        return _with_ratio(seen, math.sqrt(2) * elo / NORMALISED_PER_SIGMA)


def _constrained(seen: Sequence[float], values: Sequence[float]) -> tuple[float, list[float]]:
    """The best log likelihood of ``seen`` among all shares under which ``values`` average 0, and the way to these.

    The likelihood is relative to that of the observed shares; divided by the factors, they become the best ones. The
    factors are 1 + x v with the x at which the average vanishes. The sum below falls with x between two poles, so
    Newton's step is kept between brackets. Around that x the likelihood is flat: half the digits of x are enough.
    """
    cells = list(zip(seen, values, strict=True))
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(200):
        slope = total = 0.0
        for count, value in cells:
            part = value / (1 + x * value)
            total += count * part
            slope += count * part * part
        if total > 0:
            low = x
        else:
            high = x
        following = x + total / slope
        if not low < following < high:
            following = (low + high) / 2
        done = abs(following - x) <= 1e-9 * (1 + abs(x))
        x = following
        if done:
            break
    factors = [1 + x * value for value in values]
    return -sum(map(mul, seen, map(math.log, factors))), factors


def _with_ratio(seen: Sequence[float], ratio: float) -> float:
    """The best log likelihood of ``seen`` among all shares whose mean score is ``ratio`` deviations above one half.

    The deviation depends on the shares. So the condition is made linear around the shares found last, starting from
    equal ones, and solved again until nothing changes; that takes a handful of rounds.
    """
    pairs = sum(seen)
    shares = [1 / len(SCORES)] * len(SCORES)
    last = -math.inf
    for _ in range(100):
        mean = sum(map(mul, SCORES, shares))
        deviation = math.sqrt(sum((score - mean) ** 2 * share for score, share in zip(SCORES, shares, strict=True)))
        values = [score - 0.5 - ratio * deviation * (1 + ((score - mean) / deviation) ** 2) / 2 for score in SCORES]
        likelihood, factors = _constrained(seen, values)
        if abs(likelihood - last) <= 1e-10 * (1 + abs(likelihood)):
            break
        last = likelihood
        shares = [count / pairs / factor for count, factor in zip(seen, factors, strict=True)]
    return likelihood


def _digits(value: float) -> int:
    """How many places after the comma ``value`` needs in a text: none for whole numbers."""
    return 0 if value == round(value) else 1 if 10 * value == round(10 * value) else 2
