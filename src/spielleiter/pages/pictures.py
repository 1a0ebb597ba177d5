"""Pictures beside those of boards: SVG, PNG and animated GIF to take home, and QR codes.

Their text is written in a font that is shipped (a part of DejaVu Sans, see ``fonts/LICENSE.txt``), so that it is there
on machines without any; what that font lacks comes from the machine.
"""

from __future__ import annotations

import base64
import io
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import escape

import segno
from markupsafe import Markup

from spielleiter.game import AnyGame, Look
from spielleiter.game.drawing import PALETTE
from spielleiter.records.history import History

Theme = Literal["light", "dark"]
_MAX_FRAMES = 200
_FONTS = Path(__file__).parent / "fonts"
FONT_FILES = (_FONTS / "DejaVuSans.ttf", _FONTS / "DejaVuSans-Bold.ttf")
_FAMILY = "DejaVu Sans"
_HEAD = 0.13
"""The height of a caption, as a share of the width of the picture."""
_TEXT_WIDTH = 0.96
"""The picture's."""
_SMALLEST = 0.7
"""How much smaller a long text is written; a longer one is shortened."""
_WIDE = 1.25
"""The width of a Chinese character or an emoji, which the shipped font lacks, in font sizes; of most it is less."""
_BETWEEN = " – "


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands above a board: who plays, and when in the game it is or how it ended."""

    names: tuple[str, str]
    moment: str


def rasterize(svg: str) -> bytes:
    """An SVG picture as PNG."""
    render = import_module("resvg_py").svg_to_bytes
    return bytes(render(svg_string=svg, font_files=[str(path) for path in FONT_FILES], sans_serif_family=_FAMILY))


def nested(svg: str, x: float, y: float, width: float, height: float) -> str:
    """A whole picture as part of another one, at this place and of this size."""
    rest = re.sub(r' (width|height)="[0-9.]+"', "", svg.removeprefix("<svg"), count=2)
    return f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{rest}'


def captioned(board: str, caption: Caption, size: int, theme: Theme) -> str:
    """The picture of a board with a caption above it."""
    found = re.search(r'height="([0-9.]+)"', board)
    assert found is not None
    head, height = _HEAD * size, float(found[1])
    paper, ink, faint = (PALETTE[name][theme == "dark"] for name in ("paper", "ink", "faint"))
    lines = ""
    for texts, y, share, color, weight in (
        (caption.names, 0.45, 0.34, ink, "bold"),
        ((caption.moment,), 0.88, 0.28, faint, "normal"),
    ):
        text, font_size = _fitting(texts, share * head, size, bold=weight == "bold")
        lines += (
            f'<text x="{size / 2:g}" y="{y * head:g}" font-size="{font_size:g}" text-anchor="middle" fill="{color}" '
            f'font-weight="{weight}">{escape(text)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{head + height:.0f}" '
        f'viewBox="0 0 {size} {head + height:g}" font-family="{_FAMILY}, sans-serif">'
        f"<title>{escape(f'{_BETWEEN.join(caption.names)}, {caption.moment}')}</title>"
        f'<rect width="100%" height="100%" fill="{paper}"/>{lines}{nested(board, 0, head, size, height)}</svg>'
    )


def _fitting(texts: Sequence[str], font_size: float, width: float, *, bold: bool) -> tuple[str, float]:
    """A line of these texts and its font size: smaller if it is long, and if it is longer, the longest is shortened."""
    room, line = _TEXT_WIDTH * width / font_size, _BETWEEN.join(texts)
    smaller = min(1.0, max(_SMALLEST, room / max(1.0, _width(line, bold))))
    room = room / smaller - (len(texts) - 1) * _width(_BETWEEN, bold)
    widths = [_width(text, bold) for text in texts]
    spare = [max(room / len(texts), room - (sum(widths) - own)) for own in widths]
    return _BETWEEN.join(map(_shortened, texts, spare, repeat(bold))), smaller * font_size


def _shortened(text: str, room: float, bold: bool) -> str:
    """The beginning of the text that fits, with an ellipsis if that is not all."""
    if _width(text, bold) <= room:
        return text
    while text and _width(f"{text}…", bold) > room:
        text = text[:-1]
    while text and (text[-1].isspace() or unicodedata.category(text[-1]) == "Cf"):  # Half of a compound emoji.
        text = text[:-1]
    return f"{text}…"


def _width(text: str, bold: bool) -> float:
    """Width of the text in multiples of the font size."""
    return sum(_character_width(character, bold) for character in text)


@lru_cache(maxsize=4096)
def _character_width(character: str, bold: bool) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return _WIDE
    return float(_font(bold).getlength(character)) / _MEASURED


_MEASURED = 100
"""The font size in which characters are measured."""


@cache
def _font(bold: bool) -> Any:
    return import_module("PIL.ImageFont").truetype(str(FONT_FILES[bold]), _MEASURED)


def svg(game: AnyGame, state: Any, caption: Caption, *, size: int = 720, theme: Theme = "light") -> str:
    """The position as an SVG picture that brings its font."""
    picture = captioned(game.draw(state, Look(theme=theme, size=size)), caption, size, theme)
    return picture.replace(">", f"><defs><style>{_font_faces()}</style></defs>", 1)


@cache
def _font_faces() -> str:
    faces = []
    for path, weight in zip(FONT_FILES, ("normal", "bold"), strict=True):
        data = base64.b64encode(path.read_bytes()).decode()
        faces.append(f"@font-face{{font-family:'{_FAMILY}';font-weight:{weight};src:url(data:font/ttf;base64,{data})}}")
    return "".join(faces)


def png(game: AnyGame, state: Any, caption: Caption, *, size: int = 720, theme: Theme = "light") -> bytes:
    """The position as a PNG picture of so many pixels' width."""
    return rasterize(captioned(game.draw(state, Look(theme=theme, size=size)), caption, size, theme))


def gif(
    history: History,
    captions: Sequence[Caption],
    *,
    size: int = 360,
    milliseconds: int = 700,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> bytes:
    """The game as an animated GIF; a very long one shows every second, third ... position.

    ``progress`` is called with the number of pictures that are drawn, and of all.
    """
    image, states = import_module("PIL.Image"), history.states
    every = 1 + (len(states) - 1) // _MAX_FRAMES
    chosen = [*range(0, len(states) - 1, every), len(states) - 1]
    frames = []
    for ply in chosen:
        with image.open(io.BytesIO(png(history.game, states[ply], captions[ply], size=size))) as picture:
            frames.append(picture.convert("RGB").quantize(96))
        progress(len(frames), len(chosen))
    file = io.BytesIO()
    durations = [milliseconds] * (len(frames) - 1) + [4 * milliseconds]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return file.getvalue()


@lru_cache(maxsize=64)
def qr_code(url: str) -> Markup:
    """The address as a picture that phones read."""
    svg = segno.make(url, error="m").svg_inline(omitsize=True, border=2, dark="#000", light="#fff")
    return Markup(svg)  # noqa: S704 - squares only
