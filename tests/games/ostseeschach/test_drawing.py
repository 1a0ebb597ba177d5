"""Pictures of Ostseeschach."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from spielleiter.game import Arrow, Highlight, Look
from spielleiter.game.drawing import PALETTE
from spielleiter.games.ostseeschach import PieceKind, Rules, State
from spielleiter.games.ostseeschach.drawing import COLORS, deciding_squares, draw, draw_text
from tests.support.ostseeschach_positions import play, position

BOARD = "r7/2h+5/8/8/3M+R3/8/8/S6H"
LIGHT = Look(theme="light")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]


def rectangles(svg: str, **attributes: str) -> list[tuple[float, float]]:
    found = [
        element
        for element in ElementTree.fromstring(svg).iter()
        if element.tag.endswith("}rect") and all(element.get(name) == value for name, value in attributes.items())
    ]
    return [(float(element.get("x", "0")), float(element.get("y", "0"))) for element in found]


def ambers(svg: str) -> int:
    return svg.count(COLORS["amber-light"][0])


def test_files_run_from_left_to_right_and_line_1_is_at_the_bottom() -> None:
    assert texts(draw(position(BOARD), LIGHT)) == [
        label for i in range(8) for label in ("abcdefgh"[i],) * 2 + (str(i + 1),)
    ]
    assert texts(draw(position(BOARD), Look(theme="light", coordinates=False))) == []


@pytest.mark.parametrize(("flipped", "corner"), [(False, (2.6, 7.6)), (True, (5.6, 0.6))])
def test_a_highlight_lies_on_the_games_own_square(flipped: bool, corner: tuple[float, float]) -> None:
    picture = draw(position(BOARD), Look(theme="light", highlights=(Highlight((0, 2)),), flipped=flipped))  # c1
    ((x, y),) = rectangles(picture, stroke=PALETTE["mark"][0])
    assert (x - 0.04, y - 0.04) == pytest.approx(corner)


def test_an_arrow_follows_the_games_own_squares() -> None:
    picture = draw(position(BOARD), Look(theme="light", arrows=(Arrow((0, 0), (3, 0)),)))  # a1 to a4: straight up
    assert "L1.100 5.480" in picture


def test_the_last_move_is_shown_only_when_wanted() -> None:
    state = play(position(BOARD), "d4-d5")
    tint = PALETTE["last"][0]
    assert rectangles(draw(state, LIGHT), fill=tint) == [(3.6, 4.6), (3.6, 3.6)]
    assert rectangles(draw(state, Look(theme="light", last_move=False)), fill=tint) == []


def test_a_tower_has_two_chips() -> None:
    single, tower = draw(position("8/8/8/8/3M4/8/8/8"), LIGHT), draw(position("8/8/8/8/3M+4/8/8/8"), LIGHT)
    assert tower.count("<rect") == single.count("<rect") + 2  # face and edge of TWO's chip below
    assert tower.count("<circle") == single.count("<circle")


def test_all_kinds_of_both_teams_look_different() -> None:
    pictures = {
        draw(position(f"8/8/8/8/3{letter}{height}4/8/8/8", turn=60), LIGHT)
        for letter in "HMSRhmsr"
        for height in ("", "+")
    }
    assert len(pictures) == 4 * len(PieceKind)


@pytest.mark.parametrize(("won", "drawn"), [("0-0", 0), ("1-0", 1), ("1-1", 2), ("3-2", 5)])
def test_the_ambers_of_both_teams_are_drawn(won: str, drawn: int) -> None:
    assert ambers(draw(position(BOARD, won), LIGHT)) == drawn


def test_an_amber_lies_where_the_last_move_won_it() -> None:
    state = play(position("8/1M6/8/8/8/8/8/7r"), "b7-b8")
    assert ambers(draw(state, LIGHT)) == 2
    assert ambers(draw(state, Look(theme="light", last_move=False))) == 1


def test_the_side_to_move_is_ringed_until_the_end() -> None:
    tint = PALETTE["last"][0]
    one, two = draw(position(BOARD), LIGHT), draw(position(BOARD, turn=21), LIGHT)
    assert one.count(tint) == two.count(tint) == 1
    assert one != two
    assert tint not in draw(position(BOARD, turn=60), Look(theme="light", result=False))


def test_the_title_is_escaped() -> None:
    odd = State.of(Rules("<b>&", official=False), 0, [])
    picture = draw(odd, LIGHT)
    assert "<b>" not in picture
    assert ElementTree.fromstring(picture)[0].text == "<b>&: move 0, amber 0-0"


def test_a_fixed_theme_has_plain_colors_and_auto_follows_the_reader() -> None:
    state = position(BOARD)
    assert COLORS["sand"][1] in draw(state, Look(theme="dark"))
    assert COLORS["sand"][0] not in draw(state, Look(theme="dark"))
    assert f"var(--sl-sand,{COLORS['sand'][0]})" in draw(state, Look())
    assert state._repr_svg_() == draw(state, Look())


def test_the_terminal_shows_the_board_the_last_move_and_the_ambers() -> None:
    state = play(position("r7/2h+5/8/3m4/3M4/8/8/S6H", "0-1"), "d4xd5")
    assert draw_text(state, False).splitlines() == [
        "    a  b  c  d  e  f  g  h",
        " 8  r  ·  ·  ·  ·  ·  ·  ·  8",
        " 7  ·  ·  h+ ·  ·  ·  ·  ·  7",
        " 6  ·  ·  ·  ·  ·  ·  ·  ·  6",
        " 5  ·  ·  · [M+ ·  ·  ·  ·  5",
        " 4  ·  ·  · [·] ·  ·  ·  ·  4",
        " 3  ·  ·  ·  ·  ·  ·  ·  ·  3",
        " 2  ·  ·  ·  ·  ·  ·  ·  ·  2",
        " 1  S  ·  ·  ·  ·  ·  ·  H  1",
        "    a  b  c  d  e  f  g  h",
        "  round 11, Blue to move, amber 0 : 1, last move d4-d5",
    ]


def test_the_terminal_says_who_won() -> None:
    assert draw_text(position("8/8/8/8/3M4/8/8/8", turn=21), False).endswith(
        "round 11, Red won: the opponent has no legal move, amber 0 : 0"
    )


def test_colors_only_where_wanted() -> None:
    state = position(BOARD)
    assert "\x1b[1;31mS\x1b[0m" in draw_text(state, True)
    assert "\x1b[1;34mh\x1b[0m+" in draw_text(state, True)
    assert "\x1b" not in draw_text(state, False)


def test_a_finished_game_lights_up_what_decided_it() -> None:
    # R20: the square on which the winner has just won the second amber, and the ambers at the side.
    won = play(position("r7/2h5/8/8/8/8/4m3/S6H", "0-1", turn=21), "e2-e1")
    assert deciding_squares(won) == ((0, 4),)
    assert 'fill-rule="evenodd"' in draw(won, LIGHT)
    # R21: with equal ambers the light pieces that are farther on; e6 and f3 are level, d5 beats c7.
    farther = position("8/2h5/4M3/3M4/8/5h2/8/8", "0-0", turn=60)
    assert set(deciding_squares(farther)) == {(5, 4), (4, 3)}
    assert deciding_squares(position("8/8/8/8/3M4/8/8/8", turn=21)) == ()  # R19: a side that cannot move shows it.
