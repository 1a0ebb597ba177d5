"""Pictures to take home: they have text on machines without fonts, and say who plays and when it is."""

from __future__ import annotations

import io
import re
from importlib import import_module
from random import Random

import pytest

from spielleiter import games
from spielleiter.game import Look
from spielleiter.pages import pictures
from spielleiter.pages.pictures import Caption
from tests.support.histories import history_of

resvg = pytest.importorskip("resvg_py")
image = pytest.importorskip("PIL.Image")
GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(1))
CAPTION = Caption(("Ada", "Žofie <& Łukasz>"), "Zug 3 von 12 · Rot: A1 nach B2")


def dark_pixels(png: bytes, height: int) -> int:
    with image.open(io.BytesIO(png)) as picture:
        top = picture.convert("L").crop((0, 0, picture.width, height))
        return sum(top.histogram()[:120])


def test_text_is_drawn_without_any_font_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_fonts(**options: object) -> bytes:
        return bytes(resvg.svg_to_bytes(**options, skip_system_fonts=True))

    module = type("Module", (), {"svg_to_bytes": without_fonts})
    monkeypatch.setattr(pictures, "import_module", lambda name: module if name == "resvg_py" else import_module(name))
    written = pictures.png(GAME, START, CAPTION, size=400)
    empty = pictures.png(GAME, START, Caption(("", ""), ""), size=400)
    assert dark_pixels(written, 50) > dark_pixels(empty, 50) + 300


def test_an_svg_brings_its_font_and_its_caption_is_escaped() -> None:
    svg = pictures.svg(GAME, START, CAPTION)
    assert svg.count("@font-face") == 2
    assert "Ada – Žofie &lt;&amp; Łukasz&gt;" in svg
    assert pictures.rasterize(svg).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "names",
    [
        ("W" * 80, "M" * 80),
        ("Die unbesiegbaren Piranhas vom Gymnasium am Meer", "Softwareteam des Carl-Friedrich-Gauß-Gymnasiums"),
        ("漢" * 60, "🐟" * 60),
        ("👩\u200d💻" * 40, "e\u0301" * 90),
    ],
)
def test_long_names_are_shortened_to_a_readable_size_and_whole_in_the_title(names: tuple[str, str]) -> None:
    drawing = pictures.captioned(GAME.draw(START, Look(size=360)), Caption(names, "Zug 3"), 360, "light")
    assert f"<title>{names[0]} – {names[1]}, Zug 3</title>" in drawing
    found = re.search(r'font-size="([0-9.]+)" text-anchor="middle" fill="[^"]+" font-weight="bold">([^<]+)<', drawing)
    assert found is not None
    assert float(found[1]) >= 11
    for name, shown in zip(names, found[2].split(" – "), strict=True):
        assert shown.endswith("…")
        assert name.startswith(shown[:-1])
        assert shown[-2] != "\u200d"
        assert len(shown) >= 8


def test_a_short_name_leaves_its_room_to_a_long_one() -> None:
    long = "Softwareteam des Gymnasiums am Meer in Kiel"
    names = Caption(("Ada", long), "")
    shown = pictures.captioned(GAME.draw(START, Look(size=360)), names, 360, "light").split("</title>")[1]
    assert f">Ada – {long[:30]}" in shown


def test_no_text_is_wider_than_its_picture() -> None:
    names = ("W" * 80, "Wi" * 40)
    png = pictures.png(GAME, START, Caption(names, "W" * 200), size=360)
    with image.open(io.BytesIO(png)) as picture:
        edges = picture.convert("L")
        for left in (0, 355):
            assert edges.crop((left, 0, left + 5, 46)).getextrema()[0] > 200


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
    steps: list[tuple[int, int]] = []
    film = pictures.gif(history_of(states), [CAPTION] * 2, size=120, progress=lambda *step: steps.append(step))
    assert steps == [(1, 2), (2, 2)]
    with image.open(io.BytesIO(film)) as picture:
        assert picture.n_frames == 2
