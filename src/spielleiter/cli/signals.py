"""Signals that end a command cleanly: Ctrl-C, SIGTERM, and SIGHUP, which comes when a terminal is closed.

A server then ends its games with a result; a match or a season stops as after Ctrl-C, and the same command goes on.
Nothing is reloaded: settings are read at start. Who started a command with ``nohup`` wants no SIGHUP, and gets none.
"""

from __future__ import annotations

import asyncio
import signal
from types import FrameType


def _stopping() -> list[signal.Signals]:
    """The signals that stop a command, without those that its parent has switched off."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Not every system has the last.
    found = [signal.Signals[name] for name in names if name in signal.Signals.__members__]
    return [number for number in found if signal.getsignal(number) is not signal.SIG_IGN]


def stop_event() -> asyncio.Event:
    """An event of the running loop that is set as soon as this process shall stop."""
    stop = asyncio.Event()
    for number in _stopping():
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def interrupt_on_every_signal() -> None:
    """Let every signal that stops a command do what Ctrl-C does."""
    for number in _stopping():
        if number is not signal.SIGINT:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # As shells do for what scripts start in the background.
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)
