"""What the pages behind the log-in share: the contest, its workshop, failed log-ins, notes for the next page."""

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
from spielleiter.web.jobs import BackgroundJobs
from spielleiter.web.season.live_season import LiveSeason

_MOST_NOTES = 500
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the next page tells once: what was done, what did not work, or a link."""

    text: Text
    good: bool = True
    link: str = ""


@dataclass(slots=True, eq=False)
class ContestApp:
    """Everything that a page behind the log-in needs to answer."""

    contest: Contest
    public: str = ""
    """The address under which the pages are known outside, like https://contest.example; empty: as the browser says."""
    attempts: Attempts = field(default_factory=Attempts)
    jobs: BackgroundJobs = field(init=False)
    season: LiveSeason = field(init=False)
    """The pages that everybody may read."""
    _hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Each password that is tried takes 64 MiB for a moment."""
    _notes: OrderedDict[str, list[Note]] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.jobs = BackgroundJobs(self.contest)
        self.season = LiveSeason(self.contest)

    async def close(self) -> None:
        """End everything that still runs."""
        await self.jobs.close()

    async def ask(self, question: Callable[[], _T]) -> _T:
        """What the store, or a slow calculation, answers; the other pages go on meanwhile."""
        return await run_in_threadpool(question)

    async def ask_hashing(self, question: Callable[[], _T]) -> _T:
        """As ``ask``, for what has to do with passwords."""
        async with self._hashing:
            return await self.ask(question)

    def wait(self, name: str, address: str) -> float:
        """The seconds until somebody may try a password again; 0.0 counts as a try."""
        return self.attempts.wait(name, address, time.monotonic())

    # --- notes --------------------------------------------------------------------------------------------------------

    def note(self, browser: str, note: Note) -> None:
        """Keep a note for the next page of this browser."""
        self._notes.setdefault(browser, []).append(note)
        self._notes.move_to_end(browser)
        while len(self._notes) > _MOST_NOTES:
            self._notes.popitem(last=False)

    def notes(self, browser: str) -> list[Note]:
        """The notes for this browser; they are told once."""
        return self._notes.pop(browser, [])


def contestapp_of(request: Request) -> ContestApp:
    """The office behind a request; only pages of a contest ask for it."""
    office: ContestApp = request.app.state.office
    return office
