"""The Pythons of this machine, for tests that need another one than ours."""

from __future__ import annotations

import pytest

from spielleiter.programs.runtimes import Interpreter, find, wanted


def python(version: str) -> Interpreter:
    """That Python of this machine; skips the test where there is none."""
    found = find(wanted(version))
    if found is None:
        pytest.skip(f"there is no Python {version} here: uv python install {version}")
    return found
