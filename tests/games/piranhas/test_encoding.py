"""Piranhas as numbers: both teams see their fish left and right, and one network plays both."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.game import AnyGame, Team, random_game
from spielleiter.games.piranhas import Direction, Move, State
from spielleiter.games.piranhas.rules import SIZE

GAMES = [games.load(key) for key in ("piranhas-2019", "piranhas-2026")]
PLAIN, WEIGHTED = GAMES


def plane(state: State, team: Team, text: str) -> list[bytes]:
    """The rows of the plane called ``text``."""
    encoding = games.load(state.rules.key).encoding
    index = [plane.text for plane in encoding.planes].index(text)
    seen = encoding.plane_bytes(state, team)[index * 100 : index * 100 + 100]
    return [seen[row * 10 : row * 10 + 10] for row in range(10)]


def mirrored(board: int) -> int:
    return sum(1 << x * SIZE + y for y in range(SIZE) for x in range(SIZE) if board >> y * SIZE + x & 1)


def exchanged(state: State) -> State:
    """The same position with the teams exchanged, in the next turn."""
    union = None if state.first_union is None else state.first_union.opponent
    one, two, krakens = mirrored(state.two), mirrored(state.one), mirrored(state.krakens)
    medium, large = mirrored(state.medium), mirrored(state.large)
    return State(state.rules, state.turn + 1, one, two, krakens, medium, large, union)


def test_both_teams_see_their_own_fish_left_and_right_at_the_start() -> None:
    start = PLAIN.new_state(Random(1))
    left_and_right = [bytes(10), *[b"\1" + bytes(8) + b"\1"] * 8, bytes(10)]
    for team in Team:
        assert plane(start, team, "own fish") == left_and_right
        assert plane(start, team, "the opponent's fish") != left_and_right


def test_a_square_is_row_y_and_column_x_for_one_and_the_other_way_round_for_two() -> None:
    state = PLAIN.notation.parse_state("piranhas-2019 10/10/10/3B6/10/10/10/10/10/8K1 0")
    assert plane(state, Team.ONE, "krakens")[0][8] == plane(state, Team.TWO, "krakens")[8][0] == 1
    assert plane(state, Team.ONE, "the opponent's fish")[6][3] == plane(state, Team.TWO, "own fish")[3][6] == 1


def test_weights_unions_and_turns_are_shown() -> None:
    state = WEIGHTED.notation.parse_state("piranhas-2026 10/10/10/3L6/10/m9/10/10/10/8K1 7 TWO")
    assert plane(state, Team.ONE, "own fish of weight 3")[6][3] == 1
    assert plane(state, Team.ONE, "the opponent's fish of weight 2")[4][0] == 1
    assert not any(map(any, plane(state, Team.ONE, "own fish of weight 1")))
    assert all(map(all, plane(state, Team.TWO, "all ones: the own fish were united first")))
    assert all(map(all, plane(state, Team.ONE, "all ones: the opponent's fish were united first")))
    assert not any(map(any, plane(state, Team.ONE, "all ones: the own fish were united first")))
    assert plane(state, Team.ONE, "the turn, on every square")[3][3] == 7


def test_a_number_is_direction_row_and_column() -> None:
    one = PLAIN.new_state(Random(1))
    move = Move(3, 4, Direction.RIGHT)  # direction 2
    assert PLAIN.encoding.action(one, move) == 243
    assert PLAIN.encoding.move(one, 243) == move
    two = one.play(one.legal_moves()[0])
    assert PLAIN.encoding.move(two, 243) == Move(4, 3, Direction.UP)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_exchanged_teams_see_the_same_board_and_have_the_same_moves(game: AnyGame) -> None:
    encoding = game.encoding
    board = slice(0, -200)  # all but whose turn in the round it is, and the turn
    for state in list(random_game(game.new_state(Random(2)), Random(2)))[:20:2]:
        other = exchanged(state)
        assert other.to_move is state.to_move.opponent
        seen, seen_by_other = (encoding.plane_bytes(s, s.to_move) for s in (state, other))
        assert seen[board] == seen_by_other[board]
        numbers, others = ({encoding.action(s, move) for move in s.legal_moves()} for s in (state, other))
        assert numbers == others
