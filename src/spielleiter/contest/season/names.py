"""How people name encounters and games: M3-A2 is the second encounter of group A on the third day of the Meisterschaft.

M3-A2-4 is its fourth game, and M3-A2-4-2 the second attempt at it, after the first was annulled. The letters T, M, C, F
and X are trial, Meisterschaft, Champions League, final and friendly; friendly encounters have a number only: X7.

Law: a name means one encounter or one game, whatever the groups are called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from spielleiter.contest.season.model import Stage
from spielleiter.errors import ContestError

_GAME = re.compile(
    r"(?P<encounter>X\d+|[TMCF]\d+-[^-]+)-(?P<number>\d+)(?:-(?P<attempt>\d+))?", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class GameName:
    """The parts of a game's name."""

    encounter: str
    """Its key, as it was typed."""
    number: int
    attempt: int | None
    """``None`` if the name leaves it out."""


def day_key(stage: Stage, matchday: int) -> str:
    """The short name of a matchday: M3."""
    return f"{stage.letter}{matchday}"


def encounter_key(stage: Stage, group: str, matchday: int | None, place: int) -> str:
    """The name of the encounter at ``place`` of its day and group; friendly ones have no day."""
    if matchday is None:
        return f"{stage.letter}{place}"
    # Place 12 of group 1 is not place 2 of group 11.
    dot = "." if group[-1:].isdigit() else ""
    return f"{day_key(stage, matchday)}-{group}{dot}{place}"


def game_name(encounter: str, number: int, attempt: int = 1) -> str:
    """The name of a game of the encounter with this key; of a first attempt only the game's number is said."""
    return f"{encounter}-{number}" + (f"-{attempt}" if attempt > 1 else "")


def parse_game_name(text: str) -> GameName | None:
    """The parts of a game's name, in capitals or not; ``None`` for what cannot be one, as an encounter's key."""
    parts = _GAME.fullmatch(text)
    if parts is None:
        return None
    attempt = parts["attempt"]
    return GameName(parts["encounter"], int(parts["number"]), None if attempt is None else int(attempt))


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_N = TypeVar("_N", bound=_Named)


def find_team(teams: Iterable[_N], name: str) -> _N:
    """The team of that name, whatever its case. Raises ``ContestError``."""
    known = {team.name: team for team in teams}
    for team in known.values():
        if team.name.casefold() == name.casefold():
            return team
    listed = ", ".join(known)
    raise ContestError(
        f"Ein Team {name!r} gibt es nicht: es gibt {listed}.", f"there is no team {name!r}: expected one of {listed}"
    )


def no_encounter(key: str) -> ContestError:
    """The refusal for a key that no encounter has."""
    return ContestError(
        f"Eine Begegnung {key!r} gibt es nicht; eine Begegnung heißt wie M3-A2, ein Spiel wie M3-A2-4."
        " 'spielleiter contest schedule' zeigt alle.",
        f"there is no encounter {key!r}; an encounter is like M3-A2, a game like M3-A2-4:"
        " 'spielleiter contest schedule' lists them",
    )
