"""Blokus on a page: the pieces of the colour to move, how they turn, where they go, and the board in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from spielleiter.game import Look, Orientation, Pick, Square, Text, Tile, TilePlacement
from spielleiter.game.board_input import NO_MOVE, PASS
from spielleiter.game.drawing import Point
from spielleiter.games.blokus.board import SIDE, reach, squares
from spielleiter.games.blokus.drawing import board_grid, draw_pieces_left, tile_paint
from spielleiter.games.blokus.moves import Move, Pass, Place
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import ORIENTATIONS, ORIENTATIONS_OF, Rotation, Shape, aligned

_ROWS = tuple(tuple((x, y) for x in range(SIDE)) for y in range(SIDE))
_SIZES = {
    1: Text("Einer", "monomino"),
    2: Text("Zweier", "domino"),
    3: Text("Dreier", "tromino"),
    4: Text("Vierer", "tetromino"),
    5: Text("Fünfer", "pentomino"),
}


_TURNS = {
    Rotation.RIGHT: Text("nach rechts gedreht", "turned right"),
    Rotation.MIRROR: Text("halb gedreht", "turned around"),
    Rotation.LEFT: Text("nach links gedreht", "turned left"),
}
_FLIPPED = Text("gespiegelt", "flipped")


def kind_text(kind: Shape) -> Text:
    """What people call the piece: its size and the letter that it looks like."""
    size, letter = _SIZES[kind.size], kind.name.partition("_")[2]
    return Text(f"{size.de}-{letter}", f"{letter} {size.en}") if letter else size


_PLACE_AMONG = {index: place for indices in ORIENTATIONS_OF for place, index in enumerate(indices)}
"""For an orientation, which one of its piece it is."""


@cache
def _tile(kind: Shape) -> Tile:
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

    def outline(self, square: Square, look: Look) -> tuple[Point, ...]:
        """The corners of ``square`` in the picture."""
        return board_grid(look).outline(square)

    def extent(self, look: Look) -> tuple[float, float]:
        """Width and height of the picture."""
        return board_grid(look).extent

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

    def move_detail(self, state: State, move: Move) -> Text | None:
        """How the piece lies: turned and flipped against the picture of its name."""
        if isinstance(move, Pass):
            return None
        said = [_TURNS[move.rotation]] if move.rotation else []
        said += [_FLIPPED] * move.flipped
        if not said:
            return Text("nicht gedreht", "not turned")
        return Text(", ".join(text.de for text in said), ", ".join(text.en for text in said))

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

    def anchors(self, state: State) -> tuple[Square, ...]:
        """The free squares at own corners (R10), or where a first piece may begin (R7)."""
        _, corners = reach(state.boards[state.color], state.occupied, state.rules.start_squares)
        return tuple(squares(corners))

    def picks(self, state: State, move: Move) -> tuple[Pick, ...]:
        """The piece, its orientation and its place; or the pass."""
        if isinstance(move, Pass):
            return (PASS.name,)
        return move.kind.name, _PLACE_AMONG[move.orientation], (move.x, move.y)

    def refusal(self, state: State, picks: Sequence[Pick]) -> Text:
        """The rule that forbids this piece there, or the pass (R12)."""
        match picks:
            case [PASS.name]:
                violation = state.violation(Pass(state.color))
            case [str(name), int(index), (int(x), int(y))] if name in Shape.__members__:
                indices = ORIENTATIONS_OF[Shape[name]]
                if not 0 <= index < len(indices):
                    return NO_MOVE
                shape = ORIENTATIONS[indices[index]]
                violation = state.violation(Place(state.color, Shape[name], shape.rotation, shape.flipped, x, y))
            case _:
                return NO_MOVE
        return NO_MOVE if violation is None else violation.text
