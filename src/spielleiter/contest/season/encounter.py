"""An encounter (Begegnung): its games, whose the first move is, which games are still missing, and who has won it.

The games come in pairs: two games from the same start, each team once as ONE. In the groups an encounter has a fixed
number of games. In the final it is won by who has won more games after an even number of them: two more are played
while the wins are equal, up to the cap, and then a lot decides. Draws count for nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spielleiter.rating.standings import Lot

Points = tuple[int, int]
"""The victory points of one game, the encounter's first team first: (2, 0), (1, 1), (0, 2), or (0, 0) if both lose."""


@dataclass(frozen=True, slots=True)
class EncounterLength:
    """How many games an encounter has."""

    games: int
    cap: int | None = None
    """``None``: exactly ``games`` games; a number: there must be a winner, and this is the maximum."""


@dataclass(frozen=True, slots=True)
class Score:
    """Where an encounter stands."""

    won: tuple[int, int] = (0, 0)
    drawn: int = 0
    points: tuple[int, int] = (0, 0)
    """Victory points."""
    missing: tuple[int, ...] = ()
    """The numbers of the games to play now; empty when it is finished."""
    needs_lot: bool = False
    """The cap is reached and the wins are equal."""

    @property
    def finished(self) -> bool:
        """Whether no game is missing."""
        return not self.missing

    @property
    def leader(self) -> int | None:
        """0 or 1: the team that has won more games; ``None`` if they have won as many."""
        first, second = self.won
        return None if first == second else int(second > first)


def first_is_one(number: int) -> bool:
    """Whether the encounter's first team is ONE in the game with this number, from 1: they alternate."""
    return number % 2 == 1


def start_of(number: int) -> int:
    """The number of the start position, from 0: each is played twice."""
    return (number - 1) // 2


def score(games: Mapping[int, Points], length: EncounterLength) -> Score:
    """Where an encounter stands after these games, by their numbers."""
    won = sum(points == (2, 0) for points in games.values()), sum(points == (0, 2) for points in games.values())
    drawn = sum(points == (1, 1) for points in games.values())
    total = sum(points[0] for points in games.values()), sum(points[1] for points in games.values())
    wanted = length.games
    if length.cap is not None:
        # A pair that has begun is played to its end: only a whole pair is fair.
        wanted = max(wanted, max(games, default=0) + max(games, default=0) % 2)
    missing = tuple(number for number in range(1, wanted + 1) if number not in games)
    level = won[0] == won[1]
    if not missing and length.cap is not None and level and wanted + 2 <= length.cap:
        missing = (wanted + 1, wanted + 2)
    needs_lot = not missing and length.cap is not None and level
    return Score(won, drawn, total, missing, needs_lot)


def draw_winner(teams: tuple[str, str], seed: str) -> tuple[Lot, int]:
    """The lot between the two teams of an encounter, and which of them has won it."""
    lot = Lot(frozenset(teams), seed)
    return lot, teams.index(lot.order[0])
