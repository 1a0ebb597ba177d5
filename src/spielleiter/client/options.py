"""A player's own options: numbers in its code that ``--set name=value`` changes, so that others can be tried.

::

    MOBILITY = option("mobility", 1.5)

Options are named at the top of a file, before the game begins; ``--set`` with an unknown name is refused,
so that a misspelt one is not taken for one without effect.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TypeVar

from spielleiter.errors import SettingsError
from spielleiter.text import did_you_mean

FLAG = "--set"
_Number = TypeVar("_Number", int, float)
_known: set[str] = set()


def option(name: str, default: _Number) -> _Number:
    """The number that ``--set name=value`` gives on the command line, else ``default``; a whole one if that is whole.

    Exits with a message if the value is not such a number: a player calls this while it starts.

    >>> option("mobility", 1.5)  # without --set mobility=2
    1.5
    """
    _known.add(name)
    text = _given(sys.argv[1:]).get(name)
    if text is None:
        return default
    try:
        return type(default)(text)
    except ValueError:
        kind = {int: "a whole number", float: "a number"}[type(default)]
        sys.exit(f"{FLAG} {name}: expected {kind}, not {text!r}")


def _given(arguments: Sequence[str]) -> dict[str, str]:
    """What the command line sets."""
    words = iter(arguments)
    settings = []
    for word in words:
        if word == FLAG:
            settings.append(next(words, ""))
        elif word.startswith(f"{FLAG}="):
            settings.append(word.removeprefix(f"{FLAG}="))
    return {name: value for name, _, value in (setting.partition("=") for setting in settings)}


def check_options(arguments: Sequence[str]) -> None:
    """Raises ``SettingsError`` if something is set that no ``option`` has named."""
    for name in _given(arguments):
        if name not in _known:
            hint = did_you_mean(name, sorted(_known))
            raise SettingsError(
                f"{FLAG} {name}: diese Option hat der Spieler nicht: {hint.de}",
                f"{FLAG} {name}: the player has no such option: {hint.en}",
            )
