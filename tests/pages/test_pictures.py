"""Pictures to take home: they have text on machines without fonts, and say who plays and when it is."""

from __future__ import annotations

import io
from random import Random

import pytest

from spielleiter import games
from spielleiter.game import Look
from spielleiter.pages import pictures

resvg = pytest.importorskip("resvg_py")
image = pytest.importorskip("PIL.Image")
GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(1))
CAPTION = ("Ada – Žofie <& Łukasz>", "Zug 3 von 12 · Rot: A1 nach B2")


def dark_pixels(png: bytes, height: int) -> int:
    with image.open(io.BytesIO(png)) as picture:
        top = picture.convert("L").crop((0, 0, picture.width, height))
        return sum(top.histogram()[:120])


def test_text_is_drawn_without_any_font_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_fonts(**options: object) -> bytes:
        return bytes(resvg.svg_to_bytes(**options, skip_system_fonts=True))

    monkeypatch.setattr(pictures, "import_module", lambda name: type("Module", (), {"svg_to_bytes": without_fonts}))
    written = pictures.png(GAME, START, CAPTION, size=400)
    empty = pictures.png(GAME, START, ("", ""), size=400)
    assert dark_pixels(written, 50) > dark_pixels(empty, 50) + 300


def test_an_svg_brings_its_font_and_its_caption_is_escaped() -> None:
    svg = pictures.svg(GAME, START, CAPTION)
    assert svg.count("@font-face") == 2
    assert "Ada – Žofie &lt;&amp; Łukasz&gt;" in svg
    assert pictures.rasterize(svg).startswith(b"\x89PNG")


def test_a_board_in_a_picture_keeps_its_shape() -> None:
    game = games.load("blokus-2027")
    state = game.new_state(Random(1))
    with image.open(io.BytesIO(pictures.png(game, state, CAPTION, size=300))) as picture:
        width, height = picture.size
    plain = game.draw(state, Look(size=300))
    assert width == 300
    assert abs(height - 0.13 * 300 - float(plain.split('height="')[1].split('"')[0])) <= 1


def test_a_film_tells_how_far_it_is() -> None:
    states = [START, START.play(START.legal_moves()[0])]
    told: list[tuple[int, int]] = []
    film = pictures.gif(GAME, states, [CAPTION] * 2, size=120, progress=lambda *step: told.append(step))
    assert told == [(1, 2), (2, 2)]
    with image.open(io.BytesIO(film)) as picture:
        assert picture.n_frames == 2
