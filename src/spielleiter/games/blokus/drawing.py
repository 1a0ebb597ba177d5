"""Blokus as a picture: whole pieces with outlines, a mark for each colour beside the colour itself, points, trays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from spielleiter.game import Language, Look, Square, Team, Text
from spielleiter.game.drawing import Grid, Picture, caption, paint
from spielleiter.games.blokus.board import SIDE, pieces, squares
from spielleiter.games.blokus.moves import Place
from spielleiter.games.blokus.rules import State
from spielleiter.games.blokus.shapes import COLORS, Cells, Color, Rotation, Shape, turned

TEAM_TEXTS = (Text("Blau und Rot", "Blue and Red"), Text("Gelb und Grün", "Yellow and Green"))
"""What people call the teams, by the colours they are drawn in."""

_COLORS = {
    "field": ("#f4f1ea", "#1c2229"),
    "line": ("#ddd8cc", "#2d353e"),
    "frame": ("#b9b2a3", "#4a5560"),
    "blue": ("#1c60a6", "#2f74bd"),
    "blue-edge": ("#0d3763", "#a9d0f7"),
    "blue-mark": ("#ffffff", "#ffffff"),
    "yellow": ("#f5c62c", "#f0c23a"),
    "yellow-edge": ("#8a6500", "#fff0bd"),
    "yellow-mark": ("#4a3500", "#4a3500"),
    "red": ("#cf4026", "#d04b32"),
    "red-edge": ("#741d0e", "#ffc4b6"),
    "red-mark": ("#ffffff", "#ffffff"),
    "green": ("#57bd93", "#66cfa6"),
    "green-edge": ("#0f5a3d", "#c3f3df"),
    "green-mark": ("#06351f", "#05301c"),
}

TEAM_COLORS = ((_COLORS["blue"], _COLORS["red"]), (_COLORS["yellow"], _COLORS["green"]))

Point = tuple[float, float]
"""x, y in picture units."""
Paths = tuple[str, str, str]
"""Widths for a piece: its outline, the lines between its squares, the marks on them."""
Style = tuple[Literal["auto", "light", "dark"], bool, bool, bool]
"""What of a look changes how a piece is drawn: theme, coordinates, flipped, score."""

_RING = "a.15 .15 0 1 0 .3 0a.15 .15 0 1 0 -.3 0"
_MARKS = {
    Color.BLUE: ((-0.15, 0.0), _RING, 0.08),
    Color.YELLOW: ((0.0, 0.0), "h.01", 0.3),
    Color.RED: ((-0.16, -0.16), "l.32 .32m0 -.32l-.32 .32", 0.1),
    Color.GREEN: ((-0.2, 0.0), "h.4", 0.12),
}
"""For each colour the mark on its squares: ring, dot, cross, bar; where it starts from the middle, path, width."""

_STRIP = 1.9
"""Height of the strip with the points."""

_TRAY = (
    "PENTO_I PENTO_L PENTO_Y PENTO_P PENTO_V PENTO_W PENTO_Z",
    "PENTO_R PENTO_T PENTO_X PENTO_U PENTO_S TETRO_T",
    "TETRO_I TETRO_L TETRO_Z TETRO_O TRIO_I TRIO_L DOMINO MONO",
)
"""The rows of the tray."""

_TERMINAL = {
    Color.BLUE: "48;5;25;38;5;231",
    Color.YELLOW: "48;5;220;38;5;16",
    Color.RED: "48;5;160;38;5;231",
    Color.GREEN: "48;5;72;38;5;16",
}
"""Background and letter of each colour, out of the 256 colours of a terminal."""


# --- the board --------------------------------------------------------------------------------------------------------


def board_grid(look: Look) -> Grid:
    """Where the squares of the board lie in its picture."""
    return Grid(SIDE, SIDE, look, up=False, margin=0.9, below=_STRIP if look.score else 0.0)


def draw(state: State, look: Look) -> str:
    """The position as an SVG picture."""
    grid = board_grid(look)
    picture = Picture(grid, _COLORS, f"{state.rules.key}, turn {state.turn}")
    style = (look.theme, look.coordinates, look.flipped, look.score)
    last = state.last_move if isinstance(state.last_move, Place) and state.last_move.on_board else None
    picture.moment(state.turn, () if last is None else last.cells)
    picture.add(_ground(style))
    for color in COLORS:
        rest = state.boards[color] & ~(last.squares if last is not None and last.color is color else 0)
        picture.add(_laid(style, color, rest))
    if state.outcome is None and not state.boards[state.color]:
        _draw_start_shape(picture, state)
    if last is not None:
        with picture.piece(last.cells[0]):
            _draw_pieces(picture, last.color, [last.cells])
            if look.last_move:
                _draw_last(picture, last)
    if look.score:
        _draw_points(picture, state)
    picture.spotlight(deciding_squares(state))
    picture.highlights_and_arrows()
    return picture.svg()


def deciding_squares(state: State) -> list[Square]:
    """The squares that the winner of a finished game has covered (R20)."""
    if state.outcome is None or state.outcome.winner is None:
        return []
    first, second = (state.boards[color] for color in COLORS if color.team is state.outcome.winner)
    return squares(first | second)


@lru_cache(maxsize=32)
def _ground(style: Style) -> str:
    """The empty board and the names of its squares: the same under all positions, so drawn once."""
    picture = Picture(board_grid(_look(style)), _COLORS, "")
    width, height = picture.grid.extent
    picture.add(f'<rect width="{width:g}" height="{height:g}" rx="0.3" fill="{picture.color("paper")}"/>')
    _draw_field(picture)
    names = [str(number) for number in range(SIDE)]
    picture.coordinates(names, names, size=0.62)
    return picture.body


def _look(style: Style) -> Look:
    theme, coordinates, flipped, score = style
    return Look(theme=theme, coordinates=coordinates, flipped=flipped, score=score)


@lru_cache(maxsize=4096)
def _pieces(own: int) -> tuple[int, ...]:
    return tuple(pieces(own))


@lru_cache(maxsize=256)
def _laid(style: Style, color: Color, own: int) -> str:
    """All pieces of a colour: from one position to the next only one of the four changes."""
    picture = Picture(board_grid(_look(style)), _COLORS, "")
    _draw_paths(picture, color, [_placed(style, color, piece) for piece in _pieces(own)])
    return picture.body


@lru_cache(maxsize=16384)
def _placed(style: Style, color: Color, piece: int) -> Paths:
    """A piece on the board; most of them lie there for the rest of the game."""
    return _paths(color, _corners(board_grid(_look(style)), squares(piece)))


def _draw_field(picture: Picture) -> None:
    near = picture.grid.inset
    lines = "".join(f"M{near:g} {near + at:g}h{SIDE}M{near + at:g} {near:g}v{SIDE}" for at in range(1, SIDE))
    picture.add(
        f'<rect x="{near:g}" y="{near:g}" width="{SIDE}" height="{SIDE}" fill="{picture.color("field")}"/>'
        f'<path d="{lines}" stroke="{picture.color("line")}" stroke-width="0.05"/>'
        f'<rect x="{near:g}" y="{near:g}" width="{SIDE}" height="{SIDE}" fill="none" '
        f'stroke="{picture.color("frame")}" stroke-width="0.1"/>'
    )


def _draw_start_shape(picture: Picture, state: State) -> None:
    """Show in the middle of the board which shape the colour to move has to begin with."""
    cells = [(x + SIDE // 2 - 1, y + SIDE // 2 - 1) for x, y in state.start.cells]
    name = state.color.name.lower()
    picture.add(
        f'<path d="{outline(_corners(picture.grid, cells))}" fill="{picture.color(name)}" fill-opacity="0.12" '
        f'stroke="{picture.color(name)}" stroke-width="0.09" stroke-dasharray="0.25 0.2"/>'
    )


def _corners(grid: Grid, cells: Iterable[Square]) -> list[Point]:
    return [grid.corner(cell) for cell in cells]


def _draw_pieces(picture: Picture, color: Color, found: Iterable[Iterable[Square]]) -> None:
    """Draw pieces of one colour that lie anywhere."""
    _draw_paths(picture, color, [_paths(color, _corners(picture.grid, cells)) for cells in found])


def _paths(color: Color, corners: list[Point]) -> Paths:
    """The outline of a piece, the lines between its squares, and the marks on them."""
    return _paths_of(color, tuple(corners))


@lru_cache(maxsize=16384)
def _paths_of(color: Color, corners: tuple[Point, ...]) -> Paths:
    (dx, dy), path, _ = _MARKS[color]
    marks = "".join(f"M{x + 0.5 + dx:g} {y + 0.5 + dy:g}{path}" for x, y in corners)
    return _outline(corners), _seams(list(corners)), marks


@lru_cache(maxsize=16384)
def _outline(corners: tuple[Point, ...]) -> str:
    return outline(list(corners))


def _draw_paths(picture: Picture, color: Color, placed: Sequence[Paths]) -> None:
    """Draw pieces of one colour: bodies with outlines, thin lines between their squares, marks on top."""
    if not placed:
        return
    name = color.name.lower()
    body, edge = picture.color(name), picture.color(f"{name}-edge")
    outlines, seams, marks = ("".join(part) for part in zip(*placed, strict=True))
    picture.add(f'<path d="{outlines}" fill="{body}" stroke="{edge}" stroke-width="0.09" stroke-linejoin="round"/>')
    if seams:
        picture.add(f'<path d="{seams}" stroke="{edge}" stroke-width="0.05" stroke-opacity="0.35"/>')
    picture.add(_marks(picture, color, marks))


def _marks(picture: Picture, color: Color, path: str) -> str:
    """The marks of ``color`` along a path."""
    return (
        f'<path d="{path}" fill="none" stroke="{picture.color(f"{color.name.lower()}-mark")}" stroke-opacity="0.75" '
        f'stroke-width="{_MARKS[color][2]:g}" stroke-linecap="round"/>'
    )


def _draw_last(picture: Picture, move: Place) -> None:
    path = _outline(tuple(_corners(picture.grid, move.cells)))
    picture.add(
        f'<path d="{path}" fill="none" stroke="{picture.color("paper")}" stroke-width="0.34" stroke-linejoin="round"/>'
        f'<path d="{path}" fill="none" stroke="{picture.color("ink")}" stroke-width="0.2" stroke-linejoin="round"/>'
    )


def outline(corners: list[Point], inset: float = 0.05, radius: float = 0.16) -> str:
    """The path around a piece, slightly inside its squares and rounded; ``corners`` are their upper left ones."""
    left, top, cells = _apart(corners)
    steps = _walk_around(cells)
    path: list[str] = []
    for (x, y, dx, dy), (_, _, next_dx, next_dy) in zip(steps, steps[1:] + steps[:1], strict=True):
        if (dx, dy) == (next_dx, next_dy):
            continue
        # The inside is to the right of the way: -dy, dx. A corner moves inwards from both of its sides.
        corner_x = left + x + dx - inset * (dy + next_dy)
        corner_y = top + y + dy + inset * (dx + next_dx)
        path.append(
            f"{'L' if path else 'M'}{corner_x - radius * dx:.4g} {corner_y - radius * dy:.4g}"
            f"Q{corner_x:.4g} {corner_y:.4g} {corner_x + radius * next_dx:.4g} {corner_y + radius * next_dy:.4g}"
        )
    return "".join(path) + "Z"


def _apart(corners: list[Point]) -> tuple[float, float, set[Square]]:
    """Where the bounding box of some squares begins, and the squares counted from there."""
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    return left, top, {(round(x - left), round(y - top)) for x, y in corners}


def _walk_around(cells: set[Square]) -> list[tuple[int, int, int, int]]:
    """The unit steps (x, y, dx, dy) around a piece, clockwise; no piece of five squares has a hole or a pinch."""
    edges = {}
    for x, y in cells:
        if (x, y - 1) not in cells:
            edges[x, y] = (1, 0)
        if (x + 1, y) not in cells:
            edges[x + 1, y] = (0, 1)
        if (x, y + 1) not in cells:
            edges[x + 1, y + 1] = (-1, 0)
        if (x - 1, y) not in cells:
            edges[x, y + 1] = (0, -1)
    x, y = min(edges)
    steps = []
    for _ in range(len(edges)):
        dx, dy = edges[x, y]
        steps.append((x, y, dx, dy))
        x, y = x + dx, y + dy
    return steps


def _seams(corners: list[Point]) -> str:
    """The lines between the squares of one piece."""
    left, top, cells = _apart(corners)
    lines = []
    for x, y in sorted(cells):
        if (x + 1, y) in cells:
            lines.append(f"M{left + x + 1:g} {top + y + 0.1:g}v.8")
        if (x, y + 1) in cells:
            lines.append(f"M{left + x + 0.1:g} {top + y + 1:g}h.8")
    return "".join(lines)


# --- the points -------------------------------------------------------------------------------------------------------


def _draw_points(picture: Picture, state: State) -> None:
    """Draw the strip: the points of each colour on its team's side, the teams' points in the middle."""
    width, height = picture.grid.extent
    middle, y = width / 2, height - _STRIP / 2 - 0.1
    picture.label((middle, y), ":", "ink", size=1.1, bold=True)
    for team, side in ((Team.ONE, -1), (Team.TWO, 1)):
        has_lost = state.outcome is not None and state.outcome.winner is team.opponent
        points = str(state.team_points(team))
        picture.label((middle + side * 1.75, y), points, "faint" if has_lost else "ink", size=1.25, bold=True)
    for color, left in zip((Color.BLUE, Color.RED, Color.YELLOW, Color.GREEN), (-9.5, -6.2, 3.5, 6.8), strict=True):
        running = state.outcome is None
        is_out, is_next = running and not state.still_in >> color & 1, running and state.color is color
        scored = state.color_points(color)
        picture.add(_color_points(picture.grid, color, scored, middle + left, y, is_out=is_out, is_next=is_next))


@lru_cache(maxsize=1024)
def _color_points(grid: Grid, color: Color, points: int, x: float, y: float, *, is_out: bool, is_next: bool) -> str:
    """One colour's mark and points; while the game runs, faint if it is out and framed if it is to move."""
    picture = Picture(grid, _COLORS, "")
    name = color.name.lower()
    around, _, marks = _paths(color, [(x, y - 0.5)])
    picture.add(
        f'<g opacity="{0.4 if is_out else 1}"><path d="{around}" fill="{picture.color(name)}" '
        f'stroke="{picture.color(f"{name}-edge")}" stroke-width="0.09"/>{_marks(picture, color, marks)}</g>'
    )
    picture.label((x + 1.85, y), str(points), "faint" if is_out else "ink", size=0.95)
    if is_next:
        picture.add(
            f'<rect x="{x - 0.25:g}" y="{y - 0.75:g}" width="3.2" height="1.5" rx="0.35" fill="none" '
            f'stroke="{picture.color("ink")}" stroke-width="0.12"/>'
        )
    return picture.body


# --- pieces alone -----------------------------------------------------------------------------------------------------


def draw_piece(color: Color, kind: Shape, look: Look, rotation: Rotation = Rotation.NONE, flipped: bool = False) -> str:
    """One piece alone as an SVG picture, just large enough for it; ``look.size`` is its width."""
    cells = turned(kind, rotation, flipped)
    columns, rows = _extent(cells)
    picture = Picture(Grid(columns, rows, _plain(look), up=False), _COLORS, f"{color.name} {kind.name}")
    _draw_pieces(picture, color, [cells])
    return picture.svg()


def draw_pieces_left(state: State, color: Color, look: Look) -> str:
    """The pieces of ``color`` as an SVG picture: those left in colour, those laid as a thin outline.

    Each piece has its fixed place and stands in a group with the attribute ``data-kind``.
    """
    columns, rows = _TRAY_EXTENT
    picture = Picture(Grid(columns, rows, _plain(look), up=False), _COLORS, f"{color.name}: pieces left")
    for kind, cells in _TRAY_CELLS.items():
        picture.add(f'<g data-kind="{kind.name}">')
        if state.hands[color] >> kind & 1:
            _draw_pieces(picture, color, [cells])
        else:
            around = outline(_corners(picture.grid, cells))
            picture.add(
                f'<path d="{around}" fill="none" stroke="{picture.color("faint")}" stroke-width="0.06" '
                f'stroke-opacity="0.5"/>'
            )
        picture.add("</g>")
    return picture.svg()


def tile_paint(color: Color) -> tuple[str, str]:
    """The fill and the stroke of the pieces of ``color`` in pictures that follow the reader's theme."""
    picture, name = Picture(board_grid(Look()), _COLORS, ""), color.name.lower()
    return picture.color(name), picture.color(f"{name}-edge")


def _plain(look: Look) -> Look:
    """``look`` without what belongs to a board."""
    return replace(look, coordinates=False, flipped=False)


def _extent(cells: Iterable[Square]) -> tuple[int, int]:
    """The number of columns and rows that ``cells`` need."""
    xs, ys = zip(*cells, strict=True)
    return max(xs) + 1, max(ys) + 1


def _tray() -> dict[Shape, Cells]:
    """Where each kind lies in the tray: rows from top to bottom, pieces in the middle of their row's height."""
    places: dict[Shape, Cells] = {}
    top = 0
    for row in _TRAY:
        kinds = [Shape[name] for name in row.split()]
        height = max(_extent(kind.cells)[1] for kind in kinds)
        left = 0
        for kind in kinds:
            columns, rows = _extent(kind.cells)
            down = top + (height - rows) // 2
            places[kind] = tuple((x + left, y + down) for x, y in kind.cells)
            left += columns + 1
        top += height + 1
    return places


_TRAY_CELLS = _tray()
_TRAY_EXTENT = _extent([cell for cells in _TRAY_CELLS.values() for cell in cells])


# --- the terminal -----------------------------------------------------------------------------------------------------


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    """The position for a terminal: two characters a square, the colour's letter and a ``*`` for the last move."""
    last = state.last_move.cells if isinstance(state.last_move, Place) else ()
    tens = "   " + "".join(f"{x // 10 or '':>2}" for x in range(SIDE))
    ones = "   " + "".join(f"{x % 10:2}" for x in range(SIDE))
    lines = [tens, ones]
    for y in range(SIDE):
        row = []
        for x in range(SIDE):
            color = state.color_at(x, y)
            if color is None:
                row.append(paint(" ·", "2", colored))
            else:
                row.append(paint(("*" if (x, y) in last else " ") + color.letter, _TERMINAL[color], colored))
        lines.append(f" {y:2}{''.join(row)} {y}")
    return "\n".join([*lines, ones, f"  {_points(state, colored, language)}", f"   {_caption(state).to(language)}"])


def _points(state: State, colored: bool, language: Language) -> str:
    points = []
    for color in COLORS:
        out = "" if state.still_in >> color & 1 else Text(" raus", " out").to(language)
        points.append(paint(f" {color.letter} {state.color_points(color)}{out} ", _TERMINAL[color], colored))
    return f"{' '.join(points)}  {state.team_points(Team.ONE)} : {state.team_points(Team.TWO)}"


def _caption(state: State) -> Text:
    color, move = state.color, state.last_move
    to_move = Text(f"{color.text.de} ({color.letter})", f"{color.text.en} ({color.letter})")
    details = [Text(f"letzter Zug {move}", f"last move {move}")] if move else []
    return caption(state.outcome, min(state.round, state.rules.rounds), TEAM_TEXTS, to_move, *details)
