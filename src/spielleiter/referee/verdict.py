"""What a game is worth: by the rules, by faults, or undecided; and how its season's result tells it.

Faults (all games alike): the offender has nothing, the other player has two victory points and keeps his figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spielleiter.game import (
    TEAMS,
    AnyGame,
    Cause,
    GameResult,
    Language,
    Outcome,
    ScoreForm,
    Team,
    TeamResult,
    Text,
)
from spielleiter.wire.messages import Result, Score


def by_the_rules(state: Any, outcome: Outcome) -> GameResult:
    """The result of a game that was played to its end."""
    one, two = (TeamResult(Cause.REGULAR, tuple(state.points(team))) for team in TEAMS)
    return GameResult((one, two), outcome.winner, outcome.text, outcome)


def by_fault(state: Any, faults: Mapping[Team, Cause], reason: Text) -> GameResult:
    """The result of a game that ended through the fault of one or both."""
    innocent = [team for team in TEAMS if team not in faults]
    one, two = (_at_fault(state, team, faults.get(team)) for team in TEAMS)
    return GameResult((one, two), innocent[0] if innocent else None, reason)


def _at_fault(state: Any, team: Team, cause: Cause | None) -> TeamResult:
    points = state.points(team)
    return TeamResult(Cause.REGULAR, (2, *points[1:])) if cause is None else TeamResult(cause, (0,) * len(points))


def undecided(state: Any, reason: Text) -> GameResult:
    """The result of a game that was broken off through nobody's fault: no winner, no victory points."""
    one, two = (TeamResult(Cause.REGULAR, (0, *state.points(team)[1:])) for team in TEAMS)
    return GameResult((one, two), None, reason)


def result_message(
    room_id: str, game: AnyGame, names: tuple[str, str], result: GameResult, language: Language
) -> Result:
    """The result as the season of ``game`` tells it."""
    dialect = game.codec.dialect
    reason = result.reason.to(language)
    scores = tuple(
        Score(
            team,
            told.points,
            names[team],
            None if dialect.result.score is ScoreForm.POINTS else told.cause,
            _score_reason(dialect.result.score, told.cause, result, reason),
        )
        for team, told in zip(TEAMS, result.teams, strict=True)
    )
    return Result(
        room_id,
        game.scores,
        scores,
        result.winner,
        result.regular,
        reason,
        draw=result.regular and result.winner is None,
        form=dialect.result,
        colours=dialect.colours,
    )


def _score_reason(form: ScoreForm, cause: Cause, result: GameResult, reason: str) -> str | None:
    match form:
        case ScoreForm.POINTS:
            return None
        case ScoreForm.CAUSE:
            return "" if cause is Cause.REGULAR else reason
        case ScoreForm.CAUSE_AND_REASON:
            return reason if result.regular or cause is not Cause.REGULAR else None
