"""A command that a test runs in this process chooses the language for all that follow: here it lasts for a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spielleiter.cli import terminal
from spielleiter.text import choose_language


@pytest.fixture(autouse=True)
def _language_of_this_test_alone() -> Iterator[None]:
    before = terminal.language()
    yield
    choose_language(None)
    terminal._language = before
