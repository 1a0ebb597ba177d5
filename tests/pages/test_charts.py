"""The diagrams: where things lie, and that nothing in them can do harm."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from spielleiter.game import Team
from spielleiter.pages import charts
from spielleiter.rating.bradley_terry import Rating


def rating(elo: float, margin: float) -> Rating:
    return Rating("x", elo, margin, 10, 0.5, None)


@pytest.mark.parametrize("elos", [[(0, 0)], [(-3, 1), (4, 2)], [(120, 80), (-120, 95)], [(900, 700), (-2000, 100)]])
def test_a_scale_has_room_for_every_interval(elos: list[tuple[float, float]]) -> None:
    ratings = [rating(*each) for each in elos]
    scale = charts.elo_scale(ratings)
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
    drawn = charts.rating_curve(points, "de", '"><script>alert(1)</script>')
    assert drawn is not None
    tree = ET.fromstring(drawn)
    assert len(tree.findall("circle")) == 30
    assert "<script" not in drawn
    assert "−100" in drawn
    assert len([text for text in tree.findall("text") if (text.text or "").startswith("M")]) <= 8
    assert charts.rating_curve(points[:1], "de", "x") is None


def test_times_stand_against_their_limit() -> None:
    drawn = charts.time_bars([(Team.ONE, 0.5), (Team.TWO, 2.0), (Team.ONE, None)], 2.0, "de", 2)
    assert drawn is not None
    heights = [float(height) for height in re.findall(r'height="([0-9.]+)">', drawn)]
    assert heights[1] == pytest.approx(4 * heights[0], rel=0.02)
    line = float(re.findall(r'd="M0 ([0-9.]+)H320"', drawn)[0])
    assert line == pytest.approx(90 - heights[1], abs=0.2)
    assert 'class="bar two now" data-ply="2"' in drawn
    assert "höchstens 2,00 s, erlaubt 2 s" in drawn
    assert charts.time_bars([(Team.ONE, None)], 2.0, "en") is None


def test_the_time_of_a_move_lies_below_its_step_of_the_curve() -> None:
    times = [(Team.ONE, 0.5), (Team.TWO, 0.5), (Team.ONE, 0.5), (Team.TWO, 0.5)]
    bars = charts.time_bars(times, 2.0, "de", fills_width=True)
    curve = charts.chance_curve([0.5] * 5, [3], "de")
    assert bars is not None
    bar_width, curve_width = (int(re.findall(r'viewBox="0 0 (\d+) ', drawn)[0]) for drawn in (bars, curve))
    left, width = re.findall(r'data-ply="3" x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"', bars)[0]
    middle = (float(left) + float(width) / 2) / bar_width
    assert middle == pytest.approx((2 / 4 + 3 / 4) / 2, abs=0.01)
    assert float(re.findall(r'class="turn" d="M([0-9.]+) ', curve)[0]) / curve_width == pytest.approx(3 / 4)


def test_where_the_chance_is_not_known_the_curve_has_a_gap() -> None:
    curve = charts.chance_curve([0.1, 0.1, None, 0.1, None, 0.1, 0.1], [], "en")
    ways = re.findall(r'class="chance" d="([^"]+)"', curve)
    assert ways == ["M0.0 144.0L120.0 144.0", "M360.0 144.0h0", "M600.0 144.0L720.0 144.0"]
    assert re.findall(r'data-ply="(\d)"', curve) == ["0", "1", "3", "5", "6"]
    assert "50" not in re.sub(r"[\d.]*\d\.\d", "", curve.split("<title>", 1)[1])


def test_a_small_course_is_drawn_as_a_line() -> None:
    drawn = charts.sparkline([rating(0, 1), rating(10, 1), rating(-5, 1)])
    assert drawn is not None
    assert drawn.count("L") == 2
    assert charts.sparkline([rating(0, 1)]) is None


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 7), (-3.5, 96), (41, 61), (0, 30_000)])
def test_marks_are_round_numbers_with_room_for_all(low: float, high: float) -> None:
    scale = charts.scale(low, high)
    assert scale.low <= low < high <= scale.high
    assert 2 <= len(scale.marks) <= 10
    step = scale.marks[1] - scale.marks[0]
    assert f"{step:.0e}"[0] in "125"


def test_a_match_is_drawn_with_its_interval_and_open_ends_reach_the_edge() -> None:
    drawn = charts.elo_course([(1, 400.0, None, None), (2, 120.0, -80.0, None), (3, 60.0, -90.0, 210.0)], "en", "<b>")
    assert drawn is not None
    tree = ET.fromstring(drawn)
    band = next(path for path in tree.findall("path") if path.get("class") == "band").get("d") or ""
    assert band.count("L") == 5
    assert "12.0" in band  # The upper edge of the plot.
    assert "<b>" not in drawn
    assert charts.elo_course([], "en", "x") is None


def test_times_of_moves_are_a_line_for_each_player_up_to_all_moves() -> None:
    drawn = charts.time_distribution({"<i>ada": [0.01, 0.1, 1.0], "bob": [0.5], "idle": []}, 2.0, "de")
    assert drawn is not None
    assert drawn.count('class="line series-') == 2
    assert "0,01" in drawn
    assert "&lt;i&gt;ada" in drawn
    assert "idle" not in drawn
    assert charts.time_distribution({"idle": []}, 2.0, "de") is None


def test_every_game_is_in_one_column_of_the_lengths() -> None:
    drawn = charts.length_histogram([10, 10, 11, 95], "en")
    assert drawn is not None
    titles = [title.text or "" for title in ET.fromstring(drawn).iter("title")]
    assert sum(int(title.split(": ")[1]) for title in titles) == 4
    assert charts.length_histogram([], "en") is None


def test_a_few_games_have_whole_numbers_on_their_axis_and_none_twice() -> None:
    assert charts.scale(0, 2, min_step=1).marks == (0, 1, 2)
    drawn = str(charts.length_histogram([0, 1], "en"))
    labels = re.findall(r"<text[^>]*>(\d+)</text>", drawn)
    assert labels == ["0", "1", "0", "1", "2"]


def test_what_players_noted_of_their_chance_is_a_line_from_the_side_of_the_first() -> None:
    curve = charts.chance_curve([0.5, 0.5, 0.5], (), "en", {Team.ONE: [0.75, None], Team.TWO: [None, 0.75]})
    assert '<path class="noted one" d="M0.0 40.0"/>' in curve
    assert '<path class="noted two" d="M360.0 120.0"/>' in curve
    assert "noted" not in charts.chance_curve([0.5, 0.5], (), "en", {Team.ONE: [None]})
