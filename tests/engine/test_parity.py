"""The native engine referees exactly as the Python rules do."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.game import TEAMS, AnyGame, perft
from tests.support.night import NIGHT

pytestmark = pytest.mark.slow

_engine = pytest.importorskip("spielleiter._engine", reason="the native engine is not built")
KEYS = [key for key in games.all_games() if key in _engine.RULE_SETS]  # A game may do without the engine.
GAMES_EACH = {"piranhas": 3, "ostseeschach": 4, "blokus": 1}
"""By day, three where it does not say; four times as many at night."""


def test_the_engine_knows_both_rule_sets_of_a_season_or_none() -> None:
    assert sorted(_engine.RULE_SETS) == sorted(KEYS)
    assert {key.removesuffix("-official") for key in KEYS} == {key for key in KEYS if not games.load(key).official}
    assert {f"{key.removesuffix('-official')}-official" for key in KEYS} <= set(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_random_games_are_refereed_alike(key: str) -> None:
    game = games.load(key)
    rng = Random(key)
    for _ in range(GAMES_EACH.get(game.family, 3) * (4 if NIGHT else 1)):
        state = game.new_state(rng)
        text = game.notation.format_state(state)
        while True:
            _compare(game, state, text)
            moves = state.legal_moves()
            if not moves:
                break
            move = rng.choice(moves)
            text = _engine.play(text, game.notation.format_move(state, move))
            state = state.play_unchecked(move)


def _compare(game: AnyGame, state: Any, text: str) -> None:
    assert text == game.notation.format_state(state)
    described, turn, to_move, outcome, one, two = _engine.describe(text)
    assert described == text
    assert turn == state.turn
    expected = state.outcome
    if expected is None:
        assert outcome is None
        assert to_move == state.to_move
    else:
        assert outcome == (expected.winner, expected.reason.name)
    assert [tuple(one), tuple(two)] == [state.points(team) for team in TEAMS]
    moves = _engine.legal_moves(text)
    assert len(set(moves)) == len(moves)
    assert {game.notation.parse_move(state, move) for move in moves} == set(state.legal_moves())
    assert sorted(moves) == sorted(game.notation.format_move(state, move) for move in state.legal_moves())


@pytest.mark.parametrize("key", KEYS)
def test_perft_agrees(key: str) -> None:
    game = games.load(key)
    rng = Random(key)
    for plies in (0, 7, 30):
        state = game.new_state(rng)
        for _ in range(plies):
            moves = state.legal_moves()
            if not moves:
                break
            state = state.play_unchecked(rng.choice(moves))
        text = game.notation.format_state(state)
        for depth in (0, 1, 2):
            assert _engine.perft(text, depth) == perft(state, depth, game.counted_moves)


@pytest.mark.parametrize("key", KEYS)
def test_random_games_of_the_engine_end_with_points_of_the_rules(key: str) -> None:
    game = games.load(key)
    state = game.new_state(Random(5))
    text = game.notation.format_state(state)
    results = [_engine.playout(text, seed) for seed in range(50)]
    assert results[0] == _engine.playout(text, 0), "the same seed gives the same game"
    for winner, one, two in results:
        assert (one[0], two[0]) == {0: (2, 0), 1: (0, 2), None: (1, 1)}[winner]
    one, nobody, two = _engine.playouts(text, 200, 3)
    assert one + nobody + two == 200
