"""Two ways to keep a limit of memory: a control group counts all of it, or a filter refuses what is not counted."""

from __future__ import annotations

import pytest

from spielleiter.programs.sandbox.kernel import cgroup


@pytest.fixture
def no_cgroup(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine without control groups."""
    monkeypatch.setattr(cgroup, "_place", lambda: None)


@pytest.fixture(params=["cgroup", "filter"])
def kept_by(request: pytest.FixtureRequest) -> str:
    """The test runs once with control groups, where there are any, and once as on a machine without."""
    way: str = request.param
    if way == "filter":
        request.getfixturevalue("no_cgroup")
    elif not cgroup.available():
        pytest.skip("there are no control groups to be had here")
    return way
