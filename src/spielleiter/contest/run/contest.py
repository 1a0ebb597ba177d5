"""An open season: its file and its store."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.create import create_season, stored_season, take_changes
from spielleiter.contest.season.file import parse_season, read_text, write_season_file
from spielleiter.contest.season.model import Season
from spielleiter.contest.store import SeasonRow, Store
from spielleiter.contest.store.damage import damaged, find_damage
from spielleiter.errors import ContestError, NoSeason
from spielleiter.game import Ranking

_CORRUPTION_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What code raises when it reads a value that it never wrote."""


def os_user() -> str:
    """The user at this machine, for the audit log."""
    try:
        return getuser()
    except (KeyError, OSError):
        return "unknown"


@dataclass(slots=True, eq=False)
class Contest:
    """An open season: its values, its store, and the folder to which paths in its file are relative."""

    season: Season
    """Replaced when the season file is changed through ``change``."""
    store: Store
    folder: Path
    is_stored: bool = True
    """Whether the store is there for others, too; else it is one in memory."""
    file: Path | None = None
    """The season file; ``None`` for a store alone."""
    _known: str = ""
    """The text of the season file that ``season`` was read from."""

    @classmethod
    def open(cls, path: Path, url: str | None = None, *, who: str | None = None, create: bool = True) -> Self:
        """The season of a file, created if its store is empty; without ``create`` that happens only in memory.

        The store is ``url``, by default a file beside the season's.
        Raises ``SettingsError``, ``StoreError`` or ``ContestError``.
        """
        text = read_text(path)
        season = parse_season(text, str(path))
        url = url or str(path.with_suffix(".db"))
        found = Store.open(url) if create else Store.find(url)
        store = found or Store.in_memory()
        try:
            with store.transaction() as session:
                row = session.get(SeasonRow, 1)
                if row is None:
                    create_season(session, season, text)
                else:
                    season = parse_season(text, str(path), default_ranking=Ranking(row.default_ranking))
                    if row.file != text:
                        take_changes(session, season, text, row, path, who or os_user())
        except BaseException as problem:
            _close_after(store, problem)
            raise
        return cls(
            season, store, path.absolute().parent, is_stored=found is not None, file=path.absolute(), _known=text
        )

    @classmethod
    def open_store(cls, url: str) -> Self:
        """The season of a store alone, as of a backup. Raises ``StoreError`` or ``ContestError``."""
        if "://" not in url and not os.path.exists(url):
            raise NoSeason(f"{url}: Diese Datenbank gibt es nicht.", f"{url}: there is no such store")
        store = Store.find(url)
        if store is None:
            raise _no_season(url)
        try:
            with store.reading() as session:
                row = session.get(SeasonRow, 1)
            if row is None:
                raise _no_season(store.place)
            return cls(stored_season(row, f"{store.place}: season"), store, Path.cwd(), _known=row.file)
        except BaseException as problem:
            _close_after(store, problem)
            raise

    def text(self) -> str:
        """The season file, as the store knows it."""
        with self.store.reading() as session:
            return session.get_one(SeasonRow, 1).file

    def change(self, text: str, *, who: str, reason: str = "", dry_run: bool = False) -> Season:
        """Take over a changed season file, and write it; with ``dry_run`` only try it. Returns the new season.

        Raises ``SettingsError`` or ``ContestError``, and then nothing has changed.
        """
        if self.file is None:
            raise ContestError(
                "Diese Saison ist aus einer Datenbank ohne Saisondatei geöffnet; starte die Seiten mit --season.",
                "this season was opened from a store without its season file: start the pages with --season",
            )
        season = parse_season(text, self.file.name, default_ranking=self.season.ranking)
        written: str | None = None
        try:
            with suppress(_TakenBack), self.store.transaction() as session:
                row = session.get_one(SeasonRow, 1)
                if row.file != read_text(self.file):
                    raise ContestError(
                        f"{self.file.name} wurde von Hand geändert: Starte die Seiten neu, damit das gilt.",
                        f"{self.file.name} was changed by hand: restart the pages, so that it holds",
                    )
                take_changes(session, season, text, row, self.file, who, reason)
                session.flush()
                if dry_run:
                    raise _TakenBack
                # Before the store: if the power fails in between, the next start takes over what the file says.
                written = row.file
                write_season_file(self.file, text)
        except BaseException:
            if written is not None:
                write_season_file(self.file, written)
            raise
        if not dry_run:
            self.season, self._known = season, text
        return season

    def refresh(self, session: Session) -> None:
        """Take over what another process has changed in the season."""
        text = session.scalars(select(SeasonRow.file).where(SeasonRow.id == 1)).one_or_none()
        if text is not None and text != self._known:
            row = session.get_one(SeasonRow, 1)
            self.season, self._known = stored_season(row, f"{self.store.place}: season"), text

    def pages_url(self) -> str | None:
        """Where others reach the pages, or did when they were last served; ``None`` if they never were."""
        with self.store.reading() as session:
            return session.get_one(SeasonRow, 1).pages_url

    def remember_pages(self, url: str) -> None:
        """Keep the address of the pages, which are being served. Raises ``StoreError``."""
        with self.store.transaction() as session:
            session.get_one(SeasonRow, 1).pages_url = url

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, problem: BaseException | None, trace: object) -> None:
        """Close the store. Raises ``StoreError`` if what went wrong is that it is damaged."""
        _close_after(self.store, problem)


class _TakenBack(Exception):
    """Ends a transaction without leaving a trace."""


def _no_season(place: str) -> NoSeason:
    return NoSeason(
        f"{place}: In dieser Datenbank ist noch keine Saison.", f"{place}: there is no season in this store yet"
    )


def _close_after(store: Store, problem: BaseException | None) -> None:
    """Close the store; say what is wrong with it if a strange value in it led to an unexpected exception."""
    try:
        if isinstance(problem, _CORRUPTION_ERRORS) and (where := find_damage(store)) is not None:
            raise damaged(store, where) from problem
    finally:
        store.close()
