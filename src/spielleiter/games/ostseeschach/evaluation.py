"""How good a position of Ostseeschach looks: ambers, advance, material, threats; and which moves change that at once.

The weights were fitted to the results of 350 games between players that looked two moves ahead (15,000 positions).
"""

from __future__ import annotations

from math import tanh

from spielleiter.game import Team
from spielleiter.games.ostseeschach.moves import REACH, SIZE, Move
from spielleiter.games.ostseeschach.rules import GOAL, LINE, TURN_LIMIT, State

AMBER = 1.1
MATERIAL = (0.05, 0.02, 0.2, 0.18)
"""For a piece of each kind, in the order of ``PieceKind``."""
TOWER = 0.2
"""For a tower more: whatever it captures becomes an amber."""
ADVANCE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.6, 0.0)
"""For a light piece by its distance from its start line: close to the goal it is an amber in the making."""
FOREMOST = 0.18
"""For each line that the foremost light piece has gone, at the last turn, where it may decide; less before."""
ATTACKED_SQUARE = 0.025
TOWER_ATTACKS = (0.2, 0.4)
"""For a tower that could capture; the second value for the team to move."""
TOWER_IN_DANGER = (-1.0, -0.45)
"""For an own tower that the opponent could capture for an amber; the second value for the team to move."""
LOOSE_PIECE = (-0.2, -0.1)
"""For a piece that is attacked and not defended; the second value for the team to move."""


def noisy_moves(state: State) -> list[Move]:
    """Captures, and light pieces that reach their goal."""
    team = state.turn & 1
    opponents = state.one if team else state.two
    goal, heavy = GOAL[team], state.robben
    return [
        move
        for move in state.legal_moves()
        if move.target_bit & opponents or (move.target_bit & goal and not move.start_bit & heavy)
    ]


def evaluate(state: State, team: Team) -> float:
    """How good ``state`` looks for ``team``, from -1 to 1."""
    one, two = _attacks(state, 0), _attacks(state, 1)
    value = _worth(state, 0, one, two[0]) - _worth(state, 1, two, one[0])
    return tanh(-value if team else value)


def _attacks(state: State, team: int) -> tuple[int, int]:
    """The squares that a team's pieces attack or defend, and those that its towers do."""
    own = state.two if team else state.one
    by_all = by_towers = 0
    kinds = (state.herzmuscheln, state.moewen, state.seesterne, state.robben)
    for board, reach in zip(kinds, REACH[team], strict=True):
        pieces = own & board
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            attacked = reach[piece][0]
            by_all |= attacked
            if piece & state.towers:
                by_towers |= attacked
    return by_all, by_towers


def _worth(state: State, team: int, attacks: tuple[int, int], threats: int) -> float:
    """What one team has; ``threats`` are the squares that its opponent attacks."""
    own, other = (state.two, state.one) if team else (state.one, state.two)
    by_all, by_towers = attacks
    moves = state.turn & 1 == team
    kinds = (state.herzmuscheln, state.moewen, state.seesterne, state.robben)
    towers = own & state.towers
    worth = AMBER * (state.ambers_two if team else state.ambers_one)
    for value, kind in zip(MATERIAL, kinds, strict=True):
        worth += value * (own & kind).bit_count()
    worth += TOWER * towers.bit_count() + TOWER_IN_DANGER[moves] * (towers & threats).bit_count()
    worth += LOOSE_PIECE[moves] * (own & threats & ~by_all & ~towers).bit_count()
    worth += ATTACKED_SQUARE * by_all.bit_count()
    if by_towers & other:
        worth += TOWER_ATTACKS[moves]
    return worth + _advance(state, team, own & ~state.robben)


def _advance(state: State, team: int, light: int) -> float:
    """What it is worth how far the light pieces of one team have come."""
    advance, foremost = 0.0, 0
    for distance, value in enumerate(ADVANCE):
        line = SIZE - 1 - distance if team else distance
        count = (light >> SIZE * line & LINE).bit_count()
        if count:
            advance += value * count
            foremost = distance
    return advance + FOREMOST * foremost * state.turn / TURN_LIMIT
