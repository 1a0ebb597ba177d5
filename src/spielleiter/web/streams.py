"""Server-sent events: the newest look of something, as soon as there is one, to as many as want it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Hashable
from typing import Any

from starlette.responses import StreamingResponse

from spielleiter.web.live import Channel

_HEARTBEAT = 15.0
"""Seconds after which silence is broken, so that a lost connection shows."""
_PAUSE = 0.04
"""Seconds between two looks at least: nobody sees more, and a game of fast programs costs no more than a slow one."""


def event_stream(
    channel: Channel, look: Hashable, draw: Callable[[], dict[str, Any]], *, alive: Callable[[], None] = lambda: None
) -> StreamingResponse:
    """What ``draw`` gives, now and after every change; drawn once for all who look in the same way.

    ``alive`` is called again and again while somebody looks.
    """

    def message() -> str:
        return f"data: {json.dumps(draw(), ensure_ascii=False, separators=(',', ':'))}\n\n"

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        while True:
            seen = channel.version
            alive()
            yield channel.drawn(look, message)
            await asyncio.sleep(_PAUSE)
            while channel.version == seen:
                try:
                    async with asyncio.timeout(_HEARTBEAT):
                        await channel.news(seen)
                except TimeoutError:
                    alive()
                    yield ": still here\n\n"

    return StreamingResponse(
        stream(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
    )
