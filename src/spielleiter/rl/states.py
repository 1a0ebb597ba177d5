"""What environments ask of a state: natively where the engine was built, else by the rules in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from spielleiter import games, native
from spielleiter.errors import SettingsError
from spielleiter.game import TEAM_NAMES, AnyGame, GameState, Team
from spielleiter.search.engine import why_unavailable

HAS_ENGINE = why_unavailable() is None
if HAS_ENGINE:
    from spielleiter._engine import draw_legal

PLANE_TYPE, MASK_TYPE = np.dtype(np.uint8), np.dtype(np.int8)
_ARRAY = np.ndarray
_RAW_BITS = 64
"""Bits of a raw number of each of numpy's bit generators."""
_ZERO = np.int64(0)
"""A sum with it is the quickest way to a number of numpy."""


def load(key: str) -> AnyGame:
    """The rule set called ``key``, with native states if there are any."""
    return native.load(key) if why_unavailable(key) is None else games.load(key)


class Actions(spaces.Discrete):
    """The numbers of all moves; draws from a mask with one raw number of its generator, and the engine if it is there.

    With and without the engine the same seed draws the same, but not what ``Discrete`` draws: numpy's way to a number
    below another one costs as much as a step.
    """

    def __init__(self, n: int, seed: int | None = None) -> None:
        # An int, as gymnasium then makes a generator of 64 bits; of another one raw numbers may be shorter.
        super().__init__(n, None if seed is None else int(seed))
        self._number = n

    def sample(self, mask: NDArray[np.int8] | None = None, probability: Any = None) -> np.int64:
        """A random action, of those in ``mask`` if it is given, all equally likely; 0 if the mask allows none."""
        if mask is None or probability is not None:
            return np.int64(super().sample(mask, probability))
        raw = self.np_random.bit_generator.random_raw()
        if HAS_ENGINE and type(mask) is _ARRAY:
            action = draw_legal(mask, self._number, raw)
            if action is not None:
                return _ZERO + action
        legal = _allowed(mask, self._number)
        # What is not a mask is refused by gymnasium.
        return np.int64(super().sample(mask)) if legal is None else legal[raw * len(legal) >> _RAW_BITS]


def _allowed(mask: Any, number: int) -> NDArray[np.int64] | None:
    """The actions that a mask allows; ``None`` if there are none, or it is not a mask of ``number`` actions."""
    if not isinstance(mask, np.ndarray) or mask.dtype != MASK_TYPE or mask.shape != (number,):
        return None
    legal = np.flatnonzero(mask)
    return legal if len(legal) and (mask[legal] == 1).all() else None


def start(game: AnyGame, text: str) -> GameState[Any]:
    """The running position that ``text`` describes. Raises ``SettingsError`` if the game is over there."""
    position: GameState[Any] = game.notation.parse_state(text)
    if position.outcome is not None:
        end = position.outcome.describe()
        raise SettingsError(
            f"in dieser Stellung ist das Spiel zu Ende: {end.de}", f"the game is over in this position: {end.en}"
        )
    return position


def shape(game: AnyGame) -> tuple[int, int, int]:
    """The planes, rows and columns of what a team sees."""
    return (len(game.encoding.planes), *game.encoding.size)


def planes(game: AnyGame, state: Any, team: Team) -> NDArray[np.uint8]:
    """What ``team`` sees, as an array that may be written to."""
    seen = state.observe(team) if is_native(game) else bytearray(game.encoding.plane_bytes(state, team))
    return np.ndarray(shape(game), PLANE_TYPE, seen)


def mask(game: AnyGame, state: Any) -> NDArray[np.int8]:
    """1 for each legal action."""
    if is_native(game):
        return np.ndarray(game.encoding.actions, MASK_TYPE, state.mask())
    legal = np.zeros(game.encoding.actions, np.int8)
    legal[[game.encoding.action(state, move) for move in state.legal_moves()]] = 1
    return legal


def play(game: AnyGame, state: Any, action: int) -> Any:
    """The state after the move with this number. Raises ``IllegalMove``."""
    return state.play_action(action) if is_native(game) else state.play(game.encoding.move(state, action))


def is_native(game: AnyGame) -> bool:
    """Whether the states of ``game`` are native."""
    return type(game.encoding) is native.NativeEncoding


def observation_space(game: AnyGame) -> spaces.Dict:
    """Planes and mask, with the bounds of each plane."""
    encoding = game.encoding
    bounds = np.array([plane.highest for plane in encoding.planes], np.uint8)
    highest = np.broadcast_to(bounds[:, None, None], shape(game))
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (encoding.actions,), np.int8),
        }
    )


def parse_team(name: str | None) -> Team | None:
    """The team called ``name``, or ``None`` for either. Raises ``SettingsError``."""
    if name is not None and name not in TEAM_NAMES:
        raise SettingsError(
            f"erwartet für team: None, ONE oder TWO; gefunden: {name!r}",
            f"expected team to be None, ONE or TWO, found {name!r}",
        )
    return None if name is None else Team[name]


def check_render_mode(render_mode: str | None, known: tuple[str, ...]) -> None:
    """Raise ``SettingsError`` if ``render_mode`` is none of those known."""
    if render_mode is not None and render_mode not in known:
        modes = ", ".join(known)
        raise SettingsError(
            f"erwartet für render_mode: None oder {modes}; gefunden: {render_mode!r}",
            f"expected render_mode to be None or one of {modes}, found {render_mode!r}",
        )
