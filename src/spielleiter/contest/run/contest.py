"""An open season: its file and its store."""

from __future__ import annotations

import os
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Self

from spielleiter.contest.run.create import create_season, stored_season, take_changes
from spielleiter.contest.season.file import parse_season, read_text
from spielleiter.contest.season.model import Season
from spielleiter.contest.store import SeasonRow, Store
from spielleiter.contest.store.damage import damaged, find_damage
from spielleiter.errors import NoSeason
from spielleiter.game import Ranking

_OF_STRANGE_VALUES = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What code raises that meets a value which it never wrote."""


def os_user() -> str:
    """The user at this machine, for the audit log."""
    try:
        return getuser()
    except (KeyError, OSError):
        return "unknown"


@dataclass(frozen=True, slots=True)
class Contest:
    """An open season: its values, its store, and the folder to which paths in its file are relative."""

    season: Season
    store: Store
    folder: Path
    is_stored: bool = True
    """Whether the store is there for others, too; else it is one in memory."""

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
        return cls(season, store, path.absolute().parent, is_stored=found is not None)

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
            return cls(stored_season(row, f"{store.place}: season"), store, Path.cwd())
        except BaseException as problem:
            _close_after(store, problem)
            raise

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


def _no_season(place: str) -> NoSeason:
    return NoSeason(
        f"{place}: In dieser Datenbank ist noch keine Saison.", f"{place}: there is no season in this store yet"
    )


def _close_after(store: Store, problem: BaseException | None) -> None:
    """Close the store; say what is wrong with it if a strange value in it led to an unexpected exception."""
    try:
        if isinstance(problem, _OF_STRANGE_VALUES) and (where := find_damage(store)) is not None:
            raise damaged(store, where) from problem
    finally:
        store.close()
