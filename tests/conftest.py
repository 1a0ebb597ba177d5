"""What all tests share: every test is marked with what it needs.

``make quick`` leaves out the tests with a mark. ``browser``, ``database`` and ``sandbox`` follow from fixtures and
files; ``slow`` from the files below, or from ``@pytest.mark.slow`` at a test that takes more than half a second of
CPU time. ``nightly`` is for the night alone (``tests/support/night.py``). What all tests of a file need is known
without importing it, from its path or its ``pytestmark``: ``make quick`` imports no file in vain.
"""

from __future__ import annotations

import functools
import gc
import os
import re
import signal
import ssl
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

import pytest

# A shell that starts the tests in the background switches Ctrl-C off, ``nohup`` SIGHUP: also for the commands that the
# tests start, and some of them are about these signals.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# No test uses TLS; but every client of httpx would read all certificates of this machine again, for 40 ms.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]

# A visitor of the pages waits as long as everything else here: the machine may stand still for more than five seconds.
with suppress(ImportError):
    from httpx import _config

    _config.DEFAULT_TIMEOUT_CONFIG.connect = _config.DEFAULT_TIMEOUT_CONFIG.read = 60
    _config.DEFAULT_TIMEOUT_CONFIG.write = _config.DEFAULT_TIMEOUT_CONFIG.pool = 60

# Two processes of tests share two cores: more threads for a matrix would only wait for each other, and burn a core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = (
    "tests.support.browsers",
    "tests.support.databases",
    "tests.support.machine",
    "tests.support.next_season",
    "tests.support.night",
    "tests.support.second_tries",
    "tests.support.slowest",
    "tests.support.terminal",
    "tests.support.workshop_assets",
)

FIXTURES = {"chromium": "browser", "postgres": "database"}
FILES = {
    "cli/coach/*": "slow",
    "cli/engine/*": "slow",
    "cli/test_new_game.py": "slow",
    "coach/test_study.py": "slow",
    "contest/read/*": "slow",
    "contest/run/*": "slow",
    "contest/run/test_first_programs.py": "sandbox",
    "programs/sandbox/*": "sandbox",
    "e2e/*": "slow",
    "examples/*": "slow",
    "games/test_new_season.py": "slow",
    "pages/*_browser.py": "browser",
    "pages/season/*": "slow",
    "programs/test_kit_on_old_pythons.py": "slow",
    "search/test_mcts.py": "slow",
    "test_docs.py": "slow",
    "test_house.py": "slow",
    "test_plugins.py": "slow",
    "walks/*": "slow",
    "web/*_browser.py": "browser",
    "web/play/test_tables.py": "slow",
    "web/test_connections.py": "slow",
    "workshop/*": "slow",
    "web/replays/test_report.py": "slow",
}
_PYTESTMARK = re.compile(r"^pytestmark = (?:\[\n.*?^\]|.*?$)", re.DOTALL | re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    unwanted = re.fullmatch(r"not \(([\w ]+)\)", config.option.markexpr)
    return bool(unwanted and _marks_of_file(collection_path) & set(unwanted[1].split(" or "))) or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Ten thousand tests are no garbage: looking through them again and again takes a quarter of the collection."""
    gc.disable()
    try:
        return (yield)  # type: ignore[misc]
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow_files = set()
    for item in items:
        for mark in _marks(item):
            item.add_marker(mark)
            slow_files.add(item.path)
    # The long files first: at the end no process of tests waits long for the other one.
    items.sort(key=lambda item: item.path not in slow_files)


def _marks(item: pytest.Item) -> set[str]:
    marks = {mark for fixture, mark in FIXTURES.items() if fixture in getattr(item, "fixturenames", ())}
    if "postgresql" in getattr(getattr(item, "callspec", None), "params", {}).values():
        marks.add("database")
    return marks | _marks_of_file(item.path)


@functools.cache
def _marks_of_file(path: Path) -> set[str]:
    home = Path(__file__).parent
    name = path.relative_to(home).as_posix() if path.is_relative_to(home) else ""
    marks = {mark for files, mark in FILES.items() if fnmatch(name, files)}
    if path.suffix == ".py" and (own := _PYTESTMARK.search(path.read_text(encoding="utf-8"))):
        marks.update(re.findall(r"pytest\.mark\.(browser|database|sandbox|slow)\b", own[0]))
    return marks
