"""Positions and actions in a mirror: what was learned from one position holds for its mirror image, too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spielleiter.game import AnyGame


class Symmetry(NamedTuple):
    axes: tuple[int, ...]
    """Which axes of (positions, planes, rows, columns) are reversed."""
    actions: NDArray[np.int32]
    """For each action the one that looks like it in the mirror; one more at the end for -1, which is none."""


def symmetries(game: AnyGame) -> list[Symmetry]:
    """All mirrors in which the rules of a game stay the same, beginning with none at all."""
    numbers = range(game.encoding.actions)
    found = [Symmetry((), np.array([*numbers, -1], np.int32))]
    for mirror in game.mirrors:
        axes = (2,) * mirror.rows + (3,) * mirror.columns
        found.append(Symmetry(axes, np.array([*map(mirror.action, numbers), -1], np.int32)))
    return found
