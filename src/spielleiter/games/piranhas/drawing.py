"""Piranhas as a picture: the aquarium, fish whose size shows, krakens, the last move."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from spielleiter.game import TEAMS, Language, Look, Square, Text
from spielleiter.game.drawing import Grid, Picture, caption, paint
from spielleiter.games.piranhas.notation import letter
from spielleiter.games.piranhas.rules import SIZE, PiranhasEnd, State, square_name

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
"""What people call the teams, by the colours they are drawn in."""

_COLORS = {
    "shoal": ("#dcf0f5", "#22495a"),
    "shoal-wave": ("#cfe8f0", "#264f61"),
    "water": ("#c6e4ef", "#1b3d4e"),
    "water-wave": ("#b9dce9", "#1f4455"),
    "deep": ("#b0d6e6", "#142f3f"),
    "deep-wave": ("#a4cee0", "#183646"),
    "rim": ("#7fb2c8", "#3b6d82"),
    "one": ("#d3452b", "#e8654a"),
    "one-edge": ("#7d2414", "#ffc9bb"),
    "two": ("#2a62bd", "#6aa0f2"),
    "two-edge": ("#122f63", "#d3e4ff"),
    "kraken": ("#5d5470", "#a79cc0"),
    "eye": ("#ffffff", "#ffffff"),
    "pupil": ("#1a1a1a", "#1a1a1a"),
}

# The fish looks to the right, in a square from -0.5 to 0.5: tail and body in one outline, then fin, teeth and eye.
_BODY = "M.42 .02C.33 -.2 .05 -.3 -.2 -.1L-.42 -.27C-.36 -.1 -.36 .1 -.42 .27L-.2 .1C.05 .3 .3 .22 .42 .02Z"
_FIN = "M.02 -.2C-.02 -.32 -.14 -.34 -.22 -.3C-.18 -.24 -.14 -.18 -.12 -.14Z"
_STRIPES = "M.02 -.19C.07 -.06 .07 .08 .02 .2M-.12 -.14C-.08 -.05 -.08 .06 -.12 .14"
_MOUTH = "M.4 .05L.31 .06L.28 .1L.25 .06L.22 .1"
_SCALE = {"S": 0.66, "M": 0.86, "L": 1.1}

_KRAKEN = (
    "M-.22 .02C-.26 -.4 .26 -.4 .22 .02C.22 .1 .34 .12 .36 .3C.26 .3 .2 .24 .16 .16C.16 .26 .16 .32 .06 .38"
    "C.04 .3 .04 .24 0 .18C-.04 .24 -.04 .3 -.06 .38C-.16 .32 -.16 .26 -.16 .16"
    "C-.2 .24 -.26 .3 -.36 .3C-.34 .12 -.22 .1 -.22 .02Z"
)


_DEPTHS = ("shoal", "shoal", "water", "water", "deep")
"""How deep the water is, by the distance from the border."""
_SQUARES = tuple(((x, y), 1 << y * SIZE + x) for x in range(SIZE) for y in range(SIZE))

Style = tuple[Literal["auto", "light", "dark"], bool, bool]
"""What of a look changes how one square is drawn: theme, coordinates, flipped."""


def draw(state: State, look: Look) -> str:
    """The position as an SVG picture."""
    picture = Picture(Grid(SIZE, SIZE, look, up=True), _COLORS, f"{state.rules.key}, turn {state.turn}")
    style = (look.theme, look.coordinates, look.flipped)
    picture.moment(state.turn, last_squares(state))
    picture.add(_ground(style))
    if look.last_move:
        for square, opacity in zip(last_squares(state), (0.35, 0.6), strict=False):
            picture.square(square, "last", opacity=opacity)
    there = state.one | state.two | state.krakens
    for square, bit in _SQUARES:
        if bit & there:
            picture.add(_piece(style, square, letter(state, bit), bool(bit & state.one), state.rules.weighted))
    picture.spotlight(deciding_squares(state))
    picture.highlights_and_arrows()
    return picture.svg()


def _blank(style: Style) -> Picture:
    theme, coordinates, flipped = style
    return Picture(Grid(SIZE, SIZE, Look(theme=theme, coordinates=coordinates, flipped=flipped), up=True), _COLORS, "")


@lru_cache(maxsize=32)
def _ground(style: Style) -> str:
    """The water and the names of its squares: the same under all positions, so drawn once."""
    picture = _blank(style)
    width, height = picture.grid.extent
    picture.add(f'<rect width="{width:g}" height="{height:g}" rx="0.15" fill="{picture.color("paper")}"/>')
    for (x, y), _ in _SQUARES:
        depth = _DEPTHS[min(x, y, SIZE - 1 - x, SIZE - 1 - y)]
        picture.square((x, y), f"{depth}-wave" if (x + y) % 2 else depth)
    left, top = picture.grid.corner((0, SIZE - 1) if not style[2] else (SIZE - 1, 0))
    picture.add(
        f'<rect x="{left:g}" y="{top:g}" width="{SIZE}" height="{SIZE}" fill="none" stroke="{picture.color("rim")}" '
        'stroke-width="0.05"/>'
    )
    picture.coordinates("ABCDEFGHIJ", "0123456789")
    return picture.body


@lru_cache(maxsize=8192)
def _piece(style: Style, square: Square, what: str, is_one: bool, weighted: bool) -> str:
    """What lies on one square."""
    picture = _blank(style)
    with picture.piece(square):
        _draw_piece(picture, picture.grid.centre(square), what, is_one, weighted)
    return picture.body


def _draw_piece(picture: Picture, at: tuple[float, float], what: str, is_one: bool, weighted: bool) -> None:
    if what == "K":
        eyes = "".join(
            f'<circle cx="{dx}" cy="-.08" r=".07" fill="{picture.color("eye")}"/>'
            f'<circle cx="{dx}" cy="-.07" r=".035" fill="{picture.color("pupil")}"/>'
            for dx in (-0.09, 0.09)
        )
        kraken = f'<path d="{_KRAKEN}" fill="{picture.color("kraken")}"/>{eyes}'
        picture.add(f'<g transform="translate({at[0]:g} {at[1]:g})">{kraken}</g>')
    else:
        _draw_fish(picture, at, "one" if is_one else "two", _SCALE[what.upper()] if weighted else 0.9)


def _draw_fish(picture: Picture, at: tuple[float, float], team: str, scale: float) -> None:
    # ONE looks right and is striped, TWO looks left and is plain: the teams differ without colour too.
    fill, edge = picture.color(team), picture.color(f"{team}-edge")
    stripes = f'<path d="{_STRIPES}" fill="none" stroke="{edge}" stroke-width=".045"/>' if team == "one" else ""
    picture.add(
        f'<g transform="translate({at[0]:g} {at[1]:g}) scale({scale if team == "one" else -scale:g} {scale:g})" '
        f'stroke-linejoin="round"><path d="{_FIN}" fill="{fill}" stroke="{edge}" stroke-width=".04"/>'
        f'<path d="{_BODY}" fill="{fill}" stroke="{edge}" stroke-width=".04"/>{stripes}'
        f'<path d="{_MOUTH}" fill="{picture.color("eye")}" stroke="{edge}" stroke-width=".02"/>'
        f'<circle cx=".22" cy="-.08" r=".065" fill="{picture.color("eye")}"/>'
        f'<circle cx=".235" cy="-.08" r=".035" fill="{picture.color("pupil")}"/></g>'
    )


def deciding_squares(state: State) -> tuple[Square, ...]:
    """The swarm that won a finished game, or both where they are equal; none if a side could not move (R11)."""
    outcome = state.outcome
    if outcome is None or outcome.reason is PiranhasEnd.NO_MOVE:
        return ()
    teams = TEAMS if outcome.winner is None else (outcome.winner,)
    lit = sum(state.largest_swarm(team) for team in teams)
    return tuple(square for square, bit in _SQUARES if bit & lit)


def last_squares(state: State) -> tuple[Square, ...]:
    """The squares that the last move left and reached, as far as they are known."""
    if state.last_move is None:
        return ()
    start = (state.last_move.x, state.last_move.y)
    return (start,) if state.last_target is None else (start, state.last_target)


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    """The position for a terminal: rows from 9 down to 0, letters as in the notation."""
    moved = last_squares(state)
    lines = ["    " + " ".join("ABCDEFGHIJ")]
    for y in reversed(range(SIZE)):
        cells = []
        for x in range(SIZE):
            bit = 1 << y * SIZE + x
            style = "1;31" if bit & state.one else "1;34" if bit & state.two else "35" if bit & state.krakens else "2"
            cells.append(paint(letter(state, bit) or "·", style + (";7" if (x, y) in moved else ""), colored))
        lines.append(f"  {y} {' '.join(cells)} {y}")
    lines.append(lines[0])
    lines.append(f"  {_caption(state).to(language)}")
    return "\n".join(lines)


def _caption(state: State) -> Text:
    weights = " : ".join(str(state.weight(state.largest_swarm(team))) for team in TEAMS)
    details = [Text(f"größte Schwärme {weights}", f"largest shoals {weights}")]
    if len(moved := last_squares(state)) == 2:
        squares = "-".join(square_name(*square) for square in moved)
        details.append(Text(f"letzter Zug {squares}", f"last move {squares}"))
    return caption(state.outcome, min(state.round, 30), TEAM_TEXTS, TEAM_TEXTS[state.to_move], *details)
