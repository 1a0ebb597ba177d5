from __future__ import annotations

import pytest

from spielleiter.game import TEAMS, AnyGame
from spielleiter.games import all_games
from spielleiter.search import quiet
from tests.support.toys import minimax, some_positions

LOUD = [game for game in all_games().values() if game.noisy_moves]


@pytest.mark.parametrize("game", LOUD, ids=lambda game: game.key)
def test_a_quiet_value_is_that_of_playing_out_the_noise(game: AnyGame) -> None:
    assert game.noisy_moves is not None
    evaluate = quiet(game.evaluate, game.noisy_moves)
    for seed in range(5):
        for state in some_positions(game, seed):
            value = max(-1.0, min(1.0, minimax(state, 0, game)))
            assert evaluate(state, state.to_move) == value
            assert evaluate(state, state.to_move.opponent) == -value


def test_some_position_changes_its_value_when_the_noise_is_over() -> None:
    for game in LOUD:
        assert game.noisy_moves is not None
        evaluate = quiet(game.evaluate, game.noisy_moves)
        states = [state for seed in range(5) for state in some_positions(game, seed)]
        assert any(evaluate(state, TEAMS[0]) != game.evaluate(state, TEAMS[0]) for state in states)


def test_without_noise_an_evaluation_stays_as_it_is() -> None:
    game = all_games()["piranhas-2019"]
    assert quiet(game.evaluate, None) is game.evaluate
