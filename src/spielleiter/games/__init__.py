"""THE GAMES, one folder each, discovered automatically; a folder lists its rule sets in ``GAMES``.

Games of other packages are found by their entry points (docs/plugins.md). Ours come first: a game that takes the name
of another one, or that does not even start, is left out with a ``PluginWarning``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from typing import TYPE_CHECKING, Any

from spielleiter import plugins
from spielleiter.errors import MessageError, NotationError, UnknownGame
from spielleiter.game import AnyGame, Element, Game, GameState
from spielleiter.games.current_season import CURRENT_SEASON
from spielleiter.text import Text, did_you_mean
from spielleiter.wire.framing import parse_element

__all__ = [
    "CURRENT_SEASON",
    "all_games",
    "folder_of",
    "game_of",
    "load",
    "package_of",
    "parse_position",
    "plugin_of",
    "recognise",
    "seasons",
    "state_shapes",
]
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_packages: dict[str, str] = {}
_plugins: dict[str, plugins.Plugin] = {}


@cache
def _folders() -> tuple[str, ...]:
    """The folders of this package that hold games."""
    return tuple(module.name for module in iter_modules(__path__) if module.ispkg)


@cache
def _games_in(folder: str) -> dict[str, AnyGame]:
    """The rule sets of one folder by their keys."""
    module = f"{__name__}.{folder}"
    found: dict[str, AnyGame] = {game.key: game for game in import_module(module).GAMES}
    _packages.update(dict.fromkeys(found, module))
    return found


@cache
def _own_games() -> dict[str, AnyGame]:
    """Every rule set of this package by its key."""
    return {key: game for folder in _folders() for key, game in _games_in(folder).items()}


def _own_game(key: str) -> AnyGame | None:
    """The rule set of this package with that key. Of a folder that is called as its games, no other is imported."""
    folder = key.removesuffix("-official").rpartition("-")[0].replace("-", "_")
    found = _games_in(folder).get(key) if folder in _folders() else None
    return found or _own_games().get(key)


@cache
def all_games() -> dict[str, AnyGame]:
    """Every rule set by its key, in alphabetical order."""
    found = dict(_own_games())
    for plugin in plugins.find(plugins.GAMES):
        for game in _games_of(plugin):
            if (reason := _why_unusable(game, plugin, found)) is not None:
                plugin.leave_out(reason)
                continue
            found[game.key] = game
            _packages[game.key] = plugin.module
            _plugins[game.key] = plugin
    return dict(sorted(found.items()))


def _games_of(plugin: plugins.Plugin) -> tuple[AnyGame, ...]:
    """The rule sets that an entry point names: one, or several."""
    value = plugin.load()
    if value is None:
        return ()
    found = value if isinstance(value, tuple | list) else (value,)
    if not all(isinstance(game, Game) for game in found):
        plugin.leave_out(
            Text(
                f"{plugin.entry_point.value} ist weder ein Game noch ein Tupel davon",
                f"{plugin.entry_point.value} is neither a Game nor a tuple of them",
            )
        )
        return ()
    return tuple(found)


def _why_unusable(game: AnyGame, plugin: plugins.Plugin, known: Mapping[str, AnyGame]) -> Text | None:
    """Why a game of another package is left out; ``None`` if it can be played here."""
    key = f"{game.family}-{game.year}" + "-official" * game.official
    if game.key != key or not _KEY.fullmatch(key):
        return Text(
            f"Der Schlüssel {game.key!r} ist nicht der Name aus Kleinbuchstaben, das Jahr und vielleicht -official",
            f"the key {game.key!r} is not a name in small letters, the year and perhaps -official",
        )
    if key in known:
        return Text(f"Den Schlüssel {key} gibt es schon", f"there is a game {key} already")
    for other in known.values():
        if other.wire_name == game.wire_name and other.official == game.official:
            return Text(
                f"{game.wire_name!r} heißt im Protokoll schon {other.key}",
                f"{game.wire_name!r} is already the name of {other.key} on the wire",
            )
        # Pages know the colours of a family; and a season of a game belongs to those who keep its rules.
        if other.family == game.family and _plugin_name(other) != plugin.package:
            return Text(
                f"{game.family} gehört schon zu {other.key}; wähle einen anderen Namen",
                f"{game.family} belongs to {other.key} already; choose another name",
            )
    try:
        _shape_of(game)
    except Exception as problem:  # noqa: BLE001 - whatever another package does, we go on
        return plugins.describe(problem)
    return None


def _plugin_name(game: AnyGame) -> str:
    return _plugins[game.key].package if game.key in _plugins else ""


def package_of(game: AnyGame) -> str:
    """The Python package in which the rule set lives, with its ``State`` and ``Move``."""
    load(game.key)
    return _packages[game.key]


def folder_of(game: AnyGame) -> Path:
    """Where the package lies, with the data that it brings beside its code."""
    return Path(import_module(package_of(game)).__file__ or "").parent


def plugin_of(game: AnyGame) -> plugins.Plugin | None:
    """The entry point that brought the game; ``None`` for our own games."""
    load(game.key)
    return _plugins.get(game.key)


def seasons() -> list[AnyGame]:
    """One game for each season, by the rules of its document: the current season first, then the newest."""
    documents = (game for game in all_games().values() if not game.official)
    return sorted(documents, key=lambda game: (game.key != CURRENT_SEASON, -game.year))


if TYPE_CHECKING:
    # The same with the states and moves of each key, for editors; made from the games found (tests/games/test_load.py).
    from spielleiter.games._load import load as load
else:

    def load(key: str) -> AnyGame:
        """The rule set called ``key``. Raises ``UnknownGame`` with the nearest and all known keys."""
        if not isinstance(key, str):
            raise TypeError(f"expected the key of a game, such as {CURRENT_SEASON!r}, got a {type(key).__name__}")
        # Ours need no look at other packages.
        if (found := _own_game(key)) is not None or (found := all_games().get(key)) is not None:
            return found
        hint = did_you_mean(key, all_games())
        raise UnknownGame(
            f"es gibt kein Spiel namens {key!r}: {hint.de}", f"there is no game called {key!r}: {hint.en}"
        )


def game_of(state: GameState[Any]) -> AnyGame:
    """The rule set by which ``state`` is played."""
    return load(state.rules.key)


def parse_position(text: str) -> tuple[AnyGame, Any]:
    """The game and the state that a position's notation describes; its first word is the key of the game."""
    words = text.split(maxsplit=1)
    if not words:
        raise NotationError(
            "erwartet wird eine Stellung, die mit dem Schlüssel ihres Spiels beginnt, aber der Text ist leer",
            "expected a position, which starts with the key of its game, but the text is empty",
            text,
        )
    game = load(words[0])
    return game, game.notation.parse_state(text)


def recognise(state: Element, *, official: bool = False) -> AnyGame:
    """The rule set whose season writes its states in the form of this ``<state>``. Raises ``MessageError``."""
    shape, current = _shape(state), _own_game(f"{CURRENT_SEASON}-official" if official else CURRENT_SEASON)
    # Mostly it is this one, and then no other game needs to be imported. A packed player may not have it.
    if current is not None and _likeness(shape, _shape_of(current)) >= _CERTAIN:
        return current
    shapes = state_shapes()
    # Ours first: a game of another package may write its states as ours does, and must not take its replays.
    candidates = sorted((key for key in shapes if load(key).official is official), key=lambda key: key in _plugins)
    likeness, key = max(((_likeness(shape, shapes[key]), key) for key in candidates), key=lambda pair: pair[0])
    if likeness < _LEAST_LIKENESS:
        known = ", ".join(game.key for game in seasons())
        raise MessageError(
            f"keine Saison hat Zustände dieser Form; dieses Programm kennt {known}",
            f"no season has states of this form; this program knows {known}",
        )
    return load(key)


_LEAST_LIKENESS = 0.6
"""A state may lack a part, or have one more, and is still that of its season."""
_CERTAIN = 0.9
"""Then no other season can be more like it: 1 - likeness is a distance, and none is so near to the present season."""


@cache
def state_shapes() -> dict[str, frozenset[str]]:
    """The shape of the states of each rule set. The first call imports every game: 0.2 s of CPU time."""
    return {key: _shape_of(game) for key, game in all_games().items()}


@cache
def _shape_of(game: AnyGame) -> frozenset[str]:
    start = game.new_state(Random(0))
    state = start.play(start.legal_moves()[0])
    return _shape(parse_element(game.codec.state_writer(("", ""))(state, ())))


def _shape(state: Element) -> frozenset[str]:
    """What stands in a state, at its surface; it differs from season to season."""
    return frozenset(
        (f"={state.get('class')}", *(f"@{name}" for name in state.attributes), *(c.name for c in state.children))
    )


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
