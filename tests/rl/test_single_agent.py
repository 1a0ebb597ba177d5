"""One agent against an opponent: Gymnasium's own checks, and what we promise beyond them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spielleiter import rl
from spielleiter.errors import SettingsError, UnknownPlayer
from spielleiter.players import RandomPlayer

one_of_each = pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])


def play(env: Any, seed: int) -> tuple[float, dict[str, Any], int]:
    """One game of random legal actions: the reward at the end, the last info, and the number of steps."""
    observation, _ = env.reset(seed=seed)
    chance, steps = Random(seed), 0
    while True:
        assert env.position.to_move is env.team
        assert np.array_equal(env.action_masks(), observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(
            int(chance.choice(np.flatnonzero(observation["action_mask"])))
        )
        steps += 1
        assert env.observation_space.contains(observation)
        assert not truncated
        if terminated:
            return reward, info, steps
        assert reward == 0.0


@one_of_each
def test_gymnasium_finds_the_interface_right(key: str) -> None:
    check_env(rl.SingleAgentEnvironment(key, RandomPlayer(1)), skip_render_check=True)


@one_of_each
def test_a_game_is_played_to_its_end(key: str) -> None:
    for team in ("ONE", "TWO"):
        env: Any = rl.SingleAgentEnvironment(key, RandomPlayer(3), team=team)
        reward, info, steps = play(env, 7)
        assert steps > 5
        assert info["team"] == team
        assert reward == env.position.outcome.victory_points(env.team) - 1
        assert info["points"] == env.position.points(env.team)
        assert not env.action_masks().any()


def test_the_same_seed_gives_the_same_game() -> None:
    games = [play(rl.SingleAgentEnvironment("ostseeschach-2022", RandomPlayer(5)), seed) for seed in (1, 1)]
    assert games[0] == games[1]


def test_without_a_team_both_are_played() -> None:
    env: Any = rl.SingleAgentEnvironment("piranhas-2019")
    assert {env.reset(seed=seed)[1]["team"] for seed in range(12)} == {"ONE", "TWO"}


def test_an_opponent_is_a_name_a_player_or_a_function() -> None:
    for opponent in ("student:depth=1", RandomPlayer(1), lambda state: state.legal_moves()[0]):
        env: Any = rl.SingleAgentEnvironment("ostseeschach-2022", opponent, team="TWO")
        env.reset(seed=1)
        assert env.position.turn == 1
    with pytest.raises(UnknownPlayer, match="did you mean student"):
        rl.SingleAgentEnvironment("ostseeschach-2022", "studnet")


def test_an_illegal_action_loses_at_once() -> None:
    env: Any = rl.SingleAgentEnvironment("piranhas-2019", team="ONE")
    observation, _ = env.reset(seed=1)
    action = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated) == (-1.0, True)
    assert info["illegal"]


def test_a_game_can_begin_anywhere() -> None:
    env: Any = rl.SingleAgentEnvironment("ostseeschach-2022", team="TWO", render_mode="ansi")
    env.reset(seed=1, options={"position": "ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 1-0 58"})
    assert env.position.turn == 59
    assert "h" in env.render()
    with pytest.raises(SettingsError, match="over"):
        env.reset(options={"position": "ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 2-0 58"})


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SettingsError, match="expected team"):
        rl.SingleAgentEnvironment("piranhas-2019", team="RED")
    with pytest.raises(SettingsError, match="render_mode"):
        rl.SingleAgentEnvironment("piranhas-2019", render_mode="human")
