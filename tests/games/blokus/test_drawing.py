"""Blokus as a picture."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from spielleiter.game import Arrow, Highlight, Look, playout, random_game
from spielleiter.games.blokus import Color, Rotation, Shape, State, draw_piece, draw_pieces_left, drawing
from spielleiter.games.blokus.drawing import _TRAY_CELLS, deciding_squares, draw, draw_text, outline
from spielleiter.games.blokus.shapes import COLORS, KINDS, ORIENTATIONS, OrientedShape
from tests.support.blokus_positions import in_corners, late, play, start

LIGHT = Look(theme="light")
SVG = "{http://www.w3.org/2000/svg}"


def tree(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in tree(picture).iter(f"{SVG}text")]


def points(path: str) -> list[tuple[float, float]]:
    """The ends of the straight lines of an outline, and of its corners the tips, where the path comes by."""
    x, y = map(float, re.findall(r"-?[0-9.]+", path)[:2])
    found = []
    for kind, step in re.findall(r"([mlq])([-0-9. ]+)", path):
        dx, dy, *rest = map(float, step.split())
        found.append((x + dx, y + dy))
        x, y = (x + rest[0], y + rest[1]) if kind == "q" else (x + dx, y + dy)
    return found


# --- outlines -------------------------------------------------------------------------------------------


def corners_of(path: str) -> int:
    return path.count("q")


def test_the_outline_of_one_square_has_four_corners_inside_the_square() -> None:
    path = outline([(3.0, 4.0)])
    assert corners_of(path) == 4
    assert path.startswith("M")
    assert path.endswith("Z")
    assert all(3 < x < 4 < y < 5 for x, y in points(path))


@pytest.mark.parametrize(
    ("kind", "corners"),
    [
        (Shape.PENTO_I, 4),
        (Shape.PENTO_L, 6),
        (Shape.PENTO_X, 12),
        (Shape.PENTO_W, 10),
        (Shape.PENTO_U, 8),
        (Shape.TETRO_O, 4),
    ],
)
def test_the_outline_goes_once_around_the_whole_piece(kind: Shape, corners: int) -> None:
    assert corners_of(outline([(float(x), float(y)) for x, y in kind.cells])) == corners


@pytest.mark.parametrize("shape", ORIENTATIONS, ids=lambda shape: f"{shape.kind.name}-{shape.rotation.name}")
def test_every_outline_encloses_its_squares(shape: OrientedShape) -> None:
    # The area within the corner points, by the shoelace formula, is that of the squares less the thin inset.
    tips = points(outline([(float(x), float(y)) for x, y in shape.cells], inset=0.0, radius=0.0))
    doubled = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(tips, tips[1:] + tips[:1], strict=True))
    assert doubled == 2 * shape.kind.size


# --- the board ------------------------------------------------------------------------------------------


def test_the_board_has_coordinates_on_all_sides_and_the_points_below() -> None:
    shown = texts(draw(in_corners(), LIGHT))
    assert [shown.count(str(number)) for number in range(11, 20)] == [4] * 9
    assert shown.count("5") == 4 + 4  # the labels, and five points of each colour
    assert shown[-7:].count("10") == 2  # ten points of each side
    assert "19" not in texts(draw(in_corners(), Look(theme="light", coordinates=False)))


def test_colors_can_be_told_apart_without_color() -> None:
    board = draw(in_corners(), LIGHT)
    marks = set()
    for color in COLORS:
        last_path = tree(draw_piece(color, Shape.MONO, LIGHT)).findall(f"{SVG}path")[-1].attrib["d"]
        mark = re.sub(r"^M[-0-9. ]+", "", last_path)  # the mark itself, wherever it stands
        marks.add(mark)
        assert board.count(mark) >= 5 + 1  # on each square of the piece, and beside the points
    assert len(marks) == 4


def test_the_last_move_is_shown_unless_it_was_a_pass() -> None:
    placed = play(in_corners(), "B PENTO_I 3,1")
    passed = play(in_corners(), "B PASS")
    without = Look(theme="light", last_move=False)
    assert draw(placed, LIGHT) != draw(placed, without)
    assert draw(passed, LIGHT) == draw(passed, without)


def test_a_flipped_board_shows_blue_at_the_lower_right() -> None:
    upright, flipped = (
        draw(in_corners(), Look(theme="light", flipped=turn, last_move=False)) for turn in (False, True)
    )
    assert outline([(x + 0.9, y + 0.9) for x, y in ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))]) in upright
    assert outline([(x + 0.9, y + 0.9) for x, y in ((19, 19), (18, 19), (17, 19), (19, 18), (19, 17))]) in flipped


def test_highlights_and_arrows_are_drawn() -> None:
    plain = draw(in_corners(), LIGHT)
    rich = draw(
        in_corners(),
        Look(theme="light", highlights=(Highlight((3, 4)), Highlight((4, 4))), arrows=(Arrow((0, 0), (5, 5)),)),
    )
    assert rich.count("<rect") == plain.count("<rect") + 2
    assert rich.count("<path") == plain.count("<path") + 2


def test_the_shape_to_begin_with_is_shown_until_the_color_has_begun() -> None:
    assert "stroke-dasharray" in draw(start(), LIGHT)
    assert "stroke-dasharray" in draw(play(start(), "B PENTO_V RIGHT 0,0"), LIGHT)
    assert "stroke-dasharray" not in draw(in_corners(), LIGHT)


def test_a_color_that_is_out_is_faint_while_the_game_runs() -> None:
    out = late(20, (2, 2, 2, 2), still_in=0b0111)
    assert draw(out, LIGHT).count('opacity="0.4"') == 1
    assert 'opacity="0.4"' not in draw(late(100, (2, 2, 2, 2), still_in=0b0111), LIGHT)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_fixed_theme_needs_no_style_sheet(theme: str) -> None:
    picture = draw(in_corners(), Look(theme="dark" if theme == "dark" else "light"))
    assert "var(" not in picture
    assert "<style" not in picture


# --- pieces alone ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_piece_alone_fills_its_picture(kind: Shape) -> None:
    picture = tree(draw_piece(Color.GREEN, kind, Look(theme="light", size=80)))
    columns, rows = 1 + max(x for x, _ in kind.cells), 1 + max(y for _, y in kind.cells)
    assert picture.attrib["viewBox"] == f"0 0 {columns + 0.2:g} {rows + 0.2:g}"
    assert picture.attrib["width"] == "80"


def test_a_piece_alone_can_be_turned_and_flipped() -> None:
    lying = draw_piece(Color.RED, Shape.PENTO_I, LIGHT, Rotation.RIGHT)
    assert tree(lying).attrib["viewBox"] == "0 0 5.2 1.2"
    assert draw_piece(Color.RED, Shape.PENTO_P, LIGHT) != draw_piece(Color.RED, Shape.PENTO_P, LIGHT, flipped=True)


def colored_kinds(state: State, color: Color) -> set[str]:
    groups = tree(draw_pieces_left(state, color, LIGHT)).findall(f"{SVG}g")
    assert len(groups) == 21
    return {group.attrib["data-kind"] for group in groups if group.findall(f"{SVG}path")[0].attrib["fill"] != "none"}


def test_the_tray_shows_the_pieces_left_and_leaves_the_places_of_the_others() -> None:
    state = play(in_corners(), "B MONO 3,1")
    assert colored_kinds(state, Color.BLUE) == {kind.name for kind in KINDS} - {"MONO", "PENTO_V"}
    assert colored_kinds(state, Color.RED) == {kind.name for kind in KINDS} - {"PENTO_V"}


def test_no_two_pieces_of_the_tray_touch() -> None:
    assert set(_TRAY_CELLS) == set(KINDS)
    for kind, cells in _TRAY_CELLS.items():
        others = {cell for other, its_cells in _TRAY_CELLS.items() if other is not kind for cell in its_cells}
        assert not any((x + dx, y + dy) in others for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1))


# --- the terminal ---------------------------------------------------------------------------------------


def test_the_terminal_shows_two_characters_a_square() -> None:
    lines = draw_text(in_corners(), False).splitlines()
    assert lines[1] == "   " + "".join(f"{x % 10:2}" for x in range(20))
    assert lines[2] == "  0 B B B" + " ·" * 14 + " Y Y Y 0"
    assert lines[21] == " 19*G*G*G" + " ·" * 14 + " R R R 19"
    assert lines[-2].split() == ["B", "5", "Y", "5", "R", "5", "G", "5", "10", ":", "10"]
    assert lines[-1].strip() == "round 2, Blue (B) to move, last move G PENTO_V 0,17"


def test_the_terminal_tells_who_is_out_and_how_it_ended() -> None:
    running = draw_text(late(20, (2, 2, 2, 2), still_in=0b0111), False)
    assert "G 5 out" in running
    ended = draw_text(late(100, (2, 2, 2, 2)), False)
    assert "round 25, Draw: the last round has been played" in ended


def test_colors_of_the_terminal_are_only_painted_when_wanted() -> None:
    assert "\x1b[48;5;25;38;5;231m B\x1b[0m" in draw_text(in_corners(), True)
    assert "\x1b" not in draw_text(in_corners(), False)


def test_a_finished_game_lights_up_the_squares_of_the_winner() -> None:
    state = playout(start(), Random(3))
    assert state.outcome is not None
    winner = state.outcome.winner
    assert winner is not None
    own = [color for color in COLORS if color.team is winner]
    assert {state.color_at(x, y) for x, y in deciding_squares(state)} == set(own)
    assert len(deciding_squares(state)) == sum(state.boards[color].bit_count() for color in own)
    assert 'fill-rule="evenodd"' in draw(state, LIGHT)
    assert deciding_squares(late(100, (2, 2, 2, 2))) == []  # A draw has no winner.


def test_a_position_looks_the_same_whatever_was_drawn_before() -> None:
    states = list(random_game(start(), Random(5)))[:40:3]
    in_order = [draw(state, LIGHT) for state in states]
    drawing._known_pieces.clear()
    drawing._laid.cache_clear()
    assert [draw(state, LIGHT) for state in reversed(states)] == in_order[::-1]
