"""Where the games of a season can be followed, as the store says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from spielleiter.contest.run import feeds
from spielleiter.feeds import FeedAddress
from tests.support.contest_small_season import found

_RUN = """
import sys
from spielleiter.contest.run import feeds
from spielleiter.contest.store import Store
from spielleiter.feeds import FeedAddress
store = Store.open(sys.argv[1])
with feeds.announced(store, FeedAddress("127.0.0.1", 1, "of the killed one")):
    print("there", flush=True)
    sys.stdin.read()
"""


def test_an_address_stands_in_the_store_while_its_process_lives(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        one, two = FeedAddress("127.0.0.1", 1, "one"), FeedAddress("127.0.0.1", 2, "two")
        with feeds.announced(contest.store, one):
            with feeds.announced(contest.store, two):
                assert list(feeds.addresses(contest.store).values()) == [one, two]
            assert list(feeds.addresses(contest.store).values()) == [one]
        assert feeds.addresses(contest.store) == {}


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_else(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        store = contest.store
        killed = subprocess.Popen(
            [sys.executable, "-c", _RUN, str(store.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert killed.stdout is not None
        assert killed.stdout.readline() == b"there\n"
        mine = FeedAddress("127.0.0.1", 2, "mine")
        with feeds.announced(store, mine):
            assert len(feeds.addresses(store)) == 2
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate()
        assert [address.port for address in feeds.addresses(store).values()] == [1]
        with feeds.announced(store, mine):
            assert list(feeds.addresses(store).values()) == [mine]
