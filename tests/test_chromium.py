"""The set-up of the browser tests: says what it does, installs what it may, and never fails."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "chromium.sh"


def run(folder: Path, **programs: str) -> tuple[str, str]:
    """What the script says on a machine with just these programs, and what apt-get was asked for."""
    for name, text in programs.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    asked = folder / "asked"
    shell = shutil.which("sh")
    assert shell is not None
    done = subprocess.run(
        [shell, str(SCRIPT)], env={"PATH": str(folder), "ASKED": str(asked)}, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0
    assert done.stderr == ""
    return done.stdout, asked.read_text() if asked.exists() else ""


APT = 'echo "$@" >> "$ASKED"'


def test_with_chromium_nothing_is_done_or_said(tmp_path: Path) -> None:
    assert run(tmp_path, chromium="", id="echo 0", apt_get=APT) == ("", "")


def test_root_installs_it_and_is_told(tmp_path: Path) -> None:
    said, asked = run(tmp_path, id="echo 0", apt_get=APT)
    assert asked == "install -y -qq chromium\n"
    assert "installing it for the browser tests" in said
    assert "Chromium is installed." in said


def test_lists_of_packages_that_are_old_are_renewed_once(tmp_path: Path) -> None:
    said, asked = run(tmp_path, id="echo 0", apt_get=f'{APT}; grep -q update "$ASKED"', grep='exec /bin/grep "$@"')
    assert asked.splitlines() == ["install -y -qq chromium", "update -qq", "install -y -qq chromium"]
    assert "Chromium is installed." in said


@pytest.mark.parametrize(
    ("programs", "hint"),
    [
        ({"id": "echo 1000", "apt_get": APT}, "sudo apt-get install chromium"),
        ({"id": "echo 0"}, "set CHROMIUM to its path"),
        (
            {"id": "echo 0", "apt_get": "echo no network >&2; exit 100"},
            "Try it yourself with: apt-get install chromium",
        ),
    ],
)
def test_where_it_cannot_be_installed_the_build_goes_on_and_says_how(
    tmp_path: Path, programs: dict[str, str], hint: str
) -> None:
    said, asked = run(tmp_path, **programs)
    assert asked == ""
    assert "will be skipped" in said
    assert hint in said
