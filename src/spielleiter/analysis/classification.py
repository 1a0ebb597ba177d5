"""How good a move was, and how well a side played: the thresholds and the formula, in one place.

A move is judged by its loss: how much of its winning chance a side gave away with it, from 0 to 1. Chances are shown to
a tenth of a percent, and the loss is the difference of what is shown: so a reader who subtracts finds the same, and no
loss of 5.0 is called good.

* best: the engine's own move, or one that loses less than half a percentage point
* good: less than 5 percentage points
* inaccuracy: from 5, mistake: from 10, blunder: from 20 percentage points on

The accuracy of a move is 100 · exp(-4.5 · loss), that of a side the mean over its moves. This is our own choice: a move
that loses nothing has 100, an inaccuracy at most 80, a mistake at most 64, a blunder at most 41, and no move has 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import exp

from spielleiter.rating.formatting import percent
from spielleiter.text import Text

BLUNDER = 0.2
"""A move that loses as much is a blunder, and may be a turning point."""


_DIGITS = 3
"""Of a chance from 0 to 1 that are shown."""
_STEEPNESS = 4.5
"""How fast the accuracy falls with the loss."""


class MoveClass(Enum):
    """How good a move was: the texts for one and for several of them, and the loss from which on it is so called."""

    BEST = Text("bester Zug", "best"), Text("beste Züge", "best"), 0.0
    GOOD = Text("guter Zug", "good"), Text("gute Züge", "good"), 0.005
    INACCURACY = Text("Ungenauigkeit", "inaccuracy"), Text("Ungenauigkeiten", "inaccuracies"), 0.05
    MISTAKE = Text("Fehler", "mistake"), Text("Fehler", "mistakes"), 0.1
    BLUNDER = Text("grober Fehler", "blunder"), Text("grobe Fehler", "blunders"), BLUNDER

    @property
    def text(self) -> Text:
        """In words, for people."""
        return self.value[0]

    @property
    def plural(self) -> Text:
        """In words, for several of them."""
        return self.value[1]

    @property
    def min_loss(self) -> float:
        """The loss from which on a move is so called."""
        return self.value[2]

    @property
    def is_error(self) -> bool:
        """Whether there was a better move worth naming."""
        return self.min_loss >= MoveClass.INACCURACY.min_loss


def chance_text(chance: float) -> Text:
    """A chance from 0 to 1 as a percentage; 0 and 100 are kept for what is certain."""
    return percent(_shown(chance), 0 if chance in (0.0, 1.0) else _DIGITS - 2)


def _shown(chance: float) -> float:
    smallest = 10.0**-_DIGITS
    return chance if chance in (0.0, 1.0) else min(1 - smallest, max(smallest, round(chance, _DIGITS)))


def loss_between(before: float, after: float) -> float:
    """What a side lost whose chance fell from ``before`` to ``after``; nothing if it rose."""
    return max(0.0, round(_shown(before) - _shown(after), _DIGITS))


def classify(loss: float) -> MoveClass:
    """How good a move was that lost so much."""
    return next(found for found in reversed(MoveClass) if loss >= found.min_loss)


def accuracy(losses: Sequence[float]) -> float | None:
    """How accurately a side played whose moves lost so much, from 0 to 100; ``None`` without a move."""
    if not losses:
        return None
    return sum(100 * exp(-_STEEPNESS * loss) for loss in losses) / len(losses)
