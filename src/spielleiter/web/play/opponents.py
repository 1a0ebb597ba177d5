"""Whom one can play against: the eight levels first, the weaker ones before the stronger, then the other players."""

from __future__ import annotations

from itertools import pairwise

from spielleiter.players import BUILT_IN, LEVELS, BuiltIn

_ALL = sorted(BUILT_IN.values(), key=lambda player: player.level is None)
DEFAULT = LEVELS[1].name if BUILT_IN[LEVELS[1].name].why_unavailable is None else "student"
"""Whom the form suggests."""


def opponents() -> tuple[BuiltIn, ...]:
    """The built-in players that can play on this machine."""
    return tuple(player for player in _ALL if player.why_unavailable is None)


def stronger_than(name: str) -> BuiltIn | None:
    """The next stronger one, ``None`` above the strongest; above the last level that is the engine at full strength."""
    known = opponents()
    levels, others = ([each for each in known if (each.level is not None) is has_level] for has_level in (True, False))
    for row in ([*levels, *others[-1:]], others):
        above = [stronger for player, stronger in pairwise(row) if player.name == name]
        if above:
            return above[0]
    return None


def absent() -> tuple[BuiltIn, ...]:
    """The built-in players that cannot, because something is not installed."""
    return tuple(player for player in _ALL if player.why_unavailable is not None)
