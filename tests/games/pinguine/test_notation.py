"""Positions and moves of Pinguine as texts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import NotationError
from spielleiter.game import Team, random_game
from spielleiter.games.pinguine import Move, Rules
from spielleiter.games.pinguine.notation import PinguineNotation
from spielleiter.games.pinguine.rules import PINGUINE_2023, RULE_SETS, new_state
from tests.support.pinguine_positions import position

NOTATION = PinguineNotation(PINGUINE_2023)
KEY = "pinguine-2023"
EMPTY = "/".join(["........"] * 8)
BOARD = "P123.ppp/PPP.11.p/" + "/".join(["........"] * 6)


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_every_position_of_a_game_comes_back_from_its_text(rules: Rules) -> None:
    notation = PinguineNotation(rules)
    for seed in range(15):
        for state in random_game(new_state(rules, Random(seed)), Random(seed)):
            text = notation.format_state(state)
            assert text.startswith(f"{rules.key} ")
            assert notation.parse_state(text) == state
            assert games.parse_position(text)[1] == state


def test_a_position_is_written_from_row_1_to_row_8_and_from_a_to_h() -> None:
    text = f"{KEY} {BOARD} 6-5 11"
    state = NOTATION.parse_state(text)
    assert [state.fish_at((x, 0)) for x in range(0, 16, 2)] == [0, 1, 2, 3, 0, 0, 0, 0]
    assert state.penguin_at((0, 0)) is Team.ONE
    assert state.penguin_at((15, 1)) is Team.TWO
    assert (state.fish, state.turn) == ((6, 5), 11)
    assert NOTATION.format_state(state) == text


def test_blanks_around_the_words_do_not_matter() -> None:
    text = f"{KEY} {BOARD} 4-4 8"
    assert NOTATION.parse_state("  " + text.replace(" ", "   ") + "\n") == NOTATION.parse_state(text)


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, "expected the key of the game, the board, the fish"),
        (KEY, 13, "expected the key of the game, the board, the fish"),
        (f"{KEY} {BOARD} 4-4", 89, "expected the key of the game, the board, the fish"),
        (f"{KEY} {BOARD} 4-4 8 0", 92, "expected the key of the game, the board, the fish"),
        (f"piranhas-2019 {BOARD} 4-4 8", 0, "expected pinguine-2023"),
        (f"{KEY}-official {BOARD} 4-4 8", 0, "expected pinguine-2023"),
        (f"{KEY} {BOARD[:-9]} 4-4 8", 14, "expected 8 rows"),
        (f"{KEY} {BOARD}/........ 4-4 8", 14, "expected 8 rows"),
        (f"{KEY} {BOARD[:-1]} 4-4 8", 77, "expected 8 fields in row 8, found 7"),
        (f"{KEY} 8/{BOARD[9:]} 4-4 8", 14, "expected 8 fields in row 1, found 1"),
        (f"{KEY} 5{BOARD[1:]} 4-4 8", 14, "expected one of 1 to 4"),
        (f"{KEY} P0{BOARD[2:]} 4-4 8", 15, "expected one of 1 to 4"),
        (f"{KEY} P²{BOARD[2:]} 4-4 8", 15, "expected one of 1 to 4"),
        (f"{KEY} {BOARD} 4:4 8", 86, "expected the fish"),
        (f"{KEY} {BOARD} 04-4 8", 86, "expected the fish"),
        (f"{KEY} {BOARD} 4-4 65", 90, "0 to 64"),
        (f"{KEY} {BOARD} 4-4 -1", 90, "0 to 64"),
        (f"{KEY} {BOARD} 4-4 08", 90, "0 to 64"),
        (f"{KEY} {BOARD} 4-4 ٣", 90, "0 to 64"),
        (f"{KEY} {BOARD} 4-4 7", 14, r"after 7 moves TWO has 3 penguins, not 4 \(R8\)"),
        (f"{KEY} {BOARD} 9-4 8", 14, r"8 to 8 fish .*\(R10\)"),
        (f"{KEY} {EMPTY} 0-0 0", 14, r"too few floes .*\(R8\)"),
    ],
)
def test_an_impossible_position_is_refused_with_place_and_reason(text: str, at: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as refused:
        NOTATION.parse_state(text)
    assert refused.value.at == at
    assert refused.value.text.de != refused.value.text.en


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a1", Move(None, (0, 0))),
        ("h8", Move(None, (15, 7))),
        (" C2\n", Move(None, (5, 1))),
        ("a1-d1", Move((0, 0), (6, 0))),
        ("A1-D1", Move((0, 0), (6, 0))),
        ("d1-(8,8)", Move((6, 0), (8, 8))),
        ("(1,0)-a1", Move((1, 0), (0, 0))),
        ("(-1,12)", Move(None, (-1, 12))),
    ],
)
def test_a_move_is_read_legal_or_not(text: str, move: Move) -> None:
    assert NOTATION.parse_move(position("P123.ppp/PPP.11.p"), text) == move


@given(numbers=st.tuples(*[st.integers(-100, 100)] * 4), places=st.booleans())
def test_every_move_comes_back_from_its_text(numbers: tuple[int, int, int, int], places: bool) -> None:
    x, y, to_x, to_y = numbers
    state, move = position("P123.ppp/PPP.11.p"), Move(None if places else (x, y), (to_x, to_y))
    assert NOTATION.parse_move(state, NOTATION.format_move(state, move)) == move


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, "expected a field"),
        ("i1", 0, "expected a field"),
        ("a9", 0, "expected a field"),
        ("a1d1", 2, "expected one field"),
        ("a1xd1", 2, "expected one field"),
        ("a1-", 3, "expected a field"),
        ("a1-d9", 3, "expected a field"),
        ("a1-d1+", 5, "expected nothing after"),
        ("  a1-d1 e1", 7, "expected nothing after"),
        ("(1,2-a1", 0, "expected a field"),
        ("(1,99999999999)", 0, "expected a field"),
    ],
)
def test_a_text_that_names_no_move_is_refused_with_place_and_reason(text: str, at: int, problem: str) -> None:
    with pytest.raises(NotationError, match=problem) as refused:
        NOTATION.parse_move(position("P123.ppp/PPP.11.p"), text)
    assert refused.value.at == at
    assert refused.value.text.de != refused.value.text.en
