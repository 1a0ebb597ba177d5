"""Who meets whom on which day: a round robin by the circle method, with sides balanced.

Laws: each pair meets exactly once; no team plays twice on a day; with an odd number every team rests exactly once; each
team begins as the first one in half of its encounters, or in one more or less than the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Day:
    """One matchday of one group."""

    number: int
    """The first is 1."""
    pairs: tuple[tuple[str, str], ...]
    """The encounters; the first team of a pair has the first move in the first game."""
    resting: str | None = None
    """Who has no encounter on this day."""


def round_robin(teams: Sequence[str]) -> tuple[Day, ...]:
    """All days of a group, in which every team meets every other once."""
    if len(set(teams)) != len(teams):
        raise SettingsError("Ein Team steht zweimal in einer Gruppe.", "a team is in a group twice")
    if len(teams) < 2:
        raise SettingsError(
            f"Eine Gruppe braucht mindestens zwei Teams, nicht {len(teams)}.",
            f"a group needs at least two teams, not {len(teams)}",
        )
    # The last place is fixed, the others rotate; with an odd number of teams it is empty, and its opponent rests.
    places = len(teams) + len(teams) % 2
    days = []
    for day in range(places - 1):
        pairs, resting = [], None
        for step in range(places // 2):
            one = (day + step) % (places - 1)
            two = places - 1 if step == 0 else (day - step) % (places - 1)
            low, high = sorted((one, two))
            if high >= len(teams):
                resting = teams[low]
            else:
                pairs.append((teams[low], teams[high]) if begins(low, high) else (teams[high], teams[low]))
        days.append(Day(day + 1, tuple(pairs), resting))
    return tuple(days)


def begins(low: int, high: int) -> bool:
    """Whether the team with the lower place is the first one of the pair.

    It is for odd distances. A team at place p of n then begins (n-1-p+1)//2 times against those behind it and p//2
    times against those before it: for odd n that is (n-1)/2, for even n it is n/2 or n/2 - 1.
    """
    return (high - low) % 2 == 1


def days_needed(teams: int) -> int:
    """The number of days of a round robin."""
    return teams - 1 + teams % 2
