"""Hase und Igel; the R-numbers are those of games/hase_und_igel/RULES.md."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.errors import IllegalMove, NotationError
from spielleiter.game import random_game
from spielleiter.games.hase_und_igel import Card, HaseUndIgelViolation, State
from spielleiter.games.hase_und_igel.moves import EAT_SALAD, Advance, garbage_move
from spielleiter.games.hase_und_igel.notation import HaseUndIgelNotation
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025, RULE_SETS, Rules, new_state

TRACK = "0CCCHHHM12SICCHIM12ICCS2ICCHM2ICCHH12ICCH2SICCHM12ICCHM2ISHC1CHCG"


def position(one: str, two: str, turn: int = 20, rules: Rules = HASE_UND_IGEL_2025) -> State:
    return HaseUndIgelNotation(rules).parse_state(f"{rules.key} {TRACK} {one} {two} {turn}")


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
def test_a_move_is_legal_exactly_when_it_breaks_no_rule(rules: Rules) -> None:
    rng, notation = Random(1), HaseUndIgelNotation(rules)
    for seed in range(5):
        for state in random_game(new_state(rules, Random(seed)), Random(seed)):
            moves = state.legal_moves()
            assert (state.outcome is None) == bool(moves)
            assert notation.parse_state(notation.format_state(state)) == state
            assert all(state.violation(move) is None for move in moves)
            for move in (garbage_move(rng) for _ in range(20)):
                assert (state.violation(move) is None) == (move in moves)


def test_r5_a_salad_is_eaten_first() -> None:
    state = position("10:30:5:-:-", "3:30:5:-:-")
    assert state.legal_moves() == (EAT_SALAD,)
    assert (state.play(EAT_SALAD).hares[0].carrots, state.play(EAT_SALAD).hares[0].salads) == (40, 4)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Advance(0), HaseUndIgelViolation.NO_DISTANCE),
        (Advance(-1), HaseUndIgelViolation.NO_DISTANCE),
        (Advance(20), HaseUndIgelViolation.TOO_FEW_CARROTS),
        (Advance(4), HaseUndIgelViolation.ONE_CARD_ON_MARKET),
        (Advance(1), HaseUndIgelViolation.CARD_MUST_FOLLOW),
        (Advance(1, (Card.SWAP_CARROTS,)), HaseUndIgelViolation.CARD_NOT_OWNED),
        (Advance(1, (Card.FALL_BACK,)), HaseUndIgelViolation.NOT_AHEAD),
        (Advance(8), HaseUndIgelViolation.ONTO_HEDGEHOG),
        (Advance(6), HaseUndIgelViolation.OCCUPIED),
        (EAT_SALAD, HaseUndIgelViolation.NO_SALAD_HERE),
    ],
)
def test_a_refused_move_names_the_rule(move: Advance, reason: HaseUndIgelViolation) -> None:
    with pytest.raises(IllegalMove) as refused:
        position("3:60:5:F:-", "9:60:5:-:-").play(move)
    assert refused.value.reason is reason


def test_two_hares_on_one_field_are_refused() -> None:
    with pytest.raises(NotationError, match="R6"):
        position("9:60:5:-:-", "9:60:5:-:-")
