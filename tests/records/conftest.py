"""What the tests of records share: no writer outlives its test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.records_stage import Stage


@pytest.fixture(autouse=True)
def _close_writers() -> Iterator[None]:
    yield
    while Stage.opened:
        Stage.opened.pop().writer.close()
