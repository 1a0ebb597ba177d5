"""Whom one can play against: the built-in players that are installed, the weaker ones first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from spielleiter.errors import SettingsError
from spielleiter.game import GameState, Text


@dataclass(frozen=True, slots=True)
class Opponent:
    """A built-in player as the pages offer it."""

    name: str
    text: Text


class _AnyMove:
    """Plays any legal move; there even where nothing else is installed."""

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """Any legal move."""
        return Random().choice(state.legal_moves())


def _built_in() -> Mapping[str, Any]:
    try:
        found: Mapping[str, Any] = import_module("spielleiter.players").BUILT_IN
    except ImportError:
        return {}
    return found


def opponents() -> tuple[Opponent, ...]:
    """The built-in players."""
    found = tuple(Opponent(player.name, player.text) for player in _built_in().values())
    return found or (Opponent("random", Text("zieht irgendetwas", "plays anything")),)


def load_player(name: str) -> Any:
    """A new player of this name. Raises ``SettingsError`` if there is none."""
    if _built_in():
        player: Any = import_module("spielleiter.players").load(name)
        return player
    if name == "random":
        return _AnyMove()
    raise SettingsError(f"there is no built-in player called {name!r}")
