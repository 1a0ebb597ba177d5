"""Which tests run by day, which at night, and which of them are tried twice."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.night import NIGHT, by_day, sample
from tests.support.second_tries import used_the_world

ROOT = Path(__file__).parents[1]
TESTS = """
import socket
import pytest
from tests.support.night import NIGHT, by_day

tried = set()

@pytest.mark.parametrize("case", by_day(["chosen", "other"], ["chosen"]))
def test_a_case(case):
    assert NIGHT or case == "chosen"

def test_pure_code():
    assert "pure" in tried or tried.add("pure")

def test_a_socket():
    socket.create_server(("127.0.0.1", 0)).close()
    assert "socket" in tried or tried.add("socket")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("night", "processes"), [("", "1"), ("1", "0")], ids=["day", "night"])
def test_only_the_socket_is_tried_twice_and_a_case_waits_for_the_night(
    tmp_path: Path, night: str, processes: str
) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_all.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-n", processes, "-c", str(ROOT / "pyproject.toml"), str(tmp_path)]
    environment = {**os.environ, "SPIELLEITER_NIGHTLY": night, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert f"1 failed, {3 if night else 2} passed" in run.stdout, run.stdout
    assert "::test_pure_code" in run.stdout
    assert "second tries: 1" in run.stdout
    assert ("left for make nightly: 1" in run.stdout) is not bool(night)


def test_a_sample_is_spread_over_all_cases() -> None:
    assert sample(range(10), 4) == (range(10) if NIGHT else [0, 3, 6, 9])
    assert sample(range(3), 5) == range(3)
    assert len(by_day(range(10), sample(range(10), 4))) == 10


def test_a_test_has_used_the_world_once_it_has_a_socket(request: pytest.FixtureRequest) -> None:
    assert not used_the_world(request.node)
    socket.create_server(("127.0.0.1", 0)).close()
    assert used_the_world(request.node)
