"""Tree search with a network in many games at once: their trees grow side by side, by one leaf each at a time.

At the root, moves are chosen as in Gumbel AlphaZero (Danihelka and others, "Policy improvement by planning with
Gumbel", 2022): a few moves are drawn by the policy without repetition, and the worse half of them is dropped again and
again. Even a dozen leaves then improve on the policy, which visits counted by a usual tree search do not. Below the
root it is the usual one (PUCT).

Everything that is known of the trees lies in arrays, so that numpy walks down all trees together, and the network
judges all new leaves in one call. A node is a number: those of one tree follow each other, its root first.
"""

from __future__ import annotations

from math import ceil, log2
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from examples.train.network import Floats, Network
from spielleiter import native
from spielleiter.game import TEAMS, Outcome, Team

CONSIDERED = 8
"""How many moves of a root are drawn to be tried."""
SHARPNESS = 60.0
"""How much the values that the search found change the policy: a move that is worth 0.1 more gains e^6 times."""
CURIOSITY = 1.5
"""How much moves that the policy likes and that were tried little are preferred."""
PESSIMISM = 0.2
"""How much worse than its position a move is expected to be before it was tried."""
MARGIN = 0.2
"""How much of a result is by how much the points differ: that says more about a game than who has won."""
NEVER = -1e9
"""What is no move: it is never chosen."""

Integers = NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


class Forest:
    """One tree for each of the positions, which must be running games."""

    def __init__(
        self, network: Network, positions: list[native.Position], simulations: int, rng: np.random.Generator
    ) -> None:
        self.network = network
        nodes = simulations + 1
        self.roots = np.arange(len(positions)) * nodes
        self._unused = self.roots.copy()
        """The number of the next new node of each tree."""
        self._positions = [position for position in positions for _ in range(nodes)]
        # Of each node: whose turn it is (1 or -1), if the game is over, its walks, what they brought on average.
        self._sides, self._walks, self._worth = np.zeros((3, len(self._positions)), np.float32)
        self._over = np.zeros(len(self._positions), np.bool_)
        # Of each of its moves: its number, where it leads to, how likely it is, walks, what they brought on average.
        self._actions, self._children = np.full((2, len(self._positions), 0), native.NO_ACTION, np.int32)
        self._priors, self._visits, self._means = np.zeros((3, len(self._positions), 0), np.float32)
        self._judge(self.roots)
        self._unused += 1
        self._moves = self._actions.shape[1]
        """As many places for moves have the roots; other nodes may have more."""
        self._judged = self._worth[self.roots]
        priors = self._of_roots(self._priors)
        self._logits = np.where(priors >= 0, np.log(np.maximum(priors, 1e-9)), NEVER)
        self._luck = rng.gumbel(size=priors.shape).astype(np.float32)
        schedules = np.array([halving(number, simulations) for number in range(1, CONSIDERED + 1)])
        self._schedule = schedules[np.minimum((priors >= 0).sum(axis=1), CONSIDERED) - 1]

    def _of_roots(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        return array[self.roots, : self._moves]

    def grow(self, simulation: int) -> None:
        """One more leaf for each tree, or another look at an end of the game."""
        scores = self._luck + self._logits + SHARPNESS * self._completed()
        wanted = self._schedule[:, simulation, None]
        chosen = np.where(self.visits() == wanted, scores, -np.inf).argmax(axis=1)
        steps = []
        trees, nodes, ends = np.arange(len(self.roots)), self.roots, self.roots.copy()
        while True:
            steps.append((trees, nodes, chosen))
            children = self._children[nodes, chosen]
            new = children < 0
            children[new] = self._play(trees[new], nodes[new], chosen[new])
            ends[trees] = children
            further = ~(new | self._over[children])
            trees, nodes = trees[further], children[further]
            if not trees.size:
                break
            chosen = self._select(nodes)
        self._judge(ends[self._walks[ends] == 0])
        values = self._sides[ends] * self._worth[ends]
        for trees, nodes, chosen in steps:
            gained = values[trees] * self._sides[nodes]
            self._visits[nodes, chosen] += 1
            self._means[nodes, chosen] += (gained - self._means[nodes, chosen]) / self._visits[nodes, chosen]
            self._walks[nodes] += 1
            self._worth[nodes] += (gained - self._worth[nodes]) / self._walks[nodes]

    def _select(self, nodes: Integers) -> Integers:
        """In each of these nodes the move that has done best so far, or of which too little is known."""
        visits, walks = self._visits.take(nodes, axis=0), self._walks[nodes, None]
        score = np.where(visits > 0, self._means.take(nodes, axis=0), self._worth[nodes, None] - PESSIMISM)
        visits += 1
        score += CURIOSITY * np.sqrt(walks) * self._priors.take(nodes, axis=0) / visits
        chosen: Integers = score.argmax(axis=1)
        return chosen

    def _play(self, trees: Integers, nodes: Integers, chosen: Integers) -> Integers:
        """Make the nodes that these moves lead to."""
        made: Integers = self._unused[trees]
        self._unused[trees] += 1
        self._children[nodes, chosen] = made
        actions, positions = self._actions[nodes, chosen].tolist(), self._positions
        for new, node, action in zip(made.tolist(), nodes.tolist(), actions, strict=True):
            positions[new] = positions[node].play_action(action)
        return made

    def _judge(self, nodes: Integers) -> None:
        """Ask the network about new nodes, or the rules where the game is over."""
        positions = [self._positions[node] for node in nodes.tolist()]
        self._sides[nodes] = [1 - 2 * position.to_move for position in positions]
        self._walks[nodes] = 1
        outcomes = [position.outcome for position in positions]
        for node, outcome in zip(nodes.tolist(), outcomes, strict=True):
            if outcome is not None:
                self._worth[node] = result(self._positions[node], outcome) * self._sides[node]
                self._over[node] = True
        if running := [position for position, outcome in zip(positions, outcomes, strict=True) if outcome is None]:
            nodes = nodes[~self._over[nodes]]
            policies, self._worth[nodes] = self.network.judge(observe(self.network, running))
            self._open(nodes, policies, running)

    def _open(self, nodes: Integers, policies: Floats, positions: list[native.Position]) -> None:
        """Enter the legal moves of these nodes with their priors, filled up with what is no move."""
        masks = np.frombuffer(b"".join(position.mask() for position in positions), np.bool_)
        numbers = masks.reshape(len(positions), -1).sum(axis=1)
        legal = masks.nonzero()[0]
        of = np.repeat(np.arange(len(positions)), numbers)
        places = np.arange(len(of)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        self._widen(int(numbers.max()))
        logits = np.full((len(positions), self._actions.shape[1]), NEVER, np.float32)
        logits[of, places] = policies.ravel()[legal]
        chances = softmax(logits)
        chances[logits == NEVER] = NEVER
        self._priors[nodes] = chances
        self._actions[nodes[of], places] = legal - of * policies.shape[1]

    def _widen(self, moves: int) -> None:
        """Make room for so many moves of a node."""
        if (more := moves - self._actions.shape[1]) > 0:
            pad = ((0, 0), (0, more + 4))
            self._actions = np.pad(self._actions, pad, constant_values=native.NO_ACTION)
            self._children = np.pad(self._children, pad, constant_values=-1)
            self._priors = np.pad(self._priors, pad, constant_values=NEVER)
            self._visits, self._means = np.pad(self._visits, pad), np.pad(self._means, pad)

    def visits(self) -> Floats:
        """How often each move of the roots was tried."""
        return self._of_roots(self._visits)

    def actions(self) -> NDArray[np.int32]:
        """The moves of each root, filled up with ``NO_ACTION``."""
        return self._of_roots(self._actions)

    def _completed(self) -> Floats:
        """What each move of the roots is worth for the team to move; without a visit, as much as the visited ones."""
        visits, means, priors = (self._of_roots(array) for array in (self._visits, self._means, self._priors))
        known = np.where(visits > 0, np.maximum(priors, 1e-9), 0)
        mean = (known * means).sum(axis=1) / np.maximum(known.sum(axis=1), 1e-9)
        mean += (self._judged - mean) / self._walks[self.roots]
        values: Floats = np.where(visits > 0, means, mean[:, None])
        return values

    def improved(self) -> tuple[Floats, Floats]:
        """For each root what the search has made of the policy, and what the position is then worth."""
        values = self._completed()
        policies = softmax(self._logits + SHARPNESS * values)
        return policies, (policies * values).sum(axis=1)

    def best(self, explores: NDArray[np.bool_]) -> Integers:
        """The action to play for each root: the best one, or where ``explores`` says so, one that had luck."""
        visits = self.visits()
        scores = self._logits + SHARPNESS * self._completed() + self._luck * explores[:, None]
        places = np.where(visits == visits.max(axis=1, keepdims=True), scores, -np.inf).argmax(axis=1)
        actions: Integers = self._actions[self.roots, places]
        return actions


def halving(moves: int, simulations: int) -> list[int]:
    """For each simulation, of which moves to take the best: those that have so many visits.

    So all moves are tried equally often, then the better half of them, and so on down to the best two.
    """
    order: list[int] = []
    visits, rounds, left = 0, max(1, ceil(log2(moves))), moves
    while len(order) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            order += [visits] * left
            visits += 1
        left = max(min(2, moves), left // 2)
    return order[:simulations]


def softmax(logits: Floats) -> Floats:
    chances: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return chances


def observe(network: Network, positions: list[native.Position]) -> NDArray[np.uint8]:
    """What the team to move sees in each of the positions."""
    seen = b"".join(position.observe(position.to_move) for position in positions)
    return np.frombuffer(seen, np.uint8).reshape(len(positions), *network.shape)


def result(position: native.Position, outcome: Outcome) -> float:
    """How the game ended for team ONE, from -1 to 1."""
    points = [position.points(team)[1] for team in TEAMS]
    return worth(outcome.victory_points(Team.ONE) - 1, *points)


def worth(won: float, own: float, other: float) -> float:
    """What a victory, a draw or a defeat (1, 0, -1) with these points is worth: the clearer, the more."""
    return (1 - MARGIN) * won + MARGIN * (own - other) / max(own + other, 1)
