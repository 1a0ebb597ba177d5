"""Blokus as a picture: whole pieces with outlines, a mark for each colour beside the colour itself, points, trays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Literal

from spielleiter.game import TEAMS, Language, Look, Square, Team, Text
from spielleiter.game.drawing import Grid, Picture, caption, paint
from spielleiter.games.blokus.board import SIDE, beside, pieces, squares
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
Path = tuple[str, ...]
"""Where a path begins, and its way from there, which is the same wherever the piece lies."""
Paths = tuple[Path, Path, Path]
"""Ways for a piece: its outline, the lines between its squares, the marks on them."""
Theme = Literal["auto", "light", "dark"]
Style = tuple[Theme, bool, bool, bool]
"""What of a look changes how a piece is drawn: theme, coordinates, flipped, score."""

_RING = "a.15 .15 0 1 0 .3 0a.15 .15 0 1 0 -.3 0"
_MARKS = {
    Color.BLUE: ((-0.15, 0.0), _RING, 0.08),
    Color.YELLOW: ((0.0, 0.0), "h.01h-.01", 0.3),
    Color.RED: ((-0.16, -0.16), "l.32 .32m0 -.32l-.32 .32m0 -.32", 0.1),
    Color.GREEN: ((-0.2, 0.0), "h.4h-.4", 0.12),
}
"""For each colour the mark on its squares: ring, dot, cross, bar; where it starts from the middle, path back, width."""

_STRIP = 1.9
"""Height of the strip with the points."""
_STRIP_PLACES = {Color.BLUE: -9.5, Color.RED: -6.2, Color.YELLOW: 3.5, Color.GREEN: 6.8}
"""How far from the middle of the strip the points of each colour stand."""

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
_STYLES = {color.letter: style for color, style in _TERMINAL.items()}


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
    cells = () if last is None else last.cells
    picture.moment(state.turn, cells)
    picture.add(_ground(style))
    for color in COLORS:
        own = state.boards[color]
        if last is not None and last.color is color:
            own &= ~last.squares
            _remember(own, last.squares)
        for shapes in _laid(style, color, own):
            picture.add(shapes)
    if state.outcome is None and not state.boards[state.color]:
        _draw_start_shape(picture, state)
    if last is not None:
        with picture.piece(cells[0]):
            placed = _placed(style, last.color, last.squares)
            _draw_paths(picture, last.color, [placed])
            if look.last_move:
                _draw_last(picture, placed[0])
    if look.score:
        _draw_points(picture, state, style)
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


_MAX_KNOWN = 4096
_known_pieces: dict[int, tuple[int, ...]] = {}
"""Boards of one colour that were drawn, and the pieces on them."""


def _pieces(own: int) -> tuple[int, ...]:
    found = _known_pieces.get(own)
    return tuple(pieces(own)) if found is None else found


def _remember(rest: int, piece: int) -> None:
    """Whoever draws a game needs the board that this piece makes of ``rest`` next, and need not take it apart again."""
    if beside(piece) & rest:  # Positions that somebody made up need not keep R9.
        return
    if len(_known_pieces) >= _MAX_KNOWN:
        _known_pieces.clear()
    _known_pieces[rest | piece] = tuple(sorted((*_pieces(rest), piece), key=_lowest))  # In the order of ``pieces``.


def _lowest(piece: int) -> int:
    return piece & -piece


@lru_cache(maxsize=32)
def _grid(style: Style) -> Grid:
    return board_grid(_look(style))


@lru_cache(maxsize=256)
def _laid(style: Style, color: Color, own: int) -> tuple[tuple[str, ...], ...]:
    """All pieces of a colour: from one position to the next only one of the four changes."""
    return _path_shapes(style[0], color, [_placed(style, color, piece) for piece in _pieces(own)])


@lru_cache(maxsize=16384)
def _placed(style: Style, color: Color, piece: int) -> Paths:
    """A piece on the board; most of them lie there for the rest of the game."""
    return _paths(color, _corners(_grid(style), squares(piece)))


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


def _paths(color: Color, corners: Sequence[Point]) -> Paths:
    """The outline of a piece, the lines between its squares, and the marks on them."""
    left, top, cells = _apart(corners)
    (x, y), (dx, dy) = corners[0], _MARKS[color][0]
    begin = f"M{left:.4g} {top:.4g}"
    marks = f"M{x + 0.5 + dx:.4g} {y + 0.5 + dy:.4g}", _marks_from(color, (round(x - left), round(y - top)), cells)
    return (begin, _around(cells)), (begin, _seams(cells)), marks


def _draw_paths(picture: Picture, color: Color, placed: Sequence[Paths]) -> None:
    """Draw pieces of one colour."""
    for shapes in _path_shapes(picture.grid.look.theme, color, placed):
        picture.add(shapes)


def _path_shapes(theme: Theme, color: Color, placed: Sequence[Paths]) -> tuple[Path, ...]:
    """Pieces of one colour: bodies with outlines, thin lines between their squares, marks on top."""
    if not placed:
        return ()
    ways = map(chain.from_iterable, zip(*placed, strict=True))
    return tuple([('<path d="', *way, end) for way, end in zip(ways, _path_ends(theme, color), strict=True)])


@lru_cache(maxsize=32)
def _path_ends(theme: Theme, color: Color) -> tuple[str, str, str]:
    """How the paths of a colour's bodies, lines and marks look."""
    picture, name = Picture(board_grid(Look(theme=theme)), _COLORS, ""), color.name.lower()
    body, edge, mark = picture.color(name), picture.color(f"{name}-edge"), picture.color(f"{name}-mark")
    return (
        f'" fill="{body}" stroke="{edge}" stroke-width="0.09" stroke-linejoin="round"/>',
        f'" stroke="{edge}" stroke-width="0.05" stroke-opacity="0.35"/>',
        f'" fill="none" stroke="{mark}" stroke-opacity="0.75" stroke-width="{_MARKS[color][2]:g}" '
        'stroke-linecap="round"/>',
    )


def _draw_last(picture: Picture, around: Path) -> None:
    for color, width in (("paper", 0.34), ("ink", 0.2)):
        stroke = f'stroke="{picture.color(color)}" stroke-width="{width}"'
        picture.add(('<path d="', *around, f'" fill="none" {stroke} stroke-linejoin="round"/>'))


def outline(corners: Sequence[Point], inset: float = 0.05, radius: float = 0.16) -> str:
    """The path around a piece, slightly inside its squares and rounded; ``corners`` are their upper left ones."""
    return "".join(_outline(corners, inset, radius))


def _outline(corners: Sequence[Point], inset: float = 0.05, radius: float = 0.16) -> Path:
    left, top, cells = _apart(corners)
    return f"M{left:.4g} {top:.4g}", _around(cells, inset, radius)


@lru_cache(maxsize=1024)
def _around(cells: frozenset[Square], inset: float = 0.05, radius: float = 0.16) -> str:
    """The path around a piece from the upper left corner of its bounding box."""
    steps = _walk_around(cells)
    path, at = "", (0.0, 0.0)
    for (x, y, dx, dy), (_, _, next_dx, next_dy) in zip(steps, steps[1:] + steps[:1], strict=True):
        if (dx, dy) == (next_dx, next_dy):
            continue
        # The inside is to the right of the way: -dy, dx. A corner moves inwards from both of its sides.
        corner_x = x + dx - inset * (dy + next_dy)
        corner_y = y + dy + inset * (dx + next_dx)
        before, after = (
            (corner_x - radius * dx, corner_y - radius * dy),
            (corner_x + radius * next_dx, corner_y + radius * next_dy),
        )
        path += (
            f"{'l' if path else 'm'}{_step(at, before)}q{_step(before, (corner_x, corner_y))} {_step(before, after)}"
        )
        at = after
    return path + "Z"


def _step(start: Point, end: Point) -> str:
    return f"{round(end[0] - start[0], 3):g} {round(end[1] - start[1], 3):g}"


@lru_cache(maxsize=1024)
def _seams(cells: frozenset[Square]) -> str:
    """The lines between the squares of one piece, from the upper left corner of its bounding box."""
    path, at = "", (0.0, 0.0)
    for x, y in sorted(cells):
        for begin, end, way in (
            ((x + 1, y + 0.1), (x + 1, y + 0.9), "v.8"),
            ((x + 0.1, y + 1), (x + 0.9, y + 1), "h.8"),
        ):
            beside = (x + 1, y) if way[0] == "v" else (x, y + 1)
            if beside in cells:
                path += f"m{_step(at, begin)}{way}"
                at = end
    return path


@lru_cache(maxsize=4096)
def _marks_from(color: Color, first: Square, cells: frozenset[Square]) -> str:
    """The marks on the squares of one piece, from that on ``first``."""
    mark = _MARKS[color][1]
    path, at = mark, first
    for cell in sorted(cells - {first}):
        path += f"m{_step(at, cell)}{mark}"
        at = cell
    return path


def _apart(corners: Sequence[Point]) -> tuple[float, float, frozenset[Square]]:
    """Where the bounding box of some squares begins, and the squares counted from there."""
    left, top = min([x for x, _ in corners]), min([y for _, y in corners])
    return left, top, frozenset([(round(x - left), round(y - top)) for x, y in corners])


def _walk_around(cells: frozenset[Square]) -> list[tuple[int, int, int, int]]:
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


# --- the points -------------------------------------------------------------------------------------------------------


def _draw_points(picture: Picture, state: State, style: Style) -> None:
    """Draw the strip: the points of each colour on its team's side, the teams' points in the middle."""
    outcome, points = state.outcome, [state.color_points(color) for color in COLORS]
    for team in TEAMS:
        has_lost = outcome is not None and outcome.winner is team.opponent
        picture.add(_team_points(style, team, sum(points[color] for color in COLORS if color.team is team), has_lost))
    for color in _STRIP_PLACES:
        is_out = outcome is None and not state.still_in >> color & 1
        is_next = outcome is None and state.color is color
        picture.add(_color_points(style, color, points[color], is_out=is_out, is_next=is_next))


def _strip(style: Style) -> tuple[Picture, Point]:
    """A picture for a part of the strip, and the middle of that."""
    picture = Picture(_grid(style), _COLORS, "")
    width, height = picture.grid.extent
    return picture, (width / 2, height - _STRIP / 2 - 0.1)


@lru_cache(maxsize=1024)
def _team_points(style: Style, team: Team, points: int, has_lost: bool) -> str:
    """The points of a team, beside the colon between both."""
    picture, (middle, y) = _strip(style)
    if team is Team.ONE:
        picture.label((middle, y), ":", "ink", size=1.1, bold=True)
    side = -1 if team is Team.ONE else 1
    picture.label((middle + side * 1.75, y), str(points), "faint" if has_lost else "ink", size=1.25, bold=True)
    return picture.body


@lru_cache(maxsize=4096)
def _color_points(style: Style, color: Color, points: int, *, is_out: bool, is_next: bool) -> str:
    """One colour's mark and points; while the game runs, faint if it is out and framed if it is to move."""
    picture, (middle, y) = _strip(style)
    x = middle + _STRIP_PLACES[color]
    picture.add(f'<g opacity="{0.4 if is_out else 1}">')
    _draw_paths(picture, color, [_paths(color, [(x, y - 0.5)])])
    picture.add("</g>")
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
    for y, letters in enumerate(state.rows()):
        row = []
        for x, letter in enumerate(letters):
            if letter in _STYLES:
                row.append(paint(("*" if (x, y) in last else " ") + letter, _STYLES[letter], colored))
            else:
                row.append(paint(" ·", "2", colored))
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
