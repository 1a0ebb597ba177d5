from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.game import AnyGame, Team, random_game
from spielleiter.games import all_games
from spielleiter.search import WIN, AlphaBeta, Budget
from spielleiter.search.result import SearchResult
from tests.support.night import by_day
from tests.support.rule_sets import each_game
from tests.support.toys import Pebbles, TickingClock, can_win, minimax, no_idea, some_positions


def searcher(game: AnyGame, **settings: Any) -> AlphaBeta[Any, Any]:
    return AlphaBeta(game.evaluate, moves=game.promising_moves, noisy_moves=game.noisy_moves, **settings)


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@each_game
@pytest.mark.parametrize("seed", by_day([1, 2], [1]))
def test_it_finds_the_value_of_plain_minimax(game: AnyGame, seed: int) -> None:
    for state in some_positions(game, seed):
        found = searcher(game).search(state, Budget(depth=2))
        if found.depth == 2:  # It may have seen the end before.
            assert found.score == minimax(state, 2, game)
        else:
            assert found.score == minimax(state, 1, game)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["ostseeschach-2022", "blokus-2027"])
def test_it_finds_the_value_of_plain_minimax_three_moves_ahead(key: str) -> None:
    game = all_games()[key]
    state = some_positions(game, 3)[2]
    assert searcher(game).search(state, Budget(depth=3)).score == minimax(state, 3, game)


def test_a_tiny_memory_costs_time_but_changes_no_value() -> None:
    game = all_games()["ostseeschach-2022"]
    state = some_positions(game, 4)[1]
    large, tiny = (searcher(game, table_size=size).search(state, Budget(depth=3)) for size in (100_000, 3))
    assert large.score == tiny.score
    assert large.nodes < tiny.nodes


@pytest.mark.parametrize("left", range(1, 25))
def test_a_game_that_can_be_seen_to_the_end_is_solved_though_teams_do_not_alternate(left: int) -> None:
    result: SearchResult[int] = AlphaBeta(no_idea).search(Pebbles(left), Budget(depth=100))
    assert (result.score > 0) == can_win(left)
    assert abs(result.score) > WIN / 2
    assert result.depth < 100


def test_the_same_position_has_the_same_value_for_either_team() -> None:
    player: AlphaBeta[Pebbles, int] = AlphaBeta(no_idea)
    one, two = (player.search(Pebbles(9, team), Budget(depth=20)) for team in Team)
    assert one.score == two.score


# --- moves ------------------------------------------------------------------------------------------------------------


@each_game
def test_a_win_on_the_spot_is_never_missed(game: AnyGame) -> None:
    seen = 0
    for seed in range(12):
        *_, before, end = random_game(game.new_state(Random(seed)), Random(seed))
        if end.outcome.winner is before.to_move:
            move = searcher(game).search(before, Budget(depth=2)).move
            assert before.play(move).outcome.winner is before.to_move
            seen += 1
    assert seen > 0


@pytest.mark.parametrize("left", [n for n in range(2, 40) if can_win(n)])
def test_a_forced_win_is_played_to_its_end(left: int) -> None:
    search: AlphaBeta[Pebbles, int] = AlphaBeta(no_idea)
    state = Pebbles(left)
    while state.outcome is None:
        best = state.to_move is Team.ONE
        state = state.play(search.search(state, Budget(depth=60)).move if best else state.legal_moves()[-1])
    assert state.outcome.winner is Team.ONE


@each_game
@pytest.mark.parametrize("budget", [Budget(seconds=0), Budget(nodes=1), Budget(nodes=40)], ids=str)
def test_however_small_the_budget_the_move_is_legal(game: AnyGame, budget: Budget) -> None:
    for state in some_positions(game, 5):
        result = searcher(game, rng=Random(1)).search(state, budget)
        assert state.violation(result.move) is None


@each_game
def test_the_line_is_a_legal_way_on_and_begins_with_the_move(game: AnyGame) -> None:
    state = some_positions(game, 6)[1]
    result = searcher(game).search(state, Budget(depth=2))
    assert result.line[0] == result.move
    assert len(result.line) == 2
    for move in result.line:
        state = state.play(move)


def test_chance_decides_between_equal_moves_only() -> None:
    def taken(seed: int, left: int) -> Any:
        return AlphaBeta(no_idea, rng=Random(seed)).search(Pebbles(left), Budget(depth=1)).move

    assert {taken(seed, 9) for seed in range(30)} == {1, 2, 3}
    assert {taken(seed, 3) for seed in range(30)} == {3}


def test_a_finished_game_is_refused() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        AlphaBeta(no_idea).search(Pebbles(0), Budget(depth=1))


# --- the budget -------------------------------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("seconds", [3, 57, 400])
def test_by_a_steady_clock_the_move_is_there_exactly_in_time(game: AnyGame, seconds: int) -> None:
    clock = TickingClock(1.0)
    state = some_positions(game, 7)[0]
    result = searcher(game, clock=clock).search(state, Budget(seconds=seconds))
    assert result.seconds == seconds
    assert clock.now - 100 <= seconds + 1  # The clock has gone on since it was read last.


def test_however_uneven_the_work_the_move_is_there_in_time() -> None:
    game = all_games()["ostseeschach-2022"]
    for seed in range(20):
        chance, clock = Random(seed), TickingClock(0.0)

        def slowly(state: Any, team: Team, chance: Random = chance, clock: TickingClock = clock) -> float:
            clock.now += 5.0 if clock.now == 100 else chance.uniform(0.0, 5.0)
            return game.evaluate(state, team)

        result: SearchResult[Any] = AlphaBeta(slowly, clock=clock).search(
            game.new_state(Random(1)), Budget(seconds=500)
        )
        assert 490 <= result.seconds <= 500


@each_game
def test_the_same_number_of_nodes_gives_the_same_result(game: AnyGame) -> None:
    state = some_positions(game, 8)[1]
    first, second = (
        searcher(game, clock=TickingClock(0.0), rng=Random(3)).search(state, Budget(nodes=300)) for _ in range(2)
    )
    assert first == second
    assert first.nodes <= 300


def test_more_nodes_look_deeper() -> None:
    game = all_games()["ostseeschach-2022"]
    state = game.new_state(Random(1))
    little, much = (searcher(game).search(state, Budget(nodes=nodes)) for nodes in (50, 3000))
    assert little.depth < much.depth


def test_where_there_is_no_choice_no_time_is_lost() -> None:
    clock = TickingClock(1.0)
    assert AlphaBeta(no_idea, moves=lambda state: [1], clock=clock).search(Pebbles(30), Budget(seconds=1000)).move == 1
    assert clock.readings < 10
