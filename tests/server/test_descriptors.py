"""File descriptors: as many as the settings promise, or a line that says how many there are."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")

SCRIPT = """
import logging, os, resource
from spielleiter.server.descriptors import allow_connections
logging.basicConfig(format="%(message)s")
resource.setrlimit(resource.RLIMIT_NOFILE, (256, {hard}))
if os.geteuid() == 0:  # Who is not root may not raise the hard limit again.
    os.setuid(65534)
print(allow_connections(400), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def allowed(hard: int) -> tuple[str, str]:
    """What a process with such a hard limit gets, and what it logs."""
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(hard=hard)], capture_output=True, text=True, check=True)
    return done.stdout.strip(), done.stderr


def test_the_limit_is_raised_to_what_the_settings_promise() -> None:
    assert allowed(4096) == ("400 700", "")


def test_what_cannot_be_had_is_said() -> None:
    found, log = allowed(400)
    assert found == "200 400"
    assert "400 connections would need 700 file descriptors; this system allows 400, enough for 200" in log
