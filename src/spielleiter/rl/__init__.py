"""Every game as an environment for programs that learn: ``rl.env(key)`` (see docs/rl.md)."""

from __future__ import annotations

try:
    import pettingzoo as _needed  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"spielleiter.rl needs {missing.name}: install the extra with pip install 'spielleiter[rl]'", name=missing.name
    ) from missing

from spielleiter.rl.environment import GameEnvironment, Observation, env, raw_env
from spielleiter.rl.registration import environment_id, register_games
from spielleiter.rl.single_agent import SingleAgentEnvironment
from spielleiter.rl.vector import VectorEnvironment, random_opponent, search_opponent

__all__ = [
    "GameEnvironment",
    "Observation",
    "SingleAgentEnvironment",
    "VectorEnvironment",
    "env",
    "environment_id",
    "random_opponent",
    "raw_env",
    "register_games",
    "search_opponent",
]

register_games()
