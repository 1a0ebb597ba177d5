"""Results of games to messages, as each season words them: for the players, and for replays."""

from __future__ import annotations

from spielleiter.game import TEAMS, AnyGame, Cause, GameResult, Language, ScoreForm
from spielleiter.wire.messages import Result, Score


def wire_reason(result: GameResult, language: Language) -> str:
    """The reason as it goes over the wire: behind the winner if the rules decided, alone if a fault did."""
    return (result.describe() if result.regular else result.reason).to(language)


def result_message(room_id: str, game: AnyGame, names: tuple[str, str], result: GameResult, reason: str) -> Result:
    """The result as the season of ``game`` words it, with this ``reason``."""
    dialect = game.codec.dialect
    scores = tuple(
        Score(
            team,
            team_result.points,
            names[team],
            None if dialect.result.score is ScoreForm.POINTS else team_result.cause,
            _score_reason(dialect.result.score, team_result.cause, result, reason),
        )
        for team, team_result in zip(TEAMS, result.teams, strict=True)
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
        colors=dialect.colors,
    )


def _score_reason(form: ScoreForm, cause: Cause, result: GameResult, reason: str) -> str | None:
    match form:
        case ScoreForm.POINTS:
            return None
        case ScoreForm.CAUSE:
            return "" if cause is Cause.REGULAR else reason
        case ScoreForm.CAUSE_AND_REASON:
            return reason if result.regular or cause is not Cause.REGULAR else None
