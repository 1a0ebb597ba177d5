"""What all tests share: hypothesis is deterministic, and every test is marked with what it needs.

``make quick`` leaves out the tests with a mark. ``browser``, ``database`` and ``sandbox`` follow from fixtures and
folders; ``slow`` from the folders below, or from ``@pytest.mark.slow`` at a test that takes longer than a second.

Tests of real processes, sockets and browsers get a second try where other people's machines are busy; the summary
names every test that needed it (``-rR`` in ``make test``). Tests of pure code never do: they have no excuse.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "house", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
settings.load_profile("house")

# A shell that starts the tests in the background switches Ctrl-C off, ``nohup`` SIGHUP: also for the commands that the
# tests start, and some of them are about these signals.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

pytest_plugins = ("tests.support.databases",)

FIXTURES = {"chromium": "browser", "postgres": "database"}
FOLDERS = {
    "contest/run/test_first_programs.py": "sandbox",
    "programs/sandbox": "sandbox",
    "e2e": "slow",
    "examples": "slow",
    "search/test_mcts.py": "slow",
    "test_docs.py": "slow",
    "web/play/test_tables.py": "slow",
    "web/replays/test_report.py": "slow",
}


PURE = {"analysis", "game", "games", "pages", "rating", "records", "referee", "search", "wire"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in _marks(item):
            item.add_marker(mark)
        if not _is_pure(item):
            item.add_marker(pytest.mark.flaky(reruns=1))


def _is_pure(item: pytest.Item) -> bool:
    home = Path(__file__).parent
    return not item.path.is_relative_to(home) or item.path.relative_to(home).parts[0] in PURE


def _marks(item: pytest.Item) -> set[str]:
    marks = {mark for fixture, mark in FIXTURES.items() if fixture in getattr(item, "fixturenames", ())}
    if "postgresql" in getattr(getattr(item, "callspec", None), "params", {}).values():
        marks.add("database")
    home = Path(__file__).parent
    marks.update(mark for folder, mark in FOLDERS.items() if item.path.is_relative_to(home / folder))
    return marks
