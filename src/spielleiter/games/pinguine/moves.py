"""Fields, moves, and the ready-made tables of where a penguin may slide.

A field is a ``Square`` in the doubled coordinates of moves: x runs 0, 2 .. 14 on even rows and 1, 3 .. 15 on odd ones,
which are shifted by half a field (R2). A board is an ``int`` of 64 bits: the field (x, y) is bit ``8 * y + x // 2``, so
that a row is one byte and a1 is bit 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from spielleiter.game import Square

SIZE = 8
"""Rows, and fields in a row (R1)."""

COLUMNS = "abcdefgh"
"""The names of the fields in a row, from the left; the rows are called 1 to 8, y = 0 first (R2)."""

AXES: tuple[Square, ...] = ((2, 0), (1, 1), (1, -1))
"""The three lines through a field (R3): a penguin slides along each of them, first this way, then the other."""


def is_field(square: Square) -> bool:
    """Whether the board has a field with these doubled coordinates (R4)."""
    x, y = square
    return 0 <= y < SIZE and 0 <= x < 2 * SIZE and not x + y & 1


def bit_of(square: Square) -> int:
    """The bit of ``square`` in a board, or 0 if it is not a field."""
    return 1 << SIZE * square[1] + square[0] // 2 if is_field(square) else 0


def field_name(square: Square) -> str:
    """``c2`` for (5, 1); what is not a field is written with its numbers, ``(5,2)``."""
    x, y = square
    return f"{COLUMNS[x // 2]}{y + 1}" if is_field(square) else f"({x},{y})"


def field_at(index: int, row: int) -> Square:
    """The field number ``index`` of a row, as states list them, in doubled coordinates (R2)."""
    return 2 * index + row % 2, row


@dataclass(frozen=True, slots=True)
class Move:
    """A penguin slides from ``start`` to ``target``, or is placed there. Any numbers will do: the rules judge them."""

    start: Square | None
    """``None``: a penguin is placed."""
    target: Square
    start_bit: int = field(init=False, compare=False, repr=False)
    """The bit of ``start``, 0 for a placement and for what is not a field."""
    target_bit: int = field(init=False, compare=False, repr=False)
    """The bit of ``target``, 0 if it is not a field."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "start_bit", 0 if self.start is None else bit_of(self.start))
        object.__setattr__(self, "target_bit", bit_of(self.target))

    def __str__(self) -> str:
        target = field_name(self.target)
        return target if self.start is None else f"{field_name(self.start)}-{target}"


FIELDS: tuple[Square, ...] = tuple(field_at(index, row) for row in range(SIZE) for index in range(SIZE))
"""All fields in the order of their bits."""

PLACEMENTS = {bit_of(target): Move(None, target) for target in FIELDS}
"""The placement on the field of each bit."""

_INTERNED: dict[tuple[Square | None, Square], Move] = {(None, move.target): move for move in PLACEMENTS.values()}


def move_to(start: Square | None, target: Square) -> Move:
    """The move from ``start`` to ``target``: always the same object where a penguin could slide or be placed so."""
    return _INTERNED.get((start, target)) or Move(start, target)


def ray(start: Square, step: Square) -> list[Square]:
    """The fields from ``start`` on in one direction, the nearest first, up to the edge of the board."""
    x, y = start
    found: list[Square] = []
    while is_field((x := x + step[0], y := y + step[1])):
        found.append((x, y))
    return found


class Slides(dict[int, tuple[Move, ...]]):
    """The slides from one field along one axis, looked up by the floes on that line.

    At most 128 entries; each is made when it is first asked for.
    """

    __slots__ = ("_rays",)

    def __init__(self, start: Square, axis: Square) -> None:
        super().__init__()
        self._rays = tuple(
            tuple(_INTERNED.setdefault((start, target), Move(start, target)) for target in ray(start, step))
            for step in (axis, (-axis[0], -axis[1]))
        )

    def __missing__(self, floes: int) -> tuple[Move, ...]:
        found: list[Move] = []
        for moves in self._rays:
            for move in moves:
                if not move.target_bit & floes:
                    break  # R9: a hole, or a penguin
                found.append(move)
        self[floes] = slides = tuple(found)
        return slides


def _lines_through(start: Square) -> tuple[tuple[int, Slides], ...]:
    return tuple(
        (
            sum(bit_of(square) for step in (axis, (-axis[0], -axis[1])) for square in ray(start, step)),
            Slides(start, axis),
        )
        for axis in AXES
    )


LINES: dict[int, tuple[tuple[int, Slides], ...]] = {bit_of(square): _lines_through(square) for square in FIELDS}
"""For the bit of each field and each axis through it: the other fields on that line, and the slides along it."""

NEIGHBOURS: dict[int, int] = {
    bit_of((x, y)): sum(bit_of((x + dx, y + dy)) | bit_of((x - dx, y - dy)) for dx, dy in AXES) for x, y in FIELDS
}
"""For the bit of each field the up to six fields that touch it."""
