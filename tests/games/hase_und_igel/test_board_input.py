"""Hase und Igel on a page: picks, refusals and words."""

from __future__ import annotations

import pytest

from spielleiter.game import Pick
from spielleiter.game.board_input import NO_MOVE
from spielleiter.games.hase_und_igel import HaseUndIgelViolation
from spielleiter.games.hase_und_igel.board_input import (
    FIELD_FIRST,
    NEAREST_HEDGEHOG,
    NO_PLAYABLE_CARD,
    HaseUndIgelInput,
)
from spielleiter.games.hase_und_igel.drawing import SQUARES
from tests.support.hase_und_igel_positions import move, play, position

INPUT = HaseUndIgelInput()
V = HaseUndIgelViolation


@pytest.mark.parametrize(
    ("one", "two", "text", "picks"),
    [
        ("1:30:5:-:-", "25:30:5:-:-", "+2", (SQUARES[3],)),
        ("3:30:5:-:-", "25:30:5:-:-", "+4 E", (SQUARES[7], "eat-salad")),
        ("3:30:5:HE:-", "32:30:5:-:-", "+1 HE", (SQUARES[4], "hurry-ahead", "eat-salad")),
        ("28:30:5:-:-", "32:30:5:-:-", "back", (SQUARES[24],)),
        ("22:30:5:-:-", "32:30:5:-:-", "salad", ("eat",)),
        ("1:30:5:-:-", "32:30:5:-:-", "carrots +10", ("take",)),
        ("1:30:5:-:-", "32:30:5:-:-", "carrots -10", ("give",)),
    ],
)
def test_a_move_is_a_field_and_cards_or_a_button(one: str, two: str, text: str, picks: tuple[Pick, ...]) -> None:
    state = position(one, two)
    assert INPUT.picks(state, move(text)) == picks
    assert move(text) in state.legal_moves()


@pytest.mark.parametrize(
    ("one", "two", "picks", "reason"),
    [
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[9],), V.OCCUPIED.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[11],), V.ONTO_HEDGEHOG.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[40],), V.TOO_FEW_CARROTS.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[3],), V.NO_DISTANCE.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[4],), NO_PLAYABLE_CARD),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[4], "fall-back"), V.NOT_AHEAD.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[4], "swap-carrots"), V.CARD_NOT_OWNED.text),
        ("3:60:5:F:-", "9:60:5:-:-", (SQUARES[5], "fall-back", "eat"), NO_MOVE),
        ("3:60:5:-:-", "9:60:5:-:-", (SQUARES[4],), V.HARE_WITHOUT_CARD.text),
        ("28:60:5:-:-", "9:60:5:-:-", (SQUARES[19],), NEAREST_HEDGEHOG),
        ("28:60:5:-:-", "24:60:5:-:-", (SQUARES[24],), V.HEDGEHOG_OCCUPIED.text),
        ("28:60:5:E:-", "9:60:5:-:-", (SQUARES[24], "eat-salad"), V.CARD_NOT_PLAYABLE.text),
        ("28:60:5:E:-", "9:60:5:-:-", ("eat-salad",), FIELD_FIRST),
        ("28:60:5:E:-", "9:60:5:-:-", ("eat",), V.NO_SALAD_HERE.text),
        ("28:60:5:E:-", "9:60:5:-:-", ("take",), V.NOT_ON_CARROTS.text),
        ("1:9:5:E:-", "9:60:5:-:-", ("give",), V.TOO_FEW_TO_GIVE.text),
        ("1:9:5:E:-", "9:60:5:-:-", ("give", "eat-salad"), NO_MOVE),
        ("22:30:5:E:-", "9:60:5:-:-", (SQUARES[25],), V.MUST_EAT_SALAD.text),
        ("22:30:5:E:-", "9:60:5:-:-", (SQUARES[19],), V.MUST_EAT_SALAD.text),
        ("22:30:5:E:-", "9:60:5:-:-", ("eat-salad",), V.MUST_EAT_SALAD.text),
        ("64:3:0:E:-", "9:60:5:-:-", (SQUARES[9],), V.GAME_OVER.text),
        ("1:9:5:E:-", "9:60:5:-:-", (3,), NO_MOVE),
        ("1:9:5:E:-", "9:60:5:-:-", ((5, 1),), NO_MOVE),
        ("1:9:5:E:-", "9:60:5:-:-", ("sofa",), NO_MOVE),
    ],
)
def test_other_picks_are_refused_with_the_rule(one: str, two: str, picks: tuple[Pick, ...], reason: object) -> None:
    assert INPUT.refusal(position(one, two), picks) == reason


def test_cards_are_things_with_their_number_whether_held_or_not() -> None:
    things = {thing.name: thing.text for thing in INPUT.things(position("3:60:5:EEF:-"))}
    assert things["eat-salad"].de == "Karte Salat (2)"
    assert things["hurry-ahead"].en == "Ahead card (0)"
    assert list(things)[4:] == ["eat", "take", "give"]


def test_advice_only_where_the_rules_leave_no_choice() -> None:
    salad = INPUT.advice(position("22:30:5:-:-", "32:30:5:-:-"))
    assert salad is not None
    assert "salad field" in salad.en
    back = INPUT.advice(position("29:0:5:-:-", "32:30:5:-:-"))
    assert back is not None
    assert "only fall back" in back.en
    assert INPUT.advice(position("1:30:5:-:-", "32:30:5:-:-")) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("+2", "Red: runs to field 5 (hare field) for 3 carrots"),
        (
            "+1 HE",
            "Red: runs to field 4 (hare field) for 1 carrot, plays hurry ahead, plays eat a salad, 39 carrots left",
        ),
        ("+4 E", "Red: runs to field 7 (market) for 10 carrots, buys the card eat a salad, 10 carrots left"),
        ("carrots +10", "Red: takes 10 carrots, 40 carrots left"),
        ("carrots -10", "Red: gives back 10 carrots, 20 carrots left"),
        ("back", "Red: falls back to a hedgehog field"),
        ("salad", "Red: eats a salad"),
    ],
)
def test_a_move_is_said_with_what_it_costs_also_an_illegal_one(text: str, said: str) -> None:
    assert INPUT.move_text(position("3:30:5:HE:-", "32:30:5:-:-"), move(text)).en == said


def test_a_field_is_said_with_the_hares_on_it() -> None:
    state = position("3:30:5:-:-", "32:30:5:-:-")
    assert INPUT.contents(state, SQUARES[3]).de == "Karottenfeld, Hase von Rot"
    assert INPUT.contents(state, SQUARES[4]).en == "hare field"
    assert INPUT.square_name(SQUARES[32]) == "32"


def test_the_squares_of_a_move_are_where_the_hare_was_and_is() -> None:
    chain = position("3:30:5:HE:-", "32:30:5:-:-")
    assert INPUT.move_squares(chain, move("+1 HE")) == (SQUARES[3], SQUARES[33])
    assert INPUT.move_squares(chain, move("carrots +10")) == (SQUARES[3],)
    assert INPUT.move_squares(chain, move("+99")) == (SQUARES[3],)
    # The card leads to just behind the other hare, which is where the run began.
    home = position("3:30:5:F:-", "4:30:5:-:-")
    assert INPUT.move_squares(home, move("+2 F")) == (SQUARES[3],)
    assert play(home, "+2 F").hares[0].position == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("+1 HE", "Feld 4, Vor, Salat"),
        ("back", "zurück"),
        ("salad", "Salat"),
        ("carrots -10", "−10 Karotten"),
    ],
)
def test_a_list_names_a_move_in_words(text: str, said: str) -> None:
    assert INPUT.list_text(position("3:30:5:HE:-", "32:30:5:-:-"), move(text)).de == said
