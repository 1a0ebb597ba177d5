"""Pictures of Hase und Igel."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from spielleiter.game import Look
from spielleiter.game.drawing import PALETTE
from spielleiter.games.hase_und_igel.drawing import COLORS, FIELD_AT, SQUARES, draw, draw_text
from tests.support.hase_und_igel_positions import play, position

LIGHT = Look(theme="light", result=False)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def test_the_track_winds_without_a_gap() -> None:
    assert len(FIELD_AT) == len(SQUARES) == 65
    for (x, y), (next_x, next_y) in pairwise(SQUARES):
        assert abs(x - next_x) + abs(y - next_y) == 1


def test_every_field_has_its_number_and_position_fields_theirs() -> None:
    found = texts(draw(position("1:30:5:-:-", "12:207:4:-:-"), LIGHT))
    assert [text for text in map(str, range(65)) if text not in found] == []
    assert found.count("1") == 1 + 5
    without = texts(draw(position("1:30:5:-:-", "12:207:4:-:-"), Look(theme="light", coordinates=False)))
    assert "64" not in without
    assert without.count("1") == 5


def test_the_strip_shows_what_both_hares_have() -> None:
    picture = draw(position("1:31:5:EEH:-", "12:207:2:-:-"), LIGHT)
    assert {"31", "207", "×2", "×1"} <= set(texts(picture))
    lettuce = COLORS["lettuce"][0]
    assert picture.count(lettuce) == 4 + 5 + 2 + 2  # salad fields, salads, and the card of each team


@pytest.mark.parametrize("start", ["1:30:5:-:-", "13:30:5:E:-"])
def test_the_hare_that_moved_can_be_found_and_its_way_is_marked(start: str) -> None:
    state = play(position(start, "25:30:5:-:-"), "carrots -10" if start.startswith("1:") else "+7")
    picture = draw(state, LIGHT)
    at = SQUARES[state.hares[0].position]
    assert re.findall(r'data-at="(\d+),(\d+)"', picture) == [(str(at[0]), str(at[1]))]
    tint = PALETTE["last"][0]
    marks = 1 if start.startswith("1:") else 2
    assert picture.count(f'fill="{tint}"') == marks
    assert f'fill="{tint}"' not in draw(state, Look(theme="light", last_move=False, result=False))


def test_two_hares_on_the_start_are_both_seen() -> None:
    both, one = (draw(position("0:68:5:-:-", two), LIGHT) for two in ("0:68:5:-:-", "25:68:5:-:-"))
    assert both.count("scale(0.62)") == 2
    assert one.count("scale(0.62)") == 0
    assert "data-at" not in both


def test_the_team_to_move_is_framed_until_the_end() -> None:
    frame = f'stroke="{PALETTE["last"][0]}" stroke-width="0.1"'
    one, two = (draw(position("1:30:5:-:-", "12:30:5:-:-", turn), LIGHT) for turn in (20, 21))
    assert one.count(frame) == two.count(frame) == 1
    assert one != two
    assert frame not in draw(position("1:30:5:-:-", "12:30:5:-:-", 60), LIGHT)


def test_a_finished_game_lights_up_the_winner() -> None:
    won = position("64:3:0:-:-", "12:30:5:-:-")
    assert 'fill-rule="evenodd"' in draw(won, Look(theme="light"))
    assert 'fill-rule="evenodd"' not in draw(won, LIGHT)


def test_the_terminal_shows_the_track_the_hares_and_what_they_have() -> None:
    state = play(position("20:30:5:E:-", "23:30:5:-:-"), "+2")
    assert draw_text(state, False).splitlines() == [
        "                                                 G   64",
        " 52  C   H   M   2   I   S   H   C   1   C   H   C   63",
        " 51  C",
        " 50  I   2   1   M   H   C   C   I   S   2   H   C   39",
        "                                                 C   38",
        " 26  C   H   M   2   I   C   C   H   H   1   2   I   37",
        " 25  C",
        " 24  I   B  [R]  C  [C]  I   2   1   M   I   H   C   13",
        "                                                 C   12",
        "  0  0   C   C   C   H   H   H   M   1   2   S   I   11",
        "  R Red: field 22 (salad field), carrots 27, salads 5, cards: eat a salad",
        "  B Blue: field 23 (position field 2), carrots 30, salads 5, cards: none",
        "  round 11, Blue to move, last move +2",
    ]
    assert "Rot: Feld 22 (Salatfeld), Karotten 27, Salate 5, Karten: Salat fressen" in draw_text(state, False, "de")
