"""The engine finds the one right move of positions that were searched to the end by the rules in Python."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from spielleiter import games
from spielleiter.search import Budget, engine
from spielleiter.search.exhaustive import Prover
from tests.support.played import needs_engine
from tests.support.tactics import EACH, FILE, MAX_NODES, SUITES

SUITE = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = [f"{i}-{case['position'].split()[0]}" for i, case in enumerate(SUITE)]


def test_every_game_has_its_suite() -> None:
    assert Counter(case["position"].split()[0] for case in SUITE) == dict.fromkeys(SUITES, EACH)


@needs_engine
@pytest.mark.parametrize("case", SUITE, ids=NAMES)
def test_the_engine_finds_the_one_move_that_wins(case: dict[str, Any]) -> None:
    assert_found(case, tree=False)


@needs_engine
@pytest.mark.parametrize("case", [case for case in SUITE if case["position"].startswith("blokus")])
def test_the_tree_of_blokus_finds_the_one_move_that_wins(case: dict[str, Any]) -> None:
    assert_found(case, tree=True)


def assert_found(case: dict[str, Any], *, tree: bool) -> None:
    game, state = games.parse_position(case["position"])
    found = engine.EngineSearch(game, table_mib=2, tree=tree).search(state, Budget(nodes=100_000))
    assert game.notation.format_move(state, found.move) == case["answer"]
    assert found.win_probability == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("case", SUITE[:: EACH // 2], ids=NAMES[:: EACH // 2])
def test_the_answers_hold_by_exhaustive_search(case: dict[str, Any]) -> None:
    game, state = games.parse_position(case["position"])
    answers = Prover(MAX_NODES).winning_moves(state, case["plies"])
    assert [game.notation.format_move(state, move) for move in answers] == [case["answer"]]
