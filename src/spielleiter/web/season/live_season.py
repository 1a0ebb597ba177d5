"""The season behind the live pages: read anew when something has changed, drawn once for all who look.

Everything here runs in threads: the game master's clocks tick in the loop of the same process.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import zlib
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import game_name
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
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.web.rendering import asset

log = logging.getLogger("spielleiter.web")

_FRESH = 1.0
"""Seconds for which nobody asks the store again."""
_SHARE = 8.0
"""Reading may take this part of the time at most: a season of a hundred thousand games is read less often."""
_MOST_DRAWN = 400
RECORD = "season-"
"""With what the keys of recorded games of the season begin; everybody may open these."""
_KEY = re.compile(re.escape(RECORD) + r"([0-9]{1,9})")


class LiveLinks:
    """Addresses of the live pages."""

    layout = "live.html"
    login = "/contest"

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

    stamp: str
    pages: Pages
    read: float
    """When the store was last asked."""
    took: float
    """The seconds that reading took."""
    drawn: dict[object, str] = field(default_factory=dict)


class LiveSeason:
    """The pages of a season that is being played."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self._links = LiveLinks()
        self._edition: CachedPages | None = None
        self._reading = threading.Lock()
        self._drawing = threading.Lock()

    def edition(self) -> CachedPages:
        """The season as it is, or was a moment ago. Raises ``StoreError``."""
        known = self._edition
        if known is not None and time.monotonic() - known.read < max(_FRESH, _SHARE * known.took):
            return known
        with self._reading:  # Whoever comes meanwhile finds it read.
            known, began = self._edition, time.monotonic()
            if known is not None and began - known.read < max(_FRESH, _SHARE * known.took):
                return known
            with self.contest.store.reading() as session:
                stamp = _stamp(session)
                if known is not None and known.stamp == stamp:
                    known.read = began
                    return known
                snapshot = read_snapshot(session, self.contest.season)
            self._edition = CachedPages(stamp, Pages(snapshot), began, time.monotonic() - began)
            return self._edition

    def forget(self) -> None:
        """Ask the store again at the next look, however fresh the season is."""
        if self._edition is not None:
            self._edition.read = -self._edition.took * _SHARE - _FRESH

    def page(self, kind: str, id_: int | str | None, language: Language, *, is_guest: bool) -> tuple[str, str]:
        """A page, and the name of its contents. Raises ``KeyError`` if there is none, or ``StoreError``."""
        edition = self.edition()
        key = (kind, id_, language, is_guest)
        if (drawn := edition.drawn.get(key)) is None:
            # One after the other: two at once take as long, and the clocks of the games need their share.
            with self._drawing:
                if key not in edition.drawn and len(edition.drawn) >= _MOST_DRAWN:
                    edition.drawn.clear()
                drawn = edition.drawn.get(key) or self._draw(edition, kind, id_, language, is_guest=is_guest)
                edition.drawn[key] = drawn
        return drawn, f"{edition.stamp}-{language}-{is_guest:d}"

    def _draw(
        self, edition: CachedPages, kind: str, id_: int | str | None, language: Language, *, is_guest: bool
    ) -> str:
        pages, address = edition.pages, self._links.page(kind, id_)
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
        }
        renderer = SeasonRenderer(pages.snapshot, self._links, language, around)
        return renderer.page(kind, id_, **context)

    # --- recorded games -----------------------------------------------------------------------------------------------

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
            raise RecordError("the store of the season does not give the record") from problem
        return data, game_name(row.key, row.number, row.attempt), self._links.page("encounter", row.id)


def _stamp(session: Session) -> str:
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
