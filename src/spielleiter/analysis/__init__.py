"""What the engine says about positions and recorded games; works without a web server."""

from spielleiter.analysis.commentary import comment
from spielleiter.analysis.engine import Analyst, Judgement, outcome_probability
from spielleiter.analysis.game_analysis import BLUNDER, DEFAULT_BUDGET, GameAnalysis, MoveAnalysis, TeamSummary, analyse

__all__ = [
    "BLUNDER",
    "DEFAULT_BUDGET",
    "Analyst",
    "GameAnalysis",
    "Judgement",
    "MoveAnalysis",
    "TeamSummary",
    "analyse",
    "comment",
    "outcome_probability",
]
