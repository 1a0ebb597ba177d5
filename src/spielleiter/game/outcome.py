"""Who plays, how games end, and which rules can be broken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from spielleiter.text import Text


class Team(IntEnum):
    """One of the two sides, in the order of the wire: ONE moves first."""

    ONE = 0
    TWO = 1

    @property
    def opponent(self) -> Team:
        """The other side."""
        return TEAMS[1 - self]


TEAMS = (Team.ONE, Team.TWO)


class Reason(Enum):
    """Why something ended or was refused: a name for programs, a ``Text`` for people.

    Subclasses list their members with a ``Text`` as value.
    """

    @property
    def text(self) -> Text:
        """The reason in words."""
        value: Text = self.value
        return value

    def __str__(self) -> str:
        return self.text.en


class Violation(Reason):
    """A rule of a game that a move breaks. Each game lists its own."""


class End(Reason):
    """A way in which a game ends by its rules. Each game lists its own."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended. ``winner`` is ``None`` for a draw."""

    winner: Team | None
    reason: End

    def victory_points(self, team: Team) -> int:
        """2 for a win, 1 for a draw, 0 for a loss, as the contest counts."""
        if self.winner is None:
            return 1
        return 2 if self.winner is team else 0

    @property
    def text(self) -> Text:
        """Winner and reason in one sentence."""
        why = self.reason.text
        if self.winner is None:
            return Text(f"Unentschieden: {why.de}", f"Draw: {why.en}")
        return Text(f"{self.winner.name} gewinnt: {why.de}", f"{self.winner.name} wins: {why.en}")


def victory_points(outcome: Outcome | None, team: Team) -> int:
    """The contest's points of ``team``; 0 while nothing is decided."""
    return 0 if outcome is None else outcome.victory_points(team)
