"""Control groups: what they count, and that none is left, not even by a run that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielleiter.programs.sandbox.kernel import cgroup
from spielleiter.programs.sandbox.kernel.cgroup import Cgroup

pytestmark = pytest.mark.skipif(not cgroup.available(), reason="there are no control groups to be had here")
SLEEP = "import time; print('in', flush=True); time.sleep(60)"


@pytest.fixture
def group() -> Iterator[Cgroup]:
    made = Cgroup.create(memory=100_000_000, processes=5)
    assert made is not None
    yield made
    made.remove()
    assert not any(folder.exists() for folder in made.folders.values())


def _sleeper(group: Cgroup) -> subprocess.Popen[bytes]:
    command = group.entered_by([sys.executable, "-I", "-S", "-c", SLEEP])
    sleeper = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert sleeper.stdout is not None
    assert sleeper.stdout.readline() == b"in\n"
    return sleeper


def test_a_process_in_the_group_is_counted_and_ends_with_it(group: Cgroup) -> None:
    with _sleeper(group) as sleeper:
        assert group.pids() == [sleeper.pid]
        assert group.processes == 1
        assert group.memory < 100_000_000
        group.remove()
        assert sleeper.wait(60) == -signal.SIGKILL


def test_a_frozen_process_ends_with_the_group_too(group: Cgroup) -> None:
    with _sleeper(group) as sleeper:
        group.freeze(True)
        group.remove()
        assert sleeper.wait(60) == -signal.SIGKILL


ABANDON = """
import os, sys
from spielleiter.programs.sandbox.kernel.cgroup import Cgroup
group = Cgroup.create(memory=100_000_000, processes=5)
print(*dict.fromkeys(group.folders.values()), flush=True)
os.kill(os.getpid(), 9)
"""


def test_the_group_of_a_killed_run_is_removed_by_the_next_and_that_of_a_living_one_is_not(group: Cgroup) -> None:
    killed = subprocess.run([sys.executable, "-c", ABANDON], capture_output=True, text=True, check=False)
    left = [Path(folder) for folder in killed.stdout.split()]
    assert left
    assert all(folder.exists() for folder in left)
    cgroup._place.cache_clear()
    assert cgroup.available()
    assert not any(folder.exists() for folder in left)
    assert all(folder.exists() for folder in group.folders.values())


def test_a_folder_of_version_2_is_used_where_it_is_delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path("/proc/self/cgroup").read_text().splitlines()[-1].removeprefix("0::").lstrip("/")
    for folder, controllers in ((tmp_path, "cpu"), (tmp_path / own, "cpu memory pids")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.procs").touch()
    monkeypatch.setattr(cgroup, "_mounts", lambda: [(None, tmp_path)])
    assert list(cgroup._candidates()) == [({"memory": tmp_path / own, "pids": tmp_path / own}, True)]
