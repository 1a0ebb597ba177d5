"""Play against itself, learn from it, measure, repeat: from random moves to a network that plays.

Like AlphaZero: a network with a policy and a value learns from games against itself, in which lookahead makes its moves
better than its first thought. Unlike it: that lookahead is one move deep, which learns fast on two cores; the tree
search comes when the network plays (``onnx:net.onnx,nodes=200``).
"""

from __future__ import annotations

import argparse
import os
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from examples.train import self_play
from examples.train.network import Network, Samples
from examples.train.opponents import score_against
from spielleiter import games

MEASURE_EVERY = 600.0
"""Seconds between two measurements, which cost time, too; the last one comes at the end."""

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # a process for each core instead


def main(arguments: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(prog="python -m examples.train", description=__doc__)
    parser.add_argument("game", nargs="?", default="ostseeschach-2022", choices=list(games.all_games()))
    parser.add_argument("--minutes", type=float, default=30.0, help="how long to train")
    parser.add_argument("--games", type=int, default=200, help="games between two rounds of learning, of each process")
    parser.add_argument("--window", type=int, default=15, help="how many of these are remembered")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--opponent", default="student", help="the built-in player to measure against")
    parser.add_argument("--measure", type=int, default=20, help="pairs of games of each measurement")
    parser.add_argument("--nodes", type=int, default=200, help="nodes of the tree search when measured")
    parser.add_argument("--out", type=Path, default=Path("net.onnx"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(options.seed)
    network = Network(games.load(options.game), rng)
    window: deque[Samples] = deque(maxlen=options.window * options.processes)
    deadline, begun, round_number, score = time.monotonic() + 60 * options.minutes, time.monotonic(), 0, 0.0
    measured = begun
    with ProcessPoolExecutor(options.processes, get_context("spawn")) as pool:
        while round_number == 0 or time.monotonic() < deadline:
            seeds = [int(seed) for seed in rng.integers(1 << 31, size=options.processes)]
            window.extend(pool.map(partial(self_play.play, network, options.games), seeds))
            losses = learn(network, Samples.join(list(window)), rng)
            round_number += 1
            played = round_number * options.games * options.processes
            line = (
                f"{(time.monotonic() - begun) / 60:5.1f} min, {played:6} games, losses {losses[0]:.3f} {losses[1]:.3f}"
            )
            network.save(options.out)
            if time.monotonic() - measured > MEASURE_EVERY or time.monotonic() >= deadline:
                measured = time.monotonic()
                seeds = list(range(options.processes))
                pairs = -(-options.measure // options.processes)
                measure = partial(score_against, network, options.opponent, pairs, options.nodes)
                score = sum(pool.map(measure, seeds)) / options.processes
                line += f", {score:.0%} against {options.opponent}"
            print(line, flush=True)
    return score


def learn(network: Network, samples: Samples, rng: np.random.Generator) -> tuple[float, float]:
    """One pass over half of the window, in random order: the mean losses."""
    order = rng.permutation(len(samples.values))[: max(256, len(samples.values) // 2)]
    losses = [network.learn(samples, order[at : at + 256], rate=1e-3) for at in range(0, len(order), 256)]
    policy, value = np.mean(losses, axis=0)
    return float(policy), float(value)


if __name__ == "__main__":
    main()
