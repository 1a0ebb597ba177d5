"""Positions and moves of Blokus as text."""

from __future__ import annotations

import re
from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import NotationError
from spielleiter.game import random_game
from spielleiter.games.blokus import Color, Move, Pass, Place, Rotation, Shape, State
from tests.support.blokus_positions import KEYS, in_corners, play, recorded, start, states

NOTATION = games.load("blokus-2021").notation
CORNERS = f"blokus-2021 BBB14YYY/B18Y/B18Y/{'20/' * 14}G18R/G18R/GGG14RRR 4 PENTO_V BYRG -"


def filled(board: str, turn: int = 4, start_kind: str = "PENTO_V", ins: str = "BYRG", monos: str = "-") -> str:
    """A position whose first rows are given; the rest of the board is empty."""
    rows = board.split("/")
    rows += ["20"] * (20 - len(rows))
    return f"blokus-2021 {'/'.join(rows)} {turn} {start_kind} {ins} {monos}"


# --- positions ------------------------------------------------------------------------------------------


def test_a_position_is_written_row_by_row_from_the_top() -> None:
    assert NOTATION.format_state(in_corners()) == CORNERS
    assert NOTATION.format_state(start()) == f"blokus-2021 {'/'.join(['20'] * 20)} 0 PENTO_V BYRG -"


def test_a_position_comes_back_with_the_pieces_that_are_left() -> None:
    game, state = games.parse_position(CORNERS)
    assert game.key == "blokus-2021"
    assert state == in_corners()
    assert Shape.PENTO_V not in state.kinds_left(Color.RED)
    assert len(state.kinds_left(Color.RED)) == 20


@pytest.mark.parametrize("key", KEYS)
def test_every_position_of_a_random_game_comes_back(key: str) -> None:
    game = games.load(key)
    for seed in range(2):
        for state in random_game(game.new_state(Random(seed)), Random(seed)):
            assert game.notation.parse_state(game.notation.format_state(state)) == state


def test_colors_that_are_out_and_that_ended_with_the_monomino_are_written() -> None:
    ends = [states("blokus-2027-official", data)[-1] for data in recorded(2027)]
    with_mono = [state for state in ends if state.mono]
    assert with_mono
    notation = games.load("blokus-2027-official").notation
    for state in with_mono:
        words = notation.format_state(state).split()
        assert words[5] != "-"
        assert notation.parse_state(" ".join(words)) == state
        other = next(letter for letter, hand in zip("BYRG", state.hands, strict=True) if hand)
        with pytest.raises(NotationError, match="has not laid all its pieces"):
            notation.parse_state(" ".join([*words[:5], other]))


def test_the_cross_of_2021_is_a_position_too() -> None:
    state = start("blokus-2021", Shape.PENTO_X)
    text = NOTATION.format_state(state)
    assert text.endswith("3 PENTO_X - -")
    assert NOTATION.parse_state(text) == state


KEY, BOARD, TURN, SHAPE, INS, MONOS, SEVENTH, END = range(8)
"""The words of a position; a problem is expected at the start of one or so many characters behind."""


def place(text: str, at: int | tuple[int, int]) -> int:
    word, behind = at if isinstance(at, tuple) else (at, 0)
    starts = [found.start() for found in re.finditer(r"\S+", text)]
    return len(text) if word == END else starts[word] + behind


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("blokus-2021", "expected the key of the game, the board, the turn", END),
        (f"{CORNERS} x", "but found 7 words", SEVENTH),
        (CORNERS.replace("blokus-2021", "blokus-2027"), "expected blokus-2021, the key of the game", KEY),
        (CORNERS.replace("/20", "", 1), "expected twenty rows with / between them, but found 19", BOARD),
        (CORNERS.replace("B18Y", "B17Y", 1), "expected twenty squares in row 1, but found 19", (BOARD, 9)),
        (CORNERS.replace("B18Y", "B19Y", 1), "expected twenty squares in row 1, but found 21", (BOARD, 9)),
        (CORNERS.replace("B18Y", "B" + "9" * 99 + "Y", 1), "expected twenty squares in row 1", (BOARD, 9)),
        (CORNERS.replace("B18Y", "B0Y", 1), "or a number of empty squares in row 1", (BOARD, 10)),
        (CORNERS.replace("B18Y", "b18Y", 1), "expected B, Y, R, G or a number", (BOARD, 9)),
        (CORNERS.replace("B18Y", "B²8Y", 1), "expected B, Y, R, G or a number", (BOARD, 10)),
        (CORNERS.replace(" 4 ", " 104 "), "expected the turn, 0 to 103", TURN),
        (CORNERS.replace(" 4 ", " -1 "), "expected the turn", TURN),
        (CORNERS.replace(" 4 ", " ٣ "), "expected the turn", TURN),
        (CORNERS.replace("PENTO_V", "PENTO_Q"), "expected the shape of the first pieces: PENTO_L, PENTO_T", SHAPE),
        (CORNERS.replace("PENTO_V", "TETRO_I"), "expected the shape of the first pieces", SHAPE),
        (CORNERS.replace("BYRG", "YB"), "expected colours in the order BYRG, or - for none", INS),
        (CORNERS.replace("BYRG", "BYRGG"), "expected colours in the order BYRG", INS),
        (CORNERS.replace("BYRG -", "BYRG B"), "B has not laid all its pieces", MONOS),
        (CORNERS.replace("BYRG -", "BYRG X"), "expected colours in the order BYRG", MONOS),
    ],
)  # fmt: skip
def test_a_wrong_position_is_refused_with_the_place(text: str, problem: str, at: int | tuple[int, int]) -> None:
    with pytest.raises(NotationError) as refused:
        NOTATION.parse_state(text)
    assert problem in refused.value.problem.en
    assert refused.value.at == place(text, at)


@pytest.mark.parametrize("key", ["blokus-2021", "blokus-2027", "blokus-2027-official"])
def test_the_greatest_turn_is_the_last_one_that_is_read(key: str) -> None:
    game = games.load(key)
    board, *rest = game.notation.format_state(game.new_state(Random(1))).split()[1:]
    assert game.max_turn == (99 if key.endswith("-official") else 103)
    with pytest.raises(NotationError, match=f"the turn, 0 to {game.max_turn}"):
        game.notation.parse_state(" ".join([key, board, str(game.max_turn + 1), *rest[1:]]))


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        (filled("BBB17/BBB17"), "these squares of B are none of the 21 pieces", BOARD),
        (filled("BBB17/B19/B19/1BBB16/1B18/1B18", 8), "B has laid PENTO_V twice", (BOARD, 15)),
        (filled("BBB17/BB18"), "B has laid pieces, but not the first one, PENTO_V", BOARD),
        (filled("1BBB16/1B18/1B18"), "the first piece of B must lie in a corner", (BOARD, 1)),
        (filled("BBB17/B19/B19/20/4B15", 8), "this piece of B touches no corner of the others", (BOARD, 18)),
        (filled("BBB17/B19/B19/1B18"), "B has laid 2 pieces in 1 turns", TURN),
        (filled("BBB17/B19/B19", 2), "Y has laid nothing, but its first move cannot be a pass", TURN),
        (filled("BBB17/B19/B19", 0), "B has laid 1 pieces in 0 turns", TURN),
        (filled("20", 0, ins="BYR"), "G can still lay a piece, so it is not out", INS),
        (filled("20", 3, "PENTO_X", "G", "-"), "it is the turn of G, but it cannot lay a piece", INS),
        (filled("20", 2, "PENTO_X", "G", "-"), "it is the turn of R, but it is out", INS),
        (CORNERS.replace(" 4 ", " 101 "), "the game was over at turn 100: B is in", TURN),
    ],
)  # fmt: skip
def test_a_position_to_which_no_game_leads_is_refused(text: str, problem: str, at: int | tuple[int, int]) -> None:
    with pytest.raises(NotationError) as refused:
        NOTATION.parse_state(text)
    assert problem in refused.value.problem.en
    assert refused.value.at == place(text, at)


@pytest.mark.parametrize("text", [filled("BBB17/B19/B19", 1), CORNERS.replace(" 4 ", " 100 ")])
def test_a_position_to_which_a_game_leads_is_read(text: str) -> None:
    assert NOTATION.format_state(NOTATION.parse_state(text)) == text


def test_the_season_decides_where_a_first_piece_may_lie() -> None:
    text = filled("5BBB12/5B14/5B14", 1)
    with pytest.raises(NotationError, match="must lie in a corner"):
        NOTATION.parse_state(text)
    by_2027 = text.replace("2021", "2027")
    assert games.load("blokus-2027").notation.parse_state(by_2027).color is Color.YELLOW
    inside = by_2027.replace("5BBB12/5B14/5B14/20", "20/5BBB12/5B14/5B14")
    with pytest.raises(NotationError, match="must lie on the border"):
        games.load("blokus-2027").notation.parse_state(inside)


@pytest.mark.parametrize("key", ["blokus-2021", "blokus-2021-official"])
def test_a_position_of_2021_with_the_cross_as_start_is_read_though_it_is_never_drawn(key: str) -> None:
    state = start(key, Shape.PENTO_X)
    notation = games.load(key).notation
    assert notation.parse_state(notation.format_state(state)) == state
    with pytest.raises(NotationError, match="expected the shape of the first pieces"):
        notation.parse_state(notation.format_state(state).replace("PENTO_X", "TETRO_T"))


# --- moves ----------------------------------------------------------------------------------------------

PLACED = Place(Color.BLUE, Shape.PENTO_L, Rotation.RIGHT, True, 3, 4)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("B PENTO_L RIGHT FLIP 3,4", PLACED),
        ("b pento_l right flip 3,4", PLACED),
        ("  Blue   Pento-L  Right  flipped   3,4 ", PLACED),
        ("blau PENTO-L RIGHT FLIP 3,4", PLACED),
        ("B PENTO_L 3,4", Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, False, 3, 4)),
        ("B PENTO_L NONE 3,4", Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, False, 3, 4)),
        ("B PENTO_L FLIP 3,4", Place(Color.BLUE, Shape.PENTO_L, Rotation.NONE, True, 3, 4)),
        ("Y MONO -1,25", Place(Color.YELLOW, Shape.MONO, Rotation.NONE, False, -1, 25)),
        ("G PASS", Pass(Color.GREEN)),
        ("grün passen", Pass(Color.GREEN)),
        ("gruen skip", Pass(Color.GREEN)),
        ("yellow pass", Pass(Color.YELLOW)),
        ("Rot pass", Pass(Color.RED)),
    ],
)
def test_moves_are_read_in_the_ways_people_write_them(text: str, move: Move) -> None:
    assert NOTATION.parse_move(start(), text) == move


@pytest.mark.parametrize(
    ("text", "problem", "at"),
    [
        ("", "expected a move like B PENTO_V RIGHT FLIP 3,4 or B PASS", 0),
        ("B", "expected a move like", 1),
        ("X MONO 3,4", "expected a colour: B, Y, R, G or its name", 0),
        ("B QUADRO 3,4", "expected PASS or a kind of piece: MONO, DOMINO", 2),
        ("B PASS 3,4", "expected nothing after the pass", 7),
        ("B MONO", "expected the place, like 3,4", 6),
        ("B MONO LEFT FLIP", "expected the place, like 3,4", 16),
        ("B MONO UP 3,4", "expected a rotation (NONE, RIGHT, MIRROR, LEFT), then FLIP, then a place like 3,4", 7),
        ("B MONO FLIP LEFT 3,4", "expected a rotation", 12),
        ("B MONO 3", "then a place like 3,4", 7),
        ("B MONO 3,", "then a place like 3,4", 7),
        ("B MONO 99999,4", "then a place like 3,4", 7),
        ("B MONO ٣,4", "then a place like 3,4", 7),
        ("B MONO 3,4 5", "expected nothing after the place", 11),
    ],
)
def test_a_wrong_move_is_refused_with_the_place(text: str, problem: str, at: int) -> None:
    with pytest.raises(NotationError) as refused:
        NOTATION.parse_move(start(), text)
    assert problem in refused.value.problem.en
    assert refused.value.at == at


@pytest.mark.parametrize("text", ["B PENTO_L RIGHT FLIP 3,4", "B PENTO_X MIRROR FLIP 3,4", "R MONO -3,20", "Y PASS"])
def test_a_move_is_written_with_the_name_it_was_given(text: str) -> None:
    state = start()
    assert NOTATION.format_move(state, NOTATION.parse_move(state, text)) == text


def test_every_listed_move_comes_back() -> None:
    state: State = play(in_corners(), "B MONO 3,1", "Y PASS", "R PASS", "G PASS")
    for move in state.legal_moves():
        assert NOTATION.parse_move(state, NOTATION.format_move(state, move)) == move
