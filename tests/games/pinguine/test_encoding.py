"""Pinguine as numbers: both teams see the same board, and one network plays both."""

from __future__ import annotations

from random import Random

from spielleiter import games
from spielleiter.game import Team, random_game
from spielleiter.games.pinguine import Move, State
from spielleiter.games.pinguine.encoding import DIRECTIONS
from tests.support.pinguine_positions import position

GAME = games.load("pinguine-2023")
ENCODING = GAME.encoding
TEXTS = [plane.text for plane in ENCODING.planes]


def plane(state: State, team: Team, text: str) -> list[bytes]:
    """The rows of the plane called ``text``."""
    seen = ENCODING.plane_bytes(state, team)[TEXTS.index(text) * 64 :]
    return [seen[row * 8 : row * 8 + 8] for row in range(8)]


def test_penguins_fish_and_catches_are_shown() -> None:
    state = position("P123.ppp/PPP.14.p", "14-9", 14)
    assert plane(state, Team.ONE, "own penguins")[:2] == [
        bytes([1, 0, 0, 0, 0, 0, 0, 0]),
        bytes([1, 1, 1, 0, 0, 0, 0, 0]),
    ]
    assert plane(state, Team.TWO, "the opponent's penguins") == plane(state, Team.ONE, "own penguins")
    assert plane(state, Team.TWO, "own penguins")[1] == bytes([0, 0, 0, 0, 0, 0, 0, 1])
    assert plane(state, Team.ONE, "floes with 1 fish")[0] == bytes([0, 1, 0, 0, 0, 0, 0, 0])
    assert plane(state, Team.ONE, "floes with 4 fish")[1] == bytes([0, 0, 0, 0, 0, 1, 0, 0])
    assert plane(state, Team.ONE, "own fish, on every field")[7] == b"\x0e" * 8
    assert plane(state, Team.TWO, "own fish, on every field")[7] == b"\x09" * 8
    assert plane(state, Team.TWO, "all ones: this team moves second in a round")[0] == b"\1" * 8
    assert plane(state, Team.ONE, "the turn, on every field")[3] == b"\x0e" * 8


def test_a_number_is_step_row_and_field() -> None:
    placing, sliding = position("1111/1111", "0-0", 0), position("P123.ppp/PPP.11.p")
    assert ENCODING.action(placing, Move(None, (3, 1))) == 8 + 1  # b2
    assert ENCODING.move(placing, 9) == Move(None, (3, 1))
    assert ENCODING.action(sliding, Move((0, 0), (6, 0))) == 64 * 3  # a1 to the right by three
    assert ENCODING.move(sliding, 64 * 3) == Move((0, 0), (6, 0))
    assert ENCODING.action(sliding, Move((7, 1), (6, 2))) == 64 * (1 + 7 * DIRECTIONS.index((-1, 1))) + 8 + 3


def test_the_directions_are_those_of_the_rules() -> None:
    steps = {
        (move.target[0] - move.start[0], move.target[1] - move.start[1])
        for state in random_game(GAME.new_state(Random(2)), Random(2))
        for move in state.legal_moves()
        if move.start is not None
    }
    assert DIRECTIONS == ((2, 0), (-2, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))  # R3
    assert steps <= {(x * far, y * far) for x, y in DIRECTIONS for far in range(1, 8)}
    assert ENCODING.actions == (1 + 6 * 7) * 64
