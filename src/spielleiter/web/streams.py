"""Server-sent events: the newest look of something, as soon as there is one, to as many as want it.

A look is rendered and encoded once for all who look in the same way; each of them is sent the parts that changed.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from starlette.responses import StreamingResponse

from spielleiter.web.live import Channel

_HEARTBEAT_SECONDS = 15.0
"""After so long without a message a heartbeat is sent, so that a lost connection shows."""
_MIN_INTERVAL = 0.04
"""Seconds between two looks: nobody sees more, and a game of fast programs costs no more than a slow one."""


@dataclass(frozen=True, slots=True)
class _Encoded:
    """A look, ready to be sent: each part by itself, and all the rest."""

    parts: Mapping[str, str]
    rest: str

    @classmethod
    def of(cls, look: Mapping[str, Any]) -> _Encoded:
        parts = {name: f"{_json(name)}:{_json(str(html))}" for name, html in look["parts"].items()}
        return cls(parts, _json({name: value for name, value in look.items() if name != "parts"})[1:])

    def message(self, known: Mapping[str, str]) -> str:
        """The event for somebody who has the parts ``known``; the server's clock tells how old all this is."""
        new = ",".join(part for name, part in self.parts.items() if known.get(name) != part)
        rest = self.rest if self.rest == "}" else "," + self.rest
        return f'data: {{"now":{time.monotonic():.3f},"parts":{{{new}}}{rest}\n\n'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def event_stream(
    channel: Channel,
    look: Hashable,
    render: Callable[[], dict[str, Any]],
    *,
    alive: Callable[[], None] = lambda: None,
    max_seconds: float = inf,
) -> StreamingResponse:
    """What ``render`` returns, now and after every change; once for all who look in the same way.

    ``alive`` is called again and again while somebody looks. After ``max_seconds`` the stream ends; browsers reconnect.
    """

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        sent: _Encoded | None = None
        ends = time.monotonic() + max_seconds
        while not channel.is_closed and time.monotonic() < ends:
            seen = channel.version
            alive()
            encoded = channel.rendered(look, lambda: _Encoded.of(render()))
            if encoded != sent:
                yield encoded.message({} if sent is None else sent.parts)
                sent = encoded
            await asyncio.sleep(_MIN_INTERVAL)
            while channel.version == seen and time.monotonic() < ends:
                try:
                    async with asyncio.timeout(_HEARTBEAT_SECONDS):
                        await channel.wait(seen)
                except TimeoutError:
                    alive()
                    yield "event: beat\ndata:\n\n"

    return StreamingResponse(
        stream(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
    )
