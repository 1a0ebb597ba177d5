"""Who won and why are two values; one function makes a sentence of them."""

from __future__ import annotations

import pytest

from spielleiter.game import Cause, GameResult, Outcome, Team, TeamResult, Text, describe_end
from spielleiter.games.piranhas.rules import PiranhasEnd

WHY = Text("der Grund", "the reason")


@pytest.mark.parametrize(
    ("winner", "decided", "expected"),
    [
        ("Ada", True, Text("Ada gewinnt: der Grund", "Ada wins: the reason")),
        (None, True, Text("Unentschieden: der Grund", "Draw: the reason")),
        (None, False, Text("Ohne Entscheidung: der Grund", "No decision: the reason")),
    ],
)
def test_winner_and_reason_make_one_sentence(winner: str | None, decided: bool, expected: Text) -> None:
    assert describe_end(winner, WHY, decided=decided) == expected


def test_without_a_reason_the_sentence_ends_with_the_winner() -> None:
    assert describe_end("Ada", Text("", "")) == Text("Ada gewinnt", "Ada wins")


def test_an_outcome_names_the_winner_as_asked() -> None:
    outcome = Outcome(Team.TWO, PiranhasEnd.UNITED)
    assert outcome.describe().en == f"TWO wins: {PiranhasEnd.UNITED}"
    assert outcome.describe(("Ada", "Bob")).en == f"Bob wins: {PiranhasEnd.UNITED}"


def test_a_result_without_winner_and_outcome_is_not_a_draw() -> None:
    teams = (TeamResult(Cause.REGULAR, (0,)), TeamResult(Cause.REGULAR, (0,)))
    assert GameResult(teams, None, WHY).describe().en == "No decision: the reason"
