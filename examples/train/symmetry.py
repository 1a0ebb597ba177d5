"""Positions and actions in a mirror: what was learned from one position holds for its mirror image, too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spielleiter.game import AnyGame
from spielleiter.games.ostseeschach.encoding import STEPS
from spielleiter.games.piranhas.rules import Direction


class Symmetry(NamedTuple):
    axes: tuple[int, ...]
    """Which axes of (positions, planes, rows, columns) are reversed."""
    actions: NDArray[np.int32]
    """For each action the one that looks like it in the mirror; one more at the end for -1, which is none."""


def symmetries(game: AnyGame) -> list[Symmetry]:
    """All mirrors in which the rules of a game stay the same, beginning with none at all."""
    # The steps (rows, columns) of the actions in the order of their numbers, and what may be reversed: -1.
    if game.key.startswith("piranhas"):
        steps = [direction.value[::-1] for direction in Direction]
        flips = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    elif game.key.startswith("ostseeschach"):
        steps, flips = list(STEPS), [(1, 1), (1, -1)]  # forward stays forward
    else:
        steps, flips = [], [(1, 1)]
    squares = np.arange(game.encoding.size[0] * game.encoding.size[1]).reshape(game.encoding.size)
    found = []
    for flip in flips:
        actions = np.arange(game.encoding.actions, dtype=np.int32)
        if steps:
            numbers = [steps.index((row * flip[0], column * flip[1])) for row, column in steps]
            seen = squares[:: flip[0], :: flip[1]].ravel()
            actions = np.concatenate([number * squares.size + seen for number in numbers])
        axes = tuple(axis + 2 for axis in (0, 1) if flip[axis] < 0)
        found.append(Symmetry(axes, np.append(actions, -1).astype(np.int32)))
    return found
