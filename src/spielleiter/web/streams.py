"""Server-sent events: the newest look of something, as soon as there is one, to as many as want it.

A look is rendered once for all who look in the same way. What leads from an older look to the newest is worked out,
encoded and compressed once too: however many watch, a move costs each of them only the writing of a few hundred bytes.
"""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from spielleiter.feeds.channel import Channel
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import whole_number
from spielleiter.web.patches import make_patch

_HEARTBEAT_SECONDS = 15.0
"""Seconds without a message until a heartbeat is sent, so that a lost connection is noticed."""
_MIN_INTERVAL = 0.04
"""Seconds between two looks: more cannot be seen, and a game of fast programs costs no more than a slow one."""
_MAX_LOOKS = 4
"""The newest ones stay, so that a browser with one of them is sent only what changed."""
_MAX_AGE = 0.25
"""Seconds: a message says what time it is here, so it is not sent much later than it was made."""
_T = TypeVar("_T")
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


@dataclass(frozen=True, slots=True)
class _Look:
    """What a page shows at one moment; ``number`` grows with every change."""

    number: int
    fields: dict[str, Any]
    """The number of the ``PageUpdate`` that shows everything."""


@dataclass(frozen=True, slots=True)
class _Message:
    """An event, plain and compressed.

    Compressed it is a piece of a deflate stream that refers to nothing before it: so the same bytes fit into the gzip
    stream of everybody.
    """

    plain: bytes
    packed: bytes
    made: float

    @classmethod
    def of(cls, text: str) -> _Message:
        plain = text.encode()
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        return cls(plain, packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH), time.monotonic())


def accepts_gzip(header: str) -> bool:
    """Whether a visitor with this ``Accept-Encoding`` takes gzip: by name or as ``*``, and not with the weight 0."""
    weights = {}
    for part in header.casefold().split(","):
        name, *parameters = (each.strip() for each in part.split(";"))
        quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        weights[name] = bool(quality.strip("0."))
    return weights.get("gzip", weights.get("*", False))


_RETRY = _Message.of("retry: 1000\n\n")
_BEAT = _Message.of("event: beat\ndata:\n\n")


class _Looks:
    """The newest looks in one way at one channel, and the messages that lead from each of them to the last."""

    def __init__(self) -> None:
        self._looks: deque[_Look] = deque(maxlen=_MAX_LOOKS)
        self._version = -1
        self._rendering = asyncio.Lock()
        self._messages: dict[int | None, _Message] = {}

    def newest(self, version: int, render: Callable[[], PageUpdate]) -> _Look:
        """The look of this version of the channel; a new one only if something shows."""
        if version != self._version:
            self._version = version
            found = render().to_json()
            last = self._looks[-1] if self._looks else None
            if last is None or last.fields != found:
                # Not from 0: a number of an earlier run of these pages must not be taken for one of ours.
                number = time.monotonic_ns() if last is None else last.number + 1
                self._looks.append(_Look(number, found))
                self._messages.clear()
        return self._looks[-1]

    async def newest_of_store(self, channel: Channel, render: Callable[[], PageUpdate]) -> _Look:
        """Like ``newest``, for a look that is read from a store: in a thread, and once for all who wait for it."""
        async with self._rendering:
            version = channel.version
            if version == self._version:
                return self._looks[-1]
            update = await run_in_threadpool(render)
            return self.newest(version, lambda: update)

    def message(self, seen: int | None) -> _Message:
        """The event for a browser that has seen the look of that number, if any."""
        known = next((look for look in self._looks if look.number == seen), None)
        key = None if known is None else known.number
        message = self._messages.get(key)
        if message is None or time.monotonic() - message.made > _MAX_AGE:
            message = self._messages[key] = _Message.of(_event(known, self._looks[-1]))
        return message


def _event(known: _Look | None, look: _Look) -> str:
    """The event that leads from ``known`` to ``look``; the server's clock tells how old all this is."""
    before = {"parts": {}} if known is None else known.fields
    data = {name: value for name, value in look.fields.items() if before.get(name) != value}
    parts, patches = {}, {}
    for name, html in data.pop("parts", {}).items():
        shown = before["parts"].get(name)
        if shown == html:
            continue
        patch = None if shown is None else make_patch(shown, html)
        if patch is None:
            parts[name] = html
        else:
            patches[name] = patch
    data["now"] = round(time.monotonic(), 3)
    data |= {name: found for name, found in (("parts", parts), ("patches", patches)) if found}
    return f"id: {look.number}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"


class EventStream(Response):
    """What ``render`` returns, now and after every change; once for all who look in the same way.

    ``reads_store``: it may block, so a thread renders it. ``alive`` is called repeatedly while there are viewers.
    After ``max_seconds`` the stream ends; browsers reconnect, and say what they have seen last.
    """

    def __init__(
        self,
        channel: Channel,
        look: Hashable,
        render: Callable[[], PageUpdate],
        *,
        reads_store: bool = False,
        alive: Callable[[], None] = lambda: None,
        max_seconds: float = inf,
    ) -> None:
        super().__init__(
            media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"}
        )
        del self.headers["content-length"]
        self._channel = channel
        self._looks = channel.remembered(look, _Looks)
        self._render = render
        self._reads_store = reads_store
        self._alive = alive
        self._max_seconds = max_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the visitor leaves, or nothing more will come."""
        headers = Headers(scope=scope)
        is_packed = accepts_gzip(headers.get("accept-encoding", ""))
        if is_packed:
            self.headers["content-encoding"] = "gzip"
        last = headers.get("last-event-id", "")
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        visit = _Visit(send, is_packed, whole_number(last))
        leaving = asyncio.ensure_future(_left(receive))
        streaming = asyncio.ensure_future(self._stream(visit))
        try:
            while not (leaving.done() or streaming.done()):
                await asyncio.wait(
                    (leaving, streaming), timeout=_HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if not (leaving.done() or streaming.done()) and visit.is_idle():
                    self._alive()
                    await visit.write(_BEAT)
        finally:
            leaving.cancel()
            streaming.cancel()
            with suppress(asyncio.CancelledError):
                await streaming

    async def _stream(self, visit: _Visit) -> None:
        channel, ends = self._channel, time.monotonic() + self._max_seconds
        await visit.write(_RETRY)
        while not channel.is_closed and time.monotonic() < ends:
            version = channel.version
            self._alive()
            if self._reads_store:
                look = await self._looks.newest_of_store(channel, self._render)
            else:
                look = self._looks.newest(version, self._render)
            if look.number != visit.seen:
                await visit.write(self._looks.message(visit.seen))
                visit.seen = look.number
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self._max_seconds == inf else ends - time.monotonic()):
                    await channel.wait(version)
            if (soon := visit.written + _MIN_INTERVAL - time.monotonic()) > 0:
                await asyncio.sleep(soon)
        await visit.end()


class _Visit:
    """One stream to one visitor."""

    def __init__(self, send: Send, is_packed: bool, seen: int | None) -> None:
        self._send = send
        self._is_packed = is_packed
        self.seen = seen
        """The number of the look that was sent last."""
        self.written = 0.0
        """When something was last sent, on the monotonic clock."""
        self._is_writing = False
        """Whether the visitor has to read before we can go on; ``web.connections`` lets those go who never do."""

    async def write(self, message: _Message) -> None:
        """Send something; that takes as long as the visitor takes to read what came before."""
        body = message.packed if self._is_packed else message.plain
        if self._is_packed and not self.written:
            body = _GZIP_HEADER + body
        self.written, self._is_writing = time.monotonic(), True
        await self._send({"type": "http.response.body", "body": body, "more_body": True})
        self._is_writing = False

    async def end(self) -> None:
        """Nothing more will come."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def is_idle(self) -> bool:
        """Whether nothing was sent for so long that a heartbeat is due."""
        return not self._is_writing and time.monotonic() - self.written >= _HEARTBEAT_SECONDS / 2


async def unless_left(receive: Receive, work: Awaitable[_T]) -> _T | None:
    """What ``work`` returns; if the visitor leaves before, it is cancelled, and so it is ``None``."""
    leaving, working = asyncio.ensure_future(_left(receive)), asyncio.ensure_future(work)
    try:
        await asyncio.wait((leaving, working), return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() and not working.cancelled() else None
    finally:
        leaving.cancel()
        working.cancel()


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
