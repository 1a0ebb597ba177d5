from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.game import AnyGame, Team, random_game
from spielleiter.games import all_games
from spielleiter.search import Budget, MonteCarlo
from tests.support.rule_sets import each_game
from tests.support.toys import Pebbles, TickingClock, can_win, no_idea, some_positions


def searcher(game: AnyGame, **settings: Any) -> MonteCarlo[Any, Any]:
    return MonteCarlo(game.evaluate, moves=game.promising_moves, **({"rng": Random(1)} | settings))


@each_game
def test_a_win_on_the_spot_is_preferred(game: AnyGame) -> None:
    seen = 0
    for seed in range(12):
        *_, before, end = random_game(game.new_state(Random(seed)), Random(seed))
        if end.outcome.winner is before.to_move:
            move = searcher(game).search(before, Budget(nodes=400)).move
            assert before.play(move).outcome.winner is before.to_move
            seen += 1
    assert seen > 0


@pytest.mark.parametrize("team", Team)
@pytest.mark.parametrize("left", [n for n in range(2, 14) if can_win(n)])
def test_random_games_alone_find_the_winning_move(left: int, team: Team) -> None:
    search: MonteCarlo[Pebbles, int] = MonteCarlo(exploration=1.5, rng=Random(1))  # Random games are full of noise.
    result = search.search(Pebbles(left, team), Budget(nodes=12_000))
    after = Pebbles(left, team).play(result.move)
    assert after.outcome is not None or can_win(after.left) == (after.to_move is team)
    assert result.score > 0


@each_game
@pytest.mark.parametrize("budget", [Budget(seconds=0), Budget(nodes=1), Budget(nodes=40)], ids=str)
def test_however_small_the_budget_the_move_is_legal(game: AnyGame, budget: Budget) -> None:
    for state in some_positions(game, 5):
        assert state.violation(searcher(game).search(state, budget).move) is None


@each_game
@pytest.mark.parametrize("cutoff", [0, 3])
def test_by_a_steady_clock_the_move_is_there_exactly_in_time(game: AnyGame, cutoff: int) -> None:
    clock = TickingClock(1.0)
    result = searcher(game, cutoff=cutoff, clock=clock).search(some_positions(game, 7)[0], Budget(seconds=60))
    assert result.seconds == 60


def test_a_long_random_game_is_left_when_time_is_up() -> None:
    clock = TickingClock(1.0)
    game = all_games()["piranhas-2019"]
    search: MonteCarlo[Any, Any] = MonteCarlo(rng=Random(1), clock=clock)
    state = game.new_state(Random(1))
    result = search.search(state, Budget(seconds=10))
    assert result.seconds == 10
    assert state.violation(result.move) is None


@each_game
def test_the_same_seed_and_number_of_nodes_give_the_same_result(game: AnyGame) -> None:
    state = some_positions(game, 8)[1]
    first, second = (
        searcher(game, cutoff=2, clock=TickingClock(0.0), rng=Random(3)).search(state, Budget(nodes=150))
        for _ in range(2)
    )
    assert first == second
    assert first.nodes == 150


@each_game
def test_the_line_is_a_legal_way_on_and_begins_with_the_move(game: AnyGame) -> None:
    state = some_positions(game, 6)[1]
    result = searcher(game).search(state, Budget(nodes=200))
    assert result.line[0] == result.move
    for move in result.line:
        state = state.play(move)


def test_a_prior_draws_the_first_looks_to_its_move() -> None:
    search: MonteCarlo[Pebbles, int] = MonteCarlo(no_idea, priors=lambda state, moves: [0.05, 0.05, 0.9])
    assert search.search(Pebbles(30), Budget(nodes=20)).move == 3


def test_where_there_is_no_choice_no_time_is_lost() -> None:
    search: MonteCarlo[Pebbles, int] = MonteCarlo(no_idea, moves=lambda state: [1])
    assert search.search(Pebbles(30), Budget(nodes=1000)).nodes == 1


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        MonteCarlo(no_idea).search(Pebbles(0), Budget(nodes=1))
