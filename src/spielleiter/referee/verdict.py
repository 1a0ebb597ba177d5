"""What a game is worth: by the rules, by faults, by adjudication, or undecided.

Faults (all games alike): the offender has nothing, the other player has two victory points and keeps all other
scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from spielleiter.game import TEAMS, Cause, GameResult, Outcome, Team, TeamResult, Text


def by_the_rules(state: Any, outcome: Outcome) -> GameResult:
    """The result of a game that was played to its end."""
    one, two = (TeamResult(Cause.REGULAR, tuple(state.points(team))) for team in TEAMS)
    return GameResult((one, two), outcome.winner, outcome.reason.text, outcome.reason.name)


def by_fault(state: Any, faults: Mapping[Team, Cause], reason: Text) -> GameResult:
    """The result of a game that ended through the fault of one or both."""
    innocent = [team for team in TEAMS if team not in faults]
    one, two = (_at_fault(state, team, faults.get(team)) for team in TEAMS)
    return GameResult((one, two), innocent[0] if innocent else None, reason)


def by_resignation(state: Any, team: Team, reason: Text) -> GameResult:
    """The result of a game that ``team`` gave up: it counts like leaving, which is the wire's word for it."""
    return replace(by_fault(state, {team: Cause.LEFT}, reason), resigned=True)


def by_adjudication(state: Any, winner: Team | None, reason: Text) -> GameResult:
    """The result of a game that was ended early because ``winner``, or nobody, was about to win: other scores stay."""
    won = [1 if winner is None else 2 * (team is winner) for team in TEAMS]
    one, two = (TeamResult(Cause.REGULAR, (won[team], *state.points(team)[1:])) for team in TEAMS)
    return GameResult((one, two), winner, reason, adjudicated=True)


def _at_fault(state: Any, team: Team, cause: Cause | None) -> TeamResult:
    points = state.points(team)
    return TeamResult(Cause.REGULAR, (2, *points[1:])) if cause is None else TeamResult(cause, (0,) * len(points))


def undecided(state: Any, reason: Text) -> GameResult:
    """The result of a game that was broken off without a player's fault: no winner, no victory points."""
    one, two = (TeamResult(Cause.REGULAR, (0, *state.points(team)[1:])) for team in TEAMS)
    return GameResult((one, two), None, reason)
