"""Opens a store: SQLite in one file, or PostgreSQL by its URL; migrates an older one, refuses a newer one."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import StaticPool

from spielleiter.contest.store.claims import Claims, FileClaims, PostgresClaims
from spielleiter.contest.store.errors import hint, translate_errors
from spielleiter.contest.store.schema import Base
from spielleiter.errors import OPEN, StoreError, refusing
from spielleiter.text import Text, system_error

_BUSY = 30.0
"""Seconds to wait while another process writes."""
_CHUNK_ROWS = 500
NEWEST = "0007"
"""The version of the tables, the name of the last step in ``migrations``; they grow."""
_QUEUE = "SELECT pg_advisory_xact_lock(93, 0)"
"""Where writers on PostgreSQL wait for each other; claims and migrations have locks of their own."""


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)


class Store:
    """An open store. Use ``transaction`` to write, ``reading`` to read; ``close`` it, or use ``with``."""

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place
        """How to name it to people, without a password."""
        self._sessions = sessionmaker(engine, expire_on_commit=False)

    @classmethod
    def open(cls, url: str) -> Self:
        """The store at a URL or in a file; created if there is none. Raises ``StoreError``."""
        engine, place = _engine(url)
        try:
            _migrate(engine, place)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, place)

    @classmethod
    def find(cls, url: str) -> Self | None:
        """The store at a URL or in a file, or ``None`` if nothing is there; creates nothing. Raises ``StoreError``."""
        engine, place = _engine(url)
        try:
            if engine.dialect.name == "sqlite" and _is_empty(Path(place)):
                return None  # Connecting would make a file.
            with translate_errors(place), engine.connect() as connection:
                if not inspect(connection).get_table_names():
                    return None
        finally:
            engine.dispose()
        return cls.open(url)

    @classmethod
    def in_memory(cls) -> Self:
        """A new private store, gone when it is closed. Use one session at a time."""
        engine = create_engine("sqlite://", poolclass=StaticPool)
        event.listen(engine, "connect", _prepare_sqlite)
        _migrate(engine, "memory")
        return cls(engine, "memory")

    @property
    def is_sqlite(self) -> bool:
        """Whether it is one file of SQLite."""
        return self.engine.dialect.name == "sqlite"

    @property
    def path(self) -> Path | None:
        """The file, if it is one."""
        return Path(self.engine.url.database) if self.is_sqlite and self.engine.url.database else None

    @property
    def url(self) -> str:
        """How another process of this machine opens it: with its password, if it has one."""
        return str(self.path) if self.path is not None else self.engine.url.render_as_string(hide_password=False)

    def claims(self) -> Claims:
        """The claims of this process on encounters."""
        if self.path is not None:
            return FileClaims(self.path.with_name(f"{self.path.name}-claims"))
        return PostgresClaims(self.engine)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session in one transaction: all of it is committed, or nothing. Raises ``StoreError`` if it fails."""
        with translate_errors(self.place), self._sessions() as session, session.begin():
            # Writers queue here, not at their first write: what one has read in its transaction is still true then.
            session.connection().exec_driver_sql("BEGIN IMMEDIATE" if self.is_sqlite else _QUEUE)
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A read-only session that sees one state of the store, whatever others write meanwhile."""
        with translate_errors(self.place), self._sessions() as session, session.begin():
            connection = session.connection()
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN")
            else:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield session

    def backup(self, path: Path) -> None:
        """Copy everything into a new file of SQLite, also while others write. Raises ``StoreError``."""
        draft = path.with_name(f".{path.name}.part")
        leftovers = (draft, *(draft.with_name(draft.name + end) for end in ("-wal", "-shm", "-journal")))
        try:
            if path.exists():
                raise StoreError(
                    f"{path}: gibt es schon; eine Sicherung überschreibt nie etwas.",
                    f"{path}: is there already; a backup never overwrites anything",
                )
            for leftover in leftovers:
                leftover.unlink(missing_ok=True)
            if self.path is not None:
                with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(draft)) as target:
                    source.backup(target)
            else:
                self._copy_to(draft)
            draft.rename(path)
        except OSError as problem:
            raise _backup_failed(path, system_error(problem)) from None
        except sqlite3.Error as problem:
            advice = hint(problem)
            raise _backup_failed(path, Text(f"{problem}{advice.de}", f"{problem}{advice.en}")) from None
        finally:
            for leftover in leftovers:
                with suppress(OSError):
                    leftover.unlink(missing_ok=True)

    def _copy_to(self, path: Path) -> None:
        """All rows of all tables as they were in one moment."""
        with Store.open(str(path)) as target, self.reading() as source, target.transaction() as copy:
            for table in Base.metadata.sorted_tables:
                # In chunks: all records of a season may not fit into memory.
                rows = source.execute(select(table).execution_options(yield_per=_CHUNK_ROWS))
                for part in rows.mappings().partitions():
                    copy.execute(insert(table), [dict(row) for row in part])

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _backup_failed(path: Path, why: Text) -> StoreError:
    return StoreError(
        f"{path}: Die Sicherung lässt sich nicht schreiben: {why.de}", f"{path}: the backup cannot be written: {why.en}"
    )


# --- opening ----------------------------------------------------------------------------------------------------------


def _engine(text_of_url: str) -> tuple[Engine, str]:
    path = None
    if "://" not in text_of_url:
        path = Path(text_of_url).absolute()
        with refusing(StoreError, path, OPEN):  # Such as a folder without permission.
            fits = path.parent.is_dir() and not path.is_dir()
        if not fits:
            raise StoreError(
                f"{path}: Eine Datenbank ist eine Datei in einem Ordner, den es gibt, oder eine URL wie postgresql://...",
                f"{path}: a store is a file in a folder that exists, or a URL like postgresql://...",
            )
    try:
        url = URL.create("sqlite", database=str(path)) if path else make_url(text_of_url)
        if url.drivername in ("postgresql", "postgres"):
            url = url.set(drivername="postgresql+psycopg")
        kind = url.get_backend_name()
        if kind not in ("sqlite", "postgresql") or (kind == "sqlite" and not url.database):
            raise StoreError(
                f"Eine Datenbank ist eine Datei oder eine URL, die mit postgresql:// beginnt, nicht {kind}.",
                f"a store is a file, or a URL that begins with postgresql://, not {kind}",
            )
        options: dict[str, Any] = {"connect_args": {"timeout": _BUSY}} if kind == "sqlite" else {"pool_pre_ping": True}
        engine = create_engine(url, **options)
    except (ArgumentError, NoSuchModuleError, ValueError) as problem:
        shown = re.sub(r"(//[^/:@]*):[^/]*@", r"\1:***@", text_of_url)  # Without its password.
        raise StoreError(f"{shown!r} ist keine Datenbank: {problem}", f"{shown!r} is not a store: {problem}") from None
    except ModuleNotFoundError as problem:
        raise StoreError(
            f"{problem.name} fehlt: pip install 'spielleiter[postgresql]'",
            f"{problem.name} is missing: pip install 'spielleiter[postgresql]'",
        ) from None
    if kind == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        return engine, str(url.database)
    return engine, url.render_as_string(hide_password=True)


def _is_empty(path: Path) -> bool:
    try:
        return path.stat().st_size == 0
    except FileNotFoundError:
        return True
    except OSError:  # It is there; opening it says what is wrong.
        return False


def _prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    # We begin transactions ourselves: sqlite3 would do it late, and never with IMMEDIATE.
    connection.isolation_level = None
    _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    # SQLite gives up at once here if another program is making the same file, whatever the timeout.
    deadline = time.monotonic() + _BUSY
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def _migrate(engine: Engine, place: str) -> None:
    """Bring the tables up to date. Raises ``StoreError`` if they are from the future, or not ours."""
    with translate_errors(place), engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        found = None
        if {"alembic_version", "season"} <= tables:
            found = connection.scalar(text("SELECT version_num FROM alembic_version"))
        elif tables:
            found_tables = ", ".join(sorted(tables)[:3])
            raise StoreError(
                f"{place}: enthält etwas anderes als eine Saison: {found_tables}",
                f"{place}: contains something other than a season: {found_tables}",
            )
        if found == NEWEST:
            return
        if found is not None and found > NEWEST:
            raise StoreError(
                f"{place}: stammt von einem neueren spielleiter (Tabellen {found}): Aktualisiere diesen.",
                f"{place}: was written by a newer spielleiter (tables {found}): update this one",
            )
        connection.rollback()
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            # Two programs that make the same tables at once would both fail.
            connection.execute(text("SELECT pg_advisory_xact_lock(92, 0)"))
        _upgrade(connection)
        connection.commit()


def _upgrade(connection: Connection) -> None:
    """Apply the missing migrations; another process may have applied them meanwhile."""
    # Loaded here because it takes longer than most commands.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
