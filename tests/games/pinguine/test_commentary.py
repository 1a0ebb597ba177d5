"""What is said about moves in Pinguine, against a second way of finding out."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import pytest

from spielleiter.game import Weight, random_game
from spielleiter.games import load
from spielleiter.games.pinguine import Move, State
from tests.support import pinguine_naive as naive
from tests.support.pinguine_positions import move, position

GAME = load("pinguine-2023")
COLORS = {"ONE": "Red", "TWO": "Blue"}


def said(before: State, played: Move, after: State) -> str:
    assert GAME.commentary is not None
    remark = GAME.commentary.remark(before, played, after)
    return "" if remark is None else remark.text.en


def uncatchable(state: State) -> str | None:
    board = naive.board_of(state)
    fish = {team.name: state.fish[team] for team in state.to_move.__class__}
    for team, other in (("ONE", "TWO"), ("TWO", "ONE")):
        can_move = state.turn < 8 or naive.slides(board, other)
        left = sum(content for content in board.values() if isinstance(content, int)) if can_move else 0
        if fish[team] > fish[other] + left:
            return team
    return None


def stuck(board: naive.Board, place: naive.Place) -> bool:
    return not any(naive.has_fish(board, naive.next_place(place, direction)) for direction in naive.DIRECTIONS)


def expected(before: State, after: State) -> str:
    """The sentence that fits, as a pattern, from dictionaries and loops."""
    team, other = before.to_move.name, before.to_move.opponent.name
    old, new = naive.board_of(before), naive.board_of(after)
    is_over = after.outcome is not None
    leader = uncatchable(after)
    if leader is not None and not is_over and uncatchable(before) != leader:
        return f"{COLORS[leader]} cannot be caught any more"
    for side in (other, team):
        could = before.turn < 8 or naive.slides(old, side)
        if after.turn >= 8 and not is_over and could and not naive.slides(new, side):
            return f"{COLORS[side]} cannot slide any more"
    for place in naive.penguins(new, other):
        if stuck(new, place) and not stuck(old, place):
            return f"The penguin of {COLORS[other]} on {'abcdefgh'[place[1]]}{place[0] + 1} is stuck"
    caught = after.fish[before.to_move] - before.fish[before.to_move]
    if caught >= 3:
        return f"(Three|Four) fish at once for {COLORS[team]}"
    led = before.fish[before.to_move] > before.fish[before.to_move.opponent]
    leads = after.fish[before.to_move] > after.fish[before.to_move.opponent]
    if after.turn >= 20 and leads and not led:
        return f"{COLORS[team]} takes the lead with {after.fish[before.to_move]} fish"
    return "All penguins are on the ice" if after.turn == 8 else "$"


def test_every_sentence_fits_the_board_and_none_is_missing() -> None:
    kinds: set[str] = set()
    for seed in range(16):
        for before, after in pairwise(random_game(GAME.new_state(Random(seed)), Random(seed))):
            assert after.last_move is not None
            sentence, fitting = said(before, after.last_move, after), expected(before, after)
            assert re.match(fitting, sentence), (sentence, fitting, GAME.notation.format_state(before))
            kinds.add(re.sub("Red|Blue|on [a-h][1-8]|with .*", "", fitting))
    assert len(kinds) == 7


@pytest.mark.parametrize(
    ("board", "fish", "played", "sentence", "weight"),
    [
        ("P4..PPP1/......../......../pppp1234", "5-5", "a1-b1", "Four fish at once for Red!", Weight.EVENT),
        (
            "P1..PPP./......../......../pppp1234",
            "6-4",
            "a1-b1",
            "Red cannot slide any more, and Blue plays on alone.",
            Weight.HIGHLIGHT,
        ),
        (
            "P21.PPP./......../......../pppp1",
            "7-4",
            "a1-b1",
            "Red cannot be caught any more: there are too few fish left for Blue.",
            Weight.DECISION,
        ),
    ],
)
def test_the_weightiest_thing_is_said(board: str, fish: str, played: str, sentence: str, weight: Weight) -> None:
    state = position(board, fish, 10)
    chosen = move(state, played)
    assert GAME.commentary is not None
    remark = GAME.commentary.remark(state, chosen, state.play(chosen))
    assert remark is not None
    assert (remark.text.en, remark.weight) == (sentence, weight)
