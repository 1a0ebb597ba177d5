"""How good a position of Blokus looks, and which of its hundreds of moves are worth a look.

The weights were fitted to the results of 500 games between quick players (29,000 positions): what decides are the
squares laid and the room that is left around the open corners, which become squares later on.
"""

from __future__ import annotations

from math import sqrt, tanh

from spielleiter.game import Team
from spielleiter.games.blokus.board import beside, reach
from spielleiter.games.blokus.moves import Move, Place
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import COLORS

ROOM = 4.0
"""For the room around a colour's open corners, times its square root: the first free squares are worth most."""
STEPS = 4
"""How far from an open corner a free square still belongs to the room."""
SHARPNESS_EARLY, SHARPNESS_LATE = 0.02, 0.14
"""How much a lead of one point decides, in the beginning and at turn 80."""

GLANCES, MAX_MOVES = 32, 8
"""How many moves are tried and evaluated, and how many of them are worth a search."""
SQUARE, OWN_CORNER, OPPONENTS_CORNER, PARTNERS_CORNER = 4.0, 1.0, 1.5, -0.5
"""What makes a move worth trying: its squares, the open corners that it leaves, and whose corners it takes."""


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
    """The moves worth a search, the best first: of those that catch the eye, the ones after which things look best."""
    moves = state.legal_moves()
    if len(moves) <= MAX_MOVES:
        return list(moves)
    team = state.to_move
    tried = [
        (-evaluate(state.play_unchecked(move), team), index, move) for index, move in enumerate(_eye_catchers(state))
    ]
    tried.sort()
    return [move for _, _, move in tried[:MAX_MOVES]]


def _eye_catchers(state: State) -> list[Place]:
    """Large pieces that open own corners and take those of the opponents."""
    color, occupied = state.turn & 3, state.occupied
    own = state.boards[color]
    next_one, partner, last_one = (_open_corners(state, (color + step) & 3, occupied) for step in (1, 2, 3))
    ranked = []
    for index, move in enumerate(state.placements()):
        squares = move.squares
        value = SQUARE * squares.bit_count()
        value += OWN_CORNER * reach(own | squares, occupied | squares, 0)[1].bit_count()
        value += OPPONENTS_CORNER * ((squares & next_one).bit_count() + (squares & last_one).bit_count())
        value += PARTNERS_CORNER * (squares & partner).bit_count()
        ranked.append((-value, index, move))
    ranked.sort()
    return [move for _, _, move in ranked[:GLANCES]]


def _open_corners(state: State, color: int, occupied: int) -> int:
    """The squares at which a colour can go on."""
    own = state.boards[color]
    return reach(own, occupied, 0)[1] if own else 0
