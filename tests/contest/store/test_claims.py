"""Claims: nobody plays what another one plays, and a killed process has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from spielleiter.contest.store import Store
from spielleiter.errors import StoreError
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

_CLAIM = """
import sys
from spielleiter.contest.store import Store
store = Store.open(sys.argv[1])
claims = store.claims()
for line in sys.stdin:
    what, encounter = line.split()
    print(claims.take(int(encounter)) if what == "take" else claims.release(int(encounter)), flush=True)
"""


class Other:
    """Another process that claims."""

    def __init__(self, url: str) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _CLAIM, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, what: str, encounter: int) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what} {encounter}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def __enter__(self) -> Other:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def test_what_another_process_has_claimed_is_refused_until_it_lets_go(url: str) -> None:
    with Store.open(url) as store, Other(url) as other:
        mine = store.claims()
        assert other.ask("take", 1) == "True"
        assert not mine.take(1)
        assert mine.take(2)
        assert other.ask("take", 2) == "False"
        assert other.ask("release", 1) == "None"
        assert mine.take(1)
        mine.close()
        assert other.ask("take", 1) == "True"
        assert other.ask("take", 2) == "True"


def test_a_killed_process_has_lost_its_claims_at_once(url: str) -> None:
    with Store.open(url) as store:
        mine = store.claims()
        with Other(url) as other:
            assert other.ask("take", 7) == "True"
            assert not mine.take(7)
            other.process.kill()
            other.process.wait()
            # PostgreSQL notices when it reads from the broken connection, which takes it a moment.
            wait_until(lambda: mine.take(7))
        mine.close()


def test_two_in_one_process_do_not_claim_the_same(url: str) -> None:
    with Store.open(url) as store:
        one, two = store.claims(), store.claims()
        assert one.take(1)
        assert not one.take(1)
        assert not two.take(1)
        two.release(1)  # It is not its own to release.
        assert not two.take(1)
        one.release(1)
        assert two.take(1)
        one.close()
        two.close()


def test_one_that_closes_leaves_the_claims_of_others_in_its_process_alone(url: str) -> None:
    """The system would take all locks on a file away from a process that closes it once."""
    with Store.open(url) as store, Other(url) as other:
        one, two = store.claims(), store.claims()
        assert one.take(1)
        two.close()
        assert other.ask("take", 1) == "False"
        three = store.claims()
        assert not three.take(1)
        one.close()
        assert three.take(1)
        assert other.ask("take", 1) == "False"
        three.close()
        assert other.ask("take", 1) == "True"


def test_claims_of_two_stores_have_nothing_to_do_with_each_other(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "a.db")) as a, Store.open(str(tmp_path / "b.db")) as b:
        one, two = a.claims(), b.claims()
        assert one.take(1)
        assert two.take(1)
        one.close()
        two.close()


def test_a_writer_does_not_wait_for_claims_nor_a_claim_for_writers(url: str) -> None:
    with Store.open(url) as store:
        claims = store.claims()
        assert claims.take(1)
        with store.transaction():
            assert claims.take(2)
        assert all(claims.take(number) for number in (93, 92, 3))
        with store.transaction():
            pass
        claims.close()


def test_a_lost_connection_is_reported(postgres_url: str) -> None:
    with Store.open(postgres_url) as store:
        claims = store.claims()
        assert claims.take(1)
        with store.engine.connect() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        with pytest.raises(StoreError, match=r"terminating connection|closed"):
            claims.take(2)
        claims.close()
        again = store.claims()
        assert again.take(1)
        again.close()


def test_a_file_of_claims_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    with Store.open(str(tmp_path / "season.db")) as store:
        (tmp_path / "season.db-claims").mkdir()
        with pytest.raises(StoreError, match=r"season.db-claims: cannot be opened: Is a"):
            store.claims()
