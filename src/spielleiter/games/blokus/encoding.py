"""Blokus for programs that learn: rows y, columns x, and the four colours in the order in which they move.

A team sees the colour that it moves next as the first; the board is as it is, for every corner and every border is as
good as another. A move is an orientation and the square of its upper left corner, for the colour whose turn it is: its
number is ``400 * orientation + 20 * row + column``; the pass has the last number.
"""

from __future__ import annotations

from spielleiter.game import Plane, Team
from spielleiter.game.encoding import PlaneArrays, bits, filled
from spielleiter.games.blokus.board import SIDE, STRIDE, board_of
from spielleiter.games.blokus.moves import PASSES, Move, Pass, Place
from spielleiter.games.blokus.rules import Rules, State
from spielleiter.games.blokus.shapes import COLORS, KINDS, ORIENTATIONS

_SQUARES = SIDE * SIDE
_PASS = len(ORIENTATIONS) * _SQUARES
_NO, _YES = filled(0, _SQUARES), filled(1, _SQUARES)
_ANSWERS = (_NO, _YES)
_WHOSE = ("the own next colour", "the colour after it", "the own other colour", "the last colour")


class BlokusEncoding(PlaneArrays):
    """Positions and moves of one rule set as numbers."""

    size = (SIDE, SIDE)
    actions = _PASS + 1

    def __init__(self, rules: Rules) -> None:
        self.planes = (
            *(Plane(f"squares of {whose}") for whose in _WHOSE),
            *(Plane(f"all ones: {whose} still has {kind.name}") for whose in _WHOSE for kind in KINDS),
            *(Plane(f"all ones: {whose} is still in") for whose in _WHOSE),
            *(Plane(f"all ones: {whose} has laid the monomino last") for whose in _WHOSE),
            Plane("the shape of the first pieces, drawn in the upper left corner"),
            *(Plane(f"all ones: the own next colour is number {place} in a round") for place in (1, 2, 3, 4)),
            Plane("the turn, on every square", rules.max_turn),
        )

    def plane_bytes(self, state: State, team: Team) -> bytes:
        """The position as ``team`` sees it."""
        first = (state.turn + (state.to_move is not team)) & 3
        order = [(first + place) & 3 for place in range(4)]
        planes = [_plane(state.boards[color]) for color in order]
        planes += [_ANSWERS[state.hands[color] >> kind & 1] for color in order for kind in KINDS]
        planes += [_ANSWERS[state.still_in >> color & 1] for color in order]
        planes += [_ANSWERS[state.mono >> color & 1] for color in order]
        planes.append(_START[state.start])
        planes += [_ANSWERS[color == first] for color in COLORS]
        planes.append(filled(state.turn, _SQUARES))
        return b"".join(planes)

    def action(self, state: State, move: Move) -> int:
        """The number of a legal move."""
        if isinstance(move, Pass):
            return _PASS
        return move.orientation * _SQUARES + move.y * SIDE + move.x

    def move(self, state: State, action: int) -> Move:
        """The move with that number for the colour whose turn it is, legal or not; it may stick out of the board."""
        if action == _PASS:
            return PASSES[state.color]
        orientation, square = divmod(action, _SQUARES)
        y, x = divmod(square, SIDE)
        shape = ORIENTATIONS[orientation]
        return Place(state.color, shape.kind, shape.rotation, shape.flipped, x, y)


def _plane(board: int) -> bytes:
    """The plane of a board, without the column that keeps its rows apart."""
    plane = bytearray(bits(board, STRIDE * SIDE))
    del plane[SIDE::STRIDE]
    return bytes(plane)


_START = tuple(_plane(board_of(kind.cells)) for kind in KINDS)
"""For each kind its picture."""
