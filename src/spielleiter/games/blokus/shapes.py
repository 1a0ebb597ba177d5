"""Colours, the 21 shapes, and every way in which a shape can lie: 91 orientations in all (R2, R3, R4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from spielleiter.game import TEAMS, Square, Team, Text

Cells = tuple[Square, ...]
"""Squares in reading order, row by row from the top."""


class Color(IntEnum):
    """One of the four colours, in the order in which they move (R2)."""

    BLUE = 0
    YELLOW = 1
    RED = 2
    GREEN = 3

    @property
    def letter(self) -> str:
        """The colour's letter in positions and moves: B, Y, R or G."""
        return self.name[0]

    @property
    def team(self) -> Team:
        """The side that moves this colour: blue and red are ONE, yellow and green are TWO."""
        return TEAMS[self & 1]

    @property
    def text(self) -> Text:
        """What people call the colour."""
        return _COLOR_TEXTS[self]


COLORS = tuple(Color)
_COLOR_TEXTS = (Text("Blau", "Blue"), Text("Gelb", "Yellow"), Text("Rot", "Red"), Text("Grün", "Green"))


class Shape(IntEnum):
    """One of the 21 shapes, from one to five squares, in the order of the wire (R3)."""

    MONO = 0
    DOMINO = 1
    TRIO_L = 2
    TRIO_I = 3
    TETRO_O = 4
    TETRO_T = 5
    TETRO_I = 6
    TETRO_L = 7
    TETRO_Z = 8
    PENTO_L = 9
    PENTO_T = 10
    PENTO_V = 11
    PENTO_S = 12
    PENTO_Z = 13
    PENTO_I = 14
    PENTO_P = 15
    PENTO_W = 16
    PENTO_U = 17
    PENTO_R = 18
    PENTO_X = 19
    PENTO_Y = 20

    @property
    def cells(self) -> Cells:
        """The squares of the shape as the rules draw it, neither turned nor flipped."""
        return _SHAPES[self]

    @property
    def size(self) -> int:
        """The number of squares."""
        return len(_SHAPES[self])


KINDS = tuple(Shape)


class Rotation(IntEnum):
    """A turn of the shape by quarters, clockwise as one looks at the board."""

    NONE = 0
    RIGHT = 1
    MIRROR = 2
    LEFT = 3


ROTATIONS = tuple(Rotation)

_PICTURES = (
    "#",
    "##",
    "#. ##",
    "# # #",
    "## ##",
    "### .#.",
    "# # # #",
    "#. #. ##",
    "##. .##",
    "#. #. #. ##",
    "### .#. .#.",
    "#.. #.. ###",
    ".### ##..",
    "##. .#. .##",
    "# # # # #",
    "## ## #.",
    "#.. ##. .##",
    "#.# ###",
    "..# ### .#.",
    ".#. ### .#.",
    ".# ## .# .#",
)


def _read(picture: str) -> Cells:
    """The squares marked ``#`` in rows separated by spaces."""
    return tuple((x, y) for y, row in enumerate(picture.split()) for x, mark in enumerate(row) if mark == "#")


_SHAPES = tuple(map(_read, _PICTURES))

PENTOMINOES = tuple(kind for kind in KINDS if kind.size == 5)
"""The twelve shapes of five squares: one of them is drawn as the first piece of a game (R6)."""


def aligned(cells: Iterable[Square]) -> Cells:
    """``cells`` moved so that their bounding box begins at 0,0, in reading order."""
    cells = tuple(cells)
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return tuple(sorted(((x - left, y - top) for x, y in cells), key=lambda cell: (cell[1], cell[0])))


def turned(kind: Shape, rotation: Rotation, flipped: bool) -> Cells:
    """The squares of ``kind`` after the rotation and then, if wanted, the flip of left and right (R4)."""
    cells: Iterable[Square] = kind.cells
    match rotation:
        case Rotation.RIGHT:
            cells = [(-y, x) for x, y in cells]
        case Rotation.MIRROR:
            cells = [(-x, -y) for x, y in cells]
        case Rotation.LEFT:
            cells = [(y, -x) for x, y in cells]
    return aligned((-x, y) for x, y in cells) if flipped else aligned(cells)


@dataclass(frozen=True, slots=True)
class OrientedShape:
    """One way in which a shape can lie, under the first of its names: NONE, RIGHT, MIRROR, LEFT, unflipped first."""

    kind: Shape
    rotation: Rotation
    flipped: bool
    cells: Cells
    width: int
    height: int


def _orientations() -> tuple[tuple[OrientedShape, ...], dict[tuple[Shape, Rotation, bool], int]]:
    """All orientations, and for each of the 168 names the index of the orientation that it means."""
    found: list[OrientedShape] = []
    named: dict[tuple[Shape, Rotation, bool], int] = {}
    index: dict[tuple[Shape, Cells], int] = {}
    for kind in KINDS:
        for rotation in ROTATIONS:
            for flipped in (False, True):
                cells = turned(kind, rotation, flipped)
                if (kind, cells) not in index:
                    index[kind, cells] = len(found)
                    width, height = 1 + max(x for x, _ in cells), 1 + max(y for _, y in cells)
                    found.append(OrientedShape(kind, rotation, flipped, cells, width, height))
                named[kind, rotation, flipped] = index[kind, cells]
    return tuple(found), named


ORIENTATIONS, ORIENTATION_NAMED = _orientations()
"""The 91 orientations in the order of their kinds; and (kind, rotation, flipped) -> index into them."""

ORIENTATIONS_OF = tuple(
    tuple(index for index, orientation in enumerate(ORIENTATIONS) if orientation.kind is kind) for kind in KINDS
)
"""For each kind the indices of its orientations."""
