"""``asyncio.timeout`` of Python 3.11, for players that are packed for Python 3.10."""

from __future__ import annotations

import asyncio
from types import TracebackType


class timeout:  # noqa: N801 - the name in asyncio
    """Ends what is awaited inside after ``delay`` seconds with ``TimeoutError``; never, for ``None``."""

    def __init__(self, delay: float | None) -> None:
        self._delay = delay
        self._handle: asyncio.TimerHandle | None = None
        self._expired = False

    async def __aenter__(self) -> timeout:
        task = asyncio.current_task()
        assert task is not None
        if self._delay is not None:
            self._handle = asyncio.get_running_loop().call_later(self._delay, self._expire, task)
        return self

    def _expire(self, task: asyncio.Task[object]) -> None:
        self._expired = True
        task.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._handle is not None:
            self._handle.cancel()
        if self._expired and kind is asyncio.CancelledError:
            raise TimeoutError from error
