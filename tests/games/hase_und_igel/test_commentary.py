"""What is said about moves in Hase und Igel."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.game import Weight, random_game
from spielleiter.games import load
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025, new_state
from tests.support import hase_und_igel_naive as naive
from tests.support.hase_und_igel_positions import move, position

COMMENTARY = load("hase-und-igel-2025").commentary

SAID = [
    ("62:5:0:-:-", "50:9:0:-:-", "+2", "Red is in the goal, and Blue has one move left!", Weight.DECISION),
    ("12:30:5:-:-", "11:0:5:-:-", "carrots +10", "Blue cannot move and is skipped.", Weight.HIGHLIGHT),
    ("22:30:1:-:-", "25:30:5:-:-", "salad", "Red has eaten the last salad: the way to the goal is free.", 2),
    ("22:30:4:-:-", "25:30:5:-:-", "salad", "Red eats a salad and has 3 salads left.", Weight.EVENT),
    ("22:30:2:-:-", "25:30:5:-:-", "salad", "Red eats a salad and has one salad left.", Weight.EVENT),
    ("3:30:5:HS:-", "32:90:5:-:-", "+1 HS", "Red plays 2 cards in one move!", Weight.HIGHLIGHT),
    ("3:30:5:S:-", "32:90:5:-:-", "+1 S", "Red swaps carrots with Blue and has 90 now.", Weight.HIGHLIGHT),
    ("20:30:5:-:-", "21:90:5:-:-", "+3", "Red overtakes Blue and leads by 2 fields.", Weight.EVENT),
    ("3:30:5:H:-", "11:90:5:-:-", "+1 H", "Red overtakes Blue and leads by one field.", Weight.EVENT),
    ("28:30:5:-:-", "12:90:5:-:-", "back", "Red falls back to the hedgehog on 24 and gains 40 carrots.", 1),
    ("1:60:5:-:-", "25:90:5:-:-", "+8", "Red runs 8 fields and pays 36 carrots.", Weight.ASIDE),
]


@pytest.mark.parametrize(("one", "two", "text", "said", "weight"), SAID)
def test_what_is_said(one: str, two: str, text: str, said: str, weight: int) -> None:
    assert COMMENTARY is not None
    before = position(one, two)
    remark = COMMENTARY.remark(before, move(text), before.play(move(text)))
    assert remark is not None
    assert (remark.text.en, remark.weight) == (said, weight)


def test_the_end_is_said_and_an_ordinary_move_is_not() -> None:
    assert COMMENTARY is not None
    home = position("12:5:0:-:-", "62:5:0:-:-", turn=21)
    remark = COMMENTARY.remark(home, move("+2"), home.play(move("+2")))
    assert remark is not None
    assert remark.text.en == "Blue runs into the goal!"
    usual = position("1:30:5:-:-", "25:90:5:-:-")
    assert COMMENTARY.remark(usual, move("+1"), usual.play(move("+1"))) is None


def test_leads_and_skipped_turns_are_those_of_the_naive_rules() -> None:
    assert COMMENTARY is not None
    said = set()
    for seed in range(12):
        *states, end = random_game(new_state(HASE_UND_IGEL_2025, Random(seed)), Random(seed))
        for before, after in zip(states, [*states[1:], end], strict=True):
            assert after.last_move is not None
            remark = COMMENTARY.remark(before, after.last_move, after)
            hares = naive.board_of(after)["hares"]
            me, other = hares[before.turn % 2], hares[1 - before.turn % 2]
            text = "" if remark is None else remark.text.en
            if "leads by" in text:
                lead = me["at"] - other["at"]
                assert ("one field" if lead == 1 else f"{lead} fields") in text
                said.add("lead")
            if "is skipped" in text:
                assert after.turn == before.turn + 2
                said.add("skipped")
            if "salad left" in text or "salads left" in text:
                assert (f"{me['salads']} salads" if me["salads"] > 1 else "one salad") in text
                said.add("salad")
    assert said >= {"lead", "salad"}
