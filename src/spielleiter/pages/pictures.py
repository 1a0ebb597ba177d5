"""Pictures beside those of boards: SVG, PNG and animated GIF to take home, and QR codes.

Their text is written in a font that is shipped (a part of DejaVu Sans, see ``fonts/LICENSE.txt``), so that it is there
on machines without any; what that font lacks comes from the machine.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import escape

import segno
from markupsafe import Markup

from spielleiter.game import AnyGame, Look
from spielleiter.game.drawing import PALETTE

Theme = Literal["light", "dark"]
Caption = tuple[str, str]
"""Two lines above a board: who plays, and when in the game it is or how it ended."""
_MAX_FRAMES = 200
_FONTS = Path(__file__).parent / "fonts"
FONT_FILES = (_FONTS / "DejaVuSans.ttf", _FONTS / "DejaVuSans-Bold.ttf")
_FAMILY = "DejaVu Sans"
_HEAD = 0.13
"""The height of a caption, as a share of the width of the picture."""


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
    lines = "".join(
        f'<text x="{size / 2:g}" y="{y * head:g}" font-size="{_fitting(text, share * head, size):g}" '
        f'text-anchor="middle" fill="{color}"{weight}>{escape(text)}</text>'
        for text, y, share, color, weight in (
            (caption[0], 0.45, 0.34, ink, ' font-weight="bold"'),
            (caption[1], 0.88, 0.28, faint, ""),
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{head + height:.0f}" '
        f'viewBox="0 0 {size} {head + height:g}" font-family="{_FAMILY}, sans-serif">'
        f'<rect width="100%" height="100%" fill="{paper}"/>{lines}{nested(board, 0, head, size, height)}</svg>'
    )


def _fitting(text: str, size: float, width: float) -> float:
    """The font size, or less if the text would be wider than the picture."""
    return min(size, 0.96 * width / (0.62 * max(1, len(text))))


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
    game: AnyGame,
    states: Sequence[Any],
    captions: Sequence[Caption],
    *,
    size: int = 360,
    milliseconds: int = 700,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> bytes:
    """The game as an animated GIF; a very long one shows every second, third ... position.

    ``progress`` is called with the number of pictures that are drawn, and of all.
    """
    image = import_module("PIL.Image")
    every = 1 + (len(states) - 1) // _MAX_FRAMES
    chosen = [*range(0, len(states) - 1, every), len(states) - 1]
    frames = []
    for ply in chosen:
        with image.open(io.BytesIO(png(game, states[ply], captions[ply], size=size))) as picture:
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
