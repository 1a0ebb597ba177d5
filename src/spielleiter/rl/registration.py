"""The environments in Gymnasium's registry: ``gymnasium.make("spielleiter/NameYear-v0")``.

Gymnasium 1.0 has given up looking for entry points of other packages, so importing ``spielleiter.rl`` registers them;
``gymnasium.make("spielleiter.rl:spielleiter/...")`` imports it by itself.
"""

from __future__ import annotations

import gymnasium

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.search.engine import why_unavailable

NAMESPACE = "spielleiter"
_VERSION = 0
"""Grows when the same actions would no longer lead to the same observations and rewards."""


def environment_id(game: AnyGame) -> str:
    """What Gymnasium calls the environment of a rule set: the words of its key without hyphens."""
    return f"{NAMESPACE}/{''.join(word.capitalize() for word in game.key.split('-'))}-v{_VERSION}"


def register_games() -> None:
    """Register an environment for every game found; idempotent."""
    for game in games.all_games().values():
        name = environment_id(game)
        if name in gymnasium.registry:
            continue
        vector = "spielleiter.rl.vector:VectorEnvironment" if why_unavailable(game.key) is None else None
        gymnasium.register(
            id=name,
            entry_point="spielleiter.rl.single_agent:SingleAgentEnvironment",
            vector_entry_point=vector,
            kwargs={"key": game.key},
        )
