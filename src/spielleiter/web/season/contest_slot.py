"""Where the pages keep their contest: open from the start, or created by the host while they are served."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.file import create_season_file
from spielleiter.web.season.contest_app import ContestApp
from spielleiter.web.watch.sources import season_source
from spielleiter.web.web_app import WebApp


@dataclass(slots=True, eq=False)
class ContestSlot:
    """Make and close it in the event loop of the pages."""

    web_app: WebApp
    public_url: str = ""
    file: Path | None = None
    """A season file that does not exist yet: the host may create the season."""
    store: str | None = None
    """Where its store will be; ``None``: beside the file."""
    app: ContestApp | None = None
    """The contest, if there is one."""
    _created: Contest | None = None
    _creating: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def open(self, contest: Contest) -> None:
        """Serve a contest from now on."""
        app = ContestApp(contest, self.public_url)
        await asyncio.to_thread(contest.remember_pages, self.web_app.base_url or self.web_app.own_url)
        self.web_app.follow(season_source(app.season))
        self.web_app.library.extra_source = app.season.record
        if self.web_app.base_url:  # A season that is public needs no key.
            self.web_app.phone_url = f"{self.web_app.base_url}/phone"
        self.app, self.file = app, None
        app.jobs.friendly.resume()

    async def create(self, text: str, *, who: str) -> Contest:
        """Write the season file, create the season, and serve it. Raises ``ContestError``, and then nothing is left."""
        async with self._creating:
            path = self.file
            if path is None:
                assert self.app is not None
                return self.app.contest

            def create() -> Contest:
                create_season_file(path, text)
                try:
                    return Contest.open(path, self.store, who=who)
                except BaseException:
                    path.unlink(missing_ok=True)
                    raise

            self._created = await asyncio.to_thread(create)
            await self.open(self._created)
            return self._created

    async def close(self) -> None:
        """End everything that the contest does."""
        if self.app is not None:
            await self.app.close()

    def close_store(self) -> None:
        """Close the store of a season that was created here."""
        if self._created is not None:
            self._created.close()
