"""Blokus, polyominoes that touch at corners only: seasons 2021 and, with starts all along the border, 2027."""

from __future__ import annotations

from functools import partial

from spielleiter.game import Game, Limit, ScorePart, Text
from spielleiter.games.blokus.board_input import BlokusInput
from spielleiter.games.blokus.commentary import BlokusCommentary
from spielleiter.games.blokus.drawing import TEAM_COLORS, TEAM_TEXTS, draw, draw_piece, draw_pieces_left, draw_text
from spielleiter.games.blokus.encoding import BlokusEncoding
from spielleiter.games.blokus.evaluation import evaluate, promising_moves
from spielleiter.games.blokus.lesson import lesson
from spielleiter.games.blokus.moves import Move, Pass, Place, garbage_move
from spielleiter.games.blokus.notation import SETUP, BlokusNotation
from spielleiter.games.blokus.recordings import BlokusRecordings
from spielleiter.games.blokus.rules import RULE_SETS, BlokusEnd, BlokusViolation, Rules, State
from spielleiter.games.blokus.shapes import Color, OrientedShape, Rotation, Shape
from spielleiter.games.blokus.wire import BlokusCodec

__all__ = [
    "GAMES",
    "BlokusEnd",
    "BlokusViolation",
    "Color",
    "Move",
    "OrientedShape",
    "Pass",
    "Place",
    "Rotation",
    "Rules",
    "Shape",
    "State",
    "draw_piece",
    "draw_pieces_left",
]

_SCORES = {
    2021: (
        ScorePart("Gewinner", Text("Siegpunkte", "victory points"), "SUM"),
        ScorePart("∅ Punkte", Text("Punkte", "points"), "AVERAGE", single=Text("Punkt", "point")),
    ),
    2027: (
        ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
        ScorePart("Punkte", Text("Punkte", "points"), "AVERAGE", single=Text("Punkt", "point")),
    ),
}

# A look ahead is worth less here than in other games.
_LEVEL_LIMITS = (
    Limit(1, temperature=0.1, choice=20, blunders=0.63),
    Limit(1, temperature=0.1, choice=20, blunders=0.43),
    Limit(1, temperature=0.1, choice=20, blunders=0.27),
    Limit(1, temperature=0.1, choice=20, blunders=0.07),
    Limit(1.14, temperature=0.057, choice=16, blunders=0.025),
    Limit(1.45, temperature=0.029),
    Limit(2.05, temperature=0.014),
    Limit(3),
)


def _game(rules: Rules) -> Game[State, Move]:
    as_refereed = Text(" (wie gewertet)", " (as refereed)") if rules.official else Text("", "")
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        official=rules.official,
        title=Text(f"Blokus {rules.year}{as_refereed.de}", f"Blokus {rules.year}{as_refereed.en}"),
        teams=TEAM_TEXTS,
        new_state=partial(State.draw_start, rules),
        notation=BlokusNotation(rules),
        setup=SETUP,
        recordings=BlokusRecordings(rules),
        scores=_SCORES[rules.year],
        codec=BlokusCodec(rules),
        encoding=BlokusEncoding(rules),
        max_turn=rules.max_turn,
        draw=draw,
        draw_text=draw_text,
        garbage_move=garbage_move,
        board_input=BlokusInput(),
        commentary=BlokusCommentary(),
        lesson=partial(lesson, rules),
        evaluate=evaluate,
        points_per_log_odds=3.0,
        tree_search=True,  # Stronger than alpha-beta (docs/engine-log.md).
        level_limits=_LEVEL_LIMITS,
        level_ratings=(261, 503, 690, 977, 1209, 1458, 1750, 2000),
        team_colors=TEAM_COLORS,
        promising_moves=promising_moves,
        counted_moves=State.placements,
    )


State.draw_with(draw, draw_text)
GAMES = tuple(_game(rules) for rules in RULE_SETS)
