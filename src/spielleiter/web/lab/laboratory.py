"""Plays the tests of a queue one after the other, by the code of ``match``, and says what their games show.

Laws: a test is a match in its folder, so what was played is never played again, whatever stops this process. Nothing
that goes wrong in one test keeps the next from being played.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from spielleiter.errors import READ, RecordError, SettingsError, SpielleiterError, refusing
from spielleiter.feeds import Feed, FeedServer
from spielleiter.feeds.channel import Channel
from spielleiter.game import Text
from spielleiter.lab.findings import Findings, make_findings, read_findings
from spielleiter.lab.match_ratings import MatchRatings, rate_matches
from spielleiter.lab.queue import LabQueue, QueuedTest, QueueState, WantedTest, problem_text
from spielleiter.matches.executor import Executor
from spielleiter.matches.match import Match, Stop
from spielleiter.matches.plan import FEED, RESULTS, claim_folder
from spielleiter.matches.play_settings import PlaySettings, open_executor
from spielleiter.matches.summary import Summary
from spielleiter.text import NO_TEXT

log = logging.getLogger("spielleiter.web")

_POLL_SECONDS = 1.0
"""How often tests that were submitted on the command line are looked for."""
_MAX_SHARE = 0.05
"""The share of the time in which a running test may be summed up anew for its viewers."""
_MIN_PAUSE = 0.25
_PACE_GAMES = 4
"""Number of games that show how quick a test is."""
_MAX_KNOWN = 4
"""Tests whose games are remembered after they were shown."""
_INTERNAL_ERROR = Text(
    "Bei uns ging etwas schief; die Einzelheiten stehen im Terminal.",
    "Something went wrong on our side; the details are in the terminal.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSettings:
    """What can be chosen about a laboratory."""

    folder: Path
    play: PlaySettings = field(default_factory=PlaySettings)
    """Where games are played; each test says itself how many at once."""


def open_queue(settings: LabSettings) -> LabQueue:
    """The queue of a laboratory, for this process to play. Raises ``SettingsError`` if another one does."""
    queue = LabQueue(settings.folder)
    queue.claim()
    return queue


class Laboratory:
    """Make and close it in the event loop of the pages. ``channel`` tells of every change."""

    def __init__(self, settings: LabSettings, queue: LabQueue, follow: Callable[[Path], Awaitable[None]]) -> None:
        """``follow`` lets the pages show the games of the match in a folder; the caller closes the ``queue``."""
        self.settings = settings
        self.channel = Channel()
        self._follow = follow
        self.queue = queue
        self._worker: asyncio.Task[None] | None = None
        self._playing: tuple[int, asyncio.Task[None]] | None = None
        self._match: Match | None = None
        self._began = (0.0, 0)
        """When it began to be played, on the monotonic clock, and how many games it had then."""
        self._executor: Executor | None = None
        self._changed = asyncio.Event()
        self._known: OrderedDict[int, tuple[int, Findings]] = OrderedDict()
        """What was found out of some tests, and the size of their results then."""
        self._summaries: dict[int, tuple[int, Summary]] = {}
        """The same of all that were shown, without their games."""
        self._ratings: OrderedDict[tuple[tuple[int, int], ...], MatchRatings | None] = OrderedDict()
        """What several tests say together, by their numbers and the sizes of their results."""
        self._reading = threading.Lock()
        self._next = 0.0
        """When the running test may be summed up again, on the monotonic clock."""
        self._soon: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to play."""
        self._worker = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Stop playing; the test goes on when the laboratory is opened again."""
        if self._worker is not None:
            self._worker.cancel()
            with suppress(asyncio.CancelledError):
                await self._worker
        if self._soon is not None:
            self._soon.cancel()
        self.channel.close()

    @property
    def running(self) -> int | None:
        """The number of the test that is being played."""
        return None if self._playing is None else self._playing[0]

    # --- playing ------------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while True:
            self._look_for_new()
            if not (waiting := self.queue.waiting()):
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL_SECONDS):
                        await self._changed.wait()
                self._changed.clear()
                continue
            number = waiting[0].number
            task = asyncio.create_task(self._play(number))
            self._playing = (number, task)
            self.channel.publish()
            try:
                await self._look_while(task)
            finally:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                self._playing = self._match = self._executor = None
                self.channel.publish()

    async def _look_while(self, task: asyncio.Task[None]) -> None:
        """Notice what is submitted meanwhile."""
        while not task.done():
            await asyncio.wait([task], timeout=_POLL_SECONDS)
            self._look_for_new()

    def _look_for_new(self) -> None:
        try:
            if self.queue.refresh():
                self.channel.publish()
        except SettingsError as problem:
            log.error("%s", problem)

    async def _play(self, number: int) -> None:
        """Play what is missing of a test, and write down how it ended."""
        state, problem = QueueState.FAILED, NO_TEXT
        try:
            state, problem = await self._play_match(number)
        except asyncio.CancelledError:
            raise
        except SpielleiterError as error:
            log.error("test %s has stopped: %s", number, error)
            problem = problem_text(error)
        except Exception as error:  # Whatever it was, the next test must be played.
            log.error("test %s has stopped", number, exc_info=error)
            problem = _INTERNAL_ERROR
        self._end(number, state, problem)

    async def _play_match(self, number: int) -> tuple[QueueState, Text]:
        folder, test = self.queue.match_folder(number), self.queue.get(number)
        assert test is not None
        plan = await asyncio.to_thread(self.queue.plan, number)
        claim_folder(folder, plan, resume=True)
        settings = replace(self.settings.play, concurrency=test.concurrency, cores=test.cores)
        settings.check(plan)
        executor = await open_executor(
            plan.entrants,
            settings,
            in_process=plan.in_process,
            adapt=lambda arena: replace(arena, private=(self.settings.folder,)),
        )
        async with AsyncExitStack() as stack:
            self._executor = await stack.enter_async_context(executor)
            feed = None
            if not plan.in_process:  # Such games are over before anybody could look.
                feed = Feed()
                server = await stack.enter_async_context(FeedServer(feed))
                stack.enter_context(server.address.written_to(folder / FEED))
                await self._follow(folder)
            match = self._match = await asyncio.to_thread(
                lambda: Match(plan, folder, executor, feed=feed, on_row=lambda row: self._row())
            )
            self._began = time.monotonic(), len(match.rows)
            self.channel.publish()
            end = await match.run()
        if end.stop is Stop.NO_START:
            return QueueState.FAILED, end.reason
        return QueueState.FINISHED, NO_TEXT

    def _end(self, number: int, state: QueueState, problem: Text) -> None:
        try:
            self.queue.end(number, state, problem)
        except SettingsError as refused:  # A full disk: it is known until this process ends, and then it is resumed.
            log.error("%s", refused)

    def _row(self) -> None:
        """A game has ended: tell the viewers, but not so often that it costs the players time."""
        if self._soon is None:
            pause = max(_MIN_PAUSE, self._next - time.monotonic())
            self._soon = asyncio.get_running_loop().call_later(pause, self._publish)

    def _publish(self) -> None:
        self._soon = None
        self.channel.publish()

    # --- what the host does -------------------------------------------------------------------------------------------

    async def submit(self, wanted: WantedTest) -> int:
        """Put a test at the end of the queue: its number. Raises ``Refused`` with what is wrong."""

        def work() -> int:
            # A queue of its own, as on the command line: this one belongs to the event loop.
            return LabQueue(self.settings.folder).submit(wanted, self.settings.play).number

        number = await asyncio.to_thread(work)
        self._look_for_new()
        self._changed.set()
        return number

    async def stop(self, number: int) -> None:
        """Stop a test that is played or waits; what was played counts. Raises ``SettingsError`` on a full disk."""
        test = self.queue.get(number)
        if test is None or test.state is not QueueState.WAITING:
            return
        playing = self._playing
        try:
            self.queue.end(number, QueueState.STOPPED)
        finally:
            if playing is not None and playing[0] == number:
                playing[1].cancel()
                await asyncio.wait([playing[1]])
            self.channel.publish()

    def resume(self, number: int) -> None:
        """Let a test that was stopped or has failed wait for its turn again. Raises ``SettingsError``."""
        test = self.queue.get(number)
        if test is not None and test.state in (QueueState.STOPPED, QueueState.FAILED):
            try:
                self.queue.resume(number)
            finally:
                self._changed.set()
                self.channel.publish()

    def move(self, number: int, *, up: bool) -> None:
        """Let a waiting test change places with its neighbour. Raises ``SettingsError`` on a full disk."""
        try:
            self.queue.move(number, up=up)
        finally:
            self.channel.publish()

    # --- what came of it ----------------------------------------------------------------------------------------------

    def findings(self, test: QueuedTest) -> Findings:
        """What the games of a test show; blocks. Raises ``SettingsError`` or ``RecordError`` if they cannot be read."""
        began = time.monotonic()
        match = self._match
        if match is not None and self.running == test.number:
            notices = () if self._executor is None else self._executor.notices
            found = make_findings(match.plan, match.rows, match.sprt_course, len(match.replaced), notices)
            self._next = time.monotonic() + (time.monotonic() - began) / _MAX_SHARE
            return found
        size = self._size(test)
        with self._reading:  # Pages are made in several threads.
            known = self._known.pop(test.number, None)
            if known is None or known[0] != size:
                known = size, read_findings(self.queue.match_folder(test.number))
            self._known[test.number] = known
            self._summaries[test.number] = size, known[1].summary
            while len(self._known) > _MAX_KNOWN:
                self._known.popitem(last=False)
            return known[1]

    def seconds_left(self, test: QueuedTest, summary: Summary) -> float | None:
        """About how much longer a test is played, at the pace of this session; ``None`` where nobody can say yet."""
        match = self._match
        if match is None or self.running != test.number:
            return None
        began, had = self._began
        played = len(match.rows) - had
        left = summary.games_left
        return None if played < _PACE_GAMES or left is None else left * (time.monotonic() - began) / played

    def summary(self, test: QueuedTest) -> Summary:
        """The same in short, which is remembered for all tests."""
        known = self._summaries.get(test.number)
        if known is not None and test.number != self.running and known[0] == self._size(test):
            return known[1]
        return self.findings(test).summary

    def ratings(self, tests: Sequence[QueuedTest]) -> MatchRatings | None:
        """The ratings by all games of these tests, remembered until one of them has more; ``None`` if none counts."""
        sizes = tuple((test.number, size) for test in tests if (size := self._size(test)))
        with self._reading:
            if sizes in self._ratings:
                self._ratings.move_to_end(sizes)
                return self._ratings[sizes]
            try:
                found = rate_matches([self.queue.match_folder(number) for number, _ in sizes])
            except SpielleiterError:  # Nothing counts yet.
                found = None
            self._ratings[sizes] = found
            while len(self._ratings) > _MAX_KNOWN:
                self._ratings.popitem(last=False)
            return found

    def _size(self, test: QueuedTest) -> int:
        path = self.queue.match_folder(test.number) / RESULTS
        with refusing(RecordError, path, READ):
            return path.stat().st_size if path.exists() else 0

    def tests_of(self, player: str) -> Sequence[QueuedTest]:
        """The tests in which a version of this player has played, the newest first."""
        return [test for test in self.queue.tests if player in test.players]
