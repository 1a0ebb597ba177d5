"""The board as one integer: bit ``21 * y + x`` is the square x, y (R1).

Rows are 21 bits wide for 20 squares: the unused column keeps whatever is shifted over one edge from coming back
in at the other. Shifting by 1 and 21 therefore moves a whole colour by a square, and ``& BOARD`` drops what left.
"""

from __future__ import annotations

from spielleiter.game import Square
from spielleiter.games.blokus.shapes import ORIENTATIONS, Cells

SIDE = 20
STRIDE = SIDE + 1
LAST = SIDE - 1


def bit(x: int, y: int) -> int:
    """The board on which only x, y is set."""
    return 1 << STRIDE * y + x


def board_of(cells: Cells | list[Square]) -> int:
    """The board on which exactly ``cells`` are set."""
    return sum(bit(x, y) for x, y in cells)


BOARD = board_of([(x, y) for y in range(SIDE) for x in range(SIDE)])
CORNERS = board_of([(0, 0), (LAST, 0), (0, LAST), (LAST, LAST)])
BORDER = board_of([(x, y) for y in range(SIDE) for x in range(SIDE) if {x, y} & {0, LAST}])

MASKS = tuple(board_of(orientation.cells) for orientation in ORIENTATIONS)
"""The squares of each orientation when it lies in the upper left corner."""

_ORIENTATION_OF_MASK = {mask: index for index, mask in enumerate(MASKS)}


def beside(own: int) -> int:
    """The squares that share an edge with one of ``own``, some of them maybe own or off the board."""
    return own << 1 | own >> 1 | own << STRIDE | own >> STRIDE


def reach(own: int, occupied: int, start_squares: int) -> tuple[int, int]:
    """The squares that a colour may cover, and those of them of which its next piece must cover at least one.

    The latter are the squares at own corners (R10), or ``start_squares`` for the first piece (R7).
    """
    if not own:
        free = BOARD & ~occupied
        return free, free & start_squares
    sideways = own << 1 | own >> 1
    free = BOARD & ~(occupied | sideways | own << STRIDE | own >> STRIDE)  # R8, R9
    return free, free & (sideways << STRIDE | sideways >> STRIDE)


def squares(board: int) -> list[Square]:
    """The set squares in reading order."""
    found = []
    while board:
        y, x = divmod((board & -board).bit_length() - 1, STRIDE)
        found.append((x, y))
        board &= board - 1
    return found


def pieces(own: int) -> list[int]:
    """The pieces of one colour: as they never touch along an edge (R9), each connected part is one piece."""
    found = []
    while own:
        piece = own & -own
        while (grown := (piece | beside(piece)) & own) != piece:
            piece = grown
        found.append(piece)
        own ^= piece
    return found


def orientation_of(piece: int) -> int | None:
    """The index of the orientation in which ``piece`` lies, or ``None`` if it is none of the 21 shapes."""
    cells = squares(piece)
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return _ORIENTATION_OF_MASK.get(piece >> STRIDE * top + left)
