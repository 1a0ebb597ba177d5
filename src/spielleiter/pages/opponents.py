"""Whom one can play against: the eight levels and the one at full strength above them, then the other programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from spielleiter.players import BUILT_IN, LEVELS, BuiltIn

LADDER = (*(BUILT_IN[level.name] for level in LEVELS), BUILT_IN["expert"])
"""The weaker ones first; the last one plays at full strength."""
PROGRAMS = tuple(player for player in BUILT_IN.values() if player not in LADDER)
"""Players shown by the name of their program, as on the command line."""
_ROWS = (LADDER, (*PROGRAMS, LADDER[-1]))
"""Behind the last of the programs comes full strength."""


def suggested(wanted: str = "") -> str:
    """Whom the pages suggest: the one who was wanted, if there is such a player."""
    return wanted if wanted in BUILT_IN else LEVELS[1].name


def stronger_than(name: str, rows: Sequence[Sequence[BuiltIn]] = _ROWS) -> BuiltIn | None:
    """The next stronger one of those in these rows, weakest first; ``None`` above the strongest."""
    return next((above for row in rows for player, above in pairwise(row) if player.name == name), None)
