"""What the watchdog counts, without a program."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from spielleiter.programs.sandbox.limits import Breach, ResourceLimits
from spielleiter.programs.sandbox.watchdog import Watchdog

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")


def test_what_a_program_brought_is_no_growth_nor_what_it_wrote_before_its_game(tmp_path: Path) -> None:
    (tmp_path / "player").write_bytes(bytes(800_000))
    watchdog = Watchdog(os.getpid(), ResourceLimits(), folder=tmp_path)
    assert watchdog.disk_growth() == 0
    watchdog.start()
    assert watchdog.disk_growth() == 0
    (tmp_path / "packages").write_bytes(bytes(400_000))
    assert 400_000 <= watchdog.disk_growth() < 500_000
    watchdog.game_began()
    assert watchdog.disk_growth() == 0
    (tmp_path / "log").write_bytes(bytes(200_000))
    assert 200_000 <= watchdog.disk_growth() < 300_000


def test_its_own_files_do_not_count_against_its_share_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "player").write_bytes(bytes(800_000))
    watchdog = Watchdog(os.getpid(), ResourceLimits(disk=500_000), folder=tmp_path)
    watchdog.start()
    (tmp_path / "log").write_bytes(bytes(400_000))
    assert watchdog._look_at_disk() is None
    (tmp_path / "more").write_bytes(bytes(200_000))
    assert watchdog._look_at_disk() is Breach.DISK
