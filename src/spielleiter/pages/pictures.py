"""Pictures beside those of boards: PNG and animated GIF to take home, and QR codes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Literal

import segno
from markupsafe import Markup

from spielleiter.game import AnyGame, Look

_MAX_FRAMES = 200


def rasterize(svg: str) -> bytes:
    """An SVG picture as PNG."""
    return bytes(import_module("resvg_py").svg_to_bytes(svg_string=svg))


def png(game: AnyGame, state: Any, *, size: int = 720, theme: Literal["light", "dark"] = "light") -> bytes:
    """The position as a PNG picture of so many pixels' width."""
    return rasterize(game.draw(state, Look(theme=theme, size=size)))


def gif(game: AnyGame, states: Sequence[Any], *, size: int = 360, milliseconds: int = 700) -> bytes:
    """The game as an animated GIF; a very long one shows every second, third ... position."""
    image = import_module("PIL.Image")
    every = 1 + (len(states) - 1) // _MAX_FRAMES
    chosen = [*states[:-1:every], states[-1]]
    frames = []
    for state in chosen:
        with image.open(io.BytesIO(png(game, state, size=size))) as picture:
            frames.append(picture.convert("RGB").quantize(96))
    file = io.BytesIO()
    durations = [milliseconds] * (len(frames) - 1) + [4 * milliseconds]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return file.getvalue()


@lru_cache(maxsize=64)
def qr_code(url: str) -> Markup:
    """The address as a picture that phones read."""
    svg = segno.make(url, error="m").svg_inline(omitsize=True, border=2, dark="#000", light="#fff")
    return Markup(svg)  # noqa: S704 - squares only
