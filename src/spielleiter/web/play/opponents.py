"""Whom one can play against: the eight levels first, the weaker ones before the stronger, then the other players."""

from __future__ import annotations

from itertools import pairwise

from spielleiter.players import BUILT_IN, LEVELS, BuiltIn

OPPONENTS = tuple(sorted(BUILT_IN.values(), key=lambda player: player.level is None))


def suggested(wanted: str = "") -> str:
    """Whom the pages suggest: the one who was wanted, if there is such a player."""
    return wanted if wanted in BUILT_IN else LEVELS[1].name


def stronger_than(name: str) -> BuiltIn | None:
    """The next stronger one, ``None`` above the strongest; above the last level that is the one at full strength."""
    levels, others = ([each for each in OPPONENTS if (each.level is not None) is level] for level in (True, False))
    for row in ([*levels, *others[-1:]], others):
        above = [stronger for player, stronger in pairwise(row) if player.name == name]
        if above:
            return above[0]
    return None
