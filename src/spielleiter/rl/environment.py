"""The environment: one game between the agents ONE and TWO, as PettingZoo's agent-environment cycle.

Laws: the agent to act is the team to move, which in some games acts twice in a row; only its mask has ones, and they
are exactly the legal moves; rewards come with the end of the game and add up to 0; nothing is ever truncated by us.
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
from pettingzoo.utils import wrappers

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, AnyGame, GameState, Outcome, Team
from spielleiter.game.drawing import terminal_has_colors

RENDER_MODES = ("ansi",)


class Observation(TypedDict):
    """What an agent sees."""

    observation: NDArray[np.uint8]
    """Planes, rows, columns; what each plane shows says ``game.encoding.planes``."""
    action_mask: NDArray[np.int8]
    """1 for each legal action, if this agent is to act."""


class GameEnvironment(AECEnv[str, Any, Any]):
    """One rule set as an environment, without the wrappers that check its user."""

    def __init__(self, game: AnyGame, *, seed: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if render_mode is not None and render_mode not in RENDER_MODES:
            modes = ", ".join(RENDER_MODES)
            raise SettingsError(
                f"erwartet für render_mode: None oder {modes}; gefunden: {render_mode!r}",
                f"expected render_mode to be None or one of {modes}, found {render_mode!r}",
            )
        self.game = game
        self.render_mode = render_mode
        self.metadata = {"name": game.key, "render_modes": list(RENDER_MODES), "is_parallelizable": False}
        self.possible_agents = [team.name for team in TEAMS]
        self.action_spaces = {agent: spaces.Discrete(game.encoding.actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: _observation_space(game) for agent in self.possible_agents}
        self._shape = (len(game.encoding.planes), *game.encoding.size)
        self._random = Random(seed)

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
        self.position = self._start(options or {})
        self.agents = list(self.possible_agents)
        self.agent_selection = self.position.to_move.name
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}

    def _start(self, options: Mapping[str, Any]) -> GameState[Any]:
        """The first position of a new game."""
        if "position" not in options:
            start: GameState[Any] = self.game.new_state(self._random)
            return start
        position: GameState[Any] = self.game.notation.parse_state(options["position"])
        if position.outcome is not None:
            end = position.outcome.describe()
            raise SettingsError(
                f"in dieser Stellung ist das Spiel zu Ende: {end.de}", f"the game is over in this position: {end.en}"
            )
        return position

    def observe(self, agent: str) -> Observation:
        """The position as ``agent`` sees it, and which actions it can take."""
        seen = self.game.encoding.observe(self.position, Team[agent])
        mask = np.zeros(self.game.encoding.actions, np.int8)
        if agent == self.agent_selection and not self.terminations.get(agent, True):
            number = self.game.encoding.action
            mask[[number(self.position, move) for move in self.position.legal_moves()]] = 1
        # A copy, for bytes cannot be written to, and learners like to.
        planes = np.frombuffer(seen, np.uint8).reshape(self._shape).copy()
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the move with this number; an agent whose game is over takes its leave with ``None``.

        Raises ``IllegalMove``, and the game stays as it is.
        """
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        # Other number types, as of numpy, stay out of the game.
        self.position = self.position.play(self.game.encoding.move(self.position, int(action)))
        outcome = self.position.outcome
        if outcome is None:
            self.agent_selection = self.position.to_move.name
        else:
            self.agent_selection = Team[agent].opponent.name
            self._finish(outcome)

    def _finish(self, outcome: Outcome) -> None:
        """Tell both agents how it ended; before that there were no rewards."""
        for team in TEAMS:
            self.rewards[team.name] = float(outcome.victory_points(team) - 1)
            self.terminations[team.name] = True
            self.infos[team.name] = {"reason": outcome.reason.name, "points": self.position.points(team)}
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
        self.__dict__.update(state, game=games.load(state["game"]))


def _observation_space(game: AnyGame) -> spaces.Dict:
    encoding = game.encoding
    bounds = np.array([plane.highest for plane in encoding.planes], np.uint8)
    highest = np.broadcast_to(bounds[:, None, None], (len(encoding.planes), *encoding.size))
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def raw_env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> GameEnvironment:
    """The environment of the rule set called ``key``, bare: an illegal action raises ``IllegalMove``."""
    return GameEnvironment(games.load(key), seed=seed, render_mode=render_mode)


def env(key: str, *, seed: int | None = None, render_mode: str | None = None) -> AECEnv[str, Any, Any]:
    """The environment of the rule set called ``key``, wrapped as PettingZoo's classic games are.

    An illegal action ends the game with a reward of -1 for who took it; a number that is no action, or a call out of
    order, raises. ``seed`` is for the first ``reset()`` without one.
    """
    bare = raw_env(key, seed=seed, render_mode=render_mode)
    judged = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(judged))
