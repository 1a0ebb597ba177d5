"""How a network does against a built-in player."""

from __future__ import annotations

from pathlib import Path
from random import Random

from spielleiter import games, players
from spielleiter.game import TEAMS

SECONDS = 2.0
"""For each move, as in the contest."""


def score_against(path: Path, key: str, opponent: str, pairs: int, nodes: int, seed: int) -> float:
    """The share of the points of ``onnx:PATH,nodes=NODES`` in pairs of games, both sides of each start."""
    game, chance = games.load(key), Random(seed)
    points = 0.0
    for _ in range(pairs):
        start = game.new_state(chance)
        for own in TEAMS:
            network, other = players.load(f"onnx:{path},nodes={nodes},seed=1"), players.load(opponent)
            state = start
            while (outcome := state.outcome) is None:
                player = network if state.to_move is own else other
                state = state.play(player.choose(state, SECONDS))
            points += outcome.victory_points(own) / 2
    return points / (2 * pairs)
