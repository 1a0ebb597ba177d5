"""Temporary folders after kill -9, beside a run that lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from spielleiter.programs import temporary

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no locks that end with a process")

RUN = """
import sys
from spielleiter.programs.temporary import temporary_folder
folder = temporary_folder("player")
(folder / "secret.txt").write_text("of a team")
print(folder, flush=True)
sys.stdin.read()
"""


def start(place: Path) -> tuple[subprocess.Popen[str], Path]:
    """A run that has a temporary folder in ``place``, and waits."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"TMPDIR": str(place)},
    )  # fmt: skip
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=60)


def test_the_next_run_removes_what_a_killed_one_left_and_nothing_of_a_living_one(tmp_path: Path) -> None:
    living, its_folder = start(tmp_path)
    killed, left = start(tmp_path)
    killed.send_signal(signal.SIGKILL)
    end(killed)
    assert (left / "secret.txt").exists()
    following, third = start(tmp_path)
    assert not left.parent.exists()
    assert (its_folder / "secret.txt").exists()
    assert third.is_dir()
    for process in (living, following):
        end(process)
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "lock").touch()
    (tmp_path / "spielleiter-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "spielleiter-notes").mkdir()
    (tmp_path / "spielleiter.txt").touch()
    end(start(tmp_path)[0])
    assert {path.name for path in tmp_path.iterdir()} == {
        "elsewhere", "spielleiter-link", "spielleiter-notes", "spielleiter.txt"
    }  # fmt: skip


def test_a_folder_that_was_swept_in_the_moment_of_its_making_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    real = temporary._take
    swept: list[Path] = []

    def take(home: Path, flags: int = 0) -> int | None:
        if flags and not swept:
            swept.append(home)
            return None
        return real(home, flags)

    monkeypatch.setattr(temporary, "_take", take)
    home, lock = temporary._new_home()
    assert home not in swept
    os.close(lock)


def test_a_forked_process_has_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "_homes", {})
    mine = temporary.temporary_folder("a")
    monkeypatch.setattr(os, "getpid", lambda: 0)
    assert temporary.temporary_folder("a").parent != mine.parent


def test_logs_stay_for_a_day_and_go_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, fresh = temporary.kept_folder("logs"), temporary.kept_folder("logs")
    other = tmp_path / "spielleiter-other"
    other.mkdir()
    for folder in (old, other):
        os.utime(folder, (0, 0))
    newest = temporary.kept_folder("logs")
    assert {path.name for path in tmp_path.iterdir()} == {fresh.name, other.name, newest.name}
