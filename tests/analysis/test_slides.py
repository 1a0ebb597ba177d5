"""Slow slides in curves that were drawn by hand."""

from __future__ import annotations

from spielleiter.analysis import Slide, find_slides
from spielleiter.game import Team


def test_a_slide_is_found_between_its_flat_ends() -> None:
    rise = [0.45 + 0.0325 * step for step in range(17)]
    [slide] = find_slides([*[0.45] * 26, *rise, *[0.97] * 10], ())
    assert (slide.first, slide.last) in {(26, 41), (27, 41), (26, 42), (27, 42)}
    assert slide.team is Team.ONE
    assert slide.after - slide.before > 0.4


def test_the_chance_of_a_slide_is_that_of_the_side_that_gains() -> None:
    [slide] = find_slides([0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], ())
    assert slide.team is Team.TWO
    assert (round(slide.before, 2), round(slide.after, 2)) == (0.2, 0.8)


def test_a_blunder_explains_a_change_by_itself() -> None:
    jump = [0.5, 0.5, 0.5, 0.9, 0.9, 0.9, 0.9, 0.9]
    assert find_slides(jump, [3]) == []
    assert find_slides(jump, []) == []  # Too short for a slide.


def test_a_slide_goes_on_over_a_small_recovery_and_ends_at_a_large_one() -> None:
    small = [0.2, 0.3, 0.4, 0.35, 0.5, 0.6, 0.7]
    assert [(slide.first, slide.last) for slide in find_slides(small, ())] == [(0, 6)]
    there_and_back = [0.2, 0.35, 0.5, 0.65, 0.8, 0.65, 0.5, 0.35, 0.2]
    assert [slide.team for slide in find_slides(there_and_back, ())] == [Team.ONE, Team.TWO]


def test_a_curve_that_hardly_moves_has_no_slide() -> None:
    assert find_slides([], ()) == find_slides([0.5], ()) == find_slides([0.5, 0.55, 0.5, 0.45] * 9, ()) == []


def test_a_slide_is_described_in_both_languages() -> None:
    text = Slide(26, 42, Team.ONE, 0.45, 0.97).text("Ada")
    assert text.de == "Von Zug 26 bis 42 stieg die Gewinnchance von Ada von 45 auf 97 %."
    assert text.en == "From move 26 to 42 the winning chance of Ada rose from 45 to 97 %."
