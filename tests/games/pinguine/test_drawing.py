"""Pictures of Pinguine."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from spielleiter.game import Arrow, Highlight, Look, Team
from spielleiter.game.drawing import PALETTE
from spielleiter.games.pinguine import Rules, State
from spielleiter.games.pinguine.drawing import COLORS, Floes, draw, draw_text
from spielleiter.games.pinguine.moves import FIELDS
from tests.support.pinguine_positions import play, position

BOARD = "P123.ppp/PPP.11.p"
LIGHT = Look(theme="light")
TINT = PALETTE["last"][0]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def pieces(svg: str) -> dict[str, str]:
    """What is drawn on each field that has something, by its coordinates."""
    return dict(re.findall(r'<g data-at="([0-9,]+)">(.*?)</g>(?=<g|<c|<p|<r|</s|<t)', svg))


def test_rows_count_from_the_top_and_odd_ones_are_shifted_to_the_right() -> None:
    floes = Floes.of(LIGHT)
    (ax, ay), (bx, by) = floes.centre((0, 0)), floes.centre((1, 1))  # a1 and a2
    assert (bx - ax, by - ay) == pytest.approx((0.5, 3**0.5 / 2))
    assert floes.centre((2, 0))[0] - ax == 1


def test_neighbours_touch_along_a_whole_side() -> None:
    floes = Floes.of(LIGHT)
    middle = {(round(x, 6), round(y, 6)) for x, y in floes.outline((7, 3))}
    for dx, dy in ((2, 0), (-2, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        other = {(round(x, 6), round(y, 6)) for x, y in floes.outline((7 + dx, 3 + dy))}
        assert len(middle & other) == 2


def test_a_flipped_board_is_turned_by_half_a_turn() -> None:
    straight, turned = Floes.of(LIGHT), Floes.of(Look(flipped=True))
    width, height = (side + 2 * straight.inset for side in straight.area)
    for square in FIELDS:
        (x, y), (u, v) = straight.centre(square), turned.centre(square)
        assert (x + u, y + v) == pytest.approx((width, height))


def test_columns_and_rows_are_named_on_both_sides() -> None:
    bare = Look(theme="light", score=False)
    assert texts(draw(position(BOARD), bare)) == [name for each in "abcdefgh12345678" for name in (each, each)]
    assert texts(draw(position(BOARD), Look(theme="light", score=False, coordinates=False))) == []


def test_every_number_of_fish_and_both_teams_look_different() -> None:
    # A fish has two closed shapes; so have a shoal's fish together.
    drawn = pieces(draw(position("PPPP1234/pppp", "4-4", 8), LIGHT))
    assert [drawn[f"{x},0"].count("z") for x in (8, 10, 12, 14)] == [2, 4, 6, 8]
    assert drawn["0,0"].count("<circle") == drawn["1,1"].count("<rect") == 1
    assert len(drawn) == 12


def test_holes_have_nothing_that_could_be_moved() -> None:
    assert "8,0" not in pieces(draw(position(BOARD), LIGHT))


def test_the_last_move_is_shown_only_when_wanted() -> None:
    state = play(position(BOARD), "a1-d1")
    marked = re.findall(
        rf'<path d="M([0-9.]+ [0-9.]+)[^"]*"[^>]*fill="{TINT}" fill-opacity="([0-9.]+)"', draw(state, LIGHT)
    )
    assert marked == [("1 0.5", "0.4"), ("4 0.5", "0.7")]
    assert 'data-last="0,0 6,0" data-step="3 0"' in draw(state, LIGHT)
    assert "fill-opacity" not in draw(state, Look(theme="light", last_move=False))


def test_a_placed_penguin_comes_from_nowhere() -> None:
    state = play(position("1234..11/11111", "0-0", 0), "g1")
    assert 'data-last="12,0"' in draw(state, LIGHT)
    assert "data-step" not in draw(state, LIGHT)


def test_a_highlight_is_a_hexagon_and_an_arrow_goes_from_middle_to_middle() -> None:
    look = Look(theme="light", highlights=(Highlight((2, 0)),), arrows=(Arrow((0, 0), (6, 0)),))
    picture = draw(position(BOARD), look)
    [frame] = re.findall(rf'<path d="(M[^"]*)"[^>]*stroke="{PALETTE["mark"][0]}"', picture)
    assert frame.count("L") == 5
    assert 'd="M4.000 1.077L' in picture  # the head of the arrow, on d1


def test_the_fish_of_both_and_the_side_to_move_are_shown_until_the_end() -> None:
    state = position(BOARD, "12-9", 14)
    assert texts(draw(state, Look(theme="light", coordinates=False))) == ["12", "9"]
    rings = [draw(each, LIGHT).count(f'stroke="{TINT}"') for each in (state, position("PPPP/pppp", "5-5", 10))]
    assert rings == [1, 0]
    assert texts(draw(state, Look(theme="light", coordinates=False, score=False))) == []


def test_penguins_that_are_not_placed_yet_wait_below_the_board() -> None:
    beak = COLORS["beak"][0]
    waiting = [
        draw(position(board, fish, turn), LIGHT).count(f'fill="{beak}"/></g>')
        for board, fish, turn in (("11111111", "0-0", 0), ("P1111111", "1-0", 1), ("PPPP/pppp1", "4-4", 8))
    ]
    assert waiting == [2 + 8, 2 + 1 + 7, 2 + 8]


@pytest.mark.parametrize(("fish", "frames"), [("6-4", 1), ("4-6", 1), ("5-5", 0)])
def test_a_finished_game_lights_up_the_fish_of_the_winner(fish: str, frames: int) -> None:
    state = position("PPPP/......../pppp", fish, 10)
    assert draw(state, LIGHT).count('fill-opacity="0.35"') == frames
    assert 'fill-opacity="0.35"' not in draw(state, Look(theme="light", result=False))


def test_the_title_is_escaped() -> None:
    odd = State.of(Rules("<b>&", official=False), 0, {(0, 0): 1})
    picture = draw(odd, LIGHT)
    assert "<b>" not in picture
    assert ElementTree.fromstring(picture)[0].text == "<b>&: move 0, fish 0-0"


def test_a_fixed_theme_has_plain_colors_and_auto_follows_the_reader() -> None:
    state = position(BOARD)
    assert COLORS["sea"][1] in draw(state, Look(theme="dark"))
    assert COLORS["sea"][0] not in draw(state, Look(theme="dark"))
    assert f"var(--sl-sea,{COLORS['sea'][0]})" in draw(state, Look())
    assert state._repr_svg_() == draw(state, Look())


def test_the_terminal_shows_the_board_the_last_move_and_the_fish() -> None:
    state = play(position("P123.ppp/PPP.11.p/4"), "a1-d1")
    assert draw_text(state, False).splitlines() == [
        "    a  b  c  d  e  f  g  h",
        " 1 [·] 1  2 [P] ·  p  p  p    1",
        " 2    P  P  P  ·  1  1  ·  p  2",
        " 3  4  ·  ·  ·  ·  ·  ·  ·    3",
        " 4    ·  ·  ·  ·  ·  ·  ·  ·  4",
        " 5  ·  ·  ·  ·  ·  ·  ·  ·    5",
        " 6    ·  ·  ·  ·  ·  ·  ·  ·  6",
        " 7  ·  ·  ·  ·  ·  ·  ·  ·    7",
        " 8    ·  ·  ·  ·  ·  ·  ·  ·  8",
        "      a  b  c  d  e  f  g  h",
        "  round 5, Blue to move, fish 7 : 4, last move a1-d1",
    ]
    assert draw_text(state, False, "de").endswith("Runde 5, Blau am Zug, Fische 7 : 4, letzter Zug a1-d1")


def test_the_terminal_says_who_won() -> None:
    assert draw_text(position("PPPP/......../pppp", "6-4", 10), False).endswith("Red won: more fish caught, fish 6 : 4")


def test_colors_only_where_wanted() -> None:
    state = position(BOARD)
    assert state.to_move is Team.ONE
    assert "\x1b[1;31mP\x1b[0m" in draw_text(state, True)
    assert "\x1b[1;34mp\x1b[0m" in draw_text(state, True)
    assert "\x1b" not in draw_text(state, False)
