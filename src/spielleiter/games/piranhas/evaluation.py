"""How good a position of Piranhas looks, from the features that separate won from lost games best.

The weights were fitted to the results of 210 games between players that looked two moves ahead (11,000 positions).
"""

from __future__ import annotations

from math import tanh

from spielleiter.game import Team
from spielleiter.games.piranhas.rules import LAST_TURN, NOT_A, NOT_J, SIZE, State, swarms

WEIGHT = 0.13
"""For each unit of weight in the water: who has more may lose some, and wins by size in the end."""
SWARM = 0.11
"""For each unit of weight in the largest swarm, at the last turn; in proportion before, when it is not needed yet."""
GROUP = -0.01
"""For each swarm: the fewer, the better. The distance between them matters much more."""
DISTANCE = -0.8
"""For the mean distance of the fish from their centre of mass, in moves of one square; neighbours count 0."""
MOBILITY = 0.015
"""For each legal move more than the opponent would have."""
TEMPO = 0.07
"""Bonus for the team to move."""

MEAN_WEIGHT = 16 / 9
"""The weight of an average fish where they differ (R3). The weights above are for fish of weight 1."""

_SQUARES = range(SIZE * SIZE)
_DIGITS = tuple(
    (value, sum(1 << s for s in _SQUARES if s % SIZE & value), sum(1 << s for s in _SQUARES if s // SIZE & value))
    for value in (1, 2, 4, 8)
)
"""For each binary digit of a coordinate: its value, the squares whose x has it, the squares whose y has it."""


def _beyond(centre: int, steps: int) -> int:
    """The squares that are more than ``steps`` away from ``centre``."""
    y, x = divmod(centre, SIZE)
    return sum(1 << s for s in _SQUARES if max(abs(s % SIZE - x), abs(s // SIZE - y)) > steps)


_BEYOND = tuple(tuple(_beyond(centre, steps) for steps in range(1, SIZE)) for centre in _SQUARES)


def evaluate(state: State, team: Team) -> float:
    """How good ``state`` looks for ``team``, from -1 to 1."""
    value = _standing(state, state.one) - _standing(state, state.two)
    ahead = TEMPO + MOBILITY * (len(state.legal_moves()) - len(state.moves_of(state.to_move.opponent)))
    value += -ahead if state.turn & 1 else ahead
    return tanh(-value if team else value)


def _standing(state: State, fish: int) -> float:
    """How good one team's fish stand, regardless of who is to move."""
    number = fish.bit_count()
    if not number:
        return 0.0
    groups, largest = _groups(state, fish)
    standing = WEIGHT * state.weight(fish) + SWARM * largest * state.turn / LAST_TURN
    if state.rules.weighted:
        standing /= MEAN_WEIGHT
    return standing + GROUP * groups + DISTANCE * _scatter(fish, number) / number


def _groups(state: State, fish: int) -> tuple[int, int]:
    """The number of swarms, and the weight of the largest."""
    sides = (fish & NOT_J) << 1 | (fish & NOT_A) >> 1
    row = fish | sides
    not_alone = fish & (sides | row << SIZE | row >> SIZE)
    groups = (fish ^ not_alone).bit_count()  # Lonely fish are many, and need no search for their swarm.
    largest = 1
    for swarm in swarms(not_alone):
        groups += 1
        largest = max(largest, state.weight(swarm))
    return groups, largest


def _scatter(fish: int, number: int) -> int:
    """The distances of all fish from their centre of mass together, beyond one step each."""
    x = y = number // 2  # Rounds to the nearest square.
    for value, has_x, has_y in _DIGITS:
        x += value * (fish & has_x).bit_count()
        y += value * (fish & has_y).bit_count()
    total = 0
    for beyond in _BEYOND[y // number * SIZE + x // number]:
        count = (fish & beyond).bit_count()
        if not count:
            break
        total += count
    return total
