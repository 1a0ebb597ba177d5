"""How a network with a tree search does against a built-in player: it plays as ``onnx:net.onnx,nodes=200`` would."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from examples.train.network import Floats, Network
from examples.train.self_play import softmax
from spielleiter import native, players
from spielleiter.game import TEAMS, Team
from spielleiter.search import Budget, MonteCarlo


def score_against(network: Network, opponent: str, pairs: int, nodes: int, seed: int) -> float:
    """The share of the points in ``pairs`` of games, both sides of each start, against a built-in player."""
    game, chance = native.load(network.key), Random(seed)

    @lru_cache(20_000)
    def ask(state: native.Position) -> tuple[Floats, float]:
        seen = np.frombuffer(state.observe(state.to_move), np.uint8).reshape(1, *network.shape)
        policies, values = network.judge(seen)
        return policies[0], float(values[0])

    def evaluate(state: native.Position, team: Team) -> float:
        value = ask(state)[1]
        return value if state.to_move is team else -value

    def priors(state: native.Position, moves: Sequence[Any]) -> list[float]:
        chances: list[float] = softmax(ask(state)[0][[state.action(move) for move in moves]], 1.0).tolist()
        return chances

    points = 0.0
    for _ in range(pairs):
        start = game.new_state(chance)
        for own in TEAMS:
            search: MonteCarlo[Any, Any] = MonteCarlo(evaluate, priors=priors, rng=chance)
            other = players.load(opponent)
            state = start
            while (outcome := state.outcome) is None:
                if state.to_move is own:
                    state = state.play(search.search(state, Budget(nodes=nodes)).move)
                else:
                    state = state.play(other.choose(state.to_python(), 60.0))
            points += outcome.victory_points(own) / 2
    return points / (2 * pairs)
