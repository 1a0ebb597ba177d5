"""What all long work of a contest shares: one thread for its store, one executor for its games, and its tasks.

Games are played in the event loop of the pages: players are processes of their own, and what they send is judged by
the kernel's timestamps. Whatever blocks happens in threads. All claims on encounters are taken and released in the
one thread of ``in_worker``, as ``contest.store.claims`` demands.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, TypeVar

from spielleiter.contest.run import feeds
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import has_programs
from spielleiter.feeds import Feed, FeedServer
from spielleiter.feeds.channel import Channel
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.sandbox import Level, ResourceLimits, choose

_T = TypeVar("_T")


class Workers:
    """Make and close it in the event loop of the pages."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.channel = Channel()
        """Tells viewers what the season and friendly games do."""
        self.level: Level | None = None
        """The sandbox level of programs, as soon as it is known."""
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="contest")
        self._tasks: set[asyncio.Task[None]] = set()
        self._executor: LocalExecutor | None = None
        self._feed = Feed()
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run in the background, until it ends or the pages do."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def in_worker(self, call: Callable[[], _T]) -> _T:
        """The result of a call that blocks, made in the one thread that takes claims."""
        return await self._loop.run_in_executor(self._thread, call)

    def publish(self, channel: Channel) -> None:
        """Something has changed; any thread may say so."""
        with suppress(RuntimeError):  # The loop is closed: nobody watches any more.
            self._loop.call_soon_threadsafe(channel.publish)

    async def executor(self) -> LocalExecutor:
        """Where all games are played; opened by the first who plays. Raises ``SettingsError`` if no program can run."""
        async with self._opening:
            if self._executor is None:
                season = self.contest.season
                untrusted = await self.in_worker(lambda: has_programs(self.contest))
                self.level = (await choose(season.sandbox, untrusted=untrusted)).level
                limits = ResourceLimits(memory=season.memory * 1_000_000)
                settings = ArenaSettings(level=self.level, resource_limits=limits, private=(self.contest.folder,))
                self._executor = await self._stack.enter_async_context(LocalExecutor(settings))
                server = await self._stack.enter_async_context(FeedServer(self._feed))
                announced = feeds.announced(self.contest.store, server.address)
                await self.in_worker(announced.__enter__)
                self._stack.push_async_callback(self.in_worker, lambda: announced.__exit__(None, None, None))
        return self._executor

    @asynccontextmanager
    async def conductor(self, make: Callable[[], Conductor]) -> AsyncIterator[Conductor]:
        """A conductor whose claims are taken and released in the worker thread."""
        conductor = await self.in_worker(make)
        try:
            yield conductor
        finally:
            # A caller that is cancelled meanwhile must not drop the release.
            await asyncio.shield(self.in_worker(lambda: conductor.__exit__(None, None, None)))

    async def play(self, conductor: Conductor) -> None:
        """Play all that a conductor gives out."""
        await play_series(conductor, await self.executor(), feed=self._feed, thread=self._thread)

    async def close(self) -> None:
        """Stop everything; games that are being played will be played again another time."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._stack.aclose()
        await asyncio.to_thread(self._thread.shutdown)
