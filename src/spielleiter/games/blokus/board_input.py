"""Blokus on a page: the pieces of the colour to move, how they turn, where they go, and the board in words."""

from __future__ import annotations

from functools import cache

from spielleiter.game import Look, Orientation, Square, Text, Tile, TilePlacement
from spielleiter.game.drawing import Grid
from spielleiter.games.blokus.board import SIDE, reach, squares
from spielleiter.games.blokus.drawing import board_grid, draw_pieces_left, tile_paint
from spielleiter.games.blokus.moves import Move, Pass, Place
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import ORIENTATIONS, ORIENTATIONS_OF, Kind, aligned

_ROWS = tuple(tuple((x, y) for x in range(SIDE)) for y in range(SIDE))
_SIZES = {
    1: Text("Einer", "monomino"),
    2: Text("Zweier", "domino"),
    3: Text("Dreier", "tromino"),
    4: Text("Vierer", "tetromino"),
    5: Text("Fünfer", "pentomino"),
}


def kind_text(kind: Kind) -> Text:
    """What people call the piece: its size and the letter that it looks like."""
    size, letter = _SIZES[kind.size], kind.name.partition("_")[2]
    return Text(f"{size.de}-{letter}", f"{letter} {size.en}") if letter else size


@cache
def _tile(kind: Kind) -> Tile:
    """The piece with all its orientations, in the order of ``ORIENTATIONS_OF``."""
    indices = ORIENTATIONS_OF[kind]
    index_of = {ORIENTATIONS[index].cells: place for place, index in enumerate(indices)}
    orientations = []
    for index in indices:
        cells = ORIENTATIONS[index].cells
        turned = index_of[aligned((-y, x) for x, y in cells)]
        flipped = index_of[aligned((-x, y) for x, y in cells)]
        orientations.append(Orientation(cells, turned, flipped))
    return Tile(kind.name, kind_text(kind), tuple(orientations))


class BlokusInput(TilePlacement[State, Move]):
    """Pieces are placed, or a turn is passed (R8 to R12)."""

    rows = _ROWS

    def _grid(self, look: Look) -> Grid:
        return board_grid(look)

    def corner(self, square: Square, look: Look) -> tuple[float, float]:
        """The upper left corner of ``square`` in the picture."""
        return self._grid(look).corner(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return self._grid(look).extent

    def square_name(self, square: Square) -> str:
        """``3,4``: column and row."""
        return f"{square[0]},{square[1]}"

    def contents(self, state: State, square: Square) -> Text:
        """The colour that covers the square, or nothing."""
        color = state.color_at(*square)
        return Text("leer", "empty") if color is None else color.text

    def move_text(self, state: State, move: Move) -> Text:
        """Colour, piece and place."""
        color = move.color.text
        if isinstance(move, Pass):
            return Text(f"{color.de} passt", f"{color.en} passes")
        kind, (x, y) = kind_text(move.kind), (move.x, move.y)
        return Text(f"{color.de}: {kind.de} bei {x},{y}", f"{color.en}: {kind.en} at {x},{y}")

    def move_squares(self, state: State, move: Move) -> tuple[Square, ...]:
        """The squares that the piece covers, as far as they are on the board."""
        if isinstance(move, Pass):
            return ()
        return tuple((x, y) for x, y in move.cells if 0 <= x < SIDE and 0 <= y < SIDE)

    def color_to_move(self, state: State) -> Text:
        """A team plays two colours."""
        return state.color.text

    def tiles(self, state: State) -> tuple[Tile, ...]:
        """The pieces that the colour to move has left; for its first move only the given one (R6)."""
        if not state.boards[state.color]:
            return (_tile(state.start),)
        return tuple(_tile(kind) for kind in reversed(state.kinds_left(state.color)))

    def tray(self, state: State, look: Look) -> str:
        """The pieces of the colour to move as an SVG picture."""
        return draw_pieces_left(state, state.color, look)

    def paint(self, state: State) -> tuple[str, str]:
        """The colour whose turn it is."""
        return tile_paint(state.color)

    def advice(self, state: State) -> Text | None:
        """Every colour begins with the piece that was drawn (R6), at the border or in a corner (R7)."""
        if state.boards[state.color]:
            return None
        color, kind = state.color.text, kind_text(state.start)
        in_corner = state.rules.start_squares.bit_count() == 4
        de, en = ("in einer Ecke", "in a corner") if in_corner else ("am Rand", "at the border")
        return Text(
            f"{color.de} beginnt mit dem ausgelosten Stein ({kind.de}) {de} des Bretts.",
            f"{color.en} begins with the piece that was drawn ({kind.en}), {en} of the board.",
        )

    def placements(self, state: State) -> dict[tuple[str, int], list[Square]]:
        """Where each piece may legally go, in each of its orientations."""
        found: dict[tuple[str, int], list[Square]] = {}
        for move in state.placements():
            orientation = ORIENTATIONS_OF[move.kind].index(move.orientation)
            found.setdefault((move.kind.name, orientation), []).append((move.x, move.y))
        return found

    def anchors(self, state: State) -> tuple[Square, ...]:
        """The free squares at own corners (R10), or where a first piece may begin (R7)."""
        _, corners = reach(state.boards[state.color], state.occupied, state.rules.start_squares)
        return tuple(squares(corners))

    def place(self, state: State, name: str, orientation: int, at: Square) -> Move:
        """The move that places this piece there, legal or not."""
        kind = Kind[name]
        indices = ORIENTATIONS_OF[kind]
        if not 0 <= orientation < len(indices):
            raise KeyError(orientation)
        shape = ORIENTATIONS[indices[orientation]]
        return Place(state.color, kind, shape.rotation, shape.flipped, *at)

    def pass_move(self, state: State) -> Move | None:
        """The pass, where it is legal (R12)."""
        move = Pass(state.color)
        return move if state.violation(move) is None else None
