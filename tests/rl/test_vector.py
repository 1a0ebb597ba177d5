"""Many games as one environment: the agent always moves, the opponent answers, and the next game follows at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spielleiter import rl
from spielleiter.errors import IllegalMove, SettingsError
from tests.support.played import needs_engine

pytestmark = needs_engine


@pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])
def test_games_go_on_and_on_against_the_opponent(key: str) -> None:
    env = rl.VectorEnvironment(key, 4, threads=2)
    observation, _ = env.reset(seed=3)
    teams = np.array([0, 1, 0, 1])
    ended = 0
    for _ in range(80):
        assert env.observation_space.contains(observation)
        assert np.array_equal(env.batch.to_move, teams)
        observation, rewards, terminations, truncations, infos = env.step(env.batch.random_actions())
        ended += terminations.sum()
        assert not truncations.any()
        assert not rewards[~terminations].any()
        assert np.isin(rewards, (-1, 0, 1)).all()
        assert not infos["points"][~terminations].any()
        assert (infos["_points"] == terminations).all()
    assert ended >= 4


def test_the_same_seed_gives_the_same_games() -> None:
    first, again = (rl.VectorEnvironment("piranhas-2026", 3) for _ in range(2))
    assert np.array_equal(first.reset(seed=4)[0]["observation"], again.reset(seed=4)[0]["observation"])
    assert not np.array_equal(first.reset(seed=5)[0]["observation"], again.reset(seed=4)[0]["observation"])


def test_what_was_seen_is_not_written_over() -> None:
    env = rl.VectorEnvironment("piranhas-2026", 2)
    seen, _ = env.reset(seed=1)
    before = seen["observation"].copy()
    env.step(env.batch.random_actions())
    assert np.array_equal(seen["observation"], before)


def test_the_engine_is_a_stronger_opponent_than_chance() -> None:
    lost: list[float] = []
    env = rl.VectorEnvironment("ostseeschach-2022", 4, rl.search_opponent(30))
    env.reset(seed=1)
    while len(lost) < 4:
        _, rewards, terminations, *_ = env.step(env.batch.random_actions())
        lost += rewards[terminations].tolist()
    assert sum(lost) <= -len(lost) / 2


def test_illegal_actions_and_settings_are_refused() -> None:
    env = rl.VectorEnvironment("piranhas-2019", 2, team="ONE")
    observation, _ = env.reset(seed=1)
    illegal: Any = observation["action_mask"].argmin(axis=1)
    with pytest.raises(IllegalMove):
        env.step(illegal)
    assert not env.batch.turns.any()
    with pytest.raises(SettingsError, match="expected team"):
        rl.VectorEnvironment("piranhas-2019", 2, team="RED")
    with pytest.raises(SettingsError, match="expected n"):
        rl.VectorEnvironment("piranhas-2019", 0)
