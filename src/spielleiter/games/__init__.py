"""THE GAMES, one folder each, discovered automatically; a folder lists its rule sets in ``GAMES``."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import TYPE_CHECKING, Any

from spielleiter.errors import MessageError, NotationError, UnknownGame
from spielleiter.game import AnyGame, Element, GameState
from spielleiter.games.current_season import CURRENT_SEASON as CURRENT_SEASON
from spielleiter.text import did_you_mean
from spielleiter.wire.framing import parse_element


@cache
def all_games() -> dict[str, AnyGame]:
    """Every rule set by its key, in alphabetical order."""
    found: list[AnyGame] = []
    for module in iter_modules(__path__, f"{__name__}."):
        if module.ispkg:
            found.extend(import_module(module.name).GAMES)
    return {game.key: game for game in sorted(found, key=lambda game: game.key)}


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
        games = all_games()
        if key in games:
            return games[key]
        if not isinstance(key, str):
            raise TypeError(f"expected the key of a game, such as {CURRENT_SEASON!r}, got a {type(key).__name__}")
        hint = did_you_mean(key, games)
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
    shape, shapes = _shape(state), state_shapes()
    candidates = [key for key in shapes if load(key).official is official]
    likeness, key = max(((_likeness(shape, shapes[key]), key) for key in candidates), key=lambda pair: pair[0])
    if likeness < _LEAST_LIKENESS:
        raise MessageError("keine Saison hat Zustände dieser Form", "no season has states of this form")
    return load(key)


_LEAST_LIKENESS = 0.6
"""A state may lack a part, or have one more, and is still that of its season."""


@cache
def state_shapes() -> dict[str, frozenset[str]]:
    """The shape of the states of each rule set. The first call imports every game: 0.2 s of CPU time."""
    return {key: _shape_of(game) for key, game in all_games().items()}


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
