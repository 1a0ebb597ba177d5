"""SPSA: tunes many parameters at once by games between two slightly different versions of a player. Pure functions.

For each pair of games every parameter is moved a little, up or down by the toss of a coin; the version with these
moves plays the version with the opposite ones, and all parameters go a small step towards the better one (Spall
1992; gains as in Fishtest). The steps shrink, so that the values come to rest.

Where they come to rest is not yet where the best values are: with too few games it is where chance left them. So the
games themselves are asked, too. Near the best value the strength is a parabola: the difference between the versions
shrinks with the distance and is zero at the top. To see that, a second coin shifts both versions of each parameter to
one side of the present value. How the difference depends on this coin shows the bend, and the bend where the zero is;
Fieller's theorem gives its 95 % interval, which is open where the games do not show a top. In simulated runs of 500 to
5000 pairs these intervals held the truth in 92 to 98 % of cases.

The coin is needed because the values themselves follow the luck of earlier games: a fit to the path that they took
"finds" a top in a third of the runs of a parameter without any effect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from spielleiter.rating.elo import Z95

_ALPHA, _GAMMA = 0.602, 0.101
"""How fast the steps towards the better version and the moves of the versions shrink: Spall's practical values."""
_STABILITY = 0.1
"""The share of all pairs that counts as played before, or the first steps would be too long."""
_TRAVEL = 10.0
"""The last steps are this, divided by the pairs: a run of any length can go a few times a parameter's ``step``."""
_SHIFT = 2.0
"""How far both versions are shifted to one side, measured by their distance from their middle."""
_SETTLED = 0.25
"""The last part of the run, over which the tuned values are averaged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A number that a program takes as an option."""

    name: str
    start: float
    low: float
    high: float
    step: float
    """How far the two versions lie from the middle at the end: about what costs a few Elo."""
    whole: bool = False
    """Whether the program takes whole numbers only."""

    def clamp(self, value: float) -> float:
        """The nearest value that is allowed."""
        return min(max(value, self.low), self.high)

    def round(self, value: float, rng: Random) -> float:
        """The value as the program gets it: of whole numbers one of the two nearest, by chance, right on average."""
        if not self.whole:
            return float(f"{self.clamp(value):.6g}")
        below = math.floor(value)
        return self.clamp(float(below + (rng.random() < value - below)))


Values = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Versions:
    """The two versions of a player that play a pair of games."""

    plus: Values
    minus: Values


@dataclass(frozen=True, slots=True)
class TunedPair:
    """One pair of games: who played, what came of it, and the values after it."""

    number: int
    """The first step is 1."""
    plus: Values
    minus: Values
    ahead: float
    """The points of plus minus those of minus, -2 to 2."""
    values: Values


@dataclass(frozen=True, slots=True)
class Optimum:
    """What the games say about the best value of one parameter."""

    tuned: float
    low: float | None
    """Lower end of the 95 % interval of the best value; ``None``: the games show no end there."""
    high: float | None

    @property
    def margin(self) -> float | None:
        """How far the best value may be from the tuned one (95 %), or ``None`` if that is unknown."""
        if self.low is None or self.high is None:
            return None
        return max(self.high - self.tuned, self.tuned - self.low)


@dataclass(frozen=True, slots=True)
class Spsa:
    """The schedule of one run."""

    parameters: tuple[Parameter, ...]
    pairs: int
    seed: int = 0

    def coins(self, number: int) -> list[tuple[int, int]]:
        """For each parameter of pair ``number``: which way plus is moved, and to which side both are shifted."""
        rng = Random(f"{self.seed}/{number}")
        return [(rng.choice((-1, 1)), rng.choice((-1, 1))) for _ in self.parameters]

    def versions(self, values: Values, number: int) -> Versions:
        """The two versions of pair ``number`` around ``values``."""
        rng = Random(f"{self.seed}/{number}/rounding")
        plus, minus = [], []
        for parameter, value, (flip, side) in zip(self.parameters, values, self.coins(number), strict=True):
            spread = self._spread(parameter, number)
            middle = value + _SHIFT * side * spread
            plus.append(parameter.round(middle + flip * spread, rng))
            minus.append(parameter.round(middle - flip * spread, rng))
        return Versions(tuple(plus), tuple(minus))

    def after(self, values: Values, number: int, ahead: float) -> Values:
        """The values after a pair in which plus was ``ahead`` by so many points."""
        last = _TRAVEL / self.pairs
        stability = _STABILITY * self.pairs
        # In Spall's words: a_k / c_k², with a_k = a / (A + k)^alpha and c_k = c / k^gamma.
        shrunk = ((stability + self.pairs) / (stability + number)) ** _ALPHA
        gain = last * shrunk * (number / self.pairs) ** (2 * _GAMMA)
        return tuple(
            parameter.clamp(value + gain * self._spread(parameter, number) * ahead * flip)
            for parameter, value, (flip, _) in zip(self.parameters, values, self.coins(number), strict=True)
        )

    def _spread(self, parameter: Parameter, number: int) -> float:
        return parameter.step * math.pow(self.pairs / number, _GAMMA)

    def rest(self, played: Sequence[TunedPair]) -> Values:
        """The values in which the run came to rest: the average over its last part."""
        if not played:
            return tuple(parameter.start for parameter in self.parameters)
        last = played[-max(1, round(_SETTLED * len(played))) :]
        return tuple(math.fsum(column) / len(last) for column in zip(*(pair.values for pair in last), strict=True))

    def optima(self, played: Sequence[TunedPair]) -> tuple[Optimum, ...]:
        """For each parameter the tuned value, and the interval in which the games show the best one.

        The tuned value is where the run came to rest; if it was still on its way there, the nearer end of the interval.
        """
        coins = [self.coins(pair.number) for pair in played]
        optima = []
        for at, (parameter, value) in enumerate(zip(self.parameters, self.rest(played), strict=True)):
            low, high = self._interval(at, played, [each[at][1] for each in coins])
            if low is not None and high is not None:
                value = min(max(value, low), high)
            optima.append(Optimum(float(round(value)) if parameter.whole else float(f"{value:.4g}"), low, high))
        return tuple(optima)

    def _interval(
        self, at: int, played: Sequence[TunedPair], sides: Sequence[int]
    ) -> tuple[float | None, float | None]:
        """Where the games show the best value of one parameter; all others only add to the noise."""
        parameter = self.parameters[at]
        rows = []
        for pair, side in zip(played, sides, strict=True):
            apart = (pair.plus[at] - pair.minus[at]) / parameter.step
            middle = ((pair.plus[at] + pair.minus[at]) / 2 - parameter.start) / parameter.step
            rows.append((apart, middle, side, pair.ahead))
        # The lead is apart * (slope - bend * middle) + noise. Instruments are apart and apart * side: of the middle
        # only the part that the coin decided counts (see above).
        a11 = sum(apart * apart for apart, _, _, _ in rows)
        a12 = -sum(apart * apart * middle for apart, middle, _, _ in rows)
        a21 = sum(apart * apart * side for apart, _, side, _ in rows)
        a22 = -sum(apart * apart * side * middle for apart, middle, side, _ in rows)
        determinant = a11 * a22 - a12 * a21
        if len(rows) < 10 or abs(determinant) < 1e-9 * a11 * a11:
            return None, None
        r1 = sum(apart * lead for apart, _, _, lead in rows)
        r2 = sum(apart * side * lead for apart, _, side, lead in rows)
        slope, bend = (a22 * r1 - a12 * r2) / determinant, (a11 * r2 - a21 * r1) / determinant
        # Each pair's own surprise measures the noise, so that it may differ from pair to pair (White).
        slope_variance = bend_variance = covariance = 0.0
        for apart, middle, side, lead in rows:
            surprise = apart * (lead - apart * (slope - bend * middle))
            of_slope = surprise * (a22 - a12 * side) / determinant
            of_bend = surprise * (a11 * side - a21) / determinant
            slope_variance += of_slope**2
            bend_variance += of_bend**2
            covariance += of_slope * of_bend
        low, high = _zero_of_line(slope, bend, slope_variance, bend_variance, covariance)
        if low is None or high is None:
            return None, None
        # What is not allowed is not looked for.
        first, last = (parameter.clamp(parameter.start + parameter.step * end) for end in (low, high))
        return first, last


def _zero_of_line(
    slope: float, bend: float, slope_variance: float, bend_variance: float, covariance: float
) -> tuple[float | None, float | None]:
    """The 95 % interval of ``slope / bend`` by Fieller's theorem; ends that the data do not show are ``None``."""
    z = Z95**2
    a = bend**2 - z * bend_variance
    b = slope * bend - z * covariance
    c = slope**2 - z * slope_variance
    if a <= 0 or bend <= 0:
        return None, None  # It may be a valley, or flat: then there is no top.
    root = math.sqrt(max(0.0, b * b - a * c))
    return (b - root) / a, (b + root) / a
