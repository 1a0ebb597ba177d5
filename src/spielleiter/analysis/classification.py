"""How good a move was, and how well a side played: the thresholds and the formula, in one place.

A move is judged by its loss: how much of its winning chance a side gave away with it, from 0 to 1.

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

from spielleiter.text import Text

BLUNDER = 0.2
"""A move that loses as much is a blunder, and may be a turning point."""


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


def classify(loss: float) -> MoveClass:
    """How good a move was that lost so much."""
    return next(found for found in reversed(MoveClass) if loss >= found.min_loss)


def accuracy(losses: Sequence[float]) -> float | None:
    """How accurately a side played whose moves lost so much, from 0 to 100; ``None`` without a move."""
    if not losses:
        return None
    return sum(100 * exp(-_STEEPNESS * loss) for loss in losses) / len(losses)
