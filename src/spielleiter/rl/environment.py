"""The environment: one game between the agents ``player_0`` and ``player_1``, the teams ONE and TWO.

It is PettingZoo's agent-environment cycle.

Laws: the agent to act is the team to move, which in some games acts twice in a row; only its mask has ones, and they
are exactly the legal moves; rewards come with the end of the game and add up to 0; the rules truncate nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, TypedDict

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, GameState, Outcome
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.rl import states

RENDER_MODES = ("ansi",)
ILLEGAL_REWARD = -1.0
AGENTS = tuple(f"player_{team}" for team in TEAMS)
"""The agents, named as PettingZoo's are, in the order of their teams."""
_TEAMS = dict(zip(AGENTS, TEAMS, strict=True))
_NUMBERS = (int, np.integer)


class Observation(TypedDict):
    """What an agent sees."""

    observation: NDArray[np.uint8]
    """Planes, rows, columns; what each plane shows says ``game.encoding.planes``."""
    action_mask: NDArray[np.int8]
    """1 for each legal action, if this agent is to act."""


class GameEnvironment(AECEnv[str, Any, Any]):
    """One rule set as an environment, without the wrappers that check its user."""

    def __init__(self, key: str, *, seed: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        states.check_render_mode(render_mode, RENDER_MODES)
        self.game = game = states.load(key)
        self.render_mode = render_mode
        self.metadata = {"name": game.key, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: states.Actions(game.encoding.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: states.observation_space(game) for agent in self.possible_agents}
        self._random = Random(seed)
        # Asked for in every step.
        self._is_native = states.is_native(game)
        self._shape, self._actions = states.shape(game), game.encoding.actions

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of all moves, legal or not."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Planes and mask, with the bounds of each plane."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game: with ``seed`` always the same one, with ``options["position"]`` from that position.

        The start is ``game.new_state(Random(seed))``; without a seed chance goes on from the last one.
        """
        if seed is not None:
            self._random = Random(seed)
        options = options or {}
        self.position: GameState[Any] = (
            states.start(self.game, options["position"]) if "position" in options else self.game.new_state(self._random)
        )
        self.agents = list(self.possible_agents)
        self.agent_selection = AGENTS[self.position.to_move]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        """The position as ``agent`` sees it, and which actions it can take."""
        game, position = self.game, self.position
        acts = agent == self.agent_selection and not self.terminations.get(agent, True)
        if acts and self._is_native:
            seen, legal = position.observe(_TEAMS[agent]), position.mask()  # type: ignore[attr-defined]
            return {
                "observation": np.ndarray(self._shape, states.PLANE_TYPE, seen),
                "action_mask": np.ndarray(self._actions, states.MASK_TYPE, legal),
            }
        mask = states.mask(game, position) if acts else np.zeros(self._actions, np.int8)
        return {"observation": states.planes(game, position, _TEAMS[agent]), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent to act sees, what it has got, and whether its game is over."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def step(self, action: int | None) -> None:
        """Play the move with this number; an agent whose game is over takes its leave with ``None``.

        Raises ``IllegalMove``, and the game stays as it is.
        """
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        # Other number types, as of numpy, stay out of the game.
        if self._is_native:
            position = self.position.play_action(int(action))  # type: ignore[attr-defined]
        else:
            position = states.play(self.game, self.position, int(action))
        self.position = position
        outcome = position.outcome
        if outcome is None:
            self.agent_selection = self.possible_agents[position.to_move]
        else:
            self.agent_selection = AGENTS[_TEAMS[agent].opponent]
            self._finish(outcome)

    def _finish(self, outcome: Outcome) -> None:
        """Tell both agents how it ended; before that there were no rewards."""
        for agent, team in _TEAMS.items():
            self.rewards[agent] = float(outcome.victory_points(team) - 1)
            self.terminations[agent] = True
            self.infos[agent] = {"reason": outcome.reason.name, "points": self.position.points(team)}
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text, in colour where the terminal shows it; ``None`` without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render mode: try render_mode='ansi'")
            return None
        return self.game.draw_text(self.position, terminal_has_colors())

    def close(self) -> None:
        """Nothing is open."""

    # A copy or a pickle holds the game by its key, for not all that belongs to a game can be pickled.

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "game": self.game.key}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, game=states.load(state["game"]))


class JudgedEnvironment(GameEnvironment):
    """The environment that checks its user, as the wrappers of PettingZoo's classic games do.

    It does so itself: three wrappers around each other cost several times what a step does.
    """

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def step(self, action: int | None) -> None:
        """Play the move with this number; an illegal one ends the game with a reward of -1 for who took it."""
        assert "position" in self.__dict__, "reset() must be called before step()"
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if not (self.terminations[agent] or self.truncations[agent]):
            known = isinstance(action, _NUMBERS) and 0 <= action < self._actions
            assert known, "action is not in action space"
        try:
            super().step(action)
        except IllegalMove:
            self._forfeit(agent)

    def _forfeit(self, agent: str) -> None:
        """End the game for both, as PettingZoo's ``TerminateIllegalWrapper`` does."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = {name: ILLEGAL_REWARD if name == agent else 0.0 for name in self.agents}
        self._accumulate_rewards()
        self._deads_step_first()


_AFTER_RESET = {
    "agent_selection",
    "agents",
    "infos",
    "num_agents",
    "position",
    "rewards",
    "terminations",
    "truncations",
}


def raw_env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> GameEnvironment:
    """The environment of the rule set called ``key``, bare: an illegal action raises ``IllegalMove``."""
    return GameEnvironment(key, seed=seed, render_mode=render_mode)


def env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> JudgedEnvironment:
    """The environment of the rule set called ``key``, with the manners of PettingZoo's classic games.

    An illegal action ends the game with a reward of -1 for its agent; a number that is not an action, or a step before
    the first ``reset()``, raises. ``seed`` is for the first ``reset()`` without one.
    """
    return JudgedEnvironment(key, seed=seed, render_mode=render_mode)
