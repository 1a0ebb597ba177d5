"""Python and the editor for the browser, as ``make workshop`` gets them: once, then they stay in ``build``."""

from __future__ import annotations

import fcntl
import shutil
from pathlib import Path

import pytest

from release import workshop


@pytest.fixture(scope="session")
def workshop_assets() -> Path:
    """The folder with the files; skips the test where npm cannot bring them."""
    if workshop.is_current():
        return workshop.ASSETS
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed: it brings Python and the editor for the workshop")
    workshop.BUILT.mkdir(parents=True, exist_ok=True)
    with (workshop.BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Tests may run in two processes.
        try:
            if not workshop.is_current():
                workshop.build()
        except SystemExit as why:
            pytest.skip(f"npm cannot bring what the workshop needs: {str(why.code)[:300]}")
    return workshop.ASSETS
