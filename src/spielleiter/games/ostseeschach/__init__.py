"""Ostseeschach, chess with sea creatures who stack up and run for ambers: season 2022."""

from __future__ import annotations

from functools import partial

from spielleiter.game import Game, Limit, ScorePart, Team, Text
from spielleiter.games.ostseeschach.board_input import OstseeschachInput
from spielleiter.games.ostseeschach.commentary import OstseeschachCommentary
from spielleiter.games.ostseeschach.drawing import TEAM_TEXTS, draw, draw_text
from spielleiter.games.ostseeschach.encoding import MIRRORS, OstseeschachEncoding
from spielleiter.games.ostseeschach.evaluation import evaluate, noisy_moves
from spielleiter.games.ostseeschach.lesson import lesson
from spielleiter.games.ostseeschach.moves import Move, Piece, PieceKind
from spielleiter.games.ostseeschach.notation import SETUP, OstseeschachNotation
from spielleiter.games.ostseeschach.recordings import OstseeschachRecordings
from spielleiter.games.ostseeschach.rules import (
    RULE_SETS,
    TURN_LIMIT,
    OstseeschachEnd,
    OstseeschachViolation,
    Rules,
    State,
    garbage_move,
    new_state,
)
from spielleiter.games.ostseeschach.wire import OstseeschachCodec

__all__ = ["GAMES", "Move", "OstseeschachEnd", "OstseeschachViolation", "Piece", "PieceKind", "Rules", "State"]

_SCORES = (  # R23
    ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
    ScorePart("Bernsteine", Text("Bernsteine", "pieces of amber"), "AVERAGE"),
    ScorePart("Leichtfiguren Vorne", Text("vorderste Leichtfigur", "foremost light piece"), "AVERAGE", ranking=False),
)


def _ambers_and_foremost(state: State, team: Team) -> list[tuple[Text, int]]:
    """R21, R23: what decides, the distance as the row that people see; none where no light piece is left."""
    won, distances = state.ambers(team), state.light_distances(team)
    ambers = Text("Bernstein", "piece of amber") if won == 1 else Text("Bernsteine", "pieces of amber")
    row = Text("vorderste Leichtfigur: Reihe {}", "foremost light piece: row {}")
    return [(ambers, won), *((row, 1 + distance) for distance in distances[:1])]


# A blunder costs a piece of amber, so strength rises quickly here.
_LEVEL_LIMITS = (
    Limit(1, temperature=0.038, blunders=0.82),
    Limit(1, temperature=0.038, blunders=0.56),
    Limit(1, temperature=0.038, blunders=0.34),
    Limit(1, temperature=0.038, blunders=0.16),
    Limit(1.05, temperature=0.025, blunders=0.065),
    Limit(1.22, temperature=0.014, blunders=0.01),
    Limit(2),
    Limit(3),
)


def _game(rules: Rules) -> Game[State, Move]:
    as_refereed = Text(" (wie gewertet)", " (as refereed)") if rules.official else Text("", "")
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        official=rules.official,
        title=Text(f"Ostseeschach {rules.year}{as_refereed.de}", f"Baltic Sea Chess {rules.year}{as_refereed.en}"),
        teams=TEAM_TEXTS,
        new_state=partial(new_state, rules),
        notation=OstseeschachNotation(rules),
        setup=SETUP,
        recordings=OstseeschachRecordings(rules),
        scores=_SCORES,
        live_scores=_ambers_and_foremost,
        codec=OstseeschachCodec(rules),
        encoding=OstseeschachEncoding(),
        mirrors=MIRRORS,
        max_turn=TURN_LIMIT,
        draw=draw,
        draw_text=draw_text,
        garbage_move=garbage_move,
        board_input=OstseeschachInput(),
        commentary=OstseeschachCommentary(),
        lesson=partial(lesson, rules),
        evaluate=evaluate,
        points_per_log_odds=0.3,
        level_limits=_LEVEL_LIMITS,
        level_ratings=(455, 697, 934, 1136, 1345, 1583, 1809, 2000),
        noisy_moves=noisy_moves,
    )


State.draw_with(draw, draw_text)
GAMES = tuple(_game(rules) for rules in RULE_SETS)
