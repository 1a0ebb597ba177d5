"""Channels: a change wakes all viewers, and is rendered once for all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_MAX_LOOKS = 200
"""Ways of looking at one thing that are remembered."""
_WOKEN_AT_ONCE = 25
"""Watchers: each takes some fifty microseconds to be sent something."""


class Channel:
    """Wakes all who wait for a change, and renders it once for each way of looking at it."""

    def __init__(self) -> None:
        self.version = 0
        self.is_closed = False
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._rendered: dict[Hashable, tuple[int, Any]] = {}
        self._remembered: dict[Hashable, Any] = {}

    def publish(self) -> None:
        """Something has changed."""
        self.version += 1
        waiting, self._waiting = self._waiting, {}
        self._wake(iter(waiting))

    def _wake(self, waiting: Iterator[asyncio.Future[None]]) -> None:
        """Wake some, and the others later: between them the game master reads what players have sent."""
        woken = 0
        for future in waiting:
            if not future.done():
                future.set_result(None)
                woken += 1
            if woken == _WOKEN_AT_ONCE:
                asyncio.get_running_loop().call_soon(self._wake, waiting)
                return

    def close(self) -> None:
        """Nothing will change any more; waiting viewers may go."""
        self.is_closed = True
        self.publish()

    async def wait(self, seen: int) -> int:
        """The version after ``seen``, as soon as there is one."""
        while self.version == seen:
            self._waiting[future := asyncio.get_running_loop().create_future()] = None
            try:
                await future
            finally:
                self._waiting.pop(future, None)
        return self.version

    def remembered(self, look: Hashable, make: Callable[[], T]) -> T:
        """What is remembered of one way of looking at it."""
        if look not in self._remembered:
            if len(self._remembered) >= _MAX_LOOKS:  # Viewers of that look go on with what they have.
                del self._remembered[next(iter(self._remembered))]
            self._remembered[look] = make()
        found: T = self._remembered[look]
        return found

    def rendered(self, look: Hashable, render: Callable[[], T]) -> T:
        """What ``render`` returns for the present version; it is called once for each ``look``."""
        version, found = self._rendered.get(look, (-1, None))
        if version != self.version:
            found = render()
            self._rendered[look] = (self.version, found)
        result: T = found
        return result
