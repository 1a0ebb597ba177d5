"""The store opens, migrates, refuses and copies itself, on both databases."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg.errors import DiskFull, UniqueViolation
from sqlalchemy import event, select, text

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import (
    AuditRow,
    EncounterRow,
    GameRow,
    LotRow,
    SeasonRow,
    Store,
    TeamRow,
    database,
    now,
)
from spielleiter.contest.store.errors import hint
from spielleiter.contest.store.schema import Base
from spielleiter.errors import ContestError, StoreError
from tests.support.contest_seasons import FINAL, opened, outcome, play, season_text
from tests.support.databases import prepare_sqlite, run_migrations

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _every_store_is_migrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what is tested here."""
    monkeypatch.setattr(database, "_upgrade", run_migrations)


def entry(subject: str, reason: str = "") -> AuditRow:
    return AuditRow(at=now(), who="test", action="test", subject=subject, reason=reason)


def subjects(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(select(AuditRow.subject).order_by(AuditRow.id)))


def contents(store: Store) -> dict[str, list[Any]]:
    """All rows of all tables."""
    with store.reading() as session:
        return {
            table.name: [tuple(row) for row in session.execute(select(table).order_by(*table.primary_key))]
            for table in Base.metadata.sorted_tables
        }


# --- opening and migrating --------------------------------------------------------------------------------------------


def test_what_is_written_outlives_a_power_cut(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "season.db")) as connection:
        prepare_sqlite(connection, None)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL"


def test_the_steps_from_nothing_lead_to_the_tables_of_the_code(url: str) -> None:
    with Store.open(url) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_an_open_store_opens_again_and_keeps_everything(url: str) -> None:
    with Store.open(url) as store, store.transaction() as session:
        session.add(entry("kept"))
    with Store.open(url) as one, Store.open(url) as two:
        assert subjects(one) == subjects(two) == ["kept"]


def test_two_who_make_the_same_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "season.db"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        leave = threading.Timer(0.2, other.execute, ["COMMIT"])
        leave.start()
        with Store.open(str(path)) as store, store.transaction() as session:
            session.add(entry("kept"))
        leave.join()
    with Store.open(str(path)) as store:
        assert subjects(store) == ["kept"]


def test_a_store_of_a_newer_version_is_refused_and_untouched(url: str) -> None:
    with Store.open(url) as store, store.transaction() as session:
        session.add(entry("kept"))
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"was written by a newer spielleiter \(tables 9999\): update"):
        Store.open(url)
    with closing_engine(url) as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
        assert connection.scalar(text("SELECT count(*) FROM audit")) == 1


class closing_engine:  # noqa: N801 - used like a function
    """A connection to a database of which nobody says that it is a store."""

    def __init__(self, url: str) -> None:
        from sqlalchemy import create_engine

        address = url.replace("postgresql://", "postgresql+psycopg://") if "://" in url else f"sqlite:///{url}"
        self._engine = create_engine(address)

    def __enter__(self) -> Any:
        self._connection = self._engine.connect()
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._engine.dispose()


@pytest.mark.parametrize("version_table", [False, True], ids=["plain", "with steps of its own"])
def test_somebody_elses_database_is_refused_and_untouched(url: str, version_table: bool) -> None:
    with closing_engine(url) as connection:
        connection.execute(text("CREATE TABLE shopping (what VARCHAR(9))"))
        if version_table:
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
            connection.execute(text("INSERT INTO alembic_version VALUES ('abc')"))
        connection.commit()
    with pytest.raises(StoreError, match=r"contains something other than a season: .*shopping"):
        Store.open(url)
    with closing_engine(url) as connection:
        from sqlalchemy import inspect

        names = set(inspect(connection).get_table_names())
    assert names == {"shopping"} | ({"alembic_version"} if version_table else set())


def test_a_failing_step_leaves_nothing_behind(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import op

    real: Any = op.create_table
    monkeypatch.setattr(op, "create_table", lambda name, *rest: real(name if name != "games" else "no(good", "x"))
    with pytest.raises(Exception, match=r".+"):
        Store.open(url)
    monkeypatch.undo()
    with Store.open(url) as store:
        assert subjects(store) == []


def test_a_text_that_is_not_a_store_is_refused() -> None:
    for wrong in ("mysql://host/x", "sqlite://", "oracle+cx://x", "http://example.org"):
        with pytest.raises(StoreError, match=r"a store is|is not a store"):
            Store.open(wrong)


def test_messages_never_show_a_password() -> None:
    for wrong in (
        "postgresql://ada:secret@localhost:no/season",
        "postgresql://ada:secret@localhost:1/season",
        "mysql://ada:secret@localhost/season",
    ):
        with pytest.raises(StoreError) as found:
            Store.open(wrong)
        assert "secret" not in str(found.value)
        assert "\n" not in str(found.value)


def test_a_database_server_that_is_not_there_is_reported_in_one_line(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        Store.open(postgres_url.replace("/season", "/nobody"))


@pytest.mark.parametrize("name", ["with space.db", "what?.db", "100%.db", "a#b.db", "ä&ö=ü.db"])
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Store.open(str(tmp_path / name)) as store:
        assert store.path == tmp_path / name
        with store.transaction() as session:
            session.add(entry("x"))
        store.claims().close()
    assert (tmp_path / name).is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, f"{name}-claims"])


def test_files_that_cannot_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="a store is a file in a folder that exists"):
        Store.open(str(tmp_path))
    with pytest.raises(StoreError, match="a store is a file in a folder that exists"):
        Store.open(str(tmp_path / "nowhere" / "season.db"))
    text_file = tmp_path / "letter.txt"
    text_file.write_text("Dear Ada, " * 500, encoding="utf-8")
    with pytest.raises(StoreError, match=r"file is not a database \(the file is not the store of a season\)"):
        Store.open(str(text_file))
    assert text_file.read_text(encoding="utf-8") == "Dear Ada, " * 500


# --- transactions -----------------------------------------------------------------------------------------------------


def test_a_transaction_is_kept_as_a_whole_or_not_at_all(url: str) -> None:
    with Store.open(url) as store:
        with store.transaction() as session:
            session.add(entry("one"))
        with pytest.raises(ZeroDivisionError), store.transaction() as session:  # noqa: PT012 - it fails on the way
            session.add(entry("two"))
            session.flush()
            raise ZeroDivisionError
        assert subjects(store) == ["one"]


def test_a_broken_law_is_a_store_error_of_one_line(url: str) -> None:
    with Store.open(url) as store:
        with store.transaction() as session:
            session.add(TeamRow(name="Ada", school="", group="A"))
        with pytest.raises(StoreError) as found, store.transaction() as session:
            session.add(TeamRow(name="Ada", school="", group="B"))
        assert "\n" not in str(found.value)
        assert store.place in str(found.value)
        with pytest.raises(StoreError), store.transaction() as session:
            session.add(EncounterRow(key="x", stage="x", group="", place=1, first_id=77, second_id=78))


def test_readers_see_one_state_while_others_write(url: str) -> None:
    with Store.open(url) as store:
        with store.reading() as session:
            assert session.scalars(select(AuditRow)).all() == []
            with store.transaction() as writing:
                writing.add(entry("meanwhile"))
            assert session.scalars(select(AuditRow)).all() == []
        assert subjects(store) == ["meanwhile"]


def test_readers_cannot_write(postgres_url: str) -> None:
    with Store.open(postgres_url) as store:
        with pytest.raises(StoreError, match="read-only transaction"), store.reading() as session:
            session.add(entry("no"))
        assert subjects(store) == []


def test_moments_come_back_with_their_zone(url: str) -> None:
    noon = datetime(2027, 2, 1, 12, 30, 15, 123456, tzinfo=timezone(timedelta(hours=2)))
    with Store.open(url) as store:
        with store.transaction() as session:
            session.add(AuditRow(at=noon, who="", action="", subject="", reason=""))
        with store.reading() as session:
            (found,) = session.scalars(select(AuditRow))
    assert found.at == noon
    assert found.at.tzinfo is UTC


def test_odd_texts_come_back_as_they_were(url: str) -> None:
    odd = "Möwe 🦀 'quoted' \"twice\" \\ % ; DROP TABLE teams; --"
    with Store.open(url) as store:
        with store.transaction() as session:
            session.add(TeamRow(name=odd, school=odd, group="A"))
            session.add(LotRow(stage="x", group="", teams=[odd, "\x00"], seed=odd, at=now(), who=""))
        with store.reading() as session:
            assert session.scalars(select(TeamRow.name)).all() == [odd]
            assert session.scalars(select(LotRow)).one().teams == [odd, "\x00"]


# --- when the machine fails -------------------------------------------------------------------------------------------


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "season.db")) as store:
        with store.transaction() as session:
            session.add(entry("before"))

        def allow_no_more(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute("PRAGMA max_page_count = 1")  # As many as there are already.

        event.listen(store.engine, "checkout", allow_no_more)
        with (
            pytest.raises(StoreError, match=r"full \(the disk is full; nothing was lost: make room and run again\)"),
            store.transaction() as session,
        ):
            session.add(entry("big", "x" * 1_000_000))
        event.remove(store.engine, "checkout", allow_no_more)
        store.engine.dispose()
        with store.transaction() as session:
            session.add(entry("after", "x" * 1_000_000))
        assert subjects(store) == ["before", "after"]


def test_a_full_disk_of_postgresql_is_reported_like_that_of_sqlite() -> None:
    assert "the disk is full; nothing was lost" in hint(DiskFull("could not extend file")).en
    assert hint(UniqueViolation("duplicate key")).en == ""


def test_a_server_that_is_gone_is_reported_with_what_to_do(postgres_url: str) -> None:
    with Store.open(postgres_url) as store:
        with (
            pytest.raises(StoreError, match="the database cannot be reached; what was recorded is safe"),
            store.transaction() as session,
        ):
            session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        with store.transaction() as session:  # It is back.
            session.add(entry("after"))
        assert subjects(store) == ["after"]


_AS_NOBODY = """
import os, sys, tempfile
from pathlib import Path
from spielleiter.contest import store
from spielleiter.contest.store import AuditRow, Store, now
from spielleiter.errors import StoreError
with tempfile.TemporaryDirectory() as folder:  # Everything is imported, also what nobody else may read.
    Store.open(folder + "/season.db").close()
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
if not os.access(store.__file__, os.R_OK):
    sys.exit("unreadable")
try:
    with Store.open(sys.argv[1]) as store:
        if sys.argv[2] == "backup":
            store.backup(Path(sys.argv[3]))
        elif sys.argv[2] == "claims":
            store.claims()
        else:
            with store.transaction() as session:
                session.add(AuditRow(at=now(), who="", action="", subject="x", reason=""))
    print("done")
except StoreError as problem:
    print(problem)
"""


def as_nobody(*arguments: str) -> str:
    """What a program says to which the disk gives no right to write: also here, where root has all rights."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run(
        [sys.executable, "-c", _AS_NOBODY, *arguments], capture_output=True, text=True, env=environment, timeout=60
    )
    if found.stderr.strip() == "unreadable":
        pytest.skip("the package lies where nobody but root may read")
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can look into; pytest closes its own to others whenever it starts anywhere."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are others there")
def test_a_folder_into_which_one_may_not_look_is_reported(open_folder: Path) -> None:
    hidden = open_folder / "hidden"
    hidden.mkdir()
    hidden.chmod(0)
    path = hidden / "inner" / "season.db"
    assert as_nobody(str(path), "write") == f"{path}: cannot be opened: Permission denied"


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are others there")
def test_a_read_only_disk_is_reported_and_nothing_changed(open_folder: Path) -> None:
    path = open_folder / "season.db"
    with Store.open(str(path)) as store, store.transaction() as session:
        session.add(entry("kept"))
    path.chmod(0o444)
    open_folder.chmod(0o555)
    before = path.read_bytes()
    assert as_nobody(str(open_folder / "new.db"), "write") == (
        f"{open_folder}/new.db: unable to open database file (is the folder there, and may you write into it?)"
    )
    printed = as_nobody(str(path), "write")
    assert printed.startswith(f"{path}: ")
    assert "read-only?" in printed or "may you write into it?" in printed
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="rights of files are others there")
def test_a_backup_into_a_read_only_folder_is_reported(open_folder: Path) -> None:
    folder = open_folder / "mine"
    folder.mkdir()
    folder.chmod(0o777)
    target = open_folder / "backup.db"
    open_folder.chmod(0o555)
    printed = as_nobody(str(folder / "season.db"), "backup", str(target))
    assert printed.startswith(f"{target}: the backup cannot be written: unable to open database file")
    assert not target.exists()


# --- backups ----------------------------------------------------------------------------------------------------------


def test_a_backup_is_equal_and_opens_as_a_season(tmp_path: Path, url: str) -> None:
    text_of_file = season_text("ABCD", championship="qualify = 2", rest=FINAL)
    target = tmp_path / "backup.db"
    with opened(tmp_path, url, text_of_file) as contest:
        play(contest)
        contest.store.backup(target)
        with Contest.open_store(str(target)) as copy:
            assert contents(copy.store) == contents(contest.store)
            assert outcome(copy) == outcome(contest)
            assert copy.season == contest.season
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_backup_never_overwrites(tmp_path: Path, url: str) -> None:
    target = tmp_path / "backup.db"
    target.write_text("precious")
    with Store.open(url) as store:
        with pytest.raises(StoreError, match="is there already; a backup never overwrites anything"):
            store.backup(target)
        assert target.read_text() == "precious"


@pytest.mark.parametrize("where", ["nowhere/backup.db", "letter.txt/backup.db", "x" * 300])
def test_a_backup_that_cannot_be_written_is_reported(tmp_path: Path, url: str, where: str) -> None:
    (tmp_path / "letter.txt").write_text("x")
    with Store.open(url) as store, pytest.raises(StoreError, match=r".+"):
        store.backup(tmp_path / where)


def test_what_a_killed_backup_left_does_not_matter(tmp_path: Path, url: str) -> None:
    (tmp_path / ".backup.db.part").write_text("half a file")
    (tmp_path / ".backup.db.part-journal").write_text("half a file")
    with Store.open(url) as store:
        store.backup(tmp_path / "backup.db")
    with Store.open(str(tmp_path / "backup.db")) as copy:
        assert subjects(copy) == []
    assert not list(tmp_path.glob(".backup*"))


_WRITER = """
import sys
from spielleiter.contest.store import AuditRow, Store, now
with Store.open(sys.argv[1]) as store:
    for number in range(100_000):
        with store.transaction() as session:
            session.add(AuditRow(at=now(), who="", action="", subject=str(2 * number), reason="x" * 2000))
            session.add(AuditRow(at=now(), who="", action="", subject=str(2 * number + 1), reason="x" * 2000))
        print(number, flush=True)
"""


def test_a_backup_while_another_process_writes_is_one_moment_of_the_store(tmp_path: Path, url: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, url], stdout=subprocess.PIPE, env=environment, text=True)
    assert writer.stdout is not None
    try:
        sizes = []
        for number in range(4):
            for _ in range(10):
                assert writer.stdout.readline()
            path = tmp_path / f"backup{number}.db"
            with Store.open(url) as store:
                store.backup(path)
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            with Store.open(str(path)) as copy:
                found = [int(subject) for subject in subjects(copy)]
            # No half transaction, nothing left out.
            assert found == list(range(len(found)))
            assert len(found) % 2 == 0
            sizes.append(len(found))
        assert writer.poll() is None
        assert sizes == sorted(set(sizes))
        assert sizes[0] >= 20
    finally:
        writer.kill()
        writer.communicate()


# --- a store alone ----------------------------------------------------------------------------------------------------


def test_a_store_without_a_season_is_refused(tmp_path: Path, url: str) -> None:
    Store.open(url).close()
    with pytest.raises(ContestError, match="there is no season in this store yet"):
        Contest.open_store(url)
    with pytest.raises(ContestError, match="there is no such store"):
        Contest.open_store(str(tmp_path / "missing.db"))
    assert not (tmp_path / "missing.db").exists()


def test_a_store_alone_knows_its_season(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url, season_text("AB")) as contest:
        pass
    with Contest.open_store(url) as alone, alone.store.reading() as session:
        assert alone.season == contest.season
        assert session.scalars(select(GameRow)).all() == []
        assert session.get_one(SeasonRow, 1).name == "Probe"


def test_the_newest_version_is_the_last_step_of_the_migrations() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    from spielleiter.contest.store import database

    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == database.NEWEST
