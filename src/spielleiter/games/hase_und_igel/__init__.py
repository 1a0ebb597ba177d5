"""Hase und Igel, a race of two hares for whom carrots are fuel and ballast: season 2025."""

from __future__ import annotations

from functools import partial

from spielleiter.game import Game, Limit, ScorePart, Team, Text
from spielleiter.games.hase_und_igel.board_input import HaseUndIgelInput
from spielleiter.games.hase_und_igel.commentary import HaseUndIgelCommentary
from spielleiter.games.hase_und_igel.drawing import draw, draw_text
from spielleiter.games.hase_und_igel.encoding import HaseUndIgelEncoding
from spielleiter.games.hase_und_igel.evaluation import evaluate
from spielleiter.games.hase_und_igel.lesson import lesson
from spielleiter.games.hase_und_igel.moves import TEAM_TEXTS, Card, Move, garbage_move
from spielleiter.games.hase_und_igel.notation import HaseUndIgelNotation
from spielleiter.games.hase_und_igel.recordings import HaseUndIgelRecordings
from spielleiter.games.hase_und_igel.rules import (
    RULE_SETS,
    TURN_LIMIT,
    Hare,
    HaseUndIgelEnd,
    HaseUndIgelViolation,
    Rules,
    State,
    new_state,
)
from spielleiter.games.hase_und_igel.wire import HaseUndIgelCodec

__all__ = ["GAMES", "Card", "Hare", "HaseUndIgelEnd", "HaseUndIgelViolation", "Move", "Rules", "State"]

_SCORES = (  # R23
    ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
    ScorePart("Feldnummer", Text("Felder", "fields"), "AVERAGE", single=Text("Feld", "field")),
    ScorePart("Karotten", Text("Karotten", "carrots"), "AVERAGE"),
)


def _race(state: State, team: Team) -> tuple[tuple[Text, int], ...]:
    """R6, R22: who is further ahead, and what still keeps a hare from the goal."""
    hare = state.hares[team]
    return (
        (Text("Feld {}", "field {}"), hare.position),
        (Text("Karotte", "carrot") if hare.carrots == 1 else Text("Karotten", "carrots"), hare.carrots),
        (Text("Salat", "salad") if hare.salads == 1 else Text("Salate", "salads"), hare.salads),
    )


# Random moves do little harm here.
_LEVEL_LIMITS = (
    Limit(1, temperature=0.038, blunders=0.4),
    Limit(1, temperature=0.038, blunders=0.22),
    Limit(1, temperature=0.038, blunders=0.1),
    Limit(1, temperature=0.02),
    Limit(1.4, temperature=0.005),
    Limit(2),
    Limit(3),
    Limit(5),
)


def _game(rules: Rules) -> Game[State, Move]:
    as_refereed = Text(" (wie gewertet)", " (as refereed)") if rules.official else Text("", "")
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        official=rules.official,
        title=Text(f"Hase und Igel {rules.year}{as_refereed.de}", f"Hare and Hedgehog {rules.year}{as_refereed.en}"),
        teams=TEAM_TEXTS,
        new_state=partial(new_state, rules),
        notation=HaseUndIgelNotation(rules),
        recordings=HaseUndIgelRecordings(rules),
        scores=_SCORES,
        codec=HaseUndIgelCodec(rules),
        encoding=HaseUndIgelEncoding(),
        max_turn=TURN_LIMIT,
        draw=draw,
        draw_text=draw_text,
        garbage_move=garbage_move,
        live_scores=_race,
        board_input=HaseUndIgelInput(),
        commentary=HaseUndIgelCommentary(),
        lesson=partial(lesson, rules),
        evaluate=evaluate,
        points_per_log_odds=3.5,
        level_limits=_LEVEL_LIMITS,
        level_ratings=(975, 1112, 1183, 1409, 1564, 1609, 1828, 2000),
    )


State.draw_with(draw, draw_text)
GAMES = tuple(_game(rules) for rules in RULE_SETS)
