"""Pictures of Hase und Igel: a path that winds through a meadow, two hares on it, and below it what they have.

ONE's hare is red on a round pale disc, TWO's pale on a blue rounded square: shape and brightness tell the teams apart
without colours, as the symbols do with the fields.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache

from spielleiter.game import TEAMS, Language, Look, Square, Team, Text
from spielleiter.game.drawing import Grid, Picture, caption, paint
from spielleiter.games.hase_und_igel.moves import CARDS, TEAM_TEXTS, Card
from spielleiter.games.hase_und_igel.rules import SALADS_AT_START, TURN_LIMIT, State
from spielleiter.games.hase_und_igel.track import LENGTH, Field, Track

COLUMNS, ROWS = 12, 10
"""The picture as a grid: rows of twelve fields and between them one field each that leads to the next row."""
PANEL = 2.35
"""Height of the strip below the meadow in which carrots, salads and cards are."""

COLORS = {
    "meadow": ("#dcebc8", "#26371f"),
    "path": ("#cbb78f", "#5a4d36"),
    "tile-edge": ("#8d7a52", "#8a7a58"),
    "start": ("#f3efe4", "#4a463c"),
    "carrots": ("#fbdcb5", "#7a4d1d"),
    "hare": ("#e4d8f2", "#574474"),
    "salad": ("#cfeab6", "#3c6527"),
    "market": ("#fdf0a8", "#77681a"),
    "hedgehog": ("#e3cdb6", "#594230"),
    "position": ("#cfe2f3", "#315473"),
    "goal": ("#fffdf6", "#58564e"),
    "carrot": ("#e4731a", "#f58c35"),
    "leaf": ("#2f7d2c", "#74c45c"),
    "lettuce": ("#4da02f", "#7fcf57"),
    "lettuce-vein": ("#e6f6d5", "#1f3a14"),
    "spines": ("#6b4a2d", "#d8b48c"),
    "symbol": ("#574a70", "#dccff0"),
    "stall": ("#b4521f", "#ffb27d"),
    "number": ("#274f75", "#cfe5fb"),
    "card": ("#fffdf6", "#37414b"),
    "one": ("#b8361b", "#b8361b"),
    "one-chip": ("#fff8f1", "#fbeadd"),
    "one-edge": ("#8f2810", "#8a2710"),
    "two": ("#f3f9ff", "#f3f9ff"),
    "two-chip": ("#1d639e", "#2c79b9"),
    "two-edge": ("#0f3a61", "#0e3557"),
}
"""The game's own colours, light and dark."""

_TILES = ("start", "carrots", "hare", "salad", "market", "hedgehog", "position", "position", "goal")
"""The colour of each kind of field."""

# Symbols, drawn by hand in a box from -0.3 to 0.3, y downwards.
_CARROT = "M-.1 -.16C0 -.23 .12 -.18 .16 -.08C.19 .02 .02 .2 -.21 .27C-.26 .1 -.19 -.1 -.1 -.16Z"
_CARROT_LEAVES = "M.1 -.14C.1 -.24 .14 -.29 .19 -.31M.11 -.13C.2 -.19 .26 -.19 .31 -.16M.11 -.14L.25 -.27"
_CARROT_LINES = "M-.05 -.02L.01 .02M-.12 .1L-.05 .13"
_LETTUCE = (
    "M0 .25C-.2 .25 -.31 .09 -.24 -.03C-.32 -.15 -.19 -.3 -.07 -.24C-.01 -.32 .12 -.3 .14 -.22"
    "C.28 -.24 .33 -.07 .24 -.02C.31 .1 .2 .25 0 .25Z"
)
_LETTUCE_VEINS = "M0 .2C.01 .05 .01 -.05 0 -.15M0 .1L-.13 -.01M.01 .04L.13 -.06"
_HARE = (
    "M-.18 .1C-.18 0 -.13 -.04 -.08 -.06C-.17 -.16 -.19 -.34 -.11 -.35C-.05 -.35 -.02 -.2 -.02 -.08L.02 -.08"
    "C.02 -.2 .05 -.35 .11 -.35C.19 -.34 .17 -.16 .08 -.06C.13 -.04 .18 0 .18 .1C.18 .2 .09 .26 0 .26"
    "C-.09 .26 -.18 .2 -.18 .1Z"
)
_HARE_FACE = "M-.07 .06h.001M.07 .06h.001M-.035 .15L0 .18L.035 .15"
_HEDGEHOG = (
    "M-.32 .15C-.31 .07 -.25 .04 -.19 .02L-.22 -.08L-.11 -.06L-.09 -.18L.02 -.1L.1 -.2L.14 -.08L.26 -.11L.22 0"
    "L.33 .04L.27 .15Z"
)
_STALL = "M-.24 -.2L.24 -.2L.31 -.03L-.31 -.03Z"
_STALL_POSTS = "M-.25 -.03V.24M.25 -.03V.24M-.25 .1H.25"
_STALL_STRIPES = "M-.09 -.2L-.11 -.03M.09 -.2L.11 -.03"
_FLAG = "M-.2 .28V-.28H.22V.04H-.2"
_CHEQUERS = "M-.2 -.28h.14v.16h-.14ZM.08 -.28h.14v.16h-.14ZM-.06 -.12h.14v.16h-.14Z"
_START = "M-.18 -.2L.24 0L-.18 .2Z"
_ARROWS = {
    Card.SWAP_CARROTS: "M-.26 .3H.26M.17 .22L.26 .3L.17 .38M-.17 .22L-.26 .3L-.17 .38",
    Card.FALL_BACK: "M.02 -.16L-.14 0L.02 .16M.2 -.16L.04 0L.2 .16",
    Card.HURRY_AHEAD: "M-.02 -.16L.14 0L-.02 .16M-.2 -.16L-.04 0L-.2 .16",
}


def square_of(number: int) -> Square:
    """Where a field lies in the grid: row by row from the bottom, to the right and back again."""
    row, place = divmod(number, COLUMNS + 1)
    to_the_right = row % 2 == 0
    if place == COLUMNS:
        return (COLUMNS - 1 if to_the_right else 0), 2 * row + 1
    return (place if to_the_right else COLUMNS - 1 - place), 2 * row


SQUARES: tuple[Square, ...] = tuple(map(square_of, range(LENGTH)))
"""The square of each field, START first."""
FIELD_AT = {square: number for number, square in enumerate(SQUARES)}
"""The field on each square of the grid that has one."""


@dataclass(frozen=True, slots=True)
class Meadow(Grid):
    """The grid of the track, with a strip below it."""

    @classmethod
    def of(cls, look: Look) -> Meadow:
        """The meadow that is drawn with ``look``."""
        return cls(COLUMNS, ROWS, look, up=True, margin=0.25, below=PANEL)


def draw(state: State, look: Look) -> str:
    """The position as an SVG picture."""
    grid = Meadow.of(look)
    picture = Picture(grid, COLORS, f"{state.rules.key}: turn {state.turn}")
    moved = _last_squares(state)
    picture.moment(state.turn, moved)
    picture.add(_background(state.track, Look(theme=look.theme, coordinates=look.coordinates, flipped=look.flipped)))
    if look.last_move:
        for square, opacity in zip(moved[::-1], (0.75, 0.4), strict=False):
            _glow(picture, square, opacity)
    _draw_hares(picture, state)
    _draw_panels(picture, state)
    outcome = state.outcome
    if outcome is not None and outcome.winner is not None:
        picture.spotlight((SQUARES[state.hares[outcome.winner].position],))
    picture.highlights_and_arrows()
    return picture.svg()


def _last_squares(state: State) -> tuple[Square, ...]:
    """Start and end of the last move; one square if the hare stayed."""
    if state.came_from is None:
        return ()
    team, start = state.came_from
    end = state.hares[team].position
    return (SQUARES[end],) if start == end else (SQUARES[start], SQUARES[end])


@lru_cache(maxsize=256)
def _background(track: Track, look: Look) -> str:
    """Meadow, path and fields, which are the same all through a game."""
    picture = Picture(Meadow.of(look), COLORS, "")
    width, height = picture.grid.extent
    picture.add(f'<rect width="{width:g}" height="{height:g}" rx="0.2" fill="{picture.color("paper")}"/>')
    meadow = height - picture.grid.below
    picture.add(f'<rect width="{width:g}" height="{meadow:g}" rx="0.2" fill="{picture.color("meadow")}"/>')
    line = "L".join(f"{x:g} {y:g}" for x, y in map(picture.grid.centre, SQUARES))
    picture.add(
        f'<path d="M{line}" fill="none" stroke="{picture.color("path")}" stroke-width="1.1" stroke-linejoin="round" '
        'stroke-linecap="round"/>'
    )
    for number, kind in enumerate(track.fields):
        _draw_field(picture, number, kind, look.coordinates)
    return picture.body


def _draw_field(picture: Picture, number: int, kind: Field, numbered: bool) -> None:
    x, y = picture.grid.corner(SQUARES[number])
    picture.add(
        f'<rect x="{x + 0.05:g}" y="{y + 0.05:g}" width="0.9" height="0.9" rx="0.18" '
        f'fill="{picture.color(_TILES[kind])}" stroke="{picture.color("tile-edge")}" stroke-width="0.03"/>'
    )
    _draw_symbol(picture, kind, (x + 0.52, y + 0.47))
    if numbered:
        picture.label((x + 0.21, y + 0.83), str(number), "ink", size=0.19)


def _draw_symbol(picture: Picture, kind: Field, at: tuple[float, float]) -> None:
    match kind:
        case Field.START:
            _shape(picture, at, _START, "leaf")
        case Field.CARROTS:
            _carrot(picture, at)
        case Field.HARE:
            _shape(picture, at, _HARE, "symbol", (_HARE_FACE, "hare", 0.045), scale=0.95)
        case Field.SALAD:
            _lettuce(picture, at)
        case Field.MARKET:
            _shape(picture, at, _STALL, "stall", (_STALL_STRIPES, "market", 0.04))
            _stroke(picture, at, _STALL_POSTS, "stall", 0.045)
        case Field.HEDGEHOG:
            _shape(picture, at, _HEDGEHOG, "spines", ("M-.2 .08h.001", "hedgehog", 0.05))
        case Field.POSITION_1 | Field.POSITION_2:
            picture.label(at, "1" if kind is Field.POSITION_1 else "2", "number", size=0.62, bold=True)
        case Field.GOAL:
            _stroke(picture, at, _FLAG, "ink", 0.045)
            _shape(picture, at, _CHEQUERS, "ink")


def _shape(
    picture: Picture,
    at: tuple[float, float],
    body: str,
    color: str,
    details: tuple[str, str, float] | None = None,
    *,
    scale: float = 1.0,
) -> None:
    """A filled shape, and lines of another colour and width on it."""
    lines = ""
    if details is not None:
        path, ink, width = details
        lines = f'<path d="{path}" fill="none" stroke="{picture.color(ink)}" stroke-width="{width:g}"/>'
    picture.add(
        f'<g transform="translate({at[0]:g} {at[1]:g}) scale({scale:g})" stroke-linecap="round" '
        f'stroke-linejoin="round"><path d="{body}" fill="{picture.color(color)}"/>{lines}</g>'
    )


def _stroke(
    picture: Picture, at: tuple[float, float], path: str, color: str, width: float, *, scale: float = 1.0
) -> None:
    picture.add(
        f'<path transform="translate({at[0]:g} {at[1]:g}) scale({scale:g})" d="{path}" fill="none" '
        f'stroke="{picture.color(color)}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _carrot(picture: Picture, at: tuple[float, float], scale: float = 1.0) -> None:
    _shape(picture, at, _CARROT, "carrot", (_CARROT_LINES, "carrots", 0.03), scale=scale)
    _stroke(picture, at, _CARROT_LEAVES, "leaf", 0.05, scale=scale)


def _lettuce(picture: Picture, at: tuple[float, float], scale: float = 1.0) -> None:
    _shape(picture, at, _LETTUCE, "lettuce", (_LETTUCE_VEINS, "lettuce-vein", 0.035), scale=scale)


def _glow(picture: Picture, square: Square, opacity: float) -> None:
    """Mark a field of the last move."""
    x, y = picture.grid.corner(square)
    color = picture.color("last")
    picture.add(
        f'<rect x="{x + 0.05:g}" y="{y + 0.05:g}" width="0.9" height="0.9" rx="0.18" fill="{color}" '
        f'fill-opacity="{opacity * 0.5:g}" stroke="{color}" stroke-opacity="{opacity:g}" stroke-width="0.09"/>'
    )


def _draw_hares(picture: Picture, state: State) -> None:
    """The hares, a little up and to the right of the middle so that the number of the field can be read.

    Only the one that moved last is a piece that scripts can find: on START and GOAL there may be two (R6).
    """
    together = state.hares[0].position == state.hares[1].position
    moved = None if state.came_from is None else state.came_from[0]
    for team in TEAMS:
        square = SQUARES[state.hares[team].position]
        x, y = picture.grid.centre(square)
        shift = (0.17 if team else -0.17) if together else 0.0
        with picture.piece(square) if team is moved else nullcontext():
            _draw_hare(picture, (x + 0.03 + shift, y - 0.06 - shift / 2), team, 0.62 if together else 0.88)


def _draw_hare(picture: Picture, at: tuple[float, float], team: Team, scale: float) -> None:
    name = "two" if team else "one"
    look = f'fill="{picture.color(f"{name}-chip")}" stroke="{picture.color(f"{name}-edge")}" stroke-width="0.04"'
    chip = (
        f'<rect x="-0.38" y="-0.38" width="0.76" height="0.76" rx="0.17" {look}/>'
        if team
        else f'<circle r="0.41" {look}/>'
    )
    ink, paper = picture.color(name), picture.color(f"{name}-chip")
    picture.add(
        f'<g transform="translate({at[0]:g} {at[1]:g}) scale({scale:g})" stroke-linecap="round" '
        f'stroke-linejoin="round">{chip}<g transform="translate(0 .04)"><path d="{_HARE}" fill="{ink}"/>'
        f'<path d="{_HARE_FACE}" fill="none" stroke="{paper}" stroke-width="0.05"/></g></g>'
    )


def _draw_panels(picture: Picture, state: State) -> None:
    """Below the meadow, for each team: its hare, carrots, salads and cards; a frame around the one that is to move."""
    width, height = picture.grid.extent
    half = width / 2
    for team in TEAMS:
        left, top = team * half + 0.08, height - PANEL + 0.12
        to_move = state.outcome is None and state.to_move is team
        edge, stroke = ("last", 0.1) if to_move else ("faint", 0.03)
        picture.add(
            f'<rect x="{left:g}" y="{top:g}" width="{half - 0.16:g}" height="{PANEL - 0.2:g}" rx="0.2" fill="none" '
            f'stroke="{picture.color(edge)}" stroke-width="{stroke:g}"/>'
        )
        _draw_belongings(picture, state, team, left, top)


def _draw_belongings(picture: Picture, state: State, team: Team, left: float, top: float) -> None:
    hare, middle = state.hares[team], top + 0.58
    _draw_hare(picture, (left + 0.6, middle), team, 1.0)
    _carrot(picture, (left + 1.42, middle), 1.2)
    picture.label((left + 2.36, middle), str(hare.carrots), "ink", size=0.56, bold=True)
    for place in range(SALADS_AT_START):
        at = (left + 3.35 + 0.56 * place, middle)
        if place < hare.salads:
            _lettuce(picture, at, 0.95)
        else:
            _stroke(picture, at, _LETTUCE, "faint", 0.025, scale=0.95)
    for card in CARDS:
        _draw_card(picture, card, hare.cards.count(card), left + 0.2 + 1.48 * card, top + 1.16)


def _draw_card(picture: Picture, card: Card, count: int, left: float, top: float) -> None:
    """A kind of card with the number of them; an empty frame if the hare has none."""
    if not count:
        picture.add(
            f'<rect x="{left:g}" y="{top:g}" width="0.74" height="0.86" rx="0.1" fill="none" '
            f'stroke="{picture.color("faint")}" stroke-width="0.025" stroke-dasharray="0.08 0.06"/>'
        )
    else:
        picture.add(
            f'<rect x="{left:g}" y="{top:g}" width="0.74" height="0.86" rx="0.1" fill="{picture.color("card")}" '
            f'stroke="{picture.color("symbol")}" stroke-width="0.035"/>'
        )
        picture.label((left + 1.06, top + 0.43), f"×{count}", "ink", size=0.4, bold=True)
    group = '<g opacity="0.35">' if not count else "<g>"
    picture.add(group)
    at = (left + 0.37, top + 0.43)
    if card is Card.EAT_SALAD:
        _lettuce(picture, at, 0.95)
    elif card is Card.SWAP_CARROTS:
        _carrot(picture, (at[0], at[1] - 0.1), 0.9)
        _stroke(picture, (at[0], at[1] - 0.04), _ARROWS[card], "symbol", 0.06)
    else:
        _stroke(picture, at, _ARROWS[card], "symbol", 0.1)
    picture.add("</g>")


# --- the terminal -----------------------------------------------------------------------------------------------------

_STYLES = ("1;31", "1;34")
"""The ANSI styles of ONE and TWO."""
_HARE_LETTERS = "RB"
_FIELD_STYLES = ("2", "33", "35", "32", "93", "90", "36", "36", "1")


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    """The position for a terminal: the winding track with the letters of its notation, R and B for the hares.

    At both ends of a row is the number of the field there.
    """
    marked = _last_squares(state)
    lines = []
    for y in reversed(range(ROWS)):
        cells = "".join(_text_cell(state, (x, y), (x, y) in marked, colored) for x in range(COLUMNS))
        left, right = FIELD_AT.get((0, y), ""), FIELD_AT.get((COLUMNS - 1, y), "")
        lines.append(f"{left:>3}{cells}  {right}".rstrip())
    lines += [f"  {_hare_line(state, team, colored).to(language)}" for team in TEAMS]
    return "\n".join([*lines, f"  {_caption(state).to(language)}"])


def _text_cell(state: State, square: Square, marked: bool, colored: bool) -> str:
    """Four characters for one square of the grid."""
    number = FIELD_AT.get(square)
    if number is None:
        return "    "
    hares = [team for team in TEAMS if state.hares[team].position == number]
    left, right = "[]" if marked else "  "
    if hares:
        letters = "".join(paint(_HARE_LETTERS[team], _STYLES[team], colored) for team in hares)
        return f"{left}{letters}{right}" if len(hares) > 1 else f" {left}{letters}{right}"
    kind = state.track.fields[number]
    return f" {left}{paint(kind.letter, _FIELD_STYLES[kind], colored)}{right}"


def _hare_line(state: State, team: Team, colored: bool) -> Text:
    hare, name, kind = state.hares[team], TEAM_TEXTS[team], state.field_of(team).text
    letter = paint(_HARE_LETTERS[team], _STYLES[team], colored)
    cards = [card.text for card in sorted(hare.cards)]
    held = Text(", ".join(card.de for card in cards) or "keine", ", ".join(card.en for card in cards) or "none")
    return Text(
        f"{letter} {name.de}: Feld {hare.position} ({kind.de}), Karotten {hare.carrots}, Salate {hare.salads}, "
        f"Karten: {held.de}",
        f"{letter} {name.en}: field {hare.position} ({kind.en}), carrots {hare.carrots}, salads {hare.salads}, "
        f"cards: {held.en}",
    )


def _caption(state: State) -> Text:
    details = (
        [] if state.last_move is None else [Text(f"letzter Zug {state.last_move}", f"last move {state.last_move}")]
    )
    number = min(state.round, TURN_LIMIT // 2)
    return caption(state.outcome, number, TEAM_TEXTS, TEAM_TEXTS[state.to_move], *details)
