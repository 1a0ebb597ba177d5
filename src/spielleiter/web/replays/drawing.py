"""What takes a moment to make for a visitor, as a picture does: in one thread of low priority.

Laws: at most ``MAX_WAITING`` visitors wait at a time, ``MAX_PER_ADDRESS`` of one address; for those who have left
nothing is begun any more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from starlette.requests import Request

from spielleiter.errors import PageError
from spielleiter.text import Text
from spielleiter.web.analysis.engine_pool import be_nice
from spielleiter.web.guard import address_of
from spielleiter.web.streams import unless_left

MAX_WAITING = 200
MAX_PER_ADDRESS = 60
"""A whole class may share one address."""
_NICENESS = 5
"""With more, a picture would be seconds late on a busy machine."""


class DrawingThread:
    """Draws for visitors, one after the other."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="drawing", initializer=partial(be_nice, _NICENESS))
        self._waiting: Counter[str] = Counter()
        """Pictures that each address waits for."""
        self._is_closed = False

    def close(self) -> None:
        """Draw no more."""
        self._is_closed = True
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def draw(self, request: Request, call: Callable[[], bytes]) -> bytes:
        """What ``call`` returns. Raises ``PageError`` if too many wait, the visitor has left, or the pages stop."""
        address = address_of(request.scope)
        is_full = self._waiting.total() >= MAX_WAITING or self._waiting[address] >= MAX_PER_ADDRESS
        if is_full or self._is_closed:
            raise _too_many()
        self._waiting[address] += 1
        try:
            drawing = asyncio.get_running_loop().run_in_executor(self._executor, call)
            found = await unless_left(request.receive, drawing)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
        if found is None:
            raise _too_many()
        return found


def _too_many() -> PageError:
    return PageError(
        503,
        Text("Gerade werden zu viele Bilder gewünscht.", "Too many pictures are wanted just now."),
        Text("Versuche es gleich noch einmal.", "Try again in a moment."),
        retry_after=5,
    )
