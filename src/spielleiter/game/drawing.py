"""Pictures of boards: how one may look, and the few shapes that every game's SVG is made of.

Colours have names and a light and a dark value each. A picture with a fixed theme carries them as plain
attributes, so that every SVG program shows it and a strict page policy allows it. With the theme ``auto``
they are CSS variables with the light value as fallback: the picture follows the reader's setting.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from html import escape  # Not that of xml.sax: it would import HTTP, and every player waits for it.
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from spielleiter.game.outcome import Outcome
from spielleiter.text import Language, Text, system_language

Square = tuple[int, int]
"""(x, y) in the coordinates of the game."""
Point = tuple[float, float]
"""(x, y) in the units of a picture, downwards."""


def square_key(square: Square) -> str:
    """The square as pictures, pages and scripts name it."""
    return f"{square[0]},{square[1]}"


PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#26323d", "#d7dee6"),
    "faint": ("#8896a3", "#74828f"),
    "last": ("#f2c230", "#d9a91b"),
    "mark": ("#7b3fb5", "#c08cf0"),
    "arrow": ("#16803c", "#4cc274"),
    "wrong": ("#b3261e", "#ff9d92"),
    "second": ("#1d6fc4", "#6fb3ff"),
    "third": ("#b26a00", "#f0a840"),
    "heat": ("#8e2fc9", "#b95cf4"),
    "cold": ("#0f7f86", "#2bb3ba"),
}
"""Colours that every game shares; a game's own colours are handed to ``Picture``."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from square to square, drawn on top of the board."""

    start: Square
    end: Square
    color: str = "arrow"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A frame around a square, drawn on top of the board."""

    square: Square
    color: str = "mark"


@dataclass(frozen=True, slots=True)
class CellValue:
    """A number on a cell, which is the warmer the larger its number is among those of the picture."""

    square: Square
    value: float
    label: str
    """The number as people read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a picture shows beside the pieces."""

    theme: Literal["auto", "light", "dark"] = "auto"
    size: int = 480
    """Width in pixels; the picture scales."""
    coordinates: bool = True
    flipped: bool = False
    """Turn the board by half a turn, as the second team sees it."""
    last_move: bool = True
    score: bool = True
    """Draw the score beside the board, if the game does so."""
    result: bool = True
    """Light up the squares that decided a finished game."""
    highlights: tuple[Highlight, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    values: tuple[CellValue, ...] = ()
    """A heat map, below highlights and arrows."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Where the squares of a board lie in the picture: unit squares inside a margin for the labels.

    A board of other cells, such as hexagons of unit width, overrides ``corner``, ``centre``, ``outline``, ``area`` and
    ``extent``; its pictures are drawn with the same shapes.
    """

    columns: int
    rows: int
    look: Look
    up: bool
    """Whether rows count upwards, as in chess, or downwards, as on a screen."""
    margin: float = 0.6
    below: float = 0.0
    """Room under the board and its labels, for what a game shows beside the board."""

    def corner(self, square: Square) -> Point:
        """The upper left corner of ``square`` in picture units."""
        x, y = square
        if self.look.flipped:
            x, y = self.columns - 1 - x, self.rows - 1 - y
        return x + self.inset, (self.rows - 1 - y if self.up else y) + self.inset

    def centre(self, square: Square) -> Point:
        """The middle of ``square`` in picture units."""
        x, y = self.corner(square)
        return x + 0.5, y + 0.5

    def outline(self, square: Square) -> tuple[Point, ...]:
        """The corners of ``square`` in picture units, clockwise."""
        x, y = self.corner(square)
        return (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)

    @property
    def inset(self) -> float:
        """The width of the margin around the board."""
        return self.margin if self.look.coordinates else 0.1

    @property
    def area(self) -> tuple[float, float]:
        """Width and height of the board itself."""
        return self.columns, self.rows

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole picture: board, margin and the room below."""
        return self.columns + 2 * self.inset, self.rows + 2 * self.inset + self.below


Shape = str | tuple[str, ...]
"""A piece of SVG; or several that follow one another, the whole of which is often the same in the next picture."""


class Svg(str):
    """A picture as text that still knows the pieces it was joined from: those who store many pictures share them."""

    start: str
    """The start tag."""
    head: str
    """What is not drawn: title and style."""
    shapes: Sequence[Shape]
    """The rest, up to the end tag."""

    @classmethod
    def of(cls, start: str, head: str, shapes: Sequence[Shape]) -> Svg:
        """The picture of these pieces."""
        svg = cls(f"{start}{head}{_joined(shapes)}</svg>")
        svg.start, svg.head, svg.shapes = start, head, shapes
        return svg


def _joined(shapes: Iterable[Shape]) -> str:
    return "".join([shape if isinstance(shape, str) else "".join(shape) for shape in shapes])


class Picture:
    """An SVG in the making: add shapes from the bottom to the top, then take ``svg()``."""

    def __init__(self, grid: Grid, colors: Mapping[str, tuple[str, str]], title: str) -> None:
        self.grid = grid
        self._colors = {**PALETTE, **colors}
        self._title = title
        self._parts: list[Shape] = []
        self._moment = ""

    def color(self, name: str) -> str:
        """The value to write into a ``fill`` or ``stroke`` for the colour called ``name``."""
        light, dark = self._colors[name]
        match self.grid.look.theme:
            case "light":
                return light
            case "dark":
                return dark
            case "auto":
                return f"var(--sl-{name},{light})"

    def moment(self, turn: int, moved: Sequence[Square]) -> None:
        """Say in the picture itself when it was and what the last move did, for scripts that animate it.

        ``moved`` are the squares of that move; of two, a piece went from the first to the second.
        """
        step = ""
        if len(moved) == 2:
            (x0, y0), (x1, y1) = map(self.grid.corner, moved)
            step = f' data-step="{x1 - x0:g} {y1 - y0:g}"'
        self._moment = f' data-turn="{turn}" data-last="{" ".join(map(square_key, moved))}"{step}'

    @contextmanager
    def piece(self, square: Square) -> Iterator[None]:
        """What is added meanwhile is the piece on ``square``, which scripts can find and move."""
        self.add(f'<g data-at="{square_key(square)}">')
        yield
        self.add("</g>")

    def add(self, shape: Shape) -> None:
        """Put a piece of SVG on top."""
        self._parts.append(shape)

    @property
    def body(self) -> str:
        """All that was added so far, to be kept and added to other pictures of the same look."""
        return _joined(self._parts)

    def square(
        self, square: Square, color: str, *, opacity: float = 1.0, inset: float = 0.0, radius: float = 0.0
    ) -> None:
        """Fill one square."""
        see_through = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
        rounded = f' rx="{radius:g}"' if radius else ""
        self.add(f'{self._cell(square, inset, rounded)} fill="{self.color(color)}"{see_through}/>')

    def frame(self, square: Square, color: str, *, width: float = 0.08, level: int = 0) -> None:
        """Draw a frame just inside one square, or inside so many others there."""
        shape = self._cell(square, width / 2 + level * 1.4 * width, ' rx="0.1"')
        self.add(f'{shape} fill="none" stroke="{self.color(color)}" stroke-width="{width:g}"/>')

    def _cell(self, square: Square, inset: float, rounded: str) -> str:
        """The beginning of the element that is a square, or a cell of another shape, without ``inset`` on each side."""
        outline = self.grid.outline(square)
        if len(outline) == 4:
            (x, y), side = outline[0], 1 - 2 * inset
            return f'<rect x="{x + inset:g}" y="{y + inset:g}" width="{side:g}" height="{side:g}"{rounded}'
        cx, cy = self.grid.centre(square)
        scale = 1 - 2 * inset
        points = [(cx + (x - cx) * scale, cy + (y - cy) * scale) for x, y in outline]
        return f'<path d="{_polygon(points)}" stroke-linejoin="round"'

    def label(
        self, at: tuple[float, float], text: str, color: str = "faint", *, size: float = 0.34, bold: bool = False
    ) -> None:
        """Write a short text centred at a point in picture units."""
        weight = ' font-weight="bold"' if bold else ""
        self.add(
            f'<text x="{at[0]:g}" y="{at[1] + size * 0.35:g}" font-size="{size:g}" text-anchor="middle"{weight} '
            f'fill="{self.color(color)}">{escape(text, quote=False)}</text>'
        )

    def coordinates(self, columns: Iterable[str], rows: Iterable[str], *, size: float = 0.34) -> None:
        """Write the names of columns and rows on all four sides, where the look wants them."""
        grid = self.grid
        if not grid.look.coordinates:
            return
        width, height = grid.extent
        near = grid.inset / 2
        for x, name in enumerate(columns):
            middle = grid.centre((x, 0))[0]
            self.label((middle, near), name, size=size)
            self.label((middle, height - grid.below - near), name, size=size)
        for y, name in enumerate(rows):
            middle = grid.centre((0, y))[1]
            self.label((near, middle), name, size=size)
            self.label((width - near, middle), name, size=size)

    def spotlight(self, squares: Iterable[Square]) -> None:
        """Leave these squares in the light, with a line around them, and the rest of the board in the shade."""
        outlines = [self.grid.outline(square) for square in squares]
        if not outlines or not self.grid.look.result:
            return
        inset, (width, height) = self.grid.inset, self.grid.area
        self.add(
            f'<path d="M{inset:g} {inset:g}h{width:g}v{height:g}h-{width:g}Z{"".join(map(_polygon, outlines))}" '
            f'fill="{self.color("paper")}" fill-opacity="0.55" fill-rule="evenodd"/><path d="{_edges(outlines)}" '
            f'fill="none" stroke="{self.color("last")}" stroke-width="0.12" stroke-linecap="round"/>'
        )

    def highlights_and_arrows(self) -> None:
        """Draw what the look asks for on top of the pieces."""
        self._heat_map()
        frames: dict[Square, list[str]] = {}
        for highlight in reversed(self.grid.look.highlights):  # The last one is the most important: it lies outside.
            colors = frames.setdefault(highlight.square, [])
            if highlight.color not in colors:
                self.frame(highlight.square, highlight.color, level=len(colors))
                colors.append(highlight.color)
        for arrow in self.grid.look.arrows:
            self.arrow(arrow)

    def _heat_map(self) -> None:
        """Colour the cells by their values: from weak to strong, or on both sides of zero in two colours."""
        values = self.grid.look.values
        low, high = min((each.value for each in values), default=0), max((each.value for each in values), default=0)
        for each in values:
            if low < 0 < high:
                share = abs(each.value) / max(-low, high)
            else:
                share = 0.5 if low == high else (each.value - low) / (high - low)
            is_cold = each.value < 0 < high
            self.square(each.square, "cold" if is_cold else "heat", opacity=round(0.15 + 0.6 * share, 2), inset=0.04)
        for each in values:
            x, y = self.grid.centre(each.square)
            size = 0.4 if len(each.label) <= 2 else 0.32 if len(each.label) <= 4 else 0.24
            self.add(
                f'<text x="{x:g}" y="{y + size * 0.35:g}" font-size="{size:g}" text-anchor="middle" '
                f'font-weight="bold" fill="{self.color("ink")}" stroke="{self.color("paper")}" stroke-width="0.09" '
                f'stroke-linejoin="round" paint-order="stroke">{escape(each.label, quote=False)}</text>'
            )

    def arrow(self, arrow: Arrow) -> None:
        """Draw one arrow from the middle of a square to the middle of another."""
        (x0, y0), (x1, y1) = self.grid.centre(arrow.start), self.grid.centre(arrow.end)
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        neck_x, neck_y = x1 - 0.38 * ux, y1 - 0.38 * uy
        color = self.color(arrow.color)
        self.add(
            f'<g opacity="0.85"><path d="M{x0 + 0.2 * ux:.3f} {y0 + 0.2 * uy:.3f}L{neck_x:.3f} {neck_y:.3f}" '
            f'stroke="{color}" stroke-width="0.14" stroke-linecap="round" fill="none"/>'
            f'<path d="M{x1:.3f} {y1:.3f}L{neck_x - 0.2 * uy:.3f} {neck_y + 0.2 * ux:.3f}'
            f'L{neck_x + 0.2 * uy:.3f} {neck_y - 0.2 * ux:.3f}Z" fill="{color}"/></g>'
        )

    def svg(self) -> Svg:
        """The finished picture."""
        width, height = self.grid.extent
        size = self.grid.look.size
        style = ""
        if self.grid.look.theme == "auto":
            style = _dark_style(tuple(self._colors.items()))
        start = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="sl-board" role="img"{self._moment} width="{size}" '
            f'height="{size * height / width:.0f}" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif">'
        )
        return Svg.of(start, f"<title>{escape(self._title, quote=False)}</title>{style}", self._parts)


@lru_cache(maxsize=64)
def _dark_style(colors: tuple[tuple[str, tuple[str, str]], ...]) -> str:
    dark = "".join(f"--sl-{name}:{value};" for name, (_, value) in colors)
    return f"<style>@media(prefers-color-scheme:dark){{svg.sl-board{{{dark}}}}}</style>"


def _polygon(points: Iterable[Point]) -> str:
    """The polygon with these corners, as a path."""
    return f"M{'L'.join(map(_point, points))}Z"


@lru_cache(maxsize=4096)
def _point(point: Point) -> str:
    return f"{round(point[0], 3):g} {round(point[1], 3):g}"


def _edges(outlines: Iterable[Sequence[Point]]) -> str:
    """The sides of cells that no other of them shares, as a path."""
    sides: dict[tuple[str, str], None] = {}
    for outline in outlines:
        points = list(map(_point, outline))
        for one, two in zip(points, (*points[1:], points[0]), strict=True):
            side = (one, two) if one < two else (two, one)
            if side in sides:  # That of a neighbour too.
                del sides[side]
            else:
                sides[side] = None
    return "".join([f"M{one}L{two}" for one, two in sides])


# --- the terminal -----------------------------------------------------------------------------------------------------


def terminal_has_colors() -> bool:
    """Whether standard output is a terminal that shows colours (``NO_COLOR`` and ``FORCE_COLOR`` decide first)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


_StateT_contra = TypeVar("_StateT_contra", contravariant=True)


class DrawText(Protocol[_StateT_contra]):
    """How a game draws a position for a terminal."""

    def __call__(self, state: _StateT_contra, colored: bool, language: Language = "en", /) -> str:
        """The board, with colours or without, and under it who is to move."""
        ...


def paint(text: str, code: str, colored: bool) -> str:
    """``text`` in the ANSI style ``code`` (``"31;1"``), or as it is without colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if colored else text


def caption(
    outcome: Outcome | None, round_number: int, teams: tuple[Text, Text], to_move: Text, *details: Text
) -> Text:
    """The line under a board in a terminal: the round, who is to move or how the game ended, and what else counts."""
    now = Text(f"{to_move.de} am Zug", f"{to_move.en} to move") if outcome is None else outcome.describe_colors(teams)
    parts = [Text(f"Runde {round_number}", f"round {round_number}"), now, *details]
    return Text(", ".join(part.de for part in parts), ", ".join(part.en for part in parts))


# --- states that draw themselves --------------------------------------------------------------------------------------


class SelfDrawing:
    """Base of a state that shows itself: as text where it is printed, as a picture in a notebook.

    Rules do not import drawing. A game's package hands its drawing over once, with ``draw_with``.
    """

    __slots__ = ()

    _draw: ClassVar[Callable[[Any, Look], str]]
    _draw_text: ClassVar[DrawText[Any]]

    @classmethod
    def draw_with(cls, draw: Callable[[Any, Look], str], draw_text: DrawText[Any]) -> None:
        """Show states of this class as the two functions of their ``Game`` draw them."""
        cls._draw, cls._draw_text = draw, draw_text

    def __str__(self) -> str:
        return type(self)._draw_text(self, terminal_has_colors(), system_language())

    def _repr_svg_(self) -> str:
        return type(self)._draw(self, Look())
