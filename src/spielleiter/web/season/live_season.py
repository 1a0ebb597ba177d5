"""The season behind the live pages: read again when something has changed, rendered once for all visitors.

Everything here runs in threads: the game master's clocks tick in the loop of the same process.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import game_name, parse_game_name
from spielleiter.contest.store import (
    ActivationRow,
    AuditRow,
    EncounterRow,
    GameFilesRow,
    GameRow,
    LotRow,
    MatchdayRow,
    NewsRow,
    ProgramRow,
    SeasonRow,
)
from spielleiter.errors import RecordError, StoreError
from spielleiter.game import Language
from spielleiter.pages import pictures
from spielleiter.pages.season import cards, feeds
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.web.rendering import asset

log = logging.getLogger("spielleiter.web")
_T = TypeVar("_T")

_MIN_AGE = 1.0
"""Seconds for which the store is not asked again."""
_AGE_PER_READ = 8.0
"""In multiples of the time that reading took: a season of a hundred thousand games is read less often."""
_MAX_RENDERED = 400
RECORD_PREFIX = "season-"
"""Of the keys of recorded games of the season; everybody may open these."""
_LIVE_EVENTS = "/season/live/events"
_LIVE_KINDS = ("index", "day", "encounter", "bracket")
"""The pages that show running games."""
_KEY = re.compile(re.escape(RECORD_PREFIX) + r"([0-9]{1,9})")


class LiveLinks:
    """Addresses of the live pages."""

    layout = "live.html"
    login = "/contest"
    calendar = "/season/calendar.ics"

    def __init__(self) -> None:
        self.script = asset("season.js")

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
    """The season at one moment, with the pages that somebody has asked for."""

    version: str
    pages: Pages
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

    def current(self) -> CachedPages:
        """The season as it is, or was a moment ago. Raises ``StoreError``."""
        known = self._cached
        if known is not None and time.monotonic() - known.read < max(_MIN_AGE, _AGE_PER_READ * known.took):
            return known
        with self._reading:  # Callers that wait here find it read.
            known, began = self._cached, time.monotonic()
            if known is not None and began - known.read < max(_MIN_AGE, _AGE_PER_READ * known.took):
                return known
            with self.contest.store.reading() as session:
                version = _version(session)
                if known is not None and known.version == version:
                    known.read = began
                    return known
                snapshot = read_snapshot(session, self.contest.season)
            self._cached = CachedPages(version, Pages(snapshot), began, time.monotonic() - began)
            return self._cached

    def forget(self) -> None:
        """Ask the store again at the next look, however fresh the season is."""
        if self._cached is not None:
            self._cached.read = -self._cached.took * _AGE_PER_READ - _MIN_AGE

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
            with self.contest.store.reading() as session:
                context = pages.encounter(known.id, read_games(session, (known.id,)))
        else:
            context = pages.context(kind, id_)
        around = {
            "path": address,
            "here": address,
            "now": "0",
            "has_contest": True,
            "is_guest": is_guest,
            "live_events": _LIVE_EVENTS if kind in _LIVE_KINDS else "",
            "preview": self.preview(f"{address}.png", address) if kind == "team" else None,
        }
        renderer = SeasonRenderer(pages.snapshot, self._links, language, around)
        return renderer.page(kind, id_, **context)

    # --- for other programs and pages ---------------------------------------------------------------------------------

    def preview(self, picture: str, address: str) -> dict[str, str] | None:
        """Where the picture of a shared link is; ``None`` if nobody knows how others reach these pages."""
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
        with self.contest.store.reading() as session:
            encounter = session.scalar(select(GameRow.encounter_id).where(GameRow.id == id_))
            games = () if encounter is None else read_games(session, (encounter,))
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
        parts = parse_game_name(name)
        if parts is None:
            return None
        wanted = select(GameRow.id).join(EncounterRow, EncounterRow.id == GameRow.encounter_id)
        wanted = wanted.where(EncounterRow.key == parts.encounter, GameRow.number == parts.number)
        wanted = wanted.where(GameRow.attempt == (parts.attempt or 1))
        with self.contest.store.reading() as session:
            id_ = session.scalar(wanted)
        return None if id_ is None else self._links.page("game", id_)

    def record(self, key: str) -> tuple[bytes, str, str] | None:
        """The record of a game by its key, its name, and the page of its encounter; ``None`` if there is none.

        Raises ``RecordError`` if it cannot be read.
        """
        found = _KEY.fullmatch(key)
        if found is None:
            return None
        wanted = select(GameFilesRow.record, GameRow.number, GameRow.attempt, EncounterRow.key, EncounterRow.id)
        wanted = wanted.join(GameRow, GameRow.id == GameFilesRow.game_id).join(
            EncounterRow, EncounterRow.id == GameRow.encounter_id
        )
        try:
            with self.contest.store.reading() as session:
                row = session.execute(wanted.where(GameFilesRow.game_id == int(found[1]))).first()
            if row is None or not row.record:
                return None
            data = zlib.decompress(row.record)
        except (StoreError, zlib.error) as problem:
            log.warning("the record %s cannot be read: %s", key, problem)
            raise RecordError(
                "Der Speicher der Saison gibt die Aufzeichnung nicht her.",
                "the store of the season does not return the record",
            ) from problem
        return data, game_name(row.key, row.number, row.attempt), self._links.page("encounter", row.id)


def _version(session: Session) -> str:
    """A name for the present state of the season: another one as soon as a page could look otherwise."""
    newest = [
        select(func.max(table.id))
        for table in (GameRow, EncounterRow, AuditRow, LotRow, NewsRow, ProgramRow, ActivationRow)
    ]
    days = select(func.count(MatchdayRow.opened) + func.count(MatchdayRow.finished))
    friendly = select(func.count(EncounterRow.finished)).where(EncounterRow.stage == Stage.FRIENDLY)
    paused = select(SeasonRow.paused).where(SeasonRow.id == 1)
    row = session.execute(select(*(one.scalar_subquery() for one in (*newest, days, friendly, paused)))).one()
    return "-".join("" if value is None else str(int(value)) for value in row)
