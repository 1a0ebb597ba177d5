"""The fast generator of Blokus against a naive one."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter import games
from spielleiter.game import random_game
from spielleiter.games.blokus import Pass, Place, State
from spielleiter.games.blokus.moves import garbage_move
from spielleiter.games.blokus.rules import can_lay
from spielleiter.games.blokus.shapes import COLORS
from tests.support import blokus_naive as naive
from tests.support.blokus_positions import KEYS, in_corners
from tests.support.night import by_day


def random_positions(key: str, seed: int, every: int) -> list[State]:
    states = list(random_game(games.load(key).new_state(Random(seed)), Random(seed)))
    return states[seed % every :: every]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", by_day([1, 3], [1]))
def test_moves_are_those_of_the_naive_generator(key: str, seed: int) -> None:
    for state in random_positions(key, seed, every=13):
        if state.outcome is None:
            found = [(move.kind.name, frozenset(move.cells)) for move in state.placements()]
            assert len(found) == len(set(found))
            assert set(found) == naive.legal_placements(state)


@pytest.mark.parametrize("key", KEYS)
def test_a_color_can_lay_a_piece_exactly_when_a_placement_is_found(key: str) -> None:
    seen = set()
    for state in random_positions(key, 4, every=1):
        for color in COLORS:
            turn = 4 + color  # whatever the turn: who could move, if it were this colour's?
            asked = State(state.rules, state.start, state.boards, state.hands, turn, 1 << color, state.mono)
            able = can_lay(state.rules, state.start, state.boards, state.hands, color)
            assert able == bool(asked._find_moves()[: -1 if state.boards[color] else None])
            seen.add(able)
    assert seen == {True, False}


def test_moves_out_of_thin_air_are_of_every_kind() -> None:
    rng = Random(1)
    moves = [garbage_move(rng) for _ in range(2000)]
    assert any(isinstance(move, Pass) for move in moves)
    placed = [move for move in moves if isinstance(move, Place)]
    assert {move.on_board for move in placed} == {True, False}
    assert any(in_corners().violation(move) is None for move in placed)
