"""How good a position of Blokus looks, and which of its hundreds of moves are worth a look.

The weights were fitted to the results of 500 games between quick players (29,000 positions): what decides are the
squares laid and the room that is left around the open corners, which become squares later on.
"""

from __future__ import annotations

from math import sqrt, tanh

from spielleiter.game import Team
from spielleiter.games.blokus.board import MASKS, beside, reach
from spielleiter.games.blokus.moves import Move
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import COLORS

ROOM = 4.0
"""For the room around a colour's open corners, times its square root: the first free squares are worth most."""
STEPS = 4
"""How far from an open corner a free square still belongs to the room."""
SHARPNESS_EARLY, SHARPNESS_LATE = 0.02, 0.14
"""How much a lead of one point decides, in the beginning and at turn 80."""

MOST_MOVES = 16
"""How many moves of a position are worth a look."""
SQUARE, OWN_CORNER, OPPONENTS_CORNER, PARTNERS_CORNER = 4.0, 1.0, 1.5, -0.5
"""What makes a move promising: its squares, the open corners that it leaves, and whose corners it takes."""

_SIZES = tuple(mask.bit_count() for mask in MASKS)


def evaluate(state: State, team: Team) -> float:
    """How good ``state`` looks for ``team``, from -1 to 1."""
    occupied = state.occupied
    lead = 0.0
    for color in COLORS:
        worth = state.color_points(color) + ROOM * sqrt(_room(state, color, occupied))
        lead += -worth if color & 1 else worth
    late = state.turn / 80
    value = lead * (SHARPNESS_EARLY + (SHARPNESS_LATE - SHARPNESS_EARLY) * late * late)
    return tanh(-value if team else value)


def _room(state: State, color: int, occupied: int) -> int:
    """The number of free squares around a colour's open corners; none when it is out or has not begun."""
    own = state.boards[color]
    if not own or not state.still_in >> color & 1:
        return 0
    free, room = reach(own, occupied, 0)
    for _ in range(STEPS):
        room = (room | beside(room)) & free
    return room.bit_count()


def promising_moves(state: State) -> list[Move]:
    """The moves worth a look, the best first: large pieces that open own corners and take those of the opponents."""
    moves = state.legal_moves()
    if len(moves) <= MOST_MOVES:
        return list(moves)
    color, occupied = state.turn & 3, state.occupied
    own = state.boards[color]
    next_one, partner, last_one = (_open_corners(state, (color + step) & 3, occupied) for step in (1, 2, 3))
    placements = state.placements()
    large = max(_SIZES[move.orientation] for move in placements) - 1
    ranked = []
    for index, move in enumerate(placements):
        size = _SIZES[move.orientation]
        if size >= large:
            squares = move.squares
            value = SQUARE * size + OWN_CORNER * reach(own | squares, occupied | squares, 0)[1].bit_count()
            value += OPPONENTS_CORNER * ((squares & next_one).bit_count() + (squares & last_one).bit_count())
            value += PARTNERS_CORNER * (squares & partner).bit_count()
            ranked.append((-value, index))
    ranked.sort()
    return [placements[index] for _, index in ranked[:MOST_MOVES]]


def _open_corners(state: State, color: int, occupied: int) -> int:
    """The squares at which a colour can go on."""
    own = state.boards[color]
    return reach(own, occupied, 0)[1] if own else 0
