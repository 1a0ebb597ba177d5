"""How a refereed game ended for both sides: by the rules, or because somebody broke off or broke them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from spielleiter.game.outcome import TEAM_NAMES, Outcome, Team, describe_end
from spielleiter.text import Text


class Cause(Enum):
    """Why a player's game ended, in the words of the wire."""

    REGULAR = "REGULAR"
    LEFT = "LEFT"
    RULE_VIOLATION = "RULE_VIOLATION"
    SOFT_TIMEOUT = "SOFT_TIMEOUT"
    HARD_TIMEOUT = "HARD_TIMEOUT"


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
    """Why it ended, without who won."""
    outcome: Outcome | None = None
    """The outcome by the rules of the game, ``None`` if the game did not get that far."""
    resigned: bool = False
    """Whether the loser gave up: the wire calls that LEFT too, but it is no fault."""
    adjudicated: bool = False
    """Whether a match ended the game early because it seemed decided; a contest never does."""

    @property
    def regular(self) -> bool:
        """Whether the game was played to its end."""
        return self.outcome is not None

    def describe(self, names: tuple[str, str] = TEAM_NAMES) -> Text:
        """Winner and reason in one sentence."""
        return describe_end(None if self.winner is None else names[self.winner], self.reason, decided=self.regular)

    def offenders(self) -> tuple[Team, ...]:
        """The teams at whose fault the game ended."""
        if self.resigned:
            return ()
        return tuple(Team(i) for i, team in enumerate(self.teams) if team.cause is not Cause.REGULAR)
