"""What all pages of a contest share: the contest, its background jobs, failed log-ins, notes for the next page."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from spielleiter.contest.accounts.attempts import Attempts
from spielleiter.contest.run.contest import Contest
from spielleiter.game import Text
from spielleiter.web.season.jobs import BackgroundJobs
from spielleiter.web.season.live_season import LiveSeason

_MAX_BROWSERS_WITH_NOTES = 500
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the next page says once: what was done, what did not work, or a link."""

    text: Text
    good: bool = True
    link: str = ""


@dataclass(slots=True, eq=False)
class ContestApp:
    """Everything that a page of a contest needs to answer. Make and close it in the event loop of the pages."""

    contest: Contest
    public_url: str = ""
    """Where a reverse proxy serves the pages, like https://contest.example; empty: as the browser says."""
    attempts: Attempts = field(default_factory=Attempts)
    jobs: BackgroundJobs = field(init=False)
    season: LiveSeason = field(init=False)
    _hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Each password that is tried takes 64 MiB for a moment."""
    _notes: OrderedDict[str, list[Note]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.jobs = BackgroundJobs(self.contest)
        self.season = LiveSeason(self.contest, self.public_url)

    async def close(self) -> None:
        """End everything that still runs."""
        await self.jobs.close()

    async def in_thread(self, call: Callable[[], _T]) -> _T:
        """The result of a call that blocks, as those of the store do."""
        return await run_in_threadpool(call)

    async def hash_in_thread(self, call: Callable[[], _T]) -> _T:
        """Like ``in_thread``, for calls that hash a password."""
        async with self._hashing:
            return await self.in_thread(call)

    def try_acquire(self, name: str, address: str, device: str) -> float:
        """0.0 if a password may be tried now, which counts as a try; else the seconds until then."""
        return self.attempts.try_acquire(name, address, time.monotonic(), device)

    def add_note(self, browser: str, note: Note) -> None:
        """Remember a note for the next page of this browser."""
        self._notes.setdefault(browser, []).append(note)
        self._notes.move_to_end(browser)
        while len(self._notes) > _MAX_BROWSERS_WITH_NOTES:
            self._notes.popitem(last=False)

    def take_notes(self, browser: str) -> list[Note]:
        """The notes for this browser, once."""
        return self._notes.pop(browser, [])


def find_contest_app(request: Request) -> ContestApp | None:
    """The contest behind a request, if there is one."""
    app: ContestApp | None = request.app.state.contest_slot.app
    return app


def contest_app_of(request: Request) -> ContestApp:
    """The contest behind a request; only pages of a contest ask for it."""
    app = find_contest_app(request)
    assert app is not None
    return app
