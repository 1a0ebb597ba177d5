"""Signals that end a command: all of them as Ctrl-C does, unless whoever started it has switched them off."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

LONG = """
import asyncio
from spielleiter.cli.signals import interrupt_on_every_signal
async def play():
    try:
        print("begun", flush=True)  # The signal may come at once.
        await asyncio.sleep({seconds})
    finally:
        print("cleaned up", flush=True)
interrupt_on_every_signal()
try:
    asyncio.run(play())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def run(number: signal.Signals, *before: str, seconds: float = 60) -> list[str]:
    """What a long command prints that gets this signal."""
    command = [*before, sys.executable, "-c", LONG.format(seconds=seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        return process.stdout.read().splitlines()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_every_signal_interrupts_a_match_or_a_season_cleanly(number: signal.Signals) -> None:
    assert run(number) == ["cleaned up", "interrupted"]


def test_a_command_in_the_background_of_a_script_can_be_ended() -> None:
    ignoring = ("sh", "-c", 'trap "" INT; exec "$0" "$@"')
    assert run(signal.SIGTERM, *ignoring) == ["cleaned up", "interrupted"]


def test_a_command_behind_nohup_outlives_its_terminal() -> None:
    assert run(signal.SIGHUP, "nohup", seconds=0.3) == ["cleaned up"]
