"""The pool of the engine: fair turns, one search for all who look at the same, none for nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from spielleiter import games
from spielleiter.search.engine import Analysis, Line
from spielleiter.web.analysis import engine_pool
from spielleiter.web.analysis.engine_pool import EnginePool
from spielleiter.web.analysis.engine_view import engine_update
from tests.support.waiting import until

GAME = games.load("piranhas-2026")
FOREVER = 60.0


@pytest.fixture(autouse=True)
def _same_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may be busy with other tests; these are not about priorities."""
    monkeypatch.setattr(engine_pool, "be_nice", lambda niceness=None: None)


def positions(number: int) -> list[Any]:
    """Different ones."""
    start = GAME.new_state(Random(1))
    replies = (after.play(move) for after in map(start.play, start.legal_moves()) for move in after.legal_moves())
    return [*islice(replies, number)]


class Searches:
    """Stands in for the engine: every search deepens until whoever watches stops it."""

    def __init__(self) -> None:
        self.log: list[Any] = []
        """The positions of all turns."""
        self.first_looks: list[Any] = []
        self.first_depth = 1
        self.turns_may_begin = threading.Event()
        self.turns_may_begin.set()
        self.pace = threading.Event()
        self.depths = 1_000_000
        self.clock = 0.0
        """Seconds that all searches together have taken, if one depth takes 5 ms."""
        self.silences = 0
        """How often it says that it has found nothing yet, as on a busy machine."""

    def search(self, game: Any) -> Searches:
        return _Search(self)  # type: ignore[return-value]


class _Search:
    def __init__(self, searches: Searches) -> None:
        self._searches = searches

    def search(self, state: Any, budget: Any, *, lines: int, watch: Callable[[Any], bool] | None) -> Any:
        move = state.legal_moves()[0]
        if watch is None:
            assert budget.nodes == engine_pool.FIRST_NODES
            self._searches.first_looks.append(state)
            return Analysis(move, 0.0, self._searches.first_depth, 10, 0.0, (move,), (Line((move,), 0, 0.25),))
        assert self._searches.turns_may_begin.wait(FOREVER)
        self._searches.log.append(state)
        any_move = Analysis(move, 0.0, 0, 0, 0.0, (move,), (Line((move,), 0, 0.5),))
        for _ in range(self._searches.silences):
            if watch(None):
                return any_move
            self._searches.pace.wait(0.001)
        for depth in range(1, self._searches.depths):
            found = Analysis(move, 0.0, depth, 100 * depth, 0.0, (move,), (Line((move,), 0, 0.25),))
            self._searches.clock += 0.005
            if watch(found):
                return found
            self._searches.pace.wait(0.005)
        return found


@asynccontextmanager
async def pool_of(searches: Any, workers: int = 1) -> AsyncIterator[EnginePool]:
    pool = EnginePool(workers)
    pool._analyst = searches
    try:
        yield pool
    finally:
        pool.close()


async def another_is_searched(pool: EnginePool) -> None:
    """Whatever the only worker wanted to search before has had its turn."""
    another = pool.exploration(GAME, positions(9)[-1])
    with pool.looking(another):
        await until(lambda: another.analysis is not None)


def run(test: Callable[[], Any]) -> None:
    asyncio.run(test())


def test_a_position_is_searched_while_it_has_a_viewer_and_only_then() -> None:
    async def script() -> None:
        searches = Searches()
        async with pool_of(searches) as pool:
            unseen, exploration = (pool.exploration(GAME, state) for state in positions(2))
            with pool.looking(exploration):
                await until(lambda: exploration.analysis is not None and exploration.analysis.depth > 2)
                assert exploration.is_running
                assert exploration.win_probability == 0.25
            await until(lambda: not exploration.is_running)
            before = exploration.analysis, exploration.nodes
            await another_is_searched(pool)
            assert (exploration.analysis, exploration.nodes) == before
            assert not exploration.is_complete
            assert unseen.state not in searches.log

    run(script)


def test_viewers_of_the_same_position_share_one_search() -> None:
    async def script() -> None:
        searches = Searches()
        async with pool_of(searches) as pool:
            state = positions(1)[0]
            one, two = (pool.exploration(GAME, state) for _ in range(2))
            assert one is two
            with pool.looking(one), pool.looking(two):
                await until(lambda: one.analysis is not None and bool(searches.log))
            assert (len(searches.first_looks), len(searches.log)) == (1, 1)

    run(script)


def test_newcomers_see_something_in_the_order_of_arrival_while_another_has_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_pool, "TURN_SECONDS", 3600.0)

    async def script() -> None:
        searches = Searches()
        async with pool_of(searches) as pool, AsyncExitStack() as looking:
            first, *others = (pool.exploration(GAME, state) for state in positions(200))
            looking.enter_context(pool.looking(first))
            await until(lambda: bool(searches.log))
            for each in reversed(others):
                looking.enter_context(pool.looking(each))
            assert [pool.place(each) for each in reversed(others)] == [*range(1, 200)]
            look = engine_update(pool, others[0], others[0].state, "en", flipped=False)
            assert look.parts["engine"] == "number 199 in the queue"
            await until(lambda: all(each.analysis is not None for each in others))
            assert searches.first_looks == [first.state, *(each.state for each in reversed(others))]
            assert searches.log == [first.state]  # Nobody interrupted it.
            assert sorted(map(pool.place, others)) == [*range(1, 200)]

    run(script)


def test_a_turn_ends_only_after_something_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "TURN_SECONDS", 0.0)

    async def script() -> None:
        searches = Searches()
        searches.first_depth, searches.silences = 0, 10  # The first look was too short.
        async with pool_of(searches) as pool, AsyncExitStack() as looking:
            explorations = [pool.exploration(GAME, state) for state in positions(3)]
            for each in explorations:
                looking.enter_context(pool.looking(each))
            await until(lambda: len(searches.log) >= 4)
            assert searches.log[:3] == [each.state for each in explorations]
            assert [each.win_probability for each in explorations] == [0.25, 0.25, 0.25]

    run(script)


def test_a_viewer_who_left_before_a_result_comes_back_as_a_new_one() -> None:
    async def script() -> None:
        searches = Searches()
        searches.first_depth, searches.silences = 0, 1_000_000
        async with pool_of(searches) as pool:
            exploration = pool.exploration(GAME, positions(1)[0])
            with pool.looking(exploration):
                await until(lambda: bool(searches.log))
            await until(lambda: not exploration.is_running)
            assert exploration.analysis is None  # Any legal move is no analysis.
            searches.silences = 0
            with pool.looking(exploration):
                await until(lambda: exploration.analysis is not None)

    run(script)


def test_every_viewer_gets_the_same_share_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "TURN_SECONDS", 0.01)

    async def script() -> None:
        searches = Searches()
        searches.turns_may_begin.clear()
        monkeypatch.setattr(engine_pool, "time", SimpleNamespace(monotonic=lambda: searches.clock))
        async with pool_of(searches) as pool, AsyncExitStack() as looking:
            explorations = [pool.exploration(GAME, state) for state in positions(20)]
            for each in explorations:
                looking.enter_context(pool.looking(each))
            await until(lambda: all(each.analysis is not None for each in explorations))
            searches.turns_may_begin.set()
            await until(lambda: len(searches.log) >= 60)
            turns = [searches.log[:60].count(each.state) for each in explorations]
            assert turns == [3] * 20

    run(script)


def test_a_search_that_has_found_all_there_is_leaves_the_engine_to_others() -> None:
    async def script() -> None:
        searches = Searches()
        searches.depths = 4
        async with pool_of(searches) as pool:
            exploration = pool.exploration(GAME, positions(1)[0])
            with pool.looking(exploration):
                await until(lambda: exploration.is_complete)
                assert pool.place(exploration) == 0
            with pool.looking(exploration):  # Whoever comes back sees it at once, and nothing is searched again.
                await another_is_searched(pool)
            assert searches.log.count(exploration.state) == 1

    run(script)


def test_a_position_at_which_the_engine_fails_blocks_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def script() -> None:
        searches = Searches()
        bad, good = positions(2)

        class Broken(Searches):
            def search(self, game: Any) -> Any:
                if not self.log:
                    self.log.append(None)
                    raise RuntimeError("broken")
                return searches.search(game)

        async with pool_of(Broken()) as pool:
            first, second = pool.exploration(GAME, bad), pool.exploration(GAME, good)
            with pool.looking(first), pool.looking(second):
                await until(lambda: second.analysis is not None)
                assert first.has_failed

    run(script)
    assert "the engine failed at" in caplog.text


def test_a_viewer_in_the_queue_sees_their_place_and_nothing_is_drawn() -> None:
    async def script() -> None:
        async with pool_of(Searches()) as pool:
            first, second, third = (pool.exploration(GAME, state) for state in positions(3))
            with pool.looking(first), pool.looking(second), pool.looking(third):
                look = engine_update(pool, third, third.state, "en", flipped=False)
                assert look.parts["engine"] == "number 3 in the queue"
                assert "board" not in look.parts
                await until(lambda: first.analysis is not None)
                look = engine_update(pool, first, first.state, "en", flipped=False)
                assert "depth" in look.parts["engine"]
                again = engine_update(pool, first, first.state, "en", flipped=False)
                assert look.parts["engine"] != again.parts["engine"] or again.parts["board"] is look.parts["board"]

    run(script)
