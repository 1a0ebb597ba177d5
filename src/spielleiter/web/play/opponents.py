"""Whom one can play against: the built-in players that can play here, the weaker ones first."""

from __future__ import annotations

from spielleiter.players import BUILT_IN, BuiltIn

DEFAULT = "student"
"""Whom the form suggests."""


def opponents() -> tuple[BuiltIn, ...]:
    """The built-in players that can play on this machine."""
    return tuple(player for player in BUILT_IN.values() if player.why_unavailable is None)


def stronger_than(name: str) -> BuiltIn | None:
    """The next stronger one, ``None`` above the strongest."""
    known = opponents()
    above = [known[place + 1] for place, player in enumerate(known[:-1]) if player.name == name]
    return above[0] if above else None


def absent() -> tuple[BuiltIn, ...]:
    """The built-in players that cannot, because something is not installed."""
    return tuple(player for player in BUILT_IN.values() if player.why_unavailable is not None)
