"""Every game as a PettingZoo environment, for programs that learn: ``rl.env("piranhas-2026")`` (see docs/rl.md)."""

from __future__ import annotations

try:
    import pettingzoo as _needed  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"spielleiter.rl needs {missing.name}: install the extra with pip install 'spielleiter[rl]'", name=missing.name
    ) from missing

from spielleiter.rl.environment import GameEnvironment, Observation, env, raw_env

__all__ = ["GameEnvironment", "Observation", "env", "raw_env"]
