"""Games to learn from: first by random moves, then of the network against itself, with a tree search.

With the search the network plays better than alone; by learning what the search found, it learns to do so alone.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import numpy as np

from examples.train.network import Network, Samples
from examples.train.tree_search import Forest, observe, result, worth
from spielleiter import native
from spielleiter.game import Game

KEPT = 0.15
"""The share of the positions of random games to learn from: those of one game are much alike."""
EXPLORE = 30
"""In so many turns moves are drawn by chance, the better the likelier; later ones are the best."""
TRUST = 0.5
"""How much of the value to learn is the result of the game; the rest is what the search thought."""


def random_games(key: str, games: int, seed: int) -> Samples:
    """Positions of about ``games`` games by random moves, with their results: where a value begins to learn."""
    batch = native.Batch(key, min(games, 256), seed)
    rng = np.random.default_rng(seed)
    numbers, begun = np.arange(batch.n), batch.n
    results = np.full(games + batch.n, np.nan, np.float32)
    planes, whose, sides = [], [], []
    while begun < len(results):
        kept = rng.random(batch.n) < KEPT
        planes.append(batch.observations[kept])
        whose.append(numbers[kept])
        sides.append(1 - 2.0 * batch.to_move[kept])
        batch.step(batch.random_actions())
        over = batch.done.nonzero()[0][: len(results) - begun]
        ends = zip(batch.rewards[over, 0].tolist(), batch.points[over, :, 1].tolist(), strict=True)
        results[numbers[over]] = [worth(won, *points) for won, points in ends]
        numbers[over] = np.arange(begun, begun + len(over))
        begun += len(over)
    values = results[np.concatenate(whose)] * np.concatenate(sides)
    known = ~np.isnan(values)
    # There is nothing to learn for a policy: one action, and it is certain.
    actions = np.zeros((int(known.sum()), 1), np.int32)
    return Samples(np.concatenate(planes)[known], actions, np.ones(actions.shape, np.float32), values[known])


def play(network: Network, games: int, simulations: int, seed: int) -> Samples:
    """What is to be learned from ``games`` games, side by side; ``simulations`` leaves for each move."""
    game: Game[native.Position, Any] = native.load(network.key)
    chance, rng = Random(seed), np.random.default_rng(seed)
    positions = [game.new_state(chance) for _ in range(games)]
    running, results = np.arange(games), np.zeros(games, np.float32)
    parts, whose = [], []
    while running.size:
        forest = Forest(network, positions, simulations, rng)
        for simulation in range(simulations):
            forest.grow(simulation)
        policies, values = forest.improved()
        parts.append(Samples(observe(network, positions), forest.actions(), policies, values))
        sides = np.array([1 - 2 * position.to_move for position in positions], np.float32)
        whose.append((running, sides))
        chosen = forest.best(np.array([position.turn < EXPLORE for position in positions]))
        after = [position.play_action(int(action)) for position, action in zip(positions, chosen, strict=True)]
        outcomes = [position.outcome for position in after]
        for index, position, outcome in zip(running, after, outcomes, strict=True):
            if outcome is not None:
                results[index] = result(position, outcome)
        running = running[[outcome is None for outcome in outcomes]]
        positions = [position for position, outcome in zip(after, outcomes, strict=True) if outcome is None]
    samples = Samples.join(parts)
    samples.values *= 1 - TRUST
    samples.values += TRUST * np.concatenate([sides * results[index] for index, sides in whose])
    return samples


def timed_play(network: Network, games: int, simulations: int, seed: int) -> tuple[Samples, float]:
    """Like ``play``, with the seconds of CPU time that it took."""
    begun = time.process_time()
    samples = play(network, games, simulations, seed)
    return samples, time.process_time() - begun
