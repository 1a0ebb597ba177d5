"""What the pages of the protocol draw: boards with the coordinates of the wire, and the pieces of Blokus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from spielleiter.game import AnyBoardInput, AnyGame, Look, Square, Team
from spielleiter.game.drawing import Grid, Picture, Point, square_key
from spielleiter.games import game_of, ostseeschach, piranhas
from spielleiter.games.blokus import Rotation, Shape
from spielleiter.games.blokus.shapes import KINDS, ORIENTATIONS_OF, Cells, turned

_COLORS = {"ONE": ("#f2b8ab", "#f2b8ab"), "TWO": ("#aecdf0", "#aecdf0"), "line": ("#8896a3", "#8896a3")}


# --- boards -----------------------------------------------------------------------------------------------------------


def coordinates(state: Any) -> str:
    """The board of a start position as SVG: each square with its x,y on the wire, tinted where a team starts."""
    match state:
        case piranhas.State():
            taken = {
                (x, y): team for team in Team for x in range(10) for y in range(10)
                if state.fish(team) >> 10 * y + x & 1
            }  # fmt: skip
            return _numbered(10, {(x, y): (x, y) for x in range(10) for y in range(10)}, taken)
        case ostseeschach.State():
            taken = {square: piece.team for square, piece in state.pieces()}
            # x counts the lines, which lie above one another.
            return _numbered(8, {(x, y): (y, x) for x in range(8) for y in range(8)}, taken)
    return _cells_numbered(game_of(state))


@dataclass(frozen=True, slots=True)
class _Cells(Grid):
    """The cells of a game, of any shape, where its own picture has them."""

    board_input: AnyBoardInput = field(kw_only=True)

    def outline(self, square: Square) -> tuple[Point, ...]:
        """The corners of the cell."""
        return tuple(self.board_input.outline(square, self.look))

    def centre(self, square: Square) -> Point:
        """The middle of the cell."""
        corners = self.outline(square)
        return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the picture."""
        return self.board_input.extent(self.look)


def _cells_numbered(game: AnyGame) -> str:
    """The empty board of a game whose squares have the coordinates of the wire."""
    assert game.board_input is not None
    rows = game.board_input.rows
    look = Look(theme="light", coordinates=False, score=False, size=50 * max(map(len, rows)))
    grid = _Cells(len(rows[0]), len(rows), look, up=False, board_input=game.board_input)
    picture = Picture(grid, _COLORS, "x,y of each field")
    for square in (square for row in rows for square in row):
        picture.frame(square, "line", width=0.03)
        picture.label(grid.centre(square), square_key(square), "ink", size=0.3)
    return picture.svg() + "\n"


def _numbered(side: int, places: dict[Square, Square], taken: dict[Square, Team]) -> str:
    """A board on which square x,y lies in the column and the row, counted from below, that ``places`` says."""
    grid = Grid(side, side, Look(theme="light", coordinates=False, size=40 * side), up=True)
    picture = Picture(grid, _COLORS, "x,y of each square")
    for (x, y), place in places.items():
        if (x, y) in taken:
            picture.square(place, taken[x, y].name)
        picture.frame(place, "line", width=0.03)
        picture.label(grid.centre(place), f"{x},{y}", "ink", size=0.3)
    return picture.svg() + "\n"


# --- the pieces of Blokus ---------------------------------------------------------------------------------------------


def pieces() -> str:
    """All pieces with their squares."""
    table = ["| piece | squares | ways |", "|---|---|---|"]
    table += [f"| `{kind.name}` | {_cells(kind.cells)} | {len(ORIENTATIONS_OF[kind])} |" for kind in KINDS]
    rows = [KINDS[at : at + 7] for at in range(0, len(KINDS), 7)]
    drawn = [_beside([[kind.name, *_picture(kind.cells)] for kind in row], [9] * len(row)) for row in rows]
    return "\n".join(table) + "\n\n" + fenced("text", "\n\n".join(drawn))


def orientations() -> str:
    """One piece in all its orientations."""
    drawn = []
    for flipped in (False, True):
        names = [[f"{rotation.name}{' flipped' if flipped else ''}"] for rotation in Rotation]
        pictures = [_picture(turned(Shape.PENTO_P, rotation, flipped)) for rotation in Rotation]
        drawn.append(_beside([name + picture for name, picture in zip(names, pictures, strict=True)], [17] * 4))
    table = ["| rotation | squares | squares if flipped |", "|---|---|---|"]
    table += [
        f"| `{rotation.name}` | {' | '.join(_cells(turned(Shape.PENTO_P, rotation, flip)) for flip in (False, True))} |"
        for rotation in Rotation
    ]
    return fenced("text", "\n\n".join(drawn)) + "\n" + "\n".join(table) + "\n"


def _picture(cells: Cells) -> list[str]:
    """The rows of a piece in its bounding box."""
    width, height = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    return ["".join("#" if (x, y) in cells else "." for x in range(width)) for y in range(height)]


def _beside(pictures: Iterable[list[str]], widths: Iterable[int]) -> str:
    """Pictures in columns of these widths, their first rows side by side."""
    columns = [(picture, width) for picture, width in zip(pictures, widths, strict=True)]
    height = max(len(picture) for picture, _ in columns)
    rows = (
        "".join((picture[y] if y < len(picture) else "").ljust(width) for picture, width in columns)
        for y in range(height)
    )
    return "\n".join(row.rstrip() for row in rows)


def _cells(cells: Cells) -> str:
    return " ".join(f"{x},{y}" for x, y in cells)


def fenced(language: str, text: str) -> str:
    """A block of code in Markdown."""
    return f"```{language}\n{text}\n```\n"
