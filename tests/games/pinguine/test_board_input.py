"""Pinguine on a page: what is said about fields, moves and refused picks."""

from __future__ import annotations

import pytest

from spielleiter.game import Square
from spielleiter.game.board_input import NO_MOVE
from spielleiter.games.pinguine import PinguineViolation
from spielleiter.games.pinguine.board_input import PinguineInput
from tests.support.pinguine_positions import move, position

INPUT = PinguineInput()
SLIDING = position("P123.ppp/PPP.11.p")
PLACING = position("P123..p1/11.11111/11111", "1-1", 2)
V = PinguineViolation


def test_fields_are_described_by_what_is_on_them() -> None:
    words = [INPUT.contents(SLIDING, (x, 0)) for x in range(0, 12, 2)]
    assert [word.de for word in words] == [
        "Pinguin von Rot",
        "1 Fisch",
        "2 Fische",
        "3 Fische",
        "Loch",
        "Pinguin von Blau",
    ]
    assert [word.en for word in words] == ["red penguin", "1 fish", "2 fish", "3 fish", "hole", "blue penguin"]


def test_moves_are_said_with_what_they_catch() -> None:
    slide, place = INPUT.move_text(SLIDING, move(SLIDING, "a1-c1")), INPUT.move_text(PLACING, move(PLACING, "h1"))
    assert (slide.de, slide.en) == ("Rot: Pinguin a1 nach c1, fängt 2 Fische", "Red: penguin a1 to c1, catches 2 fish")
    assert (place.de, place.en) == ("Rot: setzt Pinguin auf h1", "Red: places a penguin on h1")
    assert INPUT.move_text(SLIDING, move(SLIDING, "a1-e1")).en == "Red: penguin a1 to e1"


def test_a_placement_is_one_pick_and_a_slide_two() -> None:
    assert INPUT.picks(PLACING, move(PLACING, "h1")) == ((14, 0),)
    assert INPUT.picks(SLIDING, move(SLIDING, "a1-c1")) == ((0, 0), (4, 0))
    assert INPUT.move_squares(SLIDING, move(SLIDING, "a1-(99,0)")) == ((0, 0),)


@pytest.mark.parametrize(
    ("picks", "reason"),
    [
        (((4, 0),), V.NOT_ONE_FISH),
        (((0, 0),), V.NOT_ONE_FISH),
        (((3, 0),), V.WRONG_PARITY),
        (((0, 0), (2, 0)), V.MUST_PLACE),
    ],
)
def test_what_cannot_be_while_penguins_are_placed_is_explained(
    picks: tuple[Square, ...], reason: PinguineViolation
) -> None:
    assert INPUT.refusal(PLACING, picks) is reason.text


@pytest.mark.parametrize(
    ("picks", "reason"),
    [
        (((2, 0),), V.NO_PENGUIN),
        (((14, 0),), V.NOT_YOUR_PENGUIN),
        (((0, 0), (8, 0)), V.BLOCKED),
        (((0, 0), (4, 2)), V.NOT_STRAIGHT),
    ],
)
def test_what_cannot_be_while_they_slide_is_explained(picks: tuple[Square, ...], reason: PinguineViolation) -> None:
    assert INPUT.refusal(SLIDING, picks) is reason.text


def test_a_penguin_that_is_stuck_is_told_apart_from_one_that_is_not_there() -> None:
    state = position("P1..PPP./pppp..1.")
    assert "stuck" in INPUT.refusal(state, ((8, 0),)).en


@pytest.mark.parametrize("picks", [("sofa",), (3,), ((0, 0), (2, 0), (4, 0))])
def test_other_picks_are_not_a_move(picks: tuple[Square | str | int, ...]) -> None:
    assert INPUT.refusal(SLIDING, picks) is NO_MOVE


def test_advice_counts_the_penguins_to_place_and_says_who_is_passed_over() -> None:
    placing = INPUT.advice(PLACING)
    assert placing is not None
    assert placing.en == "Place penguin 2 of 4 on a floe with exactly one fish."
    assert INPUT.advice(position("P123.ppp/PPP.11p1")) is None
    alone = INPUT.advice(position("P1..PPP./......../pppp"))
    assert alone is not None
    assert alone.de == "Blau kann nicht mehr rutschen: Rot zieht allein weiter."  # R13
