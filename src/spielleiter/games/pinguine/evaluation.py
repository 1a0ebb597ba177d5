"""How good a position of Pinguine looks: fish caught, fish in reach before the opponent, penguins that are stuck.

The weights were fitted to the results of 1,000 games between players that looked two moves ahead (50,000 positions).
"""

from __future__ import annotations

from math import tanh

from spielleiter.game import Team
from spielleiter.games.pinguine.moves import NEIGHBOURS, SIZE, Move
from spielleiter.games.pinguine.rules import Floes, State

LATE = 48
"""The turn at which most games are decided; the weights change until then."""
LEAD_EARLY, LEAD_LATE = 0.22, 1.4
"""For each fish more than the opponent has, in log odds: early in the game the next moves make up for it."""
TERRITORY = 0.86
"""For each fish on floes that a team reaches first, late in the game; early on it says little."""
STUCK = 0.85
"""For each penguin of the opponent that cannot move any more."""
TEMPO = 0.27
"""For the team to move, early in the game."""

_FIRST = sum(1 << SIZE * row for row in range(SIZE))
_ALL = (1 << SIZE * SIZE) - 1
_NOT_FIRST, _NOT_LAST = _ALL ^ _FIRST, _ALL ^ _FIRST << SIZE - 1
_EVEN = sum(0xFF << SIZE * row for row in range(0, SIZE, 2))
_ODD = _ALL ^ _EVEN


def evaluate(state: State, team: Team) -> float:
    """How good ``state`` looks for ``team``, from -1 to 1."""
    one, two, three, four = state.floes
    ice = one | two | three | four
    penguins, (fish, other_fish) = state.penguins, state.fish
    late = min(1.0, state.turn / LATE)
    square = late * late
    cube = square * late
    value = (LEAD_EARLY + (LEAD_LATE - LEAD_EARLY) * cube) * (fish - other_fish)
    value += TERRITORY * square * _territory(penguins, ice, state.floes)
    value += STUCK * (_stuck(penguins[1], ice) - _stuck(penguins[0], ice))
    tempo = TEMPO * (1 - cube)
    value += -tempo if state.to_move else tempo
    return tanh(-value / 2 if team else value / 2)


def spread(board: int) -> int:
    """All fields that touch a field of ``board``, on all boards at once."""
    even, odd = board & _EVEN, board & _ODD
    # R1: the fields of odd rows are half a field further to the right.
    beside = even | (even & _NOT_FIRST) >> 1 | odd | (odd & _NOT_LAST) << 1
    return ((board & _NOT_FIRST) >> 1 | (board & _NOT_LAST) << 1 | beside << SIZE | beside >> SIZE) & _ALL


def _territory(penguins: tuple[int, int], ice: int, floes: Floes) -> int:
    """How many more fish ONE reaches before TWO than the other way round, if both go from floe to floe."""
    mine, other = penguins
    own = lost = 0
    while ice and (mine or other):
        mine, other = spread(mine) & ice, spread(other) & ice
        own |= mine & ~other
        lost |= other & ~mine
        ice &= ~(mine | other)
    return sum(
        number * ((own & board).bit_count() - (lost & board).bit_count()) for number, board in enumerate(floes, 1)
    )


def _stuck(penguins: int, ice: int) -> int:
    """How many of these penguins cannot move any more."""
    found = 0
    while penguins:
        penguin = penguins & -penguins
        penguins ^= penguin
        found += not NEIGHBOURS[penguin] & ice
    return found


def promising_moves(state: State) -> list[Move]:
    """All moves, those that catch the most fish first."""
    _, two, three, four = state.floes
    rich = three | four
    return sorted(
        state.legal_moves(), key=lambda move: 0 if move.target_bit & rich else 1 if move.target_bit & two else 2
    )
