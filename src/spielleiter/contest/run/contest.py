"""An open season: its file and its store."""

from __future__ import annotations

import os
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Self

from spielleiter.contest.run.create import create_season, take_changes
from spielleiter.contest.season.file import parse_season, read_text
from spielleiter.contest.season.model import Season
from spielleiter.contest.store import SeasonRow, Store
from spielleiter.errors import ContestError


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

    @classmethod
    def open(cls, path: Path, url: str | None = None, *, who: str | None = None) -> Self:
        """The season of a file, created if its store is empty.

        The store is ``url``, by default a file beside the season's.
        Raises ``SettingsError``, ``StoreError`` or ``ContestError``.
        """
        text = read_text(path)
        season = parse_season(text, str(path))
        store = Store.open(url or str(path.with_suffix(".db")))
        try:
            with store.transaction() as session:
                row = session.get(SeasonRow, 1)
                if row is None:
                    create_season(session, season, text)
                elif row.file != text:
                    take_changes(session, season, text, row, path, who or os_user())
        except BaseException:
            store.close()
            raise
        return cls(season, store, path.absolute().parent)

    @classmethod
    def open_store(cls, url: str) -> Self:
        """The season of a store alone, as of a backup. Raises ``StoreError`` or ``ContestError``."""
        if "://" not in url and not os.path.exists(url):
            raise ContestError(f"{url}: Diese Datenbank gibt es nicht.", f"{url}: there is no such store")
        store = Store.open(url)
        try:
            with store.reading() as session:
                row = session.get(SeasonRow, 1)
            if row is None:
                raise ContestError(
                    f"{store.place}: In dieser Datenbank ist noch keine Saison.",
                    f"{store.place}: there is no season in this store yet",
                )
            return cls(parse_season(row.file, f"{store.place}: season"), store, Path.cwd())
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
