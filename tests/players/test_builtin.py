from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter.games import all_games
from spielleiter.players import SearchingPlayer, thinking_time
from spielleiter.search import Budget, SearchResult


class Spy:
    """A search that plays the first move and keeps what it was allowed."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []

    def search(self, state: Any, budget: Budget) -> SearchResult[Any]:
        self.budgets.append(budget)
        move = state.legal_moves()[0]
        return SearchResult(move, 0.0, 1, 1, 0.0, (move,))


@pytest.mark.parametrize(("seconds", "thinking"), [(2.0, 1.8), (10.0, 9.8), (0.4, 0.2), (0.1, 0.05), (0.0, 0.0)])
def test_a_reserve_is_kept_but_never_more_than_half(seconds: float, thinking: float) -> None:
    assert thinking_time(seconds) == pytest.approx(thinking)


def test_the_search_gets_the_time_without_the_reserve_beside_its_own_limits() -> None:
    spy = Spy()
    player = SearchingPlayer(lambda game: spy, Budget(depth=2))
    player.choose(all_games()["piranhas-2019"].new_state(Random(1)), 2.0)
    SearchingPlayer(lambda game: spy).choose(all_games()["piranhas-2019"].new_state(Random(1)), 1.0)
    assert spy.budgets == [Budget(seconds=1.8, depth=2), Budget(seconds=0.8)]


def test_one_player_can_play_several_games_and_meets_each_with_its_own_search() -> None:
    met: list[str] = []

    def new_search(game: Any) -> Spy:
        met.append(game.key)
        return Spy()

    player = SearchingPlayer(new_search)
    for key in ("piranhas-2019", "ostseeschach-2022", "piranhas-2019"):
        state = all_games()[key].new_state(Random(1))
        assert player.choose(state, 1.0) == state.legal_moves()[0]
    assert met == ["piranhas-2019", "ostseeschach-2022"]


def test_the_last_search_can_be_looked_at() -> None:
    player = SearchingPlayer(lambda game: Spy())
    assert player.last is None
    move = player.choose(all_games()["piranhas-2019"].new_state(Random(1)), 1.0)
    assert player.last is not None
    assert player.last.move == move
