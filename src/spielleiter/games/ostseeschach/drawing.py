"""Pictures of Ostseeschach: chips with cockles, gulls, starfish and seals on sand and water, and the ambers won.

ONE's chips are round and pale with a red piece, TWO's are rounded squares, blue with a pale piece: shape and
brightness tell the teams apart without colours. A tower shows the opponent's chip under its own. ONE is
at the bottom.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from spielleiter.game import TEAMS, Language, Look, Square, Team, Text
from spielleiter.game.drawing import Grid, Picture, caption, paint
from spielleiter.games.ostseeschach.moves import FILES, HOME_LINE, SIZE, SQUARES, Piece, PieceKind
from spielleiter.games.ostseeschach.rules import AMBERS_TO_END, OstseeschachEnd, State

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
"""What people call the teams, by the colours they are drawn in."""

COLORS = {
    "sand": ("#f7ecd2", "#9b8f73"),
    "water": ("#c4dfe4", "#356a7b"),
    "shore": ("#9fb9bd", "#6d858b"),
    "one": ("#b8361b", "#b8361b"),
    "one-chip": ("#fff8f1", "#fbeadd"),
    "one-edge": ("#8f2810", "#8a2710"),
    "two": ("#f3f9ff", "#f3f9ff"),
    "two-chip": ("#1d639e", "#2c79b9"),
    "two-edge": ("#0f3a61", "#0e3557"),
    "amber": ("#e8991c", "#f0a52c"),
    "amber-edge": ("#96590a", "#7d4a05"),
    "amber-light": ("#fbdc98", "#ffe6b0"),
}
"""The game's own colours, light and dark."""

SIDE = 0.95
"""Width of the strip on the right where the ambers lie."""


def _starfish() -> str:
    """The outline of a star with five arms; its thick round stroke makes them blunt."""
    corners = []
    for corner in range(10):
        radius, angle = (0.1 if corner % 2 else 0.25), pi * corner / 5
        corners.append(f"{radius * sin(angle):.3f} {0.02 - radius * cos(angle):.3f}")
    return f"M{'L'.join(corners)}Z"


def _starfish_dots() -> str:
    """Three dots on each arm, as strokes of almost no length."""
    dots = ["M0 .02h.001"]
    for arm in range(5):
        angle = 2 * pi * arm / 5
        dots += [f"M{r * sin(angle):.3f} {0.02 - r * cos(angle):.3f}h.001" for r in (0.09, 0.17, 0.25)]
    return "".join(dots)


# Each piece: its body, the lines and dots on it in the colour of the chip, and the widths of both strokes.
# Drawn by hand in a box from -0.3 to 0.3, y downwards.
_PIECES = {
    PieceKind.HERZMUSCHEL: (
        "M-.1 .25L-.1 .21C-.22 .17 -.3 .08 -.31 -.04C-.33 -.13 -.26 -.19 -.2 -.17C-.19 -.25 -.1 -.29 -.05 -.25"
        "C-.03 -.3 .03 -.3 .05 -.25C.1 -.29 .19 -.25 .2 -.17C.26 -.19 .33 -.13 .31 -.04C.3 .08 .22 .17 .1 .21L.1 .25Z",
        "M-.05 .15L-.2 -.13M-.018 .13L-.068 -.2M.018 .13L.068 -.2M.05 .15L.2 -.13",
        0.02,
        0.032,
    ),
    PieceKind.MOEWE: (
        "M-.32 -.09C-.23 -.19 -.1 -.16 -.02 -.02C.06 -.19 .18 -.27 .3 -.21C.21 -.17 .15 -.08 .12 .03"
        "C.18 .02 .23 .03 .26 .07L.33 .11L.25 .13C.2 .22 .02 .24 -.1 .17L-.29 .22L-.2 .1"
        "C-.14 .06 -.14 .06 -.12 .02C-.17 -.07 -.23 -.09 -.32 -.09Z",
        "M.19 .1h.001",
        0.02,
        0.05,
    ),
    PieceKind.SEESTERN: (_starfish(), _starfish_dots(), 0.12, 0.034),
    PieceKind.ROBBE: (
        "M.29 -.13C.3 -.17 .27 -.2 .23 -.22C.21 -.27 .15 -.29 .09 -.28C.01 -.26 -.04 -.19 -.07 -.1"
        "C-.1 -.01 -.16 .07 -.21 .11C-.23 .05 -.28 .03 -.31 .06C-.29 .1 -.3 .15 -.32 .19C-.26 .21 -.2 .21 -.16 .21"
        "C-.06 .24 .03 .24 .09 .22C.13 .25 .21 .26 .26 .24C.25 .19 .21 .16 .18 .14C.21 .06 .19 -.02 .17 -.07"
        "C.22 -.06 .27 -.08 .29 -.13Z",
        "M.145 -.195h.001",
        0.02,
        0.055,
    ),
}

_AMBER = "M-.19 .05C-.23 -.1 -.1 -.25 .06 -.22C.2 -.2 .25 -.06 .21 .08C.17 .22 -.13 .24 -.19 .05Z"
_AMBER_SHINE = "M-.1 -.01C-.11 -.08 -.04 -.14 .02 -.13"


@dataclass(frozen=True, slots=True)
class Beach(Grid):
    """The board with a strip for the ambers on its right. Our x counts lines, which lie one above the other."""

    def corner(self, square: Square) -> tuple[float, float]:
        """The upper left corner of ``square`` in picture units."""
        x, y = square
        return Grid.corner(self, (y, x))

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of board, margin and strip together."""
        return self.columns + self.inset + SIDE, self.rows + 2 * self.inset


def draw(state: State, look: Look) -> str:
    """The position as an SVG picture."""
    title = f"{state.rules.key}: move {state.turn}, amber {state.ambers_one}-{state.ambers_two}"
    picture = Picture(Beach(SIZE, SIZE, look, True), COLORS, title)
    moved = () if state.last_move is None else (state.last_move.start, state.last_move.target)
    picture.moment(state.turn, moved)
    _draw_board(picture)
    if look.last_move and state.last_move is not None:
        for square, opacity in zip(moved, (0.4, 0.7), strict=True):
            picture.square(square, "last", opacity=opacity)
        if state.piece_at(state.last_move.target) is None:  # R15: an amber was won there
            _draw_amber(picture, picture.grid.centre(state.last_move.target), 0.9)
    for square, piece in state.pieces():
        with picture.piece(square):
            _draw_piece(picture, square, piece)
    _draw_side(picture, state)
    picture.spotlight(deciding_squares(state))
    picture.highlights_and_arrows()
    return picture.svg()


def deciding_squares(state: State) -> tuple[Square, ...]:
    """The squares that decided a finished game: the winner's last amber (R20), or light pieces farther on (R21)."""
    outcome = state.outcome
    if outcome is None or outcome.winner is None:
        return ()
    winner = outcome.winner
    match outcome.reason:
        case OstseeschachEnd.AMBERS_MORE | OstseeschachEnd.ROUNDS_MORE:
            move = state.last_move
            has_won_it = move is not None and state.to_move is not winner and state.piece_at(move.target) is None
            return (move.target,) if move is not None and has_won_it else ()
        case OstseeschachEnd.AMBERS_FARTHER | OstseeschachEnd.ROUNDS_FARTHER:
            pairs = zip(state.light_distances(winner), state.light_distances(winner.opponent), strict=False)
            decisive = next(own for own, other in pairs if own > other)
            return tuple(
                square
                for square, piece in state.pieces()
                if piece.team is winner and piece.kind.is_light and abs(HOME_LINE[winner] - square[0]) >= decisive
            )
    return ()


def _draw_board(picture: Picture) -> None:
    """The squares in a frame, and the names of files and lines."""
    grid = picture.grid
    width, height = grid.extent
    picture.add(f'<rect width="{width:g}" height="{height:g}" rx="0.15" fill="{picture.color("paper")}"/>')
    board = f'<rect x="{grid.inset:g}" y="{grid.inset:g}" width="{SIZE}" height="{SIZE}"'
    picture.add(f'{board} fill="{picture.color("sand")}"/>')
    for x, y in SQUARES:
        if (x + y) % 2 == 0:
            picture.square((x, y), "water")
    picture.add(f'{board} fill="none" stroke="{picture.color("shore")}" stroke-width="0.04"/>')
    if not grid.look.coordinates:
        return
    near, far = grid.inset / 2, height - grid.inset / 2
    for index in range(SIZE):
        across, down = grid.centre((index, index))
        picture.label((across, near), FILES[index])
        picture.label((across, far), FILES[index])
        picture.label((near, down), str(index + 1))


def _draw_piece(picture: Picture, square: Square, piece: Piece) -> None:
    """A chip with its piece; a tower has the opponent's chip below (R11) and is as much higher."""
    x, y = picture.grid.centre(square)
    y -= 0.035  # half the thickness of a chip
    if piece.height > 1:
        _draw_chip(picture, (x, y + 0.085), piece.team.opponent)
        y -= 0.085
    _draw_chip(picture, (x, y), piece.team)
    body, details, outline, stroke = _PIECES[piece.kind]
    team = "two" if piece.team else "one"
    ink, paper = picture.color(team), picture.color(f"{team}-chip")
    picture.add(
        f'<g transform="translate({x:g} {y:g}) scale(0.94)" stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="{body}" fill="{ink}" stroke="{ink}" stroke-width="{outline:g}"/>'
        f'<path d="{details}" fill="none" stroke="{paper}" stroke-width="{stroke:g}"/></g>'
    )


def _draw_chip(picture: Picture, centre: tuple[float, float], team: Team, scale: float = 1.0) -> None:
    """An empty chip of ``team``: its thick edge first, then its face."""
    name = "two" if team else "one"
    face, edge = picture.color(f"{name}-chip"), picture.color(f"{name}-edge")
    x, y = centre
    for middle, fill in ((y + 0.07 * scale, edge), (y, face)):
        look = f'fill="{fill}" stroke="{edge}" stroke-width="{0.035 * scale:g}"'
        if team is Team.ONE:
            picture.add(f'<circle cx="{x:g}" cy="{middle:g}" r="{0.37 * scale:g}" {look}/>')
        else:
            half = 0.345 * scale
            picture.add(
                f'<rect x="{x - half:g}" y="{middle - half:g}" width="{2 * half:g}" height="{2 * half:g}" '
                f'rx="{0.16 * scale:g}" {look}/>'
            )


def _draw_amber(picture: Picture, centre: tuple[float, float], scale: float) -> None:
    """One amber."""
    edge = picture.color("amber-edge")
    picture.add(
        f'<g transform="translate({centre[0]:g} {centre[1]:g}) scale({scale:g})" stroke-linecap="round">'
        f'<path d="{_AMBER}" fill="{picture.color("amber")}" stroke="{edge}" stroke-width="0.035"/>'
        f'<path d="{_AMBER_SHINE}" fill="none" stroke="{picture.color("amber-light")}" stroke-width="0.05"/></g>'
    )


def _draw_side(picture: Picture, state: State) -> None:
    """Beside the board, for each team on its own side: its chip, whether it is to move, its ambers and those to win."""
    grid = picture.grid
    x = grid.inset + SIZE + SIDE / 2
    running = state.outcome is None
    for team in TEAMS:
        outermost = grid.centre((SIZE - 1 if team else 0, 0))[1]
        inwards = 1 if outermost < grid.extent[1] / 2 else -1
        if running and state.to_move is team:
            picture.add(
                f'<circle cx="{x:g}" cy="{outermost + 0.02:g}" r="0.36" fill="none" '
                f'stroke="{picture.color("last")}" stroke-width="0.09"/>'
            )
        _draw_chip(picture, (x, outermost), team, 0.6)
        won = state.ambers(team)
        if state.outcome is not None and state.outcome.winner is team and won > state.ambers(team.opponent):
            _frame_ambers(picture, x, outermost + inwards * 0.72, outermost + inwards * (0.16 + 0.56 * won))
        for place in range(max(won, AMBERS_TO_END)):
            middle = (x, outermost + inwards * (0.72 + 0.56 * place))
            if place < won:
                _draw_amber(picture, middle, 1.05)
            else:
                picture.add(
                    f'<path transform="translate({middle[0]:g} {middle[1]:g})" d="{_AMBER}" fill="none" '
                    f'stroke="{picture.color("faint")}" stroke-width="0.025" stroke-dasharray="0.06 0.05"/>'
                )


def _frame_ambers(picture: Picture, x: float, first: float, last: float) -> None:
    """Light up the ambers that won the game."""
    if picture.grid.look.result:
        top = min(first, last) - 0.33
        picture.add(
            f'<rect x="{x - 0.36:g}" y="{top:g}" width="0.72" height="{abs(last - first) + 0.66:g}" rx="0.2" '
            f'fill="{picture.color("last")}" fill-opacity="0.35" stroke="{picture.color("last")}" stroke-width="0.08"/>'
        )


# --- the terminal -----------------------------------------------------------------------------------------------------

_STYLES = ("1;31", "1;34")
"""The ANSI styles of ONE and TWO."""


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    """The position for a terminal: ONE in upper case, TWO in lower case, ``+`` for a tower, [] at the last move."""
    last = () if state.last_move is None else (state.last_move.start, state.last_move.target)
    files = "    " + "  ".join(FILES)
    lines = [files]
    for x in reversed(range(SIZE)):
        cells = (_text_cell(state.piece_at((x, y)), (x, y) in last, colored) for y in range(SIZE))
        lines.append(f"{x + 1:2} {''.join(cells)} {x + 1}")
    return "\n".join([*lines, files, f"  {_caption(state).to(language)}"])


def _text_cell(piece: Piece | None, marked: bool, colored: bool) -> str:
    """Three characters for one square."""
    left, right = "[]" if marked else "  "
    if piece is None:
        return f"{left}{paint('·', '2', colored)}{right}"
    letter = paint(str(piece)[0], _STYLES[piece.team], colored)
    return f"{left}{letter}{'+' if piece.height > 1 else right}"


def _caption(state: State) -> Text:
    ambers = f"{state.ambers_one} : {state.ambers_two}"
    details = [Text(f"Bernsteine {ambers}", f"amber {ambers}")]
    if move := state.last_move:
        details.append(Text(f"letzter Zug {move}", f"last move {move}"))
    return caption(state.outcome, min(state.round, 30), TEAM_TEXTS, TEAM_TEXTS[state.to_move], *details)
