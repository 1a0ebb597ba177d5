"""Games of a network against itself: each move is judged by the positions that it leads to."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from examples.train.network import Floats, Network, Samples
from spielleiter import native
from spielleiter.game import TEAMS, Game

TEMPERATURE = 0.15
"""A move that is so much worse, from -1 to 1, is played 2.7 times less often."""
TRUST = 0.5
"""How much of a target is the result of the game; the rest is what the moves were judged to be worth."""


def look_ahead(network: Network, positions: list[native.Position]) -> list[Floats]:
    """For each position the value of each legal move for the side to move: one move of lookahead, all in one batch."""
    after = [[position.play_unchecked(move) for move in position.legal_moves()] for position in positions]
    flat = [child for children in after for child in children]
    seen = b"".join(child.observe(child.to_move) for child in flat)
    values = network.values(np.frombuffer(seen, np.uint8).reshape(len(flat), *network.shape))
    found, at = [], 0
    for position, children in zip(positions, after, strict=True):
        team = position.to_move
        worth = values[at : at + len(children)].copy()
        at += len(children)
        for index, child in enumerate(children):
            if (outcome := child.outcome) is not None:
                worth[index] = outcome.victory_points(team) - 1
            elif child.to_move is not team:
                worth[index] *= -1
        found.append(worth)
    return found


def softmax(worth: Floats, temperature: float) -> Floats:
    weights = np.exp((worth - worth.max()) / temperature)
    chances: Floats = weights / weights.sum()
    return chances


def play(network: Network, games: int, seed: int) -> Samples:
    """What is to be learned from ``games`` games, side by side."""
    game: Game[native.Position, Any] = native.load(network.key)
    chance, rng = Random(seed), np.random.default_rng(seed)
    running = [(index, game.new_state(chance)) for index in range(games)]
    record: list[tuple[int, native.Position, Floats, float]] = []
    results: dict[int, Floats] = {}
    while running:
        worths = look_ahead(network, [position for _, position in running])
        next_round = []
        for (index, position), worth in zip(running, worths, strict=True):
            chances = softmax(worth, TEMPERATURE)
            record.append((index, position, chances, float(chances @ worth)))
            after = position.play_unchecked(position.legal_moves()[rng.choice(len(chances), p=chances)])
            if (outcome := after.outcome) is None:
                next_round.append((index, after))
            else:
                results[index] = np.array([outcome.victory_points(team) - 1 for team in TEAMS], np.float32)
        running = next_round
    return samples(network, record, results)


def samples(
    network: Network, record: list[tuple[int, native.Position, Floats, float]], results: dict[int, Floats]
) -> Samples:
    width = max(len(chances) for _, _, chances, _ in record)
    actions = np.full((len(record), width), -1, np.int32)
    policies = np.zeros((len(record), width), np.float32)
    values = np.zeros(len(record), np.float32)
    planes: list[bytearray] = []
    for row, (index, position, chances, worth) in enumerate(record):
        actions[row, : len(chances)] = [position.action(move) for move in position.legal_moves()]
        policies[row, : len(chances)] = chances
        values[row] = TRUST * results[index][position.to_move] + (1 - TRUST) * worth
        planes.append(position.observe(position.to_move))
    seen: NDArray[np.uint8] = np.frombuffer(b"".join(planes), np.uint8)
    return Samples(seen.reshape(len(record), *network.shape), actions, policies, values)
