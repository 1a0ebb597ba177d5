"""Proofs by exhaustive search agree with plain minimax, and with positions whose answer is known."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import BudgetSpent
from spielleiter.game import Team
from spielleiter.search.exhaustive import Prover
from tests.support.tactics import FILE


def wins_plainly(state: Any, team: Team, plies: int) -> bool:
    if state.outcome is not None or plies == 0:
        return state.outcome is not None and state.outcome.winner is team
    after = (wins_plainly(state.play(move), team, plies - 1) for move in state.legal_moves())
    return any(after) if state.to_move is team else all(after)


def test_a_proof_says_the_same_as_minimax_without_memory_or_order() -> None:
    rng, game = Random(3), games.load("ostseeschach-2022")
    compared = 0
    while compared < 4:
        states = [game.new_state(rng)]
        while states[-1].outcome is None:
            states.append(states[-1].play(rng.choice(states[-1].legal_moves())))
        state = states[-3]
        if len(state.legal_moves()) <= 14:
            compared += 1
            for team in Team:
                assert Prover(100_000).wins(state, team, 3) is wins_plainly(state, team, 3)


def test_the_only_winning_move_and_its_distance_are_found() -> None:
    case = next(case for case in json.loads(FILE.read_text(encoding="utf-8")) if "ostseeschach" in case["position"])
    game, state = games.parse_position(case["position"])
    prover = Prover(40_000)
    [move] = prover.winning_moves(state, case["plies"])
    assert game.notation.format_move(state, move) == case["answer"]
    distance = prover.distance(state, state.to_move, case["plies"])
    assert distance is not None
    assert prover.winning_moves(state, distance - 1) == []
    assert prover.distance(state, state.to_move.opponent, 2) is None


def test_half_a_proof_is_none() -> None:
    state = games.load("piranhas-2026").new_state(Random(1))
    with pytest.raises(BudgetSpent):
        Prover(500).wins(state, Team.ONE, 4)
