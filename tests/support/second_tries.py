"""Second tries, only for a test that has used a socket, a process, a browser or a database server.

Whether it has is observed, not declared: the interpreter's audit events tell of sockets and processes. Pure code has no
excuse and gets no second try. The summary counts them; ``-rfER`` names the tests.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from functools import partial

import pytest
from _pytest.terminal import TerminalReporter

_EVENTS = {"os.fork", "os.forkpty", "os.posix_spawn", "socket.bind", "socket.connect", "subprocess.Popen"}
_UNSEEN = ("browser", "database")  # marks: these run before the test, and libpq tells nobody that it connects
_seen: set[str] = set()


def _watch(event: str, _: object) -> None:
    if event in _EVENTS:
        _seen.add(event)


sys.addaudithook(_watch)


def pytest_sessionstart(session: pytest.Session) -> None:
    # Each process of pytest-xdist writes to the first one before each test and then asks it: two messages in a row, of
    # which the second would wait for 40 ms (Nagle's algorithm).
    connection = getattr(getattr(session.config, "failures_db", None), "sock", None)
    if connection is not None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def used_the_world(item: pytest.Item) -> bool:
    """Whether the running test depends on more than its own code."""
    return bool(_seen) or any(item.get_closest_marker(mark) for mark in _UNSEEN)


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.flaky(reruns=1, condition=partial(used_the_world, item)))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol() -> Iterator[object]:
    _seen.clear()
    return (yield)  # type: ignore[misc]


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    tests = {report.nodeid for report in terminalreporter.stats.get("rerun", ())}
    terminalreporter.write_line(f"second tries: {len(tests)}")
