"""Tree search with a network (PUCT) in many games at once: their trees grow side by side, by one leaf each at a time.

Everything that is known of the trees lies in arrays (games, nodes, moves), so that numpy walks down all trees together,
and the network judges all new leaves in one call. Values are kept for team ONE, from -1 to 1, whoever is to move.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from examples.train.network import Floats, Network
from spielleiter import native
from spielleiter.game import Outcome, Team

CURIOSITY = 1.5
"""How much moves that the policy likes and that were tried little are preferred."""
PESSIMISM = 0.2
"""How much worse than its position a move is expected to be before it was tried."""
NEVER = -1e9
"""The prior of what is no move: it is never chosen."""

Integers = NDArray[np.int64]


class Forest:
    """One tree for each of the positions, which must be running games."""

    def __init__(self, network: Network, positions: list[native.Position], simulations: int) -> None:
        self.network = network
        games, nodes = len(positions), simulations + 1
        self._positions = [[position] for position in positions]
        self._values, self._sides = np.zeros((2, games, nodes), np.float32)
        """Of each node: what it was first judged to be worth, and 1 or -1 for the team to move."""
        self._over = np.zeros((games, nodes), np.bool_)
        self.actions = np.full((games, nodes, 0), native.NO_ACTION)
        """Of each move of each node: its number, where it leads to, how likely it is, what walks through it brought."""
        self._children = np.full((games, nodes, 0), -1)
        self.priors, self.visits, self._totals = np.zeros((3, games, nodes, 0), np.float32)
        everyone = np.arange(games)
        self._judge(everyone, np.zeros(games, np.int64))

    def grow(self) -> None:
        """One more leaf for each tree, or another look at an end of the game."""
        steps = []
        rows, nodes = np.arange(len(self._positions)), np.zeros(len(self._positions), np.int64)
        ends = nodes.copy()
        while rows.size:
            chosen = self._select(rows, nodes)
            steps.append((rows, nodes, chosen))
            children = self._children[rows, nodes, chosen]
            new = children < 0
            children[new] = self._play(rows[new], nodes[new], chosen[new])
            ends[rows] = children
            further = ~new & ~self._over[rows, children]
            rows, nodes = rows[further], children[further]
        rows = np.arange(len(self._positions))
        fresh = (self._sides[rows, ends] == 0).nonzero()[0]
        self._judge(fresh, ends[fresh])
        values = self._values[rows, ends]
        for rows, nodes, chosen in steps:
            self.visits[rows, nodes, chosen] += 1
            self._totals[rows, nodes, chosen] += values[rows]

    def _select(self, rows: Integers, nodes: Integers) -> Integers:
        """In each of these nodes the move that has done best so far, or of which too little is known."""
        visits, totals, sides = self.visits[rows, nodes], self._totals[rows, nodes], self._sides[rows, nodes, None]
        walks = 1 + visits.sum(axis=1, keepdims=True)
        mean = (self._values[rows, nodes, None] + totals.sum(axis=1, keepdims=True)) / walks
        success = np.where(visits > 0, sides * totals / np.maximum(visits, 1), sides * mean - PESSIMISM)
        curiosity = CURIOSITY * np.sqrt(walks) * self.priors[rows, nodes] / (1 + visits)
        chosen: Integers = (success + curiosity).argmax(axis=1)
        return chosen

    def _play(self, rows: Integers, nodes: Integers, chosen: Integers) -> list[int]:
        """Make the nodes that these moves lead to."""
        made = []
        for row, node, action in zip(rows, nodes, self.actions[rows, nodes, chosen], strict=True):
            tree = self._positions[row]
            made.append(len(tree))
            tree.append(tree[node].play_action(int(action)))
        self._children[rows, nodes, chosen] = made
        return made

    def _judge(self, rows: Integers, nodes: Integers) -> None:
        """Ask the network about new nodes, or the rules where the game is over."""
        running: list[int] = []
        positions = [self._positions[row][node] for row, node in zip(rows, nodes, strict=True)]
        for index, position in enumerate(positions):
            if (outcome := position.outcome) is None:
                running.append(index)
            else:
                self._values[rows[index], nodes[index]] = result(outcome)
                self._over[rows[index], nodes[index]] = True
        self._sides[rows, nodes] = [1 - 2 * position.to_move for position in positions]
        if running:
            rows, nodes = rows[running], nodes[running]
            policies, values = self.network.judge(observe(self.network, [positions[index] for index in running]))
            self._values[rows, nodes] = values * self._sides[rows, nodes]
            self._open(rows, nodes, policies, [positions[index] for index in running])

    def _open(self, rows: Integers, nodes: Integers, policies: Floats, positions: list[native.Position]) -> None:
        """Enter the legal moves of these nodes with their priors, filled up with what is no move."""
        masks = np.frombuffer(b"".join(position.mask() for position in positions), np.bool_)
        masks = masks.reshape(len(positions), -1)
        of, actions = masks.nonzero()
        numbers = masks.sum(axis=1)
        places = np.arange(len(of)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        self._widen(int(numbers.max()))
        logits = np.full((len(positions), self.actions.shape[2]), NEVER, np.float32)
        logits[of, places] = policies[of, actions]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        self.priors[rows, nodes] = np.where(logits > NEVER, chances, NEVER)
        self.actions[rows[of], nodes[of], places] = actions

    def _widen(self, moves: int) -> None:
        """Make room for so many moves of a node."""
        if (more := moves - self.actions.shape[2]) > 0:
            pad = ((0, 0), (0, 0), (0, more))
            self.actions = np.pad(self.actions, pad, constant_values=native.NO_ACTION)
            self._children = np.pad(self._children, pad, constant_values=-1)
            self.priors = np.pad(self.priors, pad, constant_values=NEVER)
            self.visits, self._totals = np.pad(self.visits, pad), np.pad(self._totals, pad)

    def root_values(self) -> Floats:
        """What each root is worth for team ONE after all walks."""
        walks = self.visits[:, 0].sum(axis=1)
        means: Floats = (self._values[:, 0] + self._totals[:, 0].sum(axis=1)) / (1 + walks)
        return means


def observe(network: Network, positions: list[native.Position]) -> NDArray[np.uint8]:
    """What the team to move sees in each of the positions."""
    seen = b"".join(position.observe(position.to_move) for position in positions)
    return np.frombuffer(seen, np.uint8).reshape(len(positions), *network.shape)


def result(outcome: Outcome) -> float:
    """1 if team ONE has won, -1 if it has lost, 0 for a draw."""
    return outcome.victory_points(Team.ONE) - 1.0
