"""Every game for OpenSpiel: importing this module registers ``spielleiter_piranhas_2026`` and the others.

A game of ours as ``pyspiel.load_game`` gives it: actions and planes are those of ``game.encoding``, the players 0 and 1
are the teams. Laws: the only chance is the start, a node with ``starts`` outcomes of which number ``n`` is
``game.new_state(Random(n))``; with the parameter ``seed`` the start is that of this seed, and there is no chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS, AnyGame, GameState, Team
from spielleiter.rl import states

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"spielleiter.rl.open_spiel needs {missing.name}: pip install open_spiel", name=missing.name
    ) from missing

PREFIX = "spielleiter_"
STARTS = 1000
"""Start positions of a game by default."""
_UNCOUNTED = 10_000
"""The most moves of a game of which nobody has counted them."""
_PARAMETERS = {"starts": STARTS, "seed": -1}


def open_spiel_name(game: AnyGame) -> str:
    """What OpenSpiel calls a rule set: its key with underscores."""
    return PREFIX + game.key.replace("-", "_")


def _game_type(game: AnyGame, *, has_chance: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=open_spiel_name(game),
        long_name=game.title.en,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if has_chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=len(TEAMS),
        min_num_players=len(TEAMS),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """One rule set: a class for each, as OpenSpiel registers classes."""

    key: ClassVar[str]

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = {**_PARAMETERS, **(params or {})}
        self.seed, self.starts = params["seed"], params["starts"]
        if self.starts < 1:
            raise SettingsError(
                f"erwartet für starts: eine Zahl ab 1; gefunden: {self.starts}",
                f"expected starts to be at least 1, found {self.starts}",
            )
        self.rules = states.load(self.key)
        self.has_chance = self.seed < 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.encoding.actions,
            max_chance_outcomes=self.starts if self.has_chance else 0,
            num_players=len(TEAMS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.max_turn or _UNCOUNTED,
        )
        super().__init__(_game_type(self.rules, has_chance=self.has_chance), info, params)

    def new_initial_state(self) -> OpenSpielState:
        """The start, or the chance node before it."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """One, the start."""
        return int(self.has_chance)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """What sees a state as planes, or of the wrong kind of observation nothing but the history."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self.rules, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


@dataclass(frozen=True, slots=True)
class _Held:
    """A position in an attribute of a state. OpenSpiel copies these deeply, and a position need not be."""

    position: GameState[Any] | None

    def __deepcopy__(self, memo: object) -> _Held:
        return self


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game, or the chance before its start."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._key = game.key
        self._starts = game.starts
        self._held = _Held(None if game.has_chance else game.rules.new_state(Random(game.seed)))

    @property
    def position(self) -> GameState[Any] | None:
        """The state of our own, native where it can be; ``None`` before the start."""
        return self._held.position

    @property
    def _rules(self) -> AnyGame:
        return states.load(self._key)

    def current_player(self) -> int:
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.to_move)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The start positions, all equally likely."""
        return [(number, 1 / self._starts) for number in range(self._starts)]

    def _legal_actions(self, player: int) -> list[int]:
        if self.position is None or player != self.position.to_move:
            return []
        legal: list[int] = np.flatnonzero(states.mask(self._rules, self.position)).tolist()
        return legal

    def _apply_action(self, action: int) -> None:
        position = self.position
        if position is None:
            self._held = _Held(self._rules.new_state(Random(action)))
        else:
            self._held = _Held(states.play(self._rules, position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"start {action}"
        return self._rules.notation.format_move(self.position, self._rules.encoding.move(self.position, action))

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.outcome is not None

    def returns(self) -> list[float]:
        """1 for the winner, -1 for the loser; 0 for a draw, and while the game runs."""
        outcome = None if self.position is None else self.position.outcome
        return [0.0 if outcome is None else outcome.victory_points(team) - 1.0 for team in TEAMS]

    def __str__(self) -> str:
        return "before the start" if self.position is None else self._rules.notation.format_state(self.position)


class PlanesObserver:
    """What a team sees of a state: ``game.encoding``'s planes; all 0 before the start."""

    def __init__(self, rules: AnyGame, params: Mapping[str, Any] | None) -> None:
        if params:
            raise SettingsError(
                f"Beobachtungen haben keine Parameter, gefunden: {params}",
                f"observations have no parameters, found {params}",
            )
        self._rules = rules
        shape = states.shape(rules)
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Show ``state`` as ``player`` sees it."""
        position = state.position
        self.dict["observation"][:] = 0 if position is None else states.planes(self._rules, position, Team(player))

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The position in its notation."""
        return str(state)


def register_games() -> None:
    """Register every game found with OpenSpiel; idempotent."""
    known = set(pyspiel.registered_names())
    for game in games.all_games().values():
        if open_spiel_name(game) not in known:
            # A class, which is never freed: OpenSpiel lets go of what it has after the end of Python, and would crash.
            kind = type(OpenSpielGame.__name__, (OpenSpielGame,), {"key": game.key})
            pyspiel.register_game(_game_type(game, has_chance=True), kind)


register_games()
