"""Promises of every game's knowledge for searches: its evaluation, its promising and its noisy moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.game import AnyGame, Team, random_game
from spielleiter.game.game import by_points
from spielleiter.games import game_of
from tests.support.rule_sets import each_game


def states(game: AnyGame) -> list[Any]:
    return [state for seed in range(3) for state in random_game(game.new_state(Random(seed)), Random(seed))]


@each_game
def test_a_state_knows_its_game(game: AnyGame) -> None:
    assert game_of(game.new_state(Random(1))) is game


@each_game
def test_what_is_good_for_one_team_is_as_bad_for_the_other(game: AnyGame) -> None:
    for state in states(game):
        value = game.evaluate(state, Team.ONE)
        assert -1 <= value <= 1
        assert game.evaluate(state, Team.TWO) == -value


@each_game
def test_looking_at_a_position_does_not_change_what_it_looks_like(game: AnyGame) -> None:
    for state in states(game)[::7]:
        again = game.notation.parse_state(game.notation.format_state(state))
        assert game.evaluate(state, Team.ONE) == game.evaluate(again, Team.ONE)
        assert state == again


@each_game
def test_the_estimates_of_late_positions_tell_the_winner_more_often_than_not(game: AnyGame) -> None:
    right = wrong = 0
    for seed in range(60):
        *running, end = random_game(game.new_state(Random(seed)), Random(seed))
        if end.outcome.winner is not None:
            value = game.evaluate(running[-2], end.outcome.winner)
            right, wrong = right + (value > 0), wrong + (value < 0)
    assert right > 1.5 * wrong


@each_game
@pytest.mark.parametrize("hook", ["promising_moves", "noisy_moves"])
def test_the_moves_for_a_search_are_legal_and_none_comes_twice(game: AnyGame, hook: str) -> None:
    find = getattr(game, hook)
    if find is None:
        pytest.skip("the game does without it")
    for state in states(game):
        moves = find(state)
        assert len(set(moves)) == len(moves)
        assert set(moves) <= set(state.legal_moves())
        if hook == "promising_moves" and state.outcome is None:
            assert moves


@each_game
def test_a_game_without_an_evaluation_is_judged_by_its_points(game: AnyGame) -> None:
    for state in states(game)[::5]:
        value = by_points(state, Team.ONE)
        assert -1 <= value <= 1
        assert by_points(state, Team.TWO) == -value
        lead = sum(state.points(Team.ONE)[1:]) - sum(state.points(Team.TWO)[1:])
        assert (value > 0) == (lead > 0)
