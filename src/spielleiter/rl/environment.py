"""The environment: one game between the agents ``player_0`` and ``player_1``, the teams ONE and TWO.

It is PettingZoo's agent-environment cycle.

Laws: the agent to act is the team to move, which in some games acts twice in a row; only its mask has ones, and they
are exactly the legal moves; rewards come with the end of the game and add up to 0; the rules truncate nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
_array, _PLANE_TYPE, _MASK_TYPE = np.ndarray, states.PLANE_TYPE, states.MASK_TYPE


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
        position = self.position
        acts = agent == self.agent_selection and not self.terminations.get(agent, True)
        if acts and self._is_native:
            planes, legal = position.look()  # type: ignore[attr-defined]
            return {
                "observation": _array(self._shape, _PLANE_TYPE, planes),
                "action_mask": _array(self._actions, _MASK_TYPE, legal),
            }
        mask = states.mask(self.game, position) if acts else np.zeros(self._actions, np.int8)
        return {"observation": states.planes(self.game, position, _TEAMS[agent]), "action_mask": mask}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # type: ignore[override]
        """The agent to act, until no agent is left or for so many steps."""
        if "position" not in self.__dict__:
            raise _before_reset("agent_iter")
        while max_iter > 0 and self.agents:
            max_iter -= 1
            yield self.agent_selection

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent to act sees, what it has got, and whether its game is over."""
        try:
            agent = self.agent_selection
        except AttributeError:
            raise _before_reset("last") from None
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
        else:
            self._play(agent, int(action))  # Other number types, as of numpy, stay out of the game.

    def _play(self, agent: str, action: int) -> None:
        """Let ``agent``, whose turn it is, play the move with this number. Raises ``IllegalMove``."""
        if self._is_native:
            position = self.position.play_action(action)  # type: ignore[attr-defined]
        else:
            position = states.play(self.game, self.position, action)
        self.position = position
        outcome = position.outcome
        if outcome is None:
            self.agent_selection = AGENTS[position.to_move]
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

    def step(self, action: int | None) -> None:
        """Play the move with this number; an illegal one ends the game with a reward of -1 for who took it."""
        try:
            agent = self.agent_selection
        except AttributeError:
            raise AssertionError("reset() must be called before step()") from None
        if self.terminations.get(agent, True) or self.truncations[agent]:
            self._leave(action)
            return
        number = int(action) if isinstance(action, _NUMBERS) else -1
        assert 0 <= number < self._actions, "action is not in action space"
        try:
            self._play(agent, number)
        except IllegalMove:
            self._forfeit(agent)

    def _leave(self, action: int | None) -> None:
        """Let an agent whose game is over take its leave."""
        if self.agents:
            self._was_dead_step(action)
        else:
            EnvLogger.warn_step_after_terminated_truncated()

    def _forfeit(self, agent: str) -> None:
        """End the game for both, as PettingZoo's ``TerminateIllegalWrapper`` does."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = {name: ILLEGAL_REWARD if name == agent else 0.0 for name in self.agents}
        self._accumulate_rewards()
        self._deads_step_first()


def _before_reset(method: str) -> AttributeError:
    return AttributeError(f"reset() must be called before {method}()")


def raw_env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> GameEnvironment:
    """The environment of the rule set called ``key``, bare: an illegal action raises ``IllegalMove``."""
    return GameEnvironment(key, seed=seed, render_mode=render_mode)


def env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> JudgedEnvironment:
    """The environment of the rule set called ``key``, with the manners of PettingZoo's classic games.

    An illegal action ends the game with a reward of -1 for its agent; a number that is not an action, or a step before
    the first ``reset()``, raises. ``seed`` is for the first ``reset()`` without one.
    """
    return JudgedEnvironment(key, seed=seed, render_mode=render_mode)
