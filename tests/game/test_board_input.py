"""Setting up positions: every notation comes apart and together again, and what the rules forbid is named."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import NotationError
from spielleiter.game import AnyGame, random_game
from spielleiter.game.board_input import read_position, write_position
from spielleiter.games.piranhas.setup import why_impossible

SET_UP_BY_HAND = [game for game in games.all_games().values() if game.setup is not None]


@pytest.mark.parametrize("game", SET_UP_BY_HAND, ids=lambda game: game.key)
def test_a_position_comes_apart_into_stamps_and_fields_and_together_again(game: AnyGame) -> None:
    assert game.setup is not None
    tokens = {"", *(stamp.token for stamp in game.setup.stamps)}
    for state in list(random_game(game.new_state(Random(1)), Random(1)))[::7]:
        text = game.notation.format_state(state)
        rows, fields = read_position(text, game.setup.empty)
        assert {token for row in rows for token in row} <= tokens
        assert game.board_input is not None
        assert [len(row) for row in rows] == [len(row) for row in game.board_input.rows]
        assert len(fields) == len(game.setup.fields)
        for field, value in zip(game.setup.fields, fields, strict=True):
            assert not field.choices or value in field.choices
        assert write_position(game.key, rows, fields, game.setup.empty) == text
        assert game.setup.why_impossible(state) is None


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("RRRRRRRRRR/RRRRRRR3/10/10/10/10/10/10/10/10", "only 16 fish, here are 17"),
        ("10/10/10/10/10/10/10/10/10/10", "exactly 2 krakens, here are 0"),
        ("K9/10/10/10/4K5/10/10/10/10/10", "not on A9"),
        ("10/10/2K7/10/2K7/10/10/10/10/10", "one line or diagonal"),
        ("10/10/2K7/3K6/10/10/10/10/10/10", "one line or diagonal"),
    ],
)
def test_a_board_of_piranhas_to_which_no_game_leads_is_named_with_its_rule(board: str, why: str) -> None:
    state = games.load("piranhas-2019").notation.parse_state(f"piranhas-2019 {board} 0")
    found = why_impossible(state)
    assert found is not None
    assert why in found.en


def test_a_board_that_is_too_small_is_refused_by_the_notation() -> None:
    with pytest.raises(NotationError):
        games.load("piranhas-2019").notation.parse_state(write_position("piranhas-2019", [["R"] * 10] * 9, ["0"]))
