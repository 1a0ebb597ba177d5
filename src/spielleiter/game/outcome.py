"""Who plays, how games end, and which rules can be broken."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

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
TEAM_NAMES = (Team.ONE.name, Team.TWO.name)


class Reason(Enum):
    """Why something ended or was refused: a name for programs, a ``Text`` for people.

    Subclasses list their members with a ``Text`` as value.
    """

    @property
    def text(self) -> Text:
        value: Text = self.value
        return value

    def __str__(self) -> str:
        return self.text.en


class Violation(Reason):
    """A rule of a game that a move breaks. Each game lists its own."""


class End(Reason):
    """A way in which a game ends by its rules. Each game lists its own."""

    @property
    def is_by_points(self) -> bool:
        """Whether the text says only why play ended, and the points say who won."""
        return False


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

    def describe(self, names: tuple[str, str] = TEAM_NAMES) -> Text:
        """Winner and reason in one sentence."""
        return describe_end(None if self.winner is None else names[self.winner], self.reason.text)

    def describe_colors(self, teams: tuple[Text, Text]) -> Text:
        """The same for teams that are called by their colours, by one or by two."""
        if self.winner is None:
            return self.describe()
        winner, reason = teams[self.winner], self.reason.text
        return Text(f"Sieg für {winner.de}: {reason.de}", f"{winner.en} won: {reason.en}")


def deciding_score(state: Any, team: Team) -> str:
    """The points of ``team`` and its opponent in a finished game that they decided: ``151 : 98``; else empty."""
    if state.outcome is None or not state.outcome.reason.is_by_points:
        return ""
    own, other = (state.points(side)[1] for side in (team, team.opponent))
    return f"{own} : {other}"


def describe_outcome(state: Any, names: tuple[str, str]) -> Text:
    """Who won a game that is over by its rules: with the points that decided it, else with the rule."""
    outcome: Outcome = state.outcome
    score = deciding_score(state, outcome.winner or Team.ONE)
    if not score:
        return outcome.describe(names)
    if outcome.winner is None:
        return Text(f"Unentschieden {score}", f"Draw {score}")
    winner = names[outcome.winner]
    return Text(f"{winner} gewinnt {score}", f"{winner} wins {score}")


def describe_end(winner: str | None, reason: Text, *, decided: bool = True) -> Text:
    """Who won and why in one sentence. A game without a winner is a draw, unless it was not ``decided`` at all."""
    if winner is not None:
        head = Text(f"{winner} gewinnt", f"{winner} wins")
    elif decided:
        head = Text("Unentschieden", "Draw")
    else:
        head = Text("Ohne Entscheidung", "No decision")
    return Text(
        f"{head.de}: {reason.de}" if reason.de else head.de, f"{head.en}: {reason.en}" if reason.en else head.en
    )


def victory_points(outcome: Outcome | None, team: Team) -> int:
    """The contest's points of ``team``; 0 while nothing is decided."""
    return 0 if outcome is None else outcome.victory_points(team)
