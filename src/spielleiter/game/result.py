"""How a refereed game ended for both sides, by the rules or by breaking them, and how standings rank such results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from spielleiter.backports import StrEnum
from spielleiter.game.outcome import TEAM_NAMES, Team, describe_end
from spielleiter.pressure import with_pressure
from spielleiter.text import Text


class Cause(Enum):
    """Why a player's game ended, in the words of the wire."""

    REGULAR = "REGULAR"
    LEFT = "LEFT"
    RULE_VIOLATION = "RULE_VIOLATION"
    SOFT_TIMEOUT = "SOFT_TIMEOUT"
    HARD_TIMEOUT = "HARD_TIMEOUT"

    @property
    def is_of_time(self) -> bool:
        """Whether the player was too slow, or silent."""
        return self in (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)


@dataclass(frozen=True, slots=True)
class TeamResult:
    """How the game ended for one player; ``points`` in the order of ``Game.scores``."""

    cause: Cause
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """How the game ended for both. ``winner`` is ``None`` for a draw and for a game without a decision."""

    teams: tuple[TeamResult, TeamResult]
    winner: Team | None
    reason: Text
    """Why it ended, without who won; in a record of a reference server that server's own words."""
    end: str | None = None
    """The name of the end by the rules of the game (``LARGER_SWARM``), ``None`` if the game did not get that far."""
    resigned: bool = False
    """Whether the loser gave up: the wire calls that LEFT too, but it is not a fault."""
    adjudicated: bool = False
    """Whether a match ended the game early because it seemed decided; a contest never does."""
    pressure: float | None = None
    """How busy the machine was meanwhile, filled in where it is measured; see ``pressure``."""

    @property
    def regular(self) -> bool:
        """Whether the game was played to its end."""
        return self.end is not None

    def describe(self, names: tuple[str, str] = TEAM_NAMES) -> Text:
        """Winner and reason in one sentence."""
        winner = None if self.winner is None else names[self.winner]
        said = describe_end(winner, self.reason, decided=self.regular)
        return with_pressure(said, self.pressure) if any(team.cause.is_of_time for team in self.teams) else said

    def offenders(self) -> tuple[Team, ...]:
        """The teams at whose fault the game ended."""
        if self.resigned:
            return ()
        return tuple(Team(i) for i, team in enumerate(self.teams) if team.cause is not Cause.REGULAR)


# --- standings --------------------------------------------------------------------------------------------------------


class Criterion(StrEnum):
    """What can put one team before another; the value is the name of its column."""

    WINS = "won"
    VICTORY_POINTS = "victory_points"
    ENCOUNTER_POINTS = "encounter_points"
    AVERAGE = "average"
    LOT = "lot"

    @property
    def text(self) -> Text:
        return _TEXTS[self]


_TEXTS = {
    Criterion.WINS: Text("Siege", "wins"),
    Criterion.VICTORY_POINTS: Text("Siegpunkte", "victory points"),
    Criterion.ENCOUNTER_POINTS: Text("Begegnungspunkte", "encounter points"),
    Criterion.AVERAGE: Text("Durchschnitt der Nebenwertung", "average of the secondary score"),
    Criterion.LOT: Text("Los", "lot"),
}


class Ranking(StrEnum):
    """A way to rank teams; the value is its name in a season file."""

    BY_WINS = "wins"
    """The rule documents' order."""
    BY_VICTORY_POINTS = "victory points"
    """The order of the contest's own system; it differs as soon as there are draws."""
    BY_ENCOUNTERS = "encounters"

    @classmethod
    def usual(cls, *, official: bool) -> Ranking:
        """How a rule set ranks that says nothing else: as its document, or as the contest's own system."""
        return cls.BY_VICTORY_POINTS if official else cls.BY_WINS

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The most important first."""
        return _CRITERIA[self]

    def describe(self, secondary: Text | None) -> Text:
        """The criteria in one sentence; ``secondary`` is what the game calls its secondary score, if it has one."""
        texts = [
            _with_name(criterion, secondary)
            for criterion in self.criteria
            if secondary or criterion is not Criterion.AVERAGE
        ]
        return Text(
            f"Reihenfolge: {', dann '.join(text.de for text in texts)}.",
            f"Ranked by {', then '.join(text.en for text in texts)}.",
        )


_CRITERIA = {
    Ranking.BY_WINS: (Criterion.WINS, Criterion.AVERAGE),
    Ranking.BY_VICTORY_POINTS: (Criterion.VICTORY_POINTS, Criterion.AVERAGE),
    Ranking.BY_ENCOUNTERS: (Criterion.ENCOUNTER_POINTS, Criterion.VICTORY_POINTS),
}


def _with_name(criterion: Criterion, secondary: Text | None) -> Text:
    if criterion is Criterion.AVERAGE and secondary is not None:
        return Text(f"{secondary.de} im Schnitt", f"average {secondary.en}")
    return criterion.text
