"""Moves as values, and the generator that finds all placements of a shape on the whole board at once.

For one orientation, bit ``p`` of ``free >> offset of a cell`` says whether that cell is free when the piece lies
at ``p`` (the upper left corner of its bounding box). The AND over all cells is therefore every place where it fits.
Some of them touch no own corner: exactly those that fit as well when the corner squares are closed. So the legal
places are ``fits in free`` XOR ``fits in free without corners``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from spielleiter.games.blokus.board import MASKS, SIDE, STRIDE
from spielleiter.games.blokus.shapes import (
    COLORS,
    KINDS,
    ORIENTATION_NAMED,
    ORIENTATIONS,
    ORIENTATIONS_OF,
    ROTATIONS,
    Cells,
    Color,
    OrientedShape,
    Rotation,
    Shape,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Lay a piece; x, y is the upper left corner of its bounding box.

    Two names (rotation and flip) of the same squares are equal moves (R4); each keeps the name it was given.
    """

    color: Color
    kind: Shape = field(compare=False)
    rotation: Rotation = field(compare=False)
    flipped: bool = field(compare=False)
    x: int
    y: int
    orientation: int = field(init=False, repr=False)
    """The index into ``ORIENTATIONS``: the same for all names of the same squares."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "orientation", ORIENTATION_NAMED[self.kind, self.rotation, self.flipped])

    @property
    def on_board(self) -> bool:
        """Whether all squares of the piece lie on the board."""
        shape = ORIENTATIONS[self.orientation]
        return 0 <= self.x <= SIDE - shape.width and 0 <= self.y <= SIDE - shape.height

    @property
    def squares(self) -> int:
        """The covered squares as a board; only for a piece that is on the board."""
        return MASKS[self.orientation] << STRIDE * self.y + self.x

    @property
    def cells(self) -> Cells:
        """The covered squares in reading order, on the board or not."""
        return tuple((self.x + dx, self.y + dy) for dx, dy in ORIENTATIONS[self.orientation].cells)

    def __str__(self) -> str:
        turn = f" {self.rotation.name}" if self.rotation else ""
        flip = " FLIP" if self.flipped else ""
        return f"{self.color.letter} {self.kind.name}{turn}{flip} {self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Pass:
    """Lay nothing this round, and stay in the game (R12)."""

    color: Color

    def __str__(self) -> str:
        return f"{self.color.letter} PASS"


Move = Place | Pass

PASSES = tuple(map(Pass, COLORS))
"""The pass of each colour, ready-made."""


def garbage_move(rng: Random) -> Move:
    """A move out of thin air, on the board or not."""
    color = rng.choice(COLORS)
    if rng.random() < 0.1:
        return Pass(color)
    x, y = rng.randint(-2, SIDE + 1), rng.randint(-2, SIDE + 1)
    return Place(color, rng.choice(KINDS), rng.choice(ROTATIONS), rng.random() < 0.5, x, y)


# --- all placements at once -------------------------------------------------------------------------------------------


def _halves(cells: Cells) -> tuple[Cells, Cells]:
    """An orientation in two parts: its first three squares and the rest, or the whole twice if that is all."""
    return cells[:3], cells[3:] or cells


def _parts() -> tuple[list[Cells], list[Cells], list[Cells]]:
    """The parts of one, two and three squares of which all orientations are made.

    There are but 15 and 24 and 18 of them, so that an orientation needs one AND instead of four.
    """
    parts = {part for orientation in ORIENTATIONS for part in _halves(orientation.cells)}
    singles = {(cell,) for orientation in ORIENTATIONS for cell in orientation.cells}
    pairs, trios = ([part for part in parts if len(part) == size] for size in (2, 3))
    return sorted(singles), sorted(pairs), sorted(trios)


_SINGLES, _PAIRS, _TRIOS = _parts()
_PART_INDEX = {part: index for index, part in enumerate([*_SINGLES, *_PAIRS, *_TRIOS])}
_OFFSETS = tuple(STRIDE * y + x for ((x, y),) in _SINGLES)
_PAIR_INDICES = tuple(tuple(_PART_INDEX[cell,] for cell in pair) for pair in _PAIRS)
_TRIO_INDICES = tuple(tuple(_PART_INDEX[cell,] for cell in trio) for trio in _TRIOS)


def _fits(open_squares: int) -> list[int]:
    """For each part the places where all its squares are open."""
    one = [open_squares >> offset for offset in _OFFSETS]
    two = [one[a] & one[b] for a, b in _PAIR_INDICES]
    three = [one[a] & one[b] & one[c] for a, b, c in _TRIO_INDICES]
    return one + two + three


_KIND_BITS = tuple(1 << kind for kind in KINDS)
_HIGHEST = (0, *(1 << place for place in range(STRIDE * SIDE)))
"""The integer that has only its highest bit, by bit length."""


class _ReadyMoves(dict[int, Place]):
    """The moves of one colour that lay ``shape``, by the bit length of their place; each is made when first found.

    All of them together would take a tenth of a second of a colour's first move.
    """

    def __init__(self, color: Color, shape: OrientedShape) -> None:
        self._color, self._shape = color, shape

    def __missing__(self, length: int) -> Place:
        shape = self._shape
        y, x = divmod(length - 1, STRIDE)
        move = self[length] = Place(self._color, shape.kind, shape.rotation, shape.flipped, x, y)
        return move


class _Lookups(dict[int, list[tuple[int, int, _ReadyMoves]]]):
    """For the bit of a kind: its orientations as (part, part, moves of one colour), made when first asked for."""

    def __init__(self, color: Color) -> None:
        self._color = color

    def __missing__(self, kind_bit: int) -> list[tuple[int, int, _ReadyMoves]]:
        found = []
        for index in ORIENTATIONS_OF[kind_bit.bit_length() - 1]:
            shape = ORIENTATIONS[index]
            first, second = (_PART_INDEX[half] for half in _halves(shape.cells))
            found.append((first, second, _ReadyMoves(self._color, shape)))
        self[kind_bit] = found
        return found


_LOOKUPS = tuple(map(_Lookups, COLORS))


def placements(color: int, hand: int, free: int, corners: int) -> list[Place]:
    """Every placement of the kinds in ``hand`` on ``free`` squares that covers one of ``corners``."""
    fits, misses = _fits(free), _fits(free & ~corners)
    highest, lookups = _HIGHEST, _LOOKUPS[color]
    moves: list[Place] = []
    add = moves.append
    for kind_bit in _KIND_BITS:
        if hand & kind_bit:
            for a, b, ready in lookups[kind_bit]:
                places = (fits[a] & fits[b]) ^ (misses[a] & misses[b])
                while places:
                    length = places.bit_length()
                    add(ready[length])
                    places ^= highest[length]
    return moves


_CELL_OFFSETS = tuple(
    (1 << kind, tuple(tuple(STRIDE * y + x for x, y in ORIENTATIONS[index].cells) for index in ORIENTATIONS_OF[kind]))
    for kind in KINDS
)


def has_placement(hand: int, free: int, corners: int) -> bool:
    """Whether ``placements`` would find any: the smallest piece is tried first, and mostly fits."""
    if not corners:
        return False
    for kind_bit, orientations in _CELL_OFFSETS:
        if hand & kind_bit:
            for offsets in orientations:
                fits, touches = -1, 0
                for offset in offsets:
                    fits &= free >> offset
                    touches |= corners >> offset
                if fits & touches:
                    return True
    return False
