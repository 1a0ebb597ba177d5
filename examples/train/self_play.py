"""Games to learn from: first by random moves, then of the network against itself, with a tree search.

With the search the network plays better than alone; by learning what the search found, it learns to do so alone.
"""

from __future__ import annotations

import time
from random import Random
from typing import Any

import numpy as np

from examples.train.network import Network, Samples
from examples.train.tree_search import NEVER, Forest, observe, result
from spielleiter import native
from spielleiter.game import Game

KEPT = 0.15
"""The share of the positions of random games to learn from: those of one game are much alike."""
NOISE = 0.25
"""The share of chance in the priors of a root, so that every move is tried at times."""
EXPLORE = 16
"""In so many turns moves are drawn by their visits; later ones are the best."""
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
        results[numbers[over]] = batch.rewards[over, 0]
        numbers[over] = np.arange(begun, begun + len(over))
        begun += len(over)
    values = results[np.concatenate(whose)] * np.concatenate(sides)
    known = ~np.isnan(values)
    # There is nothing to learn for a policy: one action, and it is certain.
    actions = np.zeros((int(known.sum()), 1), np.int64)
    return Samples(np.concatenate(planes)[known], actions, np.ones(actions.shape, np.float32), values[known])


def play(network: Network, games: int, simulations: int, seed: int) -> Samples:
    """What is to be learned from ``games`` games, side by side; ``simulations`` leaves for each move."""
    game: Game[native.Position, Any] = native.load(network.key)
    chance, rng = Random(seed), np.random.default_rng(seed)
    positions = [game.new_state(chance) for _ in range(games)]
    running, results = np.arange(games), np.zeros(games, np.float32)
    parts, whose = [], []
    while running.size:
        forest = Forest(network, positions, simulations)
        add_noise(forest, rng)
        for _ in range(simulations):
            forest.grow()
        actions, visits = forest.actions[:, 0], forest.visits[:, 0]
        shares = visits / visits.sum(axis=1, keepdims=True)
        sides = np.array([1 - 2 * position.to_move for position in positions], np.float32)
        parts.append(Samples(observe(network, positions), actions, shares, sides * forest.root_values()))
        whose.append((running, sides))
        explores = np.array([position.turn < EXPLORE for position in positions])
        drawn = (rng.random((len(positions), 1)) < shares.cumsum(axis=1)).argmax(axis=1)
        chosen = actions[np.arange(len(positions)), np.where(explores, drawn, shares.argmax(axis=1))]
        after = [position.play_action(int(action)) for position, action in zip(positions, chosen, strict=True)]
        outcomes = [position.outcome for position in after]
        for index, outcome in zip(running, outcomes, strict=True):
            if outcome is not None:
                results[index] = result(outcome)
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


def add_noise(forest: Forest, rng: np.random.Generator) -> None:
    """Mix chance into the priors of the roots."""
    priors = forest.priors[:, 0]
    noise = np.where(priors > NEVER, rng.gamma(0.5, size=priors.shape), 0)
    noise /= noise.sum(axis=1, keepdims=True)
    forest.priors[:, 0] = np.where(priors > NEVER, (1 - NOISE) * priors + NOISE * noise, NEVER)
