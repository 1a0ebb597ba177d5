"""Piranhas, a race to bring all one's fish together: seasons 2019 and, with weighted fish, 2026."""

from __future__ import annotations

from functools import partial

from spielleiter.game import Game, Limit, ScorePart, Team, Text
from spielleiter.games.piranhas.board_input import PiranhasInput
from spielleiter.games.piranhas.commentary import PiranhasCommentary
from spielleiter.games.piranhas.drawing import TEAM_TEXTS, draw, draw_text
from spielleiter.games.piranhas.encoding import MIRRORS, PiranhasEncoding
from spielleiter.games.piranhas.evaluation import evaluate
from spielleiter.games.piranhas.lesson import lesson
from spielleiter.games.piranhas.notation import PiranhasNotation
from spielleiter.games.piranhas.recordings import PiranhasRecordings
from spielleiter.games.piranhas.rules import (
    LAST_TURN,
    RULE_SETS,
    Direction,
    Move,
    PiranhasEnd,
    PiranhasViolation,
    Rules,
    State,
    garbage_move,
    new_state,
)
from spielleiter.games.piranhas.setup import setup
from spielleiter.games.piranhas.wire import codec

__all__ = ["GAMES", "Direction", "Move", "PiranhasEnd", "PiranhasViolation", "Rules", "State"]

_SCORES = {
    2019: (
        ScorePart("Gewinner", Text("Siegpunkte", "victory points"), "SUM"),
        ScorePart("∅ Schwarm", Text("Fische im größten Schwarm", "fish in the largest shoal"), "AVERAGE"),
    ),
    2026: (
        ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),
        ScorePart("Schwarmgröße", Text("Schwarmgröße", "size of the shoal"), "AVERAGE"),
    ),
}


def _weight_and_fish(state: State, team: Team) -> tuple[tuple[Text, int], ...]:
    """R12, R14: the weight decides between swarms, whatever the table counts (R15)."""
    swarm = state.largest_swarm(team)
    count = swarm.bit_count()
    return (
        (Text("Schwarmgewicht", "weight of the shoal"), state.weight(swarm)),
        (Text("Fisch darin" if count == 1 else "Fische darin", "fish in it"), count),
    )


# A look ahead is worth more here than in other games.
_LEVEL_LIMITS = (
    Limit(1, temperature=0.038, blunders=0.7),
    Limit(1, temperature=0.038, blunders=0.49),
    Limit(1, temperature=0.038, blunders=0.25),
    Limit(1, temperature=0.03, blunders=0.085),
    Limit(1.18, temperature=0.012),
    Limit(1.68, temperature=0.003),
    Limit(2.15),
    Limit(3),
)


def _game(rules: Rules) -> Game[State, Move]:
    as_refereed = Text(" (wie gewertet)", " (as refereed)") if rules.official else Text("", "")
    return Game(
        key=rules.key,
        wire_name=rules.wire_name,
        year=rules.year,
        official=rules.official,
        title=Text(f"Piranhas {rules.year}{as_refereed.de}", f"Piranhas {rules.year}{as_refereed.en}"),
        teams=TEAM_TEXTS,
        new_state=partial(new_state, rules),
        notation=PiranhasNotation(rules),
        recordings=PiranhasRecordings(rules),
        scores=_SCORES[rules.year],
        codec=codec(rules),
        encoding=PiranhasEncoding(rules),
        mirrors=MIRRORS,
        max_turn=LAST_TURN,
        draw=draw,
        draw_text=draw_text,
        garbage_move=garbage_move,
        live_scores=_weight_and_fish if rules.weighted else None,
        board_input=PiranhasInput(),
        setup=setup(rules),
        commentary=PiranhasCommentary(),
        lesson=partial(lesson, rules),
        evaluate=evaluate,
        points_per_log_odds=1.5,
        level_limits=_LEVEL_LIMITS,
        level_ratings=(415, 704, 903, 1163, 1405, 1598, 1822, 2000),
    )


State.draw_with(draw, draw_text)
GAMES = tuple(_game(rules) for rules in RULE_SETS)
