"""Stopping by signals: what runs on is stopped again, and known."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from spielleiter.programs.sandbox.signal_freezer import SignalFreezer
from spielleiter.programs.sandbox.watchdog import processor_time
from tests.support.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked at in /proc")


@pytest.fixture
def spinner() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "while True: pass"]) as process:
        yield process.pid
        process.kill()


def test_a_process_that_is_woken_again_and_again_evades(spinner: int) -> None:
    freezer = SignalFreezer(lambda: [spinner])
    freezer.freeze(True)

    def woken() -> bool:
        os.kill(spinner, signal.SIGCONT)
        return freezer.is_evaded()

    wait_until(woken)


def test_a_process_that_stays_stopped_does_not(spinner: int) -> None:
    freezer = SignalFreezer(lambda: [spinner])
    freezer.freeze(True)
    for _ in range(20):
        assert not freezer.is_evaded()
        time.sleep(0.005)  # In which it would run, and be seen to.


def test_nothing_evades_once_all_may_run_again(spinner: int) -> None:
    freezer = SignalFreezer(lambda: [spinner])
    freezer.freeze(True)
    freezer.freeze(False)
    used = processor_time(spinner)
    wait_until(lambda: processor_time(spinner) > used)
    assert not any(freezer.is_evaded() for _ in range(20))


def test_new_processes_that_keep_coming_evade() -> None:
    def appearing() -> list[int]:
        with subprocess.Popen(["/bin/true"]) as process:
            return [process.pid]

    freezer = SignalFreezer(appearing)
    freezer.freeze(True)
    assert any(freezer.is_evaded() for _ in range(20))
