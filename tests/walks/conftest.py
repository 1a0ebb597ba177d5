"""Walks: each is one person's way from beginning to end, asserted only by what that person sees.

Everything is real: the commands, the processes, the archives, the browsers. At night each walk is walked on an idle
machine and beside two CPU burners, and must tell the truth on both; by day that in which thirty people start at once is
walked beside burners, the others beside the other processes of tests, which keep all cores busy. Walks are short (few
moves, quick players); at night they are longer.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.burners import burners
from tests.support.night import NIGHT, by_day

LOADS = ("idle", "busy")
BUSY_BY_DAY = {"test_class"}
"""The shortest of the walks in which many wait for each other."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    is_busy = metafunc.module.__name__.rpartition(".")[2] in BUSY_BY_DAY
    metafunc.parametrize("load", by_day(LOADS, ["busy" if is_busy else "idle"]), indirect=True)


@pytest.fixture(autouse=True)
def load(request: pytest.FixtureRequest, real_machine: None) -> Iterator[str]:
    """What else the machine has to do during a walk."""
    with burners(2 if request.param == "busy" else 0):
        yield request.param


@pytest.fixture
def nightly() -> bool:
    """Whether there is time for a long walk."""
    return NIGHT
