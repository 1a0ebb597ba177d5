"""What has time only at night: the tests marked ``nightly``, and most cases of those that have too many.

``make nightly`` sets ``SPIELLEITER_NIGHTLY``. Otherwise the tests marked ``nightly`` are left out, and the summary
counts them. A kind of proof never moves into the night as a whole: what runs by day is a sample of it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet
from _pytest.terminal import TerminalReporter
from hypothesis import HealthCheck, settings

NIGHT = bool(os.environ.get("SPIELLEITER_NIGHTLY"))
Case = TypeVar("Case")

settings.register_profile(
    "day", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25
)
settings.register_profile("night", settings.get_profile("day"), derandomize=False, max_examples=250, print_blob=True)
settings.load_profile("night" if NIGHT else "day")


def sample(cases: Sequence[Case], count: int) -> Sequence[Case]:
    """All cases at night; by day ``count`` of them, evenly spaced, with the first and the last."""
    if NIGHT or count >= len(cases):
        return cases
    return [cases[round(i * (len(cases) - 1) / (count - 1))] for i in range(count)] if count > 1 else cases[:1]


def examples(count: int) -> int:
    """So many examples of hypothesis by day, ten times as many at night."""
    return 10 * count if NIGHT else count


def by_day(cases: Iterable[Case], chosen: Collection[Case]) -> list[Case | ParameterSet]:
    """The cases for ``parametrize``, of which by day only the ``chosen`` ones run."""
    return [case if case in chosen else _param(case) for case in cases]


def _param(case: object) -> ParameterSet:
    return pytest.param(*case if isinstance(case, tuple) else (case,), marks=pytest.mark.nightly)


# --- what was left out, counted --------------------------------------------------------------------------------------

_left_out = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    waiting = [] if NIGHT else [item for item in items if item.get_closest_marker("nightly")]
    config.stash[_left_out] = len(waiting)
    if waiting:
        config.hook.pytest_deselected(items=waiting)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_left_out, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every process of pytest-xdist has left out the same tests."""
    node.config.stash[_left_out] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(_left_out, 0):
        terminalreporter.write_line(f"left for make nightly: {count}")
