"""THE GAMES, one folder each. A folder is found by itself; what it offers stands in its ``GAMES``."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from spielleiter.errors import MessageError, NotationError, UnknownGame
from spielleiter.game import AnyGame, Element
from spielleiter.wire.framing import parse_element

RUNNING_SEASON = "blokus-2027"
"""The season that is played now: the default wherever no game is named."""


@cache
def all_games() -> dict[str, AnyGame]:
    """Every rule set by its key, in alphabetical order."""
    found: list[AnyGame] = []
    for module in iter_modules(__path__, f"{__name__}."):
        found.extend(import_module(module.name).GAMES)
    return {game.key: game for game in sorted(found, key=lambda game: game.key)}


def load(key: str) -> AnyGame:
    """The rule set called ``key``. Raises ``UnknownGame`` with the nearest and all known keys."""
    games = all_games()
    if key in games:
        return games[key]
    near = get_close_matches(key, games, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise UnknownGame(f"there is no game called {key!r}: {hint}known are {', '.join(games)}")


def parse_position(text: str) -> tuple[AnyGame, Any]:
    """The game and the state that a position's notation describes; its first word is the key of the game."""
    words = text.split(maxsplit=1)
    if not words:
        raise NotationError("expected a position, which starts with the key of its game, but the text is empty", text)
    game = load(words[0])
    return game, game.notation.parse_state(text)


def recognise(told: Element, *, official: bool = False) -> AnyGame:
    """The rule set whose codec reads this ``<state>`` and would write it in the same form. Raises ``MessageError``."""
    likeness: list[tuple[float, AnyGame]] = []
    problem: MessageError | None = None
    for game in all_games().values():
        if game.official is not official:
            continue
        try:
            state = game.codec.read_state(told)
        except MessageError as error:
            problem = error
        else:
            written = game.codec.state_writer(("", ""))(state, ())
            likeness.append((_likeness(_shape(told), _shape(parse_element(written))), game))
    if not likeness:
        de, en = ("", "") if problem is None else (f": {problem.de}", f": {problem.en}")
        raise MessageError(f"kein Spiel hat Zustände dieser Form{de}", f"no game has states of this form{en}")
    likeness.sort(key=lambda pair: pair[0], reverse=True)
    if len(likeness) > 1 and likeness[0][0] == likeness[1][0]:
        one, two = likeness[0][1], likeness[1][1]
        raise MessageError(
            f"der Zustand kann einer von {one} oder von {two} sein", f"the state could be one of {one} or of {two}"
        )
    return likeness[0][1]


def _shape(state: Element) -> list[str]:
    """The names of what stands in a state, in their order; it differs from season to season."""
    return [state.get("class") or "", *(f"@{name}" for name in state.attributes), *(c.name for c in state.children)]


def _likeness(one: list[str], other: list[str]) -> float:
    return 1.0 if one == other else 0.99 * len({*one} & {*other}) / len({*one, *other})
