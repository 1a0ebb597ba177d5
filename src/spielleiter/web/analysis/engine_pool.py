"""The engine for all viewers of positions: a bounded pool, with fair turns.

Laws:

* Viewers of the same position share one exploration; one without viewers is not searched.
* A position gets a first look in the order of arrival, in a thread of its own: a few thousand nodes, less work than the
  page about it. So a hundred newcomers see something within seconds, and interrupt no search.
* Then they take turns: next is always the exploration that has had the least of the engine's time. A turn ends only
  after something was found, however busy the machine is; with an empty queue, a search just goes on.
* No visitor is refused: the queue is as long as there are visitors, and each sees their place in it.
* The engine's threads have a low priority, and turns the lowest: players and clocks come first.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import Any

from spielleiter.analysis import Analyst, outcome_probability
from spielleiter.feeds.channel import Channel
from spielleiter.game import AnyGame, Team
from spielleiter.search import Budget
from spielleiter.search.engine import Analysis

log = logging.getLogger("spielleiter.web")

LINES = 3
FIRST_NODES = 3000
"""Nodes of the first look at a position: a few milliseconds, wherever it runs."""
TURN_SECONDS = 1.0
"""Seconds of a turn, after which others who wait are next."""
MAX_SECONDS = 60.0
"""Seconds of the engine for one position: what it does not find then it would find in hours."""
_ANNOUNCE_SECONDS = 0.005
"""Between two messages about the places in the queue, for each who waits: a longer queue costs no more."""
_MIN_ANNOUNCE_SECONDS = 0.5
_MAX_EXPLORATIONS = 300
"""Explorations that are kept, besides those with viewers."""
_MEBIBYTES = 64
_NICENESS = 19
_NICENESS_OF_FIRST_LOOKS = 5
"""At 19 a waking thread would wait a tenth of a second each time on a busy machine."""


def be_nice(niceness: int | None = None) -> None:
    """Leave the processor to players and clocks; on Linux every thread has a priority of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS if niceness is None else niceness)


class Exploration:
    """A position that the engine looks at, as far as it has come."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game = game
        self.state = state
        self.channel = Channel()
        self.viewers = 0
        self.analysis: Analysis[Any] | None = None
        """The deepest result so far."""
        self.seconds = 0.0
        """Seconds of the engine, in turns."""
        self.is_running = False
        self.had_first_look = False
        self.arrival = 0
        """When its first viewer came, in the order of all."""
        self.is_complete = state.outcome is not None
        """Whether there is nothing more to find, or the time is used up."""
        self.has_failed = False
        self.drawn: dict[Hashable, tuple[Analysis[Any] | None, dict[str, str]]] = {}
        """What pages have drawn of it, by their way of looking, and of which result."""
        self._nodes = 0
        self._nodes_before = 0

    @property
    def nodes(self) -> int:
        """Positions visited, in all turns."""
        return self._nodes_before + self._nodes

    @property
    def win_probability(self) -> float | None:
        """The chance of ONE; ``None`` where it is not known yet."""
        if self.state.outcome is not None:
            return outcome_probability(self.state.outcome)
        if self.analysis is None:
            return None
        chance = self.analysis.win_probability
        return None if chance is None else chance if self.state.to_move is Team.ONE else 1 - chance

    @property
    def wants_turn(self) -> bool:
        """Whether a viewer waits for the engine to look here."""
        return self.viewers > 0 and not (self.is_running or self.is_complete or self.has_failed)

    def take(self, found: Analysis[Any]) -> None:
        """The engine has found something, in a turn that may have begun anew at a lesser depth."""
        self._nodes = found.nodes
        if not found.has_value:  # Any legal move: the turn ended before the engine had looked at one.
            return
        if self.analysis is None or found.depth >= self.analysis.depth:
            self.analysis = found
        self.channel.publish()

    def end_turn(self) -> None:
        """The next result counts its positions anew."""
        self.is_running = False
        self._nodes_before, self._nodes = self.nodes, 0
        self.channel.publish()


class EnginePool:
    """Lets a few threads search for all who look."""

    def __init__(self, workers: int | None = None) -> None:
        """``workers`` is the number of threads; by default one for every two processors."""
        workers = workers or max(1, (os.cpu_count() or 1) // 2)
        self._analyst = Analyst(_MEBIBYTES)
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="exploration", initializer=be_nice)
        self._first_looks = ThreadPoolExecutor(
            1, thread_name_prefix="first look", initializer=be_nice, initargs=(_NICENESS_OF_FIRST_LOOKS,)
        )
        self._explorations: OrderedDict[str, Exploration] = OrderedDict()
        self._arrivals = count()
        self._newcomers: list[Exploration] = []
        """Explorations that wait for their first look, in the order of arrival."""
        self._waiting: list[Exploration] = []
        """Explorations that wait for a turn, the next first."""
        self._places: dict[Exploration, int] = {}
        self._is_closed = False
        self._announced = 0.0
        self._change = asyncio.Event()
        self._workers = [
            asyncio.create_task(self._work(lambda: self._newcomers, self._look_first)),
            *(asyncio.create_task(self._work(lambda: self._waiting, self._give_turn)) for _ in range(workers)),
        ]

    def close(self) -> None:
        """Search no more, and end all streams."""
        self._is_closed = True
        for worker in self._workers:
            worker.cancel()
        for executor in (self._executor, self._first_looks):
            executor.shutdown(wait=False, cancel_futures=True)
        for exploration in self._explorations.values():
            exploration.channel.close()

    def exploration(self, game: AnyGame, state: Any) -> Exploration:
        """The exploration of a position, known or new; it is searched while a viewer is ``looking`` at it."""
        key = game.notation.format_state(state)
        found = self._explorations.setdefault(key, Exploration(game, state))
        self._explorations.move_to_end(key)
        while len(self._explorations) > _MAX_EXPLORATIONS:
            oldest = next((key for key, each in self._explorations.items() if not each.viewers), key)
            if oldest == key:
                break
            del self._explorations[oldest]
        return found

    @contextmanager
    def looking(self, exploration: Exploration) -> Iterator[None]:
        """The position has a viewer while the block runs."""
        if not exploration.viewers:
            exploration.arrival = next(self._arrivals)
        exploration.viewers += 1
        exploration.has_failed = exploration.has_failed and exploration.viewers > 1  # A new viewer tries again.
        self._on_change()
        try:
            yield
        finally:
            exploration.viewers -= 1
            self._on_change()

    def place(self, exploration: Exploration) -> int:
        """How many are before this one in the queue, plus one; 0 if it has its turn or needs none."""
        return self._places.get(exploration, 0)

    def _on_change(self) -> None:
        waiting = [each for each in self._explorations.values() if each.wants_turn]
        self._newcomers = sorted((each for each in waiting if not each.had_first_look), key=lambda each: each.arrival)
        self._waiting = sorted(
            (each for each in waiting if each.had_first_look),
            key=lambda each: (each.analysis is not None, each.seconds, each.arrival),
        )
        self._places = {
            each: place for queue in (self._newcomers, self._waiting) for place, each in enumerate(queue, 1)
        }
        if waiting:
            self._change.set()
        pause = max(_MIN_ANNOUNCE_SECONDS, _ANNOUNCE_SECONDS * len(waiting))
        if (now := time.monotonic()) - self._announced >= pause:
            self._announced = now
            for each in waiting:
                each.channel.publish()

    async def _work(
        self, queue: Callable[[], list[Exploration]], search: Callable[[Exploration], Awaitable[bool]]
    ) -> None:
        while True:
            if waiting := queue():
                await self._serve(waiting[0], search)
            else:
                self._change.clear()
                await self._change.wait()

    async def _serve(self, exploration: Exploration, search: Callable[[Exploration], Awaitable[bool]]) -> None:
        exploration.is_running = True
        self._on_change()
        try:
            exploration.is_complete = await search(exploration)
        except Exception:  # Whatever it was: those who look at other positions must have their turns.
            log.exception("the engine failed at %s", exploration.game.notation.format_state(exploration.state))
            exploration.has_failed = True
        exploration.end_turn()
        self._on_change()

    async def _look_first(self, exploration: Exploration) -> bool:
        """Look briefly; whether there is nothing more to find is not known then."""
        exploration.had_first_look = True
        look = self._search(exploration, Budget(nodes=FIRST_NODES))
        exploration.take(await asyncio.get_running_loop().run_in_executor(self._first_looks, look))
        return False

    async def _give_turn(self, exploration: Exploration) -> bool:
        """Search until others are next; whether there is nothing more to find, or the time is used up."""
        loop, begun = asyncio.get_running_loop(), time.monotonic()
        was_stopped, has_found = False, exploration.analysis is not None

        def watch(news: Analysis[Any] | None) -> bool:  # In the thread of the search.
            nonlocal was_stopped, has_found
            if news is not None:
                has_found = True
                loop.call_soon_threadsafe(exploration.take, news)
            is_over = has_found and bool(self._waiting) and time.monotonic() - begun >= TURN_SECONDS
            was_stopped = is_over or self._is_closed or not exploration.viewers
            return was_stopped

        look = self._search(exploration, Budget(seconds=MAX_SECONDS - exploration.seconds), watch)
        exploration.take(await loop.run_in_executor(self._executor, look))
        exploration.seconds += time.monotonic() - begun
        return not was_stopped or exploration.seconds >= MAX_SECONDS

    def _search(
        self, exploration: Exploration, budget: Budget, watch: Callable[[Analysis[Any] | None], bool] | None = None
    ) -> Callable[[], Analysis[Any]]:
        search = self._analyst.search(exploration.game).search
        return partial(search, exploration.state, budget, lines=LINES, watch=watch)
