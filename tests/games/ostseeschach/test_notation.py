"""Positions and moves of Ostseeschach as texts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import NotationError
from spielleiter.game import Team, random_game
from spielleiter.games.ostseeschach import Move, Piece, PieceKind
from spielleiter.games.ostseeschach.notation import OstseeschachNotation
from spielleiter.games.ostseeschach.rules import OSTSEESCHACH_2022, RULE_SETS, Rules, new_state
from tests.support.ostseeschach_positions import position

NOTATION = OstseeschachNotation(OSTSEESCHACH_2022)
START = "rmshhsmr/8/8/8/8/8/8/RMSHHSMR"


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_every_position_of_a_game_comes_back_from_its_text(rules: Rules) -> None:
    notation = OstseeschachNotation(rules)
    for seed in range(15):
        for state in random_game(new_state(rules, Random(seed)), Random(seed)):
            text = notation.format_state(state)
            assert text.startswith(f"{rules.key} ")
            assert notation.parse_state(text) == state
            assert games.parse_position(text)[1] == state


def test_a_position_is_written_from_line_8_to_line_1_and_from_a_to_h() -> None:
    text = "ostseeschach-2022 r7/2h+5/8/8/3M+R3/8/8/S6H 1-0 31"
    state = NOTATION.parse_state(text)
    assert dict(state.pieces()) == {
        (7, 0): Piece(Team.TWO, PieceKind.ROBBE),
        (6, 2): Piece(Team.TWO, PieceKind.HERZMUSCHEL, 2),
        (3, 3): Piece(Team.ONE, PieceKind.MOEWE, 2),
        (3, 4): Piece(Team.ONE, PieceKind.ROBBE),
        (0, 0): Piece(Team.ONE, PieceKind.SEESTERN),
        (0, 7): Piece(Team.ONE, PieceKind.HERZMUSCHEL),
    }
    assert (state.ambers_one, state.ambers_two, state.turn) == (1, 0, 31)
    assert NOTATION.format_state(state) == text


def test_blanks_around_the_words_do_not_matter() -> None:
    text = f"ostseeschach-2022 {START} 0-0 0"
    assert NOTATION.parse_state("  " + text.replace(" ", "   ") + "\n") == NOTATION.parse_state(text)


KEY = "ostseeschach-2022"
REFUSED_POSITIONS = [
    ("", 0, "expected the key of the game, the board, the pieces of amber"),
    (KEY, 17, "expected the key of the game, the board, the pieces of amber"),
    (f"{KEY} {START} 0-0", 51, "expected the key of the game, the board, the pieces of amber"),
    (f"{KEY} {START} 0-0 0 0", 54, "expected the key of the game, the board, the pieces of amber"),
    (f"piranhas-2019 {START} 0-0 0", 0, "expected ostseeschach-2022"),
    (f"{KEY}-official {START} 0-0 0", 0, "expected ostseeschach-2022"),
    (f"{KEY} 8/8/8/8/8/8/8 0-0 0", 18, "expected 8 lines"),
    (f"{KEY} 8/8/8/8/8/8/8/8/8 0-0 0", 18, "expected 8 lines"),
    (f"{KEY} 8/8/8/8/8/8/8/7 0-0 0", 33, "expected 8 squares in line 1, found 7"),
    (f"{KEY} 8/8/8/8/8//8/8 0-0 0", 28, "expected 8 squares in line 3, found 0"),
    (f"{KEY} 8/7RR/8/8/8/8/8/8 0-0 0", 22, "expected 8 squares in line 7, found more"),
    (f"{KEY} 8/R8/8/8/8/8/8/8 0-0 0", 21, "expected 8 squares in line 7, found more"),
    (f"{KEY} 8/44/8/8/8/8/8/8 0-0 0", 21, "one number"),
    (f"{KEY} 9/8/8/8/8/8/8/8 0-0 0", 18, "expected one of"),
    (f"{KEY} 08/8/8/8/8/8/8/8 0-0 0", 18, "expected one of"),
    (f"{KEY} X7/8/8/8/8/8/8/8 0-0 0", 18, "expected one of"),
    (f"{KEY} ſ7/8/8/8/8/8/8/8 0-0 0", 18, "expected one of"),
    (f"{KEY} ²6/8/8/8/8/8/8/8 0-0 0", 18, "expected one of"),
    (f"{KEY} +8/8/8/8/8/8/8/8 0-0 0", 18, "only behind"),
    (f"{KEY} 8/7+/8/8/8/8/8/8 0-0 0", 21, "only behind"),
    (f"{KEY} 8/R++7/8/8/8/8/8/8 0-0 0", 22, "only behind"),
    (f"{KEY} 3M4/8/8/8/8/8/8/8 0-0 0", 19, "M on d8 is impossible"),
    (f"{KEY} 8/8/8/8/8/8/8/7h 0-0 0", 33, "h on h1 is impossible"),
    (f"{KEY} 8/RRR5/8/8/8/8/8/8 0-0 0", 22, "ONE has only two pieces R"),
    (f"{KEY} 8/8/rr+r5/8/8/8/8/8 0-0 0", 25, "TWO has only two pieces r"),
    (f"{KEY} 8/8/8/7r+/8/8/8/RMSHHSMR 0-0 9", 18, "ONE has only 8 pieces, but 8 stand here and 1 lie covered"),
    (f"{KEY} {START} 0:0 0", 48, "expected pieces of amber like 0-1"),
    (f"{KEY} {START} 0-10 0", 48, "expected pieces of amber like 0-1"),
    (f"{KEY} {START} 1-0 0", 48, "ONE has at most 0 pieces of amber after 0 moves"),
    (f"{KEY} {START} 0-1 1", 48, "TWO has at most 0 pieces of amber after 1 moves"),
    (f"{KEY} {START} 4-0 30", 48, "ONE has at most 3 pieces of amber"),
    (f"{KEY} {START} 0-2 31", 48, "the game had ended"),
    (f"{KEY} {START} 0-0 61", 52, "expected the number of moves played, 0 to 60"),
    (f"{KEY} {START} 0-0 -1", 52, "expected the number of moves played"),
    (f"{KEY} {START} 0-0 01", 52, "expected the number of moves played"),
    (f"{KEY} {START} 0-0 ٣", 52, "expected the number of moves played"),
]


@pytest.mark.parametrize(("text", "at", "problem"), REFUSED_POSITIONS)
def test_an_impossible_position_is_refused_with_place_and_reason(text: str, at: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as refused:
        NOTATION.parse_state(text)
    assert refused.value.at == at


def test_a_position_after_two_ambers_of_one_is_fine_in_mid_round() -> None:
    assert position("8/8/8/8/8/8/8/R6r", "2-1", 31).outcome is None


# --- moves ------------------------------------------------------------------------------------------------------------

BOARD = "8/8/8/3m4/2HMSR2/8/8/8"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("d4-c4", Move((3, 3), (3, 2))),
        ("d4xd5", Move((3, 3), (4, 3))),
        ("d4-d5", Move((3, 3), (4, 3))),
        ("D4XD5", Move((3, 3), (4, 3))),
        (" a1-h8\n", Move((0, 0), (7, 7))),
        ("d4-(3,8)", Move((3, 3), (3, 8))),
        ("(-1,12)-a1", Move((-1, 12), (0, 0))),
    ],
)
def test_a_move_is_read_legal_or_not(text: str, move: Move) -> None:
    assert NOTATION.parse_move(position(BOARD), text) == move


def test_captures_are_written_with_an_x() -> None:
    state = position(BOARD)
    assert NOTATION.format_move(state, Move((3, 3), (4, 3))) == "d4xd5"
    assert NOTATION.format_move(state, Move((3, 3), (2, 3))) == "d4-d3"
    assert NOTATION.format_move(state, Move((3, 3), (3, 2))) == "d4-c4"  # an own piece is not captured
    assert str(Move((3, 3), (4, 3))) == "d4-d5"


numbers = st.integers(-100, 100)


@given(numbers=st.tuples(numbers, numbers, numbers, numbers))
def test_every_move_comes_back_from_its_text(numbers: tuple[int, int, int, int]) -> None:
    x, y, to_x, to_y = numbers
    state, move = position(BOARD), Move((x, y), (to_x, to_y))
    assert NOTATION.parse_move(state, NOTATION.format_move(state, move)) == move


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, "expected a square"),
        ("d4", 2, "expected - or x"),
        ("d4d5", 2, "expected - or x"),
        ("d4-", 3, "expected a square"),
        ("d4-d9", 3, "expected a square"),
        ("i4-d5", 0, "expected a square"),
        ("d4-d5+", 5, "expected nothing after"),
        ("  d4-d5 d6", 7, "expected nothing after"),
        ("d4xd3", 2, "nothing to capture on d3"),
        ("d4xc4", 2, "nothing to capture on c4"),
        ("(1,2-a1", 0, "expected a square"),
        ("(1,99999999999)-a1", 0, "expected a square"),
    ],
)
def test_a_text_that_names_no_move_is_refused_with_place_and_reason(text: str, at: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as refused:
        NOTATION.parse_move(position(BOARD), text)
    assert refused.value.at == at
