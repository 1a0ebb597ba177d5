"""An encounter (Begegnung): its games, whose the first move is, which games are still missing, and who has won it.

The games come in pairs: two games from the same start, each team once as ONE. In the groups an encounter has a fixed
number of games. In the final it is won by who has won more games after an even number of them: two more are played
while the wins are equal, up to the cap, and then a lot decides. Draws count for neither team.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from spielleiter.rating.standings import Lot

Points = tuple[int, int]
"""The victory points of one game, the encounter's first team first: (2, 0), (1, 1), (0, 2), or (0, 0) if both lose."""


class Decision(StrEnum):
    """How a game got its result."""

    PLAYED = "played"
    """Refereed; the record proves it."""
    WALKOVER = "walkover"
    """Not played: a team had no program, or was disqualified before."""
    DISQUALIFIED = "disqualified"
    """Played, but a team was disqualified in it afterwards: it gets nothing."""
    PENDING = "pending"
    """Refereed, but lost on time on a busy machine again and again: what depends on it waits for the organisers."""


@dataclass(frozen=True, slots=True)
class EncounterLength:
    """How many games an encounter has."""

    games: int
    cap: int | None = None
    """``None``: exactly ``games`` games; a number: there must be a winner, and this is the maximum."""


def first_is_one(number: int) -> bool:
    """Whether the encounter's first team is ONE in the game with this number, from 1: they alternate."""
    return number % 2 == 1


def start_of(number: int) -> int:
    """The number of the start position, from 0: each is played twice."""
    return (number - 1) // 2


def missing_games(games: Mapping[int, Points], length: EncounterLength) -> tuple[int, ...]:
    """The numbers of the games to play now, after ``games`` by their numbers; empty when the encounter is over."""
    wanted = length.games
    if length.cap is not None:
        # A pair that has begun is played to its end: only a whole pair is fair.
        wanted = max(wanted, max(games, default=0) + max(games, default=0) % 2)
    missing = tuple(number for number in range(1, wanted + 1) if number not in games)
    if not missing and length.cap is not None and leader(games.values()) is None and wanted + 2 <= length.cap:
        return wanted + 1, wanted + 2
    return missing


def games_won(games: Iterable[Points]) -> tuple[int, int]:
    """How many games each team has won."""
    points = list(games)
    return points.count((2, 0)), points.count((0, 2))


def leader(games: Iterable[Points]) -> int | None:
    """0 or 1: the team that has won more games; ``None`` if they have won as many."""
    first, second = games_won(games)
    return None if first == second else int(second > first)


def needs_lot(games: Mapping[int, Points], length: EncounterLength) -> bool:
    """Whether the cap is reached and the wins are equal."""
    return length.cap is not None and leader(games.values()) is None and not missing_games(games, length)


def draw_winner(teams: tuple[str, str], seed: str) -> tuple[Lot, int]:
    """The lot between the two teams of an encounter, and which of them has won it."""
    lot = Lot(frozenset(teams), seed)
    return lot, teams.index(lot.order[0])
