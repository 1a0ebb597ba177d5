"""Play against itself, learn from it, repeat: from random moves to a network that plays.

This is AlphaZero in small: a network with a policy and a value guides a tree search; games that the search plays
against itself teach the policy what the search found, and the value who won. The first games are random, which is what
an untrained network would play, only a thousand times faster. Nothing but the rules comes from outside.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from examples.train import self_play
from examples.train.network import Network, Samples
from examples.train.opponents import score_against
from spielleiter import games

RATES = (2e-3, 1e-4)
"""How fast to learn, at the beginning and at the end."""
BATCH = 512
"""Positions of one step of learning."""
REPEATS = 4
"""How often a position is learned from, on average, while it is remembered."""


def main(arguments: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(prog="python -m examples.train", description=__doc__)
    parser.add_argument("game", nargs="?", default="piranhas-2019", choices=list(games.all_games()))
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to train, in CPU time of each process")
    parser.add_argument("--random", type=int, default=40_000, help="games by random moves to begin with")
    parser.add_argument("--games", type=int, default=256, help="games between two rounds of learning, of each process")
    parser.add_argument("--simulations", type=int, default=24, help="leaves of the tree for each move of these games")
    parser.add_argument("--window", type=int, default=15, help="how many of these rounds are remembered")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--opponent", default="student", help="the built-in player to measure against at the end")
    parser.add_argument("--measure", type=int, default=20, help="pairs of games of that measurement, 0 for none")
    parser.add_argument("--nodes", type=int, default=8000, help="nodes of the tree search when measured")
    parser.add_argument("--out", type=Path, default=Path("net.onnx"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(options.seed)
    network = Network(games.load(options.game), rng)
    window: deque[Samples] = deque(maxlen=options.window * options.processes)
    begun, played, done, busy = time.monotonic(), 0, 0.0, 0.0
    known = self_play.random_games(options.game, options.random, options.seed)
    learn(network, known, len(known.values), RATES[0], rng)
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:

        def begin_games() -> list[Future[tuple[Samples, float]]]:
            seeds = [int(seed) for seed in rng.integers(1 << 31, size=options.processes)]
            return [
                pool.submit(self_play.timed_play, network, options.games, options.simulations, seed) for seed in seeds
            ]

        games_played = begin_games()
        while done < 1:
            rate = RATES[0] * (RATES[1] / RATES[0]) ** done
            found = [future.result() for future in games_played]
            busy += sum(seconds for _, seconds in found)
            done = (busy + time.process_time()) / max(1e-9, 60 * options.minutes * options.processes)
            if done < 1:
                games_played = begin_games()  # while this process learns from the last ones
            window.extend(samples for samples, _ in found)
            new = sum(len(samples.values) for samples, _ in found)
            policy, value = learn(network, Samples.join(list(window)), REPEATS * new, rate, rng)
            network.save(options.out)
            played += options.games * options.processes
            minutes, cpu_minutes = (time.monotonic() - begun) / 60, (busy + time.process_time()) / 60
            print(
                f"{minutes:5.1f} min ({cpu_minutes:5.1f} CPU), {played:6} games, losses {policy:.3f} {value:.3f}",
                flush=True,
            )
        if not options.measure:
            return 0.0
        pairs = -(-options.measure // options.processes)
        measure = partial(score_against, options.out, options.game, options.opponent, pairs, options.nodes)
        score = float(np.mean(list(pool.map(measure, range(options.processes)))))
    print(f"{score:.0%} of the points against {options.opponent}")
    return score


def learn(
    network: Network, samples: Samples, number: int, rate: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Learn from ``number`` of the samples, drawn by chance: the mean losses of both heads."""
    losses = [network.learn(samples.draw(BATCH, network.symmetries, rng), rate) for _ in range(max(1, number // BATCH))]
    policy, value = np.mean(losses, axis=0)
    return float(policy), float(value)


if __name__ == "__main__":
    main()
