"""Pinguine, penguins who slide over ice floes and catch fish until nobody can move: season 2023."""

from __future__ import annotations

from functools import partial

from spielleiter.game import Game, ScorePart, Text
from spielleiter.games.pinguine.board_input import PinguineInput
from spielleiter.games.pinguine.commentary import PinguineCommentary
from spielleiter.games.pinguine.drawing import TEAM_TEXTS, draw, draw_text
from spielleiter.games.pinguine.encoding import PinguineEncoding
from spielleiter.games.pinguine.evaluation import evaluate, promising_moves
from spielleiter.games.pinguine.lesson import lesson
from spielleiter.games.pinguine.moves import SIZE, Move
from spielleiter.games.pinguine.notation import SETUP, PinguineNotation
from spielleiter.games.pinguine.recordings import PinguineRecordings
from spielleiter.games.pinguine.rules import (
    RULE_SETS,
    PinguineEnd,
    PinguineViolation,
    Rules,
    State,
    garbage_move,
    new_state,
)
from spielleiter.games.pinguine.wire import PinguineCodec

__all__ = ["GAMES", "Move", "PinguineEnd", "PinguineViolation", "Rules", "State"]

_SCORES = (  # R17
    ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
    ScorePart("Fische", Text("Fische", "fish"), "AVERAGE", single=Text("Fisch", "fish")),
)


def _game(rules: Rules) -> Game[State, Move]:
    as_refereed = Text(" (wie gewertet)", " (as refereed)") if rules.official else Text("", "")
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        official=rules.official,
        title=Text(f"Pinguine {rules.year}{as_refereed.de}", f"Penguins {rules.year}{as_refereed.en}"),
        teams=TEAM_TEXTS,
        new_state=partial(new_state, rules),
        notation=PinguineNotation(rules),
        setup=SETUP,
        recordings=PinguineRecordings(rules),
        scores=_SCORES,
        codec=PinguineCodec(rules),
        encoding=PinguineEncoding(),
        max_turn=SIZE * SIZE,  # Each move takes the floe that it leaves, or a floe to stand on.
        draw=draw,
        draw_text=draw_text,
        garbage_move=garbage_move,
        board_input=PinguineInput(),
        commentary=PinguineCommentary(),
        lesson=partial(lesson, rules),
        evaluate=evaluate,
        points_per_log_odds=1.3,
        level_ratings=(637, 773, 1002, 1223, 1395, 1627, 1792, 2000),
        promising_moves=promising_moves,
    )


State.draw_with(draw, draw_text)
GAMES = tuple(_game(rules) for rules in RULE_SETS)
