"""Pictures of Pinguine: hexagonal ice floes with fish in a cold sea, the penguins on them, and what they have caught.

ONE's penguins are red on a round pale disc, TWO's are pale on a blue rounded square: shape and brightness tell the
teams apart without colours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import sqrt

from spielleiter.game import TEAMS, Language, Look, Square, Team, Text
from spielleiter.game.drawing import Grid, Picture, Point, caption, paint
from spielleiter.games.pinguine.moves import COLUMNS, FIELDS, SIZE, bit_of, field_at
from spielleiter.games.pinguine.rules import PENGUINS, State

TEAM_TEXTS = (Text("Rot", "Red"), Text("Blau", "Blue"))
"""What people call the teams, by the colours they are drawn in."""

COLORS = {
    "sea": ("#7fb6d3", "#17394a"),
    "hole": ("#6ba8c9", "#0d2330"),
    "ice": ("#f4fafd", "#7f9dad"),
    "ice-side": ("#a9cfe2", "#4b6a7a"),
    "fish": ("#d9711c", "#ffb057"),
    "fish-edge": ("#8a430a", "#5b2f05"),
    "beak": ("#f0a11f", "#f5ae35"),
    "one": ("#b8361b", "#b8361b"),
    "one-chip": ("#fff8f1", "#fbeadd"),
    "one-edge": ("#8f2810", "#8a2710"),
    "two": ("#f3f9ff", "#f3f9ff"),
    "two-chip": ("#1d639e", "#2c79b9"),
    "two-edge": ("#0f3a61", "#0e3557"),
}
"""The game's own colours, light and dark."""

PITCH = sqrt(3) / 2
"""Distance between rows; a hexagon is one unit wide."""
HEIGHT = 2 / sqrt(3)
"""Height of a hexagon, from corner to corner."""
PANEL = 0.95
"""Height of the strip below the board with the fish that each team has caught."""

# Drawn by hand in a box from -0.3 to 0.3, y downwards. A fish is tail, body, gills and eye, from its middle on.
_FISH = "m-.1 0l-.19 -.13q.06 .13 0 .26zm-.06 0q.23 -.3 .46 0q-.23 .3 -.46 0zm.23 -.1q-.05 .1 0 .2m.09 -.14h.01"
_BODY = (
    "M0 -.31C.1 -.31 .15 -.24 .15 -.15C.15 -.09 .24 0 .27 .12C.28 .17 .25 .18 .22 .15C.21 .13 .2 .11 .18 .09"
    "C.2 .2 .13 .28 0 .28C-.13 .28 -.2 .2 -.18 .09C-.2 .11 -.21 .13 -.22 .15C-.25 .18 -.28 .17 -.27 .12"
    "C-.24 0 -.15 -.09 -.15 -.15C-.15 -.24 -.1 -.31 0 -.31Z"
)
_BELLY = "M0 -.08C.08 -.08 .12 .02 .12 .1C.12 .19 .07 .24 0 .24C-.07 .24 -.12 .19 -.12 .1C-.12 .02 -.08 -.08 0 -.08Z"
_EYES = "M-.06 -.2h.001M.06 -.2h.001"
_BEAK = "M-.05 -.165L.05 -.165L0 -.1Z"
_FEET = "M-.14 .285C-.13 .25 -.05 .25 -.03 .285ZM.03 .285C.05 .25 .13 .25 .14 .285Z"

_HEXAGON: tuple[Point, ...] = (
    (0, -HEIGHT / 2),
    (0.5, -HEIGHT / 4),
    (0.5, HEIGHT / 4),
    (0, HEIGHT / 2),
    (-0.5, HEIGHT / 4),
    (-0.5, -HEIGHT / 4),
)
"""The corners of a field around its middle, the uppermost first."""
_SHOALS: dict[int, tuple[float, tuple[Point, ...]]] = {
    1: (0.95, ((0, 0),)),
    2: (0.8, ((-0.05, -0.15), (0.06, 0.16))),
    3: (0.68, ((0, -0.24), (-0.1, 0.01), (0.08, 0.25))),
    4: (0.6, ((0, -0.28), (-0.2, -0.02), (0.2, 0.02), (0, 0.28))),
}
"""For each number of fish how large they are, and where on the floe."""


@dataclass(frozen=True, slots=True)
class Floes(Grid):
    """The board: rows of hexagons, every second one shifted by half of one (R1)."""

    @classmethod
    def of(cls, look: Look) -> Floes:
        """The board that is drawn with ``look``."""
        return cls(SIZE, SIZE, look, up=False, margin=0.5, below=PANEL if look.score else 0.0)

    def corner(self, square: Square) -> Point:
        """The upper left corner of the box around a field."""
        x, y = self.centre(square)
        return x - 0.5, y - HEIGHT / 2

    def centre(self, square: Square) -> Point:
        """The middle of a field: doubled coordinates count half hexagons (R2)."""
        x, y = square
        if self.look.flipped:
            x, y = 2 * SIZE - 1 - x, SIZE - 1 - y
        return self.inset + (x + 1) / 2, self.inset + y * PITCH + HEIGHT / 2

    def outline(self, square: Square) -> tuple[Point, ...]:
        """The six corners of a field, the uppermost first."""
        x, y = self.centre(square)
        return tuple((x + dx, y + dy) for dx, dy in _HEXAGON)

    @property
    def area(self) -> tuple[float, float]:
        """Width and height of the sea."""
        return SIZE + 0.5, (SIZE - 1) * PITCH + HEIGHT

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole picture."""
        width, height = self.area
        return width + 2 * self.inset, round(height + 2 * self.inset + self.below, 3)


def draw(state: State, look: Look) -> str:
    """The position as an SVG picture."""
    title = f"{state.rules.key}: move {state.turn}, fish {state.fish[0]}-{state.fish[1]}"
    picture = Picture(Floes.of(look), COLORS, title)
    moved = _last_squares(state)
    picture.moment(state.turn, moved)
    _draw_sea(picture)
    ice = state.ice | state.penguins[0] | state.penguins[1]
    _draw_fields(picture, ice)
    if look.last_move:
        for square in moved:
            picture.square(square, "last", opacity=0.7 if ice & bit_of(square) else 0.4)
    for square in FIELDS:
        if fish := state.fish_at(square):
            with picture.piece(square):
                _draw_shoal(picture, picture.grid.centre(square), fish)
    for square in FIELDS:
        team = state.penguin_at(square)
        if team is not None:
            with picture.piece(square):
                draw_penguin(picture, picture.grid.centre(square), team)
    if look.score:
        _draw_panel(picture, state)
    picture.highlights_and_arrows()
    return picture.svg()


def _last_squares(state: State) -> tuple[Square, ...]:
    """Where the penguin of the last move came from, if it was not placed, and where it is."""
    last = state.last_move
    if last is None:
        return ()
    return (last.target,) if last.start is None else (last.start, last.target)


def _draw_sea(picture: Picture) -> None:
    """The water, and the names of rows and fields."""
    grid = picture.grid
    width, height = grid.extent
    (sea_width, sea_height), inset = grid.area, grid.inset
    picture.add(f'<rect width="{width:g}" height="{height:g}" rx="0.15" fill="{picture.color("paper")}"/>')
    picture.add(
        f'<rect x="{inset - 0.08:g}" y="{inset - 0.08:g}" width="{sea_width + 0.16:g}" '
        f'height="{sea_height + 0.16:.3f}" rx="0.35" fill="{picture.color("sea")}"/>'
    )
    if not grid.look.coordinates:
        return
    above, below = inset / 2 - 0.04, inset + sea_height + inset / 2 + 0.04
    left, right = inset / 2 - 0.04, width - inset / 2 + 0.04
    top, bottom = (SIZE - 1, 0) if grid.look.flipped else (0, SIZE - 1)
    for index, name in enumerate(COLUMNS):
        picture.label((grid.centre(field_at(index, top))[0], above), name)
        picture.label((grid.centre(field_at(index, bottom))[0], below), name)
    for row in range(SIZE):
        middle = grid.centre(field_at(0, row))[1]
        picture.label((left, middle), str(row + 1))
        picture.label((right, middle), str(row + 1))


def _draw_fields(picture: Picture, ice: int) -> None:
    """The floes, with their edges under water, and the holes where there are none."""
    holes: list[Point] = []
    floes: list[Point] = []
    for number, square in enumerate(FIELDS):
        (floes if ice >> number & 1 else holes).append(picture.grid.centre(square))
    for name, fields, scale, down in (
        ("hole", holes, 0.72, 0.0),
        ("ice-side", floes, 0.79, 0.05),
        ("ice", floes, 0.79, -0.02),
    ):
        path, color = "".join(f"M{x:.4g} {y + down:.4g}{_floe(scale)}" for x, y in fields), picture.color(name)
        # The stroke makes the corners round.
        picture.add(f'<path d="{path}" fill="{color}" stroke="{color}" stroke-width="0.14" stroke-linejoin="round"/>')


@cache
def _floe(scale: float) -> str:
    """The hexagon of this size, from its middle on."""
    return _scaled(
        f"m0 {-HEIGHT / 2}l.5 {HEIGHT / 4}v{HEIGHT / 2}l-.5 {HEIGHT / 4}l-.5 {-HEIGHT / 4}v{-HEIGHT / 2}z", scale
    )


def _draw_shoal(picture: Picture, centre: Point, fish: int) -> None:
    """Draw a shoal of ``fish`` fish."""
    x, y = centre
    scale, places = _SHOALS[fish]
    path = "".join(f"M{x + dx:.4g} {y - 0.02 + dy:.4g}{_fish(scale)}" for dx, dy in places)
    picture.add(
        f'<path d="{path}" fill="{picture.color("fish")}" stroke="{picture.color("fish-edge")}" stroke-width=".03" '
        f'stroke-linecap="round" stroke-linejoin="round"/>'
    )


@cache
def _fish(scale: float) -> str:
    return _scaled(_FISH, scale)


def _scaled(path: str, scale: float) -> str:
    """A path of relative steps, larger or smaller, with numbers as short as can be."""
    return re.sub(
        r"-?[0-9]*\.?[0-9]+",
        lambda found: f"{float(found[0]) * scale:.3f}".rstrip("0").rstrip(".").replace("0.", "."),
        path,
    )


def draw_penguin(picture: Picture, centre: Point, team: Team, scale: float = 1.0) -> None:
    """A penguin of ``team`` on its chip."""
    name = "two" if team else "one"
    ink, chip, edge = (picture.color(f"{name}{part}") for part in ("", "-chip", "-edge"))
    beak = picture.color("beak")
    base = (
        f'<rect x="-.36" y="-.37" width=".72" height=".72" rx=".18" fill="{chip}" stroke="{edge}" stroke-width=".035"/>'
        if team
        else f'<circle cy="-.01" r=".385" fill="{chip}" stroke="{edge}" stroke-width=".035"/>'
    )
    picture.add(
        f'<g transform="translate({centre[0]:.4g} {centre[1]:.4g}) scale({scale:g})">{base}'
        f'<path d="{_FEET}" fill="{beak}" stroke="{beak}" stroke-width=".03" stroke-linejoin="round"/>'
        f'<path d="{_BODY}" fill="{ink}"/><path d="{_BELLY}" fill="{chip}"/>'
        f'<path d="{_EYES}" fill="none" stroke="{chip}" stroke-width=".055" stroke-linecap="round"/>'
        f'<path d="{_BEAK}" fill="{beak}"/></g>'
    )


def _draw_panel(picture: Picture, state: State) -> None:
    """Below the board for each team: its penguins to place or one of them, and the fish that it has caught."""
    width, height = picture.grid.extent
    y = height - PANEL / 2 - 0.1
    outcome = state.outcome
    for team in TEAMS:
        outwards = 1 if team else -1
        x = width / 2 + outwards * (width / 2 - 0.7)
        if outcome is None and state.to_move is team:
            picture.add(
                f'<circle cx="{x:g}" cy="{y:.4g}" r="0.41" fill="none" stroke="{picture.color("last")}" '
                f'stroke-width="0.1"/>'
            )
        draw_penguin(picture, (x, y), team, 0.85)
        if outcome is not None and outcome.winner is team and picture.grid.look.result:
            left = min(x - outwards * 0.52, x - outwards * 2.12)
            picture.add(
                f'<rect x="{left:g}" y="{y - 0.38:.4g}" width="1.6" height="0.76" rx="0.2" '
                f'fill="{picture.color("last")}" fill-opacity="0.35" stroke="{picture.color("last")}" '
                f'stroke-width="0.08"/>'
            )
        _draw_shoal(picture, (x - outwards * 0.93, y + 0.02), 1)
        picture.label((x - outwards * 1.62, y), str(state.fish[team]), "ink", size=0.48, bold=True)
        waiting = PENGUINS - state.penguins[team].bit_count()
        for place in range(waiting):
            draw_penguin(picture, (x - outwards * (2.3 + 0.45 * place), y), team, 0.5)


# --- the terminal -----------------------------------------------------------------------------------------------------

_STYLES = ("1;31", "1;34")
"""The ANSI styles of ONE and TWO."""


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    """The position for a terminal: fish as digits, ``·`` for a hole, P and p for penguins, [] at the last move."""
    moved = _last_squares(state)
    names = "  ".join(COLUMNS)
    lines = [f"    {names}"]
    for row in range(SIZE):
        squares = [field_at(index, row) for index in range(SIZE)]
        shift = "  " if row % 2 else ""
        cells = "".join(_text_cell(state, square, square in moved, colored) for square in squares)
        lines.append(f"{row + 1:2} {shift}{cells} {'' if row % 2 else '  '}{row + 1}")
    return "\n".join([*lines, f"      {names}", f"  {_caption(state).to(language)}"])


def _text_cell(state: State, square: Square, marked: bool, colored: bool) -> str:
    """Three characters for one field."""
    left, right = "[]" if marked else "  "
    team = state.penguin_at(square)
    if team is not None:
        sign = paint("pP"[team is Team.ONE], _STYLES[team], colored)
    elif fish := state.fish_at(square):
        sign = str(fish)
    else:
        sign = paint("·", "2", colored)
    return f"{left}{sign}{right}"


def _caption(state: State) -> Text:
    fish = f"{state.fish[0]} : {state.fish[1]}"
    details = [Text(f"Fische {fish}", f"fish {fish}")]
    if move := state.last_move:
        details.append(Text(f"letzter Zug {move}", f"last move {move}"))
    return caption(state.outcome, state.round, TEAM_TEXTS, TEAM_TEXTS[state.to_move], *details)
