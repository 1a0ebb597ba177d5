"""The set-up of the system packages: says what it does before it does it, installs what it may, and never fails."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "system_packages.sh"
APT = 'echo "$@" >> "$ASKED"'
BOTH = "chromium-headless-shell bubblewrap"


def run(folder: Path, chromium_at: str = "", **programs: str) -> tuple[str, str]:
    """What the script says on a machine with just these programs, and what apt-get was asked for."""
    for name, text in programs.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    asked = folder / "asked"
    shell = shutil.which("sh")
    assert shell is not None
    environment = {"PATH": str(folder), "ASKED": str(asked), "CHROMIUM": chromium_at}
    done = subprocess.run([shell, str(SCRIPT)], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stderr == ""
    return done.stdout, asked.read_text() if asked.exists() else ""


def test_with_everything_there_nothing_is_done_or_said(tmp_path: Path) -> None:
    assert run(tmp_path, chromium="", bwrap="", id="echo 0", apt_get=APT) == ("", "")


def test_another_browser_is_enough(tmp_path: Path) -> None:
    own = tmp_path / "browser"
    assert run(tmp_path, str(own), browser="", bwrap="", id="echo 0", apt_get=APT) == ("", "")


def test_root_installs_what_is_missing_after_a_notice(tmp_path: Path) -> None:
    said, asked = run(tmp_path, id="echo 0", apt_get=APT)
    assert asked == f"install -y {BOTH}\n"
    assert "tests of the pages in a browser" in said
    assert "tests of the sandbox" in said
    assert said.index(f"apt-get install -y {BOTH}") < said.index("Installed.")


@pytest.mark.parametrize(
    ("there", "asked_for"), [({"bwrap": ""}, "chromium-headless-shell"), ({"chromium_browser": ""}, "bubblewrap")]
)
def test_only_what_is_missing_is_installed(tmp_path: Path, there: dict[str, str], asked_for: str) -> None:
    _, asked = run(tmp_path, "", id="echo 0", apt_get=APT, **there)
    assert asked == f"install -y {asked_for}\n"


def test_lists_of_packages_that_are_old_are_renewed_once(tmp_path: Path) -> None:
    said, asked = run(tmp_path, id="echo 0", apt_get=f'{APT}; grep -q update "$ASKED"', grep='exec /bin/grep "$@"')
    assert asked.splitlines() == [f"install -y {BOTH}", "update", f"install -y {BOTH}"]
    assert "Installed." in said


def test_where_there_is_no_headless_shell_the_whole_browser_is_installed(tmp_path: Path) -> None:
    apt_get = f'{APT}; case "$*" in *headless*) exit 100;; esac'
    said, asked = run(tmp_path, id="echo 0", apt_get=apt_get)
    assert asked.splitlines()[-1] == "install -y chromium bubblewrap"
    assert "Installed." in said


@pytest.mark.parametrize(
    ("programs", "hint"),
    [
        ({"id": "echo 1000", "apt_get": APT}, f"sudo apt-get install -y {BOTH}"),
        ({"id": "echo 0"}, "CHROMIUM set to its path"),
        ({"id": "echo 0", "apt_get": "echo no network >&2; exit 100"}, f"Try it yourself: apt-get install -y {BOTH}"),
    ],
)
def test_where_it_cannot_be_installed_the_build_goes_on_and_says_how(
    tmp_path: Path, programs: dict[str, str], hint: str
) -> None:
    said, asked = run(tmp_path, **programs)
    assert asked == ""
    assert "are skipped" in said
    assert hint in said
