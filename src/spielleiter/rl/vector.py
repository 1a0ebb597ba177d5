"""Many games as one Gymnasium vector environment, on the batches of the native engine.

Laws: every game shows a position in which the agent is to move; a game that ends is followed by the next one in the
same step (``AutoresetMode.SAME_STEP``), and its reward and points belong to the one that ended. There is no last
observation: what a finished game is worth is its reward.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from spielleiter.native import NO_ACTION, Batch
from spielleiter.rl import states
from spielleiter.rl.environment import Observation

VectorOpponent = Callable[[Batch, NDArray[np.bool_]], NDArray[np.int64]]
"""An action for each game of a batch; only those count in which the opponent is to move."""


def random_opponent(batch: Batch, where: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Any legal action."""
    return batch.random_actions()


def search_opponent(nodes: int) -> VectorOpponent:
    """The opponent that plays what the engine's tree search finds with ``nodes`` nodes."""
    return lambda batch, where: batch.search(nodes, where).actions


class VectorEnvironment(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Games of one rule set, in each of them the agent against the opponent. Needs the engine."""

    def __init__(
        self,
        key: str,
        num_envs: int,
        opponent: VectorOpponent = random_opponent,
        *,
        team: str | None = None,
        threads: int = 1,
    ) -> None:
        """Play as ``team``, ONE or TWO, or by turns: ONE in the first game, TWO in the second and so on."""
        fixed = states.parse_team(team)
        self.batch = Batch(key, num_envs, threads=threads)
        self.game = self.batch.game
        self.num_envs = num_envs
        self.metadata = {"name": key, "autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_action_space = states.Actions(self.game.encoding.actions)
        self.single_observation_space = states.observation_space(self.game)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._teams = np.arange(num_envs) % 2 if fixed is None else np.full(num_envs, fixed)
        self._opponent = opponent

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all games anew: with the same ``seed`` the same games."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.batch.reset(int(self.np_random.integers(1 << 62)))
        self._answer(np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_), self.batch.points.copy())
        return self._observe(), {"team": self._teams}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one action in each game, and the opponent's answers. Raises ``IllegalMove``: then none is played."""
        rewards, ended = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        points = np.zeros_like(self.batch.points)
        self.batch.step(actions)
        self._note(rewards, ended, points)
        self._answer(rewards, ended, points)
        own = points[np.arange(self.num_envs), self._teams]
        infos = {"team": self._teams, "points": own, "_points": ended}
        return self._observe(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def _answer(self, rewards: NDArray[np.float64], ended: NDArray[np.bool_], points: NDArray[np.int32]) -> None:
        """Let the opponent move wherever it is its turn."""
        while (where := self.batch.to_move != self._teams).any():
            self.batch.step(np.where(where, self._opponent(self.batch, where), NO_ACTION))
            self._note(rewards, ended, points)

    def _note(self, rewards: NDArray[np.float64], ended: NDArray[np.bool_], points: NDArray[np.int32]) -> None:
        done = self.batch.done
        rewards[done] = self.batch.rewards[done, self._teams[done]]
        points[done] = self.batch.points[done]
        ended |= done

    def _observe(self) -> Observation:
        # Copies: a learner keeps what it has seen, and the batch writes over it.
        return {"observation": self.batch.observations.copy(), "action_mask": self.batch.masks.astype(np.int8)}
