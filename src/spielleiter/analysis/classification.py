"""How good a move was, and how well a side played: the thresholds and the formula, in one place.

A move is judged by its cost against the engine's best move: the winning chance that it gave away, or the expected
points, whichever weighs more. A whole win weighs as much as the points that are twenty units of log odds (in Blokus 60
squares): so points decide where the chance cannot fall any more. Chances are shown to a tenth of a percent, and their
loss is the difference of what is shown: a reader who subtracts finds the same, and no loss of 5.0 is called good.

* best: the engine's own move, or one that costs less than half a percent of a win
* good: less than 5 percent
* inaccuracy: from 5, mistake: from 10, blunder: from 20 percent on
* no difference: nothing was at stake

The stake of a move is what a move drawn by lot would have cost on average. The accuracy of a move is
100 · (1 - cost / stake), that of a side the mean over its moves, each weighed by its stake. So who always finds the
best move has 100, a move without alternatives counts nothing, and who draws lots has 15 to 20: a lot may be lucky. As
the move itself might have been drawn, no stake is less than the cost. All this is our own choice; docs/coach.md has
what was measured.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from spielleiter.rating.formatting import percent
from spielleiter.text import Text

BLUNDER = 0.2
"""A move that costs as much is a blunder; one that loses as much of its chance may be a turning point."""


_DIGITS = 3
"""Decimals of a chance from 0 to 1 that are shown."""
_WIN_IN_LOG_ODDS = 20.0
"""The difference of log odds whose points weigh as much as a whole win."""


class MoveClass(Enum):
    """How good a move was: the texts for one and for several of them, and the cost from which on it is so called."""

    BEST = Text("bester Zug", "best"), Text("beste Züge", "best"), 0.0
    GOOD = Text("guter Zug", "good"), Text("gute Züge", "good"), 0.005
    INACCURACY = Text("Ungenauigkeit", "inaccuracy"), Text("Ungenauigkeiten", "inaccuracies"), 0.05
    MISTAKE = Text("Fehler", "mistake"), Text("Fehler", "mistakes"), 0.1
    BLUNDER = Text("grober Fehler", "blunder"), Text("grobe Fehler", "blunders"), BLUNDER
    NO_DIFFERENCE = Text("ohne Bedeutung", "no difference"), Text("ohne Bedeutung", "no difference"), 0.0

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value[0]

    @property
    def plural(self) -> Text:
        """The plural of the name, for people."""
        return self.value[1]

    @property
    def min_cost(self) -> float:
        """The cost from which on a move is so called."""
        return self.value[2]

    @property
    def is_error(self) -> bool:
        """Whether there was a better move worth naming."""
        return self.min_cost >= MoveClass.INACCURACY.min_cost


def chance_text(chance: float) -> Text:
    """A chance from 0 to 1 as a percentage; 0 and 100 are kept for what is certain."""
    return percent(_shown(chance), 0 if chance in (0.0, 1.0) else _DIGITS - 2)


def _shown(chance: float) -> float:
    smallest = 10.0**-_DIGITS
    return chance if chance in (0.0, 1.0) else min(1 - smallest, max(smallest, round(chance, _DIGITS)))


def loss_between(before: float, after: float) -> float:
    """What a side lost whose chance fell from ``before`` to ``after``; nothing if it rose."""
    return max(0.0, round(_shown(before) - _shown(after), _DIGITS))


def points_of_a_win(points_per_log_odds: float) -> float:
    """How many points weigh as much as a whole win."""
    return _WIN_IN_LOG_ODDS * points_per_log_odds


def classify(cost: float, stake: float = 1.0) -> MoveClass:
    """How good a move was that cost so much, where so much was at stake."""
    if max(cost, stake) < MoveClass.GOOD.min_cost:
        return MoveClass.NO_DIFFERENCE
    judged = [found for found in MoveClass if found is not MoveClass.NO_DIFFERENCE]
    return next(found for found in reversed(judged) if cost >= found.min_cost)


def accuracy(moves: Iterable[tuple[float, float]]) -> float | None:
    """How accurately a side played, from 0 to 100; ``None`` if nothing was ever at stake.

    Of each move it takes the cost and the stake.
    """
    weighed = [(cost, max(cost, stake)) for cost, stake in moves]
    at_stake = sum(stake for _, stake in weighed)
    return 100 * (1 - sum(cost for cost, _ in weighed) / at_stake) if at_stake else None
