"""The season behind the live pages: read again when something has changed, rendered once for all visitors.

Everything here runs in threads: the game master's clocks tick in the loop of the same process.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from spielleiter.contest.read.reader import reading, unpack, unreadable_record
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.errors import RecordError, StoreError
from spielleiter.feeds.channel import Channel
from spielleiter.game import Language
from spielleiter.pages import pictures
from spielleiter.pages.season import cards, feeds
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.web.rendering import asset
from spielleiter.web.season.workers import Workers

log = logging.getLogger("spielleiter.web")
_T = TypeVar("_T")

_MIN_AGE = 1.0
"""Seconds for which the store is not asked again."""
_AGE_PER_READ = 8.0
"""Age in multiples of the time that reading took: a season of a hundred thousand games is read less often."""
_MAX_RENDERED = 400
RECORD_PREFIX = "season-"
"""How the keys of the season's recorded games begin; everybody may open these."""
_EVENTS = "/season/events"
_WATCHED_SECONDS, _SECONDS_BETWEEN_LOOKS = 60.0, 3.0
"""How long a season is watched after its last visitor, and how often."""
_LIVE_KINDS = ("index", "day", "encounter", "bracket")
"""The pages that show running games."""
_KEY = re.compile(re.escape(RECORD_PREFIX) + r"([0-9]{1,9})")


class LiveLinks:
    """Addresses of the live pages."""

    layout = "live.html"
    login = "/contest"
    calendar = "/season/calendar.ics"

    def page(self, kind: str, id_: object = None) -> str:
        """The address of a page."""
        if kind == "index":
            return "/season"
        return f"/season/{kind}" if id_ is None else f"/season/{kind}/{id_}"

    def asset(self, name: str) -> str:
        """A static file; it never changes under this address."""
        return asset(name)

    def other_language(self, language: Language, kind: str, id_: object = None) -> str:
        """Where the language is changed; the layout of the live pages has its own link for that."""
        return f"/language/{language}"


@dataclass(slots=True, eq=False)
class CachedPages:
    """The season at one moment, with the pages that were requested."""

    version: str
    snapshot: SeasonSnapshot
    """The season with everything that organisers may see."""
    pages: Pages
    """For everybody."""
    read: float
    """When the store was last asked."""
    took: float
    """The seconds that reading took."""
    rendered: dict[object, Any] = field(default_factory=dict)


class LiveSeason:
    """The pages of a season that is being played."""

    def __init__(self, contest: Contest, public_url: str = "") -> None:
        self.contest = contest
        self.public_url = public_url.rstrip("/")
        self._links = LiveLinks()
        self._cached: CachedPages | None = None
        self._reading = threading.Lock()
        self._rendering = threading.Lock()
        self.channel = Channel()
        """Tells viewers that the season has changed."""
        self._seen = 0.0
        self._is_watched = False

    @property
    def version(self) -> str | None:
        """A name for the season as it was when it was last read."""
        return None if self._cached is None else self._cached.version

    def watched(self, workers: Workers, *channels: Channel) -> None:
        """Somebody has a page open: for the next minute ``channels`` learn of changes."""
        self._seen = time.monotonic()
        if not self._is_watched:
            self._is_watched = True
            workers.spawn(self._watch(channels))

    async def _watch(self, channels: Sequence[Channel]) -> None:
        published = self.version
        try:
            while time.monotonic() - self._seen < _WATCHED_SECONDS:
                with suppress(StoreError):  # The pages themselves say what is wrong.
                    await run_in_threadpool(self.current)
                if published != self.version:
                    published = self.version
                    for channel in channels:
                        channel.publish()
                await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        finally:
            self._is_watched = False

    def current(self, *, fresh: bool = False) -> CachedPages:
        """The season as it is, or was a moment ago; ``fresh``: as it is now. Raises ``StoreError``."""
        known = self._cached
        if known is not None and not fresh and _is_young(known):
            return known
        with self._reading:  # Callers that wait here find it read.
            known, began = self._cached, time.monotonic()
            if known is not None and not fresh and _is_young(known):
                return known
            with reading(self.contest) as reader:
                version = reader.version()
                if known is not None and known.version == version and not _is_due(known.snapshot):
                    known.read = began
                    return known
                snapshot = reader.snapshot()
            pages = Pages(snapshot.seen_by(None))
            self._cached = CachedPages(version, snapshot, pages, began, time.monotonic() - began)
            return self._cached

    def snapshot(self) -> SeasonSnapshot:
        """The season as it is now, all of it: ``seen_by`` says what others than organisers may see."""
        return self.current(fresh=True).snapshot

    def page(self, kind: str, id_: int | str | None, language: Language, *, is_guest: bool) -> tuple[str, str]:
        """A page, and the name of its contents. Raises ``KeyError`` if there is none, or ``StoreError``."""
        cached = self.current()
        html = self._once(
            cached,
            (kind, id_, language, is_guest),
            lambda: self._render(cached, kind, id_, language, is_guest=is_guest),
        )
        return html, f"{cached.version}-{language}-{is_guest:d}"

    def _once(self, cached: CachedPages, key: object, render: Callable[[], _T]) -> _T:
        """What ``render`` returns; it is called once for each moment of the season."""
        if key not in cached.rendered:
            # One after the other: two at once take as long, and the clocks of the games need their share.
            with self._rendering:
                if key not in cached.rendered:
                    if len(cached.rendered) >= _MAX_RENDERED:
                        cached.rendered.clear()
                    cached.rendered[key] = render()
        found: _T = cached.rendered[key]
        return found

    def _render(
        self, cached: CachedPages, kind: str, id_: int | str | None, language: Language, *, is_guest: bool
    ) -> str:
        pages, address = cached.pages, self._links.page(kind, id_)
        if kind == "encounter":
            assert isinstance(id_, int)
            known = pages.snapshot.by_id[id_]  # Before the store is asked for a number that it may not bear.
            with reading(self.contest) as reader:
                context = pages.encounter(known.id, reader.games((known.id,)))
        else:
            context = pages.context(kind, id_)
        around = {
            "path": address,
            "here": address,
            "now": "0",
            "has_contest": True,
            "has_class": False,
            "has_lab": False,
            "class_bar": None,
            "is_host": False,
            "is_guest": is_guest,
            "events": _EVENTS,
            "season_version": cached.version,
            "shows_games": kind in _LIVE_KINDS,
            "preview": self.preview(f"{address}.png", address) if kind == "team" else None,
        }
        renderer = SeasonRenderer(pages.snapshot, self._links, language, around)
        return renderer.page(kind, id_, **context)

    # --- for other programs and pages ---------------------------------------------------------------------------------

    def preview(self, picture: str, address: str) -> dict[str, str] | None:
        """Where the picture of a shared link is; ``None`` if the public address is unknown."""
        if not self.public_url:
            return None
        return {"image": self.public_url + picture, "url": self.public_url + address}

    def card(self, kind: str, id_: int, language: Language) -> bytes:
        """The PNG picture of a game or a team for shared links. Raises ``KeyError`` if there is none."""
        cached = self.current()
        return self._once(
            cached, ("card", kind, id_, language), lambda: pictures.rasterize(self._card(cached, kind, id_, language))
        )

    def _card(self, cached: CachedPages, kind: str, id_: int, language: Language) -> str:
        pages = cached.pages
        if kind == "team":
            return cards.team_card(pages.snapshot, pages.context("team", id_)["page"], language)
        with reading(self.contest) as reader:
            encounter = reader.encounter_of(id_)
            games = () if encounter is None else reader.games((encounter,))
        for game in games:
            if game.id == id_ and game.encounter in pages.snapshot.by_id:
                return cards.game_card(pages.snapshot, game, language)
        raise KeyError(id_)

    def feed(self, kind: str, base: str, language: Language) -> bytes:
        """The Atom feed of the news, or the calendar of the matchdays."""
        write = feeds.atom_feed if kind == "atom" else feeds.calendar
        return write(self.current().pages.snapshot, self.public_url or base, language)

    # --- recorded games -----------------------------------------------------------------------------------------------

    def record_address(self, name: str) -> str | None:
        """The page of a finished game by its name, as M3-A2-4; ``None`` if there is none. Raises ``StoreError``."""
        with reading(self.contest) as reader:
            id_ = reader.find_game(name)
        return None if id_ is None else self._links.page("game", id_)

    def notes(self, key: str, team: int) -> bytes:
        """What the player of a team noted in a game, by its key; nothing if it is not theirs."""
        found = _KEY.fullmatch(key)
        if found is None:
            return b""
        with reading(self.contest) as reader:
            return reader.notes(team, int(found[1]))

    def record(self, key: str) -> tuple[bytes, str, str] | None:
        """The record of a game by its key, its name, and the page of its encounter; ``None`` if there is none.

        Raises ``RecordError`` if it cannot be read.
        """
        found = _KEY.fullmatch(key)
        if found is None:
            return None
        id_ = int(found[1])
        try:
            with reading(self.contest) as reader:
                name, record = reader.game_name(id_), reader.records((id_,)).get(id_)
                encounter = reader.encounter_of(id_)
            if name is None or record is None:
                return None
            data = unpack(record)
        except (StoreError, RecordError) as problem:
            log.warning("the record %s cannot be read: %s", key, problem)
            raise unreadable_record() from problem
        return data, name, self._links.page("encounter", encounter)


def _is_young(known: CachedPages) -> bool:
    return time.monotonic() - known.read < max(_MIN_AGE, _AGE_PER_READ * known.took)


def _is_due(snapshot: SeasonSnapshot) -> bool:
    """Whether the date has come for which the season waited."""
    return snapshot.state.date is not None and snapshot.state.date <= datetime.now(UTC)
