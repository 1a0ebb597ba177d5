"""What the engine says about positions and recorded games; works without a web server."""

from spielleiter.analysis.analyst import Analyst, Judgement, outcome_probability
from spielleiter.analysis.classification import (
    BLUNDER,
    MoveClass,
    accuracy,
    chance_text,
    classify,
    loss_between,
    points_of_a_win,
)
from spielleiter.analysis.commentary import comment
from spielleiter.analysis.game_analysis import DEFAULT_BUDGET, GameAnalysis, MoveAnalysis, TeamSummary, analyse
from spielleiter.analysis.reasons import reasons_for
from spielleiter.analysis.slides import Slide, find_slides

__all__ = [
    "BLUNDER",
    "DEFAULT_BUDGET",
    "Analyst",
    "GameAnalysis",
    "Judgement",
    "MoveAnalysis",
    "MoveClass",
    "Slide",
    "TeamSummary",
    "accuracy",
    "analyse",
    "chance_text",
    "classify",
    "comment",
    "find_slides",
    "loss_between",
    "outcome_probability",
    "points_of_a_win",
    "reasons_for",
]
