"""The diagrams: where things lie, and that nothing in them can do harm."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from spielleiter.pages.season import charts
from spielleiter.rating.bradley_terry import Rating


def rating(elo: float, margin: float) -> Rating:
    return Rating("x", elo, margin, 10, 0.5, None)


@pytest.mark.parametrize("elos", [[(0, 0)], [(-3, 1), (4, 2)], [(120, 80), (-120, 95)], [(900, 700), (-2000, 100)]])
def test_a_scale_has_room_for_every_interval(elos: list[tuple[float, float]]) -> None:
    ratings = [rating(*each) for each in elos]
    scale = charts.scale(ratings)
    assert scale.low <= min(each.low for each in ratings)
    assert scale.high >= max(each.high for each in ratings)
    assert 2 <= len(scale.marks) <= 11
    assert (scale.share(scale.low), scale.share(scale.high)) == (0, 1)


def test_an_interval_is_drawn_from_end_to_end() -> None:
    drawn = charts.interval(rating(50, 25), charts.Scale(0, 100, (0, 50, 100)))
    assert 'class="range" d="M250 12H750"' in drawn
    assert 'class="value" d="M500 4v16"' in drawn


def test_a_curve_has_a_point_for_each_day_and_tells_its_name_safely() -> None:
    points = [(f"M{day}", rating(10 * day, 100 - day)) for day in range(30)]
    drawn = charts.curve(points, "de", '"><script>alert(1)</script>')
    assert drawn is not None
    tree = ET.fromstring(drawn)
    assert len(tree.findall("circle")) == 30
    assert "<script" not in drawn
    assert "−100" in drawn
    assert len([text for text in tree.findall("text") if (text.text or "").startswith("M")]) <= 8
    assert charts.curve(points[:1], "de", "x") is None


def test_times_stand_against_their_limit() -> None:
    drawn = charts.times([(0, 0.5), (1, 2.0), (0, None)], 2.0, "en")
    assert drawn is not None
    heights = [float(height) for height in re.findall(r'height="([0-9.]+)">', drawn)]
    assert heights[1] == pytest.approx(4 * heights[0], rel=0.02)
    line = float(re.findall(r'd="M0 ([0-9.]+)H24"', drawn)[0])
    assert line == pytest.approx(90 - heights[1], abs=0.2)
    assert charts.times([(0, None)], 2.0, "en") is None


def test_a_small_course_is_drawn_as_a_line() -> None:
    drawn = charts.sparkline([rating(0, 1), rating(10, 1), rating(-5, 1)])
    assert drawn is not None
    assert drawn.count("L") == 2
    assert charts.sparkline([rating(0, 1)]) is None
