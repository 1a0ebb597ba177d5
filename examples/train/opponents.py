"""How a network with a tree search does against a built-in player."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from examples.train.network import Network
from spielleiter import native, players
from spielleiter.game import TEAMS, Team
from spielleiter.search import Budget, MonteCarlo


def score_against(network: Network, opponent: str, pairs: int, nodes: int, seed: int) -> float:
    """The share of the points in ``pairs`` of games, both sides of each start, against a built-in player."""
    game, chance = native.load(network.key), Random(seed)

    def evaluate(state: native.Position, team: Team) -> float:
        seen = np.frombuffer(state.observe(state.to_move), np.uint8).reshape(1, *network.shape)
        value = float(network.values(seen)[0])
        return value if state.to_move is team else -value

    points = 0.0
    for _ in range(pairs):
        start = game.new_state(chance)
        for own in TEAMS:
            search: MonteCarlo[Any, Any] = MonteCarlo(evaluate, moves=game.promising_moves, rng=chance)
            other = players.load(opponent)
            state = start
            while (outcome := state.outcome) is None:
                if state.to_move is own:
                    state = state.play(search.search(state, Budget(nodes=nodes)).move)
                else:
                    state = state.play(other.choose(state.to_python(), 60.0))
            points += outcome.victory_points(own) / 2
    return points / (2 * pairs)
