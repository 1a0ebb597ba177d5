"""The environments by their names in Gymnasium."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spielleiter import games, rl
from spielleiter.game import AnyGame
from tests.support.played import needs_engine
from tests.support.rule_sets import each_game


def test_the_name_is_made_of_the_words_of_the_key() -> None:
    names = {rl.environment_id(game) for game in games.all_games().values()}
    assert len(names) == len(games.all_games())
    assert {"spielleiter/Blokus2027-v0", "spielleiter/Piranhas2026Official-v0"} <= names
    assert names <= set(gymnasium.registry)


@each_game
def test_gymnasium_makes_every_game_by_its_name(game: AnyGame) -> None:
    env: Any = gymnasium.make(rl.environment_id(game), opponent="random:seed=1", team="TWO", render_mode="ansi")
    assert env.unwrapped.game.key == game.key
    observation, info = env.reset(seed=1)
    assert info["team"] == "TWO"
    for _ in range(3):
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, _, terminated, truncated, _ = env.step(action)
        assert not terminated
        assert not truncated
    assert env.render() == game.draw_text(env.unwrapped.position, False)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.slow
def test_without_an_import_the_name_brings_its_module() -> None:
    code = "import gymnasium; print(gymnasium.make('spielleiter.rl:spielleiter/Blokus2027-v0').unwrapped.game.key)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "blokus-2027\n", "")


def test_next_years_game_has_a_name_too(tictactoe: AnyGame) -> None:
    name = rl.environment_id(tictactoe)
    assert name == "spielleiter/Tictactoe2028-v0"
    try:
        rl.register_games()
        rl.register_games()
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)
        assert gymnasium.spec(name).vector_entry_point is None
    finally:
        gymnasium.registry.pop(name)


@needs_engine
def test_many_games_are_made_by_the_same_name() -> None:
    vector: Any = gymnasium.make_vec(
        "spielleiter/Ostseeschach2022-v0", num_envs=4, vectorization_mode="vector_entry_point"
    )
    observation, info = vector.reset(seed=1)
    assert observation["observation"].shape[0] == 4
    assert info["team"].tolist() == [0, 1, 0, 1]


def test_a_name_that_is_none_is_refused_as_gymnasium_does() -> None:
    with pytest.raises(gymnasium.error.Error):
        gymnasium.make("spielleiter/Mensch2027-v0")
