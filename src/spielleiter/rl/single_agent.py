"""A game as a Gymnasium environment: one agent, and an opponent that answers by itself.

Laws: the agent gets only positions in which it is to move; the reward comes with the end of the
game: 1 for a win, 0 for a draw, -1 for a loss, and -1 for an illegal action, which ends the game at once. A seed
decides the whole game, with the chance of an opponent that was given by its name.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from spielleiter import players
from spielleiter.errors import IllegalMove, SettingsError
from spielleiter.game import TEAMS, AnyPlayer, GameState
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.rl import states
from spielleiter.rl.environment import ILLEGAL_REWARD, RENDER_MODES, Observation

Opponent = str | AnyPlayer | Callable[[GameState[Any]], Any]
"""The name of a built-in player (``student:depth=1``), a player, or a function from a state to a move."""


class SingleAgentEnvironment(gymnasium.Env[Observation, np.int64]):
    """One rule set against one opponent."""

    # Gymnasium asks for a rate, also where a picture is a text that changes with a move.
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        key: str,
        opponent: Opponent = "random",
        *,
        team: str | None = None,
        seconds: float = 1.0,
        render_mode: str | None = None,
    ) -> None:
        """Play as ``team``, ONE or TWO, or as either by chance; the opponent may think ``seconds`` for a move."""
        states.check_render_mode(render_mode, RENDER_MODES)
        self.game = states.load(key)
        self.metadata = {**type(self).metadata, "name": self.game.key}
        self.render_mode = render_mode
        self.action_space = states.Actions(self.game.encoding.actions)
        self.observation_space = states.observation_space(self.game)  # type: ignore[assignment]
        self._given, self._seconds = opponent, seconds
        self._opponent = _chooser(opponent, seconds)
        self._wanted_team = states.parse_team(team)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game: with ``seed`` always the same one, with ``options["position"]`` from that position."""
        super().reset(seed=seed)
        if seed is not None and isinstance(self._given, str):
            self._opponent = _chooser(players.seeded(self._given, seed), self._seconds)
        chance = Random(int(self.np_random.integers(1 << 62)))
        text = (options or {}).get("position")
        self.team = self._wanted_team if self._wanted_team is not None else chance.choice(TEAMS)
        self.position: GameState[Any] = self.game.new_state(chance) if text is None else states.start(self.game, text)
        self._answer()
        if self.position.outcome is not None:
            raise SettingsError(
                "in dieser Stellung kommt der Agent nicht mehr zum Zug", "the agent has no move from this position on"
            )
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the move with this number, and the opponent's answer."""
        try:
            self.position = states.play(self.game, self.position, int(action))
        except IllegalMove as error:
            return self._observe(), ILLEGAL_REWARD, True, False, {**self._info(), "illegal": str(error)}
        self._answer()
        outcome = self.position.outcome
        if outcome is None:
            return self._observe(), 0.0, False, False, self._info()
        return self._observe(), float(outcome.victory_points(self.team) - 1), True, False, self._info()

    def _answer(self) -> None:
        """Let the opponent move until it is the agent's turn."""
        while self.position.outcome is None and self.position.to_move is not self.team:
            self.position = self.position.play(self._opponent(self.position))

    def _observe(self) -> Observation:
        over = self.position.outcome is not None
        mask = np.zeros(self.game.encoding.actions, np.int8) if over else states.mask(self.game, self.position)
        return {"observation": states.planes(self.game, self.position, self.team), "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        outcome = self.position.outcome
        info: dict[str, Any] = {"team": self.team.name}
        if outcome is not None:
            info |= {"reason": outcome.reason.name, "points": self.position.points(self.team)}
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, where sb3-contrib's ``MaskablePPO`` looks for it."""
        return self._observe()["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """The position as text."""
        return None if self.render_mode is None else self.game.draw_text(self.position, terminal_has_colors())


def _chooser(opponent: Opponent, seconds: float) -> Callable[[GameState[Any]], Any]:
    player = players.load(opponent) if isinstance(opponent, str) else opponent
    if hasattr(player, "choose"):
        return lambda state: player.choose(state, seconds)
    return player
