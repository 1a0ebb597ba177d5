"""What a lesson says to right and to wrong answers."""

from __future__ import annotations

from typing import Any

from spielleiter import games
from spielleiter.game import ChoiceQuestion, MoveQuestion, SquaresQuestion, Text

GAME: Any = games.load("piranhas-2026")
STATE = GAME.notation.parse_state("piranhas-2026 10/10/10/10/1S3S1s2/10/10/4s5/10/10 20 -")
COMMON: dict[str, Any] = {"title": Text("T", "t"), "task": Text("A", "a"), "hint": Text("H", "h"), "state": STATE}


def test_a_move_is_judged_by_the_rules_before_the_goal() -> None:
    never = Text("nie", "never")
    question: Any = MoveQuestion(**COMMON, praise=Text("gut", "good"), shortfall=lambda state, move: never)
    legal = STATE.legal_moves()[0]
    assert question.check(legal).text == never
    off_board = type(legal)(1, 5, type(legal.direction).LEFT)
    assert question.check(off_board).text.en == "The move leads off the board."
    assert question.solutions() == []


def test_missing_squares_are_counted_and_wrong_ones_explained() -> None:
    question: Any = SquaresQuestion(
        **COMMON,
        praise=Text("gut", "good"),
        answer=lambda state: [(1, 1), (2, 2)],
        why_not=lambda state, square: Text(f"{square} nicht", f"not {square}"),
    )
    assert question.check([]).text.de == "Es fehlen noch 2 Felder."
    assert question.check([(1, 1)]).text.de == "Ein Feld fehlt noch."
    assert question.check([(1, 1), (3, 3)]).text.en == "not (3, 3)"
    assert question.check([(2, 2), (1, 1)]).is_right


def test_a_wrong_choice_has_its_own_answer() -> None:
    options = ((Text("ja", "yes"), Text("doch nicht", "not so")), (Text("nein", "no"), Text("doch", "it is")))
    question: Any = ChoiceQuestion(**COMMON, praise=Text("gut", "good"), options=options, answer=lambda state: 0)
    assert question.check(0).is_right
    assert question.check(1).text.en == "it is"
