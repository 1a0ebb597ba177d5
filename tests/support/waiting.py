"""Waiting for what a test waits for, where nobody announces it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def wait_until(condition: Callable[[], Found | None], seconds: float = 60) -> Found:
    """What ``condition`` returns as soon as it is true."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
    return found


async def until(condition: Callable[[], Found | None], seconds: float = 60) -> Found:
    """Like ``wait_until``, while other tasks go on."""
    async with asyncio.timeout(seconds):
        while not (found := condition()):  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.005)
    return found
