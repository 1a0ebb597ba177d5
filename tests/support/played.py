"""Games for tests of what is said about them: half the moves by the engine, so that they come to something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from spielleiter.games import load
from spielleiter.search import Budget
from spielleiter.search.engine import EngineSearch, why_unavailable

needs_engine = pytest.mark.skipif(why_unavailable() is not None, reason="the native engine is not built")


@cache
def positions(key: str, seed: int, *, nodes: int = 300, chance: float = 0.3) -> tuple[Any, ...]:
    """All positions of a game in which each move is random with this ``chance``, else the engine's."""
    game, rng = load(key), Random(seed)
    search = EngineSearch(game, table_mib=1)
    found = [game.new_state(rng)]
    while found[-1].outcome is None:
        state = found[-1]
        at_random = rng.random() < chance
        move = rng.choice(state.legal_moves()) if at_random else search.search(state, Budget(nodes=nodes)).move
        found.append(state.play(move))
    return tuple(found)


def moves(key: str, seeds: range, **options: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Every move of these games: the position before it, the move, the position after it."""
    for seed in seeds:
        for before, after in pairwise(positions(key, seed, **options)):
            yield before, after.last_move, after
