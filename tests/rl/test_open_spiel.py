"""Every game as a game of OpenSpiel: its own random simulations, where it is installed (``pip install open_spiel``)."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

from spielleiter import games
from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS
from spielleiter.rl import states
from spielleiter.search import engine
from tests.support.night import by_day

pyspiel: Any = pytest.importorskip("pyspiel", reason="needs open_spiel")

from spielleiter.rl import open_spiel

KEYS = list(games.all_games())
SEASONS = [game.key for game in games.seasons()]


def load(key: str, parameters: str = "") -> Any:
    return pyspiel.load_game(open_spiel.open_spiel_name(games.load(key)) + parameters)


@pytest.mark.parametrize("key", by_day(KEYS, SEASONS))
@pytest.mark.parametrize("parameters", ["", "(seed=3)"], ids=["chance", "no chance"])
def test_random_simulations_of_open_spiel_pass(key: str, parameters: str) -> None:
    pyspiel.random_sim_test(load(key, parameters), num_sims=1, serialize=True, verbose=False)


def test_without_the_engine_they_pass_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    game = load("ostseeschach-2022")
    assert not states.is_native(game.rules)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("key", SEASONS)
def test_a_game_is_the_one_of_our_rules_move_by_move(key: str) -> None:
    ours, game, chance = games.load(key), load(key), Random(7)
    state, position = game.new_initial_state(), ours.new_state(Random(42))
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == open_spiel.STARTS
    state.apply_action(42)
    while position.outcome is None:
        assert str(state) == ours.notation.format_state(position)
        assert state.current_player() == position.to_move
        legal = sorted(ours.encoding.action(position, move) for move in position.legal_moves())
        assert state.legal_actions() == legal
        seen = np.array(state.observation_tensor(1)).reshape(game.observation_tensor_shape())
        assert np.array_equal(seen, states.planes(ours, position, TEAMS[1]))
        action = chance.choice(legal)
        move = ours.encoding.move(position, action)
        assert state.action_to_string(action) == ours.notation.format_move(position, move)
        state.apply_action(action)
        position = position.play(move)
    assert state.is_terminal()
    assert state.returns() == [position.outcome.victory_points(team) - 1 for team in TEAMS]
    assert state.move_number() - 1 <= game.max_game_length()


def test_a_clone_goes_its_own_way_and_a_pickle_comes_back() -> None:
    game = load("piranhas-2026", "(seed=3)")
    state = game.new_initial_state()
    assert not state.is_chance_node()
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert (state.history(), len(clone.history())) == ([], 1)
    again = pickle.loads(pickle.dumps(clone))
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, clone))
    assert str(clone) == str(again) == str(read) != str(state)
    assert clone.legal_actions() == again.legal_actions() == read.legal_actions()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = load("piranhas-2026", "(seed=3)").new_initial_state()
    illegal = next(action for action in range(800) if action not in state.legal_actions())
    before = str(state)
    with pytest.raises(IllegalMove):
        state.apply_action(illegal)
    assert (str(state), state.history()) == (before, [])


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [("(starts=0)", "at least 1"), ("(seed=x)", "Wrong type"), ("(seeds=1)", "Unknown parameter 'seeds'")],
)
def test_senseless_parameters_are_refused(parameters: str, problem: str) -> None:
    with pytest.raises(Exception, match=problem):
        load("piranhas-2026", parameters)


@pytest.mark.slow
def test_a_program_that_uses_it_ends_quietly() -> None:
    """Objects that OpenSpiel frees after the end of Python would crash it."""
    script = (
        "import pyspiel, spielleiter.rl.open_spiel\n"
        "from open_spiel.python.algorithms import mcts\n"
        "game = pyspiel.load_game('spielleiter_piranhas_2019')\n"
        "state = game.new_initial_state()\n"
        "state.apply_action(0)\n"
        "bot = mcts.MCTSBot(game, 2, 5, mcts.RandomRolloutEvaluator(1))\n"
        "print(bot.step(state) in state.legal_actions())\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "True\n", "")
