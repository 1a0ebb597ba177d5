"""Server-sent events: the newest look of something, as soon as there is one, to as many as want it.

A look is drawn and encoded once for all who look in the same way; each of them is sent the parts that are new to him.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import StreamingResponse

from spielleiter.web.live import Channel

_HEARTBEAT = 15.0
"""Seconds after which silence is broken, so that a lost connection shows."""
_PAUSE = 0.04
"""Seconds between two looks at least: nobody sees more, and a game of fast programs costs no more than a slow one."""


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
    channel: Channel, look: Hashable, draw: Callable[[], dict[str, Any]], *, alive: Callable[[], None] = lambda: None
) -> StreamingResponse:
    """What ``draw`` gives, now and after every change; drawn once for all who look in the same way.

    ``alive`` is called again and again while somebody looks.
    """

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        sent: _Encoded | None = None
        while not channel.is_closed:
            seen = channel.version
            alive()
            drawn = channel.drawn(look, lambda: _Encoded.of(draw()))
            if drawn != sent:
                yield drawn.message({} if sent is None else sent.parts)
                sent = drawn
            await asyncio.sleep(_PAUSE)
            while channel.version == seen:
                try:
                    async with asyncio.timeout(_HEARTBEAT):
                        await channel.news(seen)
                except TimeoutError:
                    alive()
                    yield "event: beat\ndata:\n\n"

    return StreamingResponse(
        stream(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
    )
