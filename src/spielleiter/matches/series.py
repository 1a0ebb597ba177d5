"""Plays games as long as there are some: the loop under a contest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import ParamSpec, Protocol, TypeVar

from spielleiter.feeds import Feed
from spielleiter.matches.executor import Executor
from spielleiter.matches.tasks import FinishedGame, GameTask

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Series(Protocol):
    """Gives out games and takes their results."""

    def next_game(self) -> GameTask | None:
        """The next game; ``None`` if there is none now, but maybe later."""

    def record(self, task: GameTask, finished: FinishedGame) -> None:
        """A game has ended."""

    @property
    def exhausted(self) -> bool:
        """Whether no game will come any more."""


async def in_thread(work: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Do blocking work of the source of games in a thread, so that no running game waits for it."""
    return await asyncio.to_thread(work, *args, **kwargs)


async def play_on_feed(executor: Executor, task: GameTask, feed: Feed | None) -> FinishedGame:
    """Play a game; if there is a feed, spectators can follow it there."""
    if feed is None:
        return await executor.play(task)
    try:
        return await executor.play(task, partial(feed.write, task.id))
    finally:
        feed.drop(task.id)


async def play_series(
    series: Series,
    executor: Executor,
    *,
    feed: Feed | None = None,
    patience: float = 0.5,
    thread: ThreadPoolExecutor | None = None,
) -> None:
    """Play everything that ``series`` gives; if there is a ``feed``, spectators can follow it there.

    Cancelled at any time, what was recorded by then stays. With nothing to do it asks again after ``patience`` seconds.
    With a ``thread`` the series is asked there, so that it does not block what else runs in this event loop.
    """

    async def ask(question: Callable[[], _T]) -> _T:
        return question() if thread is None else await asyncio.get_running_loop().run_in_executor(thread, question)

    running: dict[asyncio.Task[FinishedGame], GameTask] = {}
    try:
        while True:
            while len(running) < executor.slots and (task := await ask(series.next_game)) is not None:
                running[asyncio.create_task(play_on_feed(executor, task, feed))] = task
            if not running:
                if series.exhausted:
                    return
                await asyncio.sleep(patience)
                continue
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for ended in done:
                await ask(partial(series.record, running.pop(ended), ended.result()))
    finally:
        for unfinished in running:
            unfinished.cancel()
        for unfinished in running:
            with suppress(asyncio.CancelledError, Exception):
                await unfinished
