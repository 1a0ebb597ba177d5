"""Positions and moves of Hase und Igel as texts."""

from __future__ import annotations

import pytest

from spielleiter.errors import NotationError
from spielleiter.game import Team
from spielleiter.games.hase_und_igel import Card, Hare, Move
from spielleiter.games.hase_und_igel.moves import EAT_SALAD, FALL_BACK, Advance, ExchangeCarrots
from spielleiter.games.hase_und_igel.notation import HaseUndIgelNotation
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025
from tests.support.hase_und_igel_positions import TRACK, position

NOTATION = HaseUndIgelNotation(HASE_UND_IGEL_2025)
KEY = "hase-und-igel-2025"
ONE, TWO = "3:62:5:EH:-", "10:68:4:-:e"


def test_a_position_is_the_track_the_hares_and_the_turn() -> None:
    text = f"{KEY} {TRACK} {ONE} {TWO} 5"
    state = NOTATION.parse_state(text)
    assert state.hares[0] == Hare(3, 62, 5, (Card.EAT_SALAD, Card.HURRY_AHEAD))
    assert state.hares[1] == Hare(10, 68, 4, (), EAT_SALAD)
    assert (state.turn, state.to_move, state.track.letters) == (5, Team.TWO, TRACK)
    assert NOTATION.format_state(state) == text


def test_blanks_around_the_words_do_not_matter() -> None:
    text = f"{KEY} {TRACK} {ONE} {TWO} 5"
    assert NOTATION.parse_state("  " + text.replace(" ", "   ") + "\n") == NOTATION.parse_state(text)


REFUSED_POSITIONS = [
    ("", 0, "found 0 words"),
    (f"{KEY} {TRACK} {ONE} {TWO}", 108, "found 4 words"),
    (f"{KEY} {TRACK} {ONE} {TWO} 5 6", 111, "found 6 words"),
    (f"blokus-2027 {TRACK} {ONE} {TWO} 5", 0, "expected hase-und-igel-2025"),
    (f"{KEY} {TRACK[:7]}X{TRACK[8:]} {ONE} {TWO} 5", 26, "field out of"),
    (f"{KEY} {TRACK[:64]} {ONE} {TWO} 5", 83, "65 fields"),
    (f"{KEY} {TRACK[:64]}C {ONE} {TWO} 5", 19, "R1"),
    (f"{KEY} {TRACK[:5]}G{TRACK[6:]} {ONE} {TWO} 5", 19, "R1"),
    (f"{KEY} {TRACK} 3:62:5:EH {TWO} 5", 85, "Red's hare"),
    (f"{KEY} {TRACK} {ONE} 10:x:4:-:e 5", 97, "Blue's hare"),
    (f"{KEY} {TRACK} {ONE} 65:68:4:-:- 5", 97, "R1"),
    (f"{KEY} {TRACK} 3:62:6:EH:- {TWO} 5", 85, "R4"),
    (f"{KEY} {TRACK} 10:62:0:EH:- 4:3:5:-:- 5", 85, "R5"),
    (f"{KEY} {TRACK} {ONE} 3:68:4:-:- 5", 97, "R6"),
    (f"{KEY} {TRACK} {ONE} 64:8:0:-:- 5", 97, "R21"),
    (f"{KEY} {TRACK} {ONE} {TWO} 61", 109, "the turn, 0 to 60"),
    (f"{KEY} {TRACK} {ONE} {TWO} five", 109, "the turn"),
]


@pytest.mark.parametrize(("text", "place", "reason"), REFUSED_POSITIONS)
def test_a_position_that_cannot_be_is_refused_with_place_and_reason(text: str, place: int, reason: str) -> None:
    with pytest.raises(NotationError, match=reason) as refused:
        NOTATION.parse_state(text)
    assert refused.value.at == place
    assert refused.value.text.de != refused.value.text.en


MOVES: list[tuple[str, Move, str]] = [
    ("+5", Advance(5), "+5"),
    ("5", Advance(5), "+5"),
    ("+5 he", Advance(5, (Card.HURRY_AHEAD, Card.EAT_SALAD)), "+5 HE"),
    ("+5HE", Advance(5, (Card.HURRY_AHEAD, Card.EAT_SALAD)), "+5 HE"),
    ("-3", Advance(-3), "-3"),
    (" Salad ", EAT_SALAD, "salad"),
    ("Salat", EAT_SALAD, "salad"),
    ("back", FALL_BACK, "back"),
    ("zurück", FALL_BACK, "back"),
    ("carrots +10", ExchangeCarrots(10), "carrots +10"),
    ("Karotten -10", ExchangeCarrots(-10), "carrots -10"),
    ("carrots 10", ExchangeCarrots(10), "carrots +10"),
]


@pytest.mark.parametrize(("text", "move", "written"), MOVES)
def test_moves_are_read_and_written(text: str, move: Move, written: str) -> None:
    state = position("1:30:5:-:-")
    assert NOTATION.parse_move(state, text) == move
    assert NOTATION.format_move(state, move) == written


@pytest.mark.parametrize("text", ["", "+", "5 X", "salads", "+5 H E", "carrots", "carrots ten", "+1234567890"])
def test_a_text_that_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match=r"expected a move like \+5"):
        NOTATION.parse_move(position("1:30:5:-:-"), text)
