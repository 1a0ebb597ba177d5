"""Follows a feed of another process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from spielleiter.errors import RemoteProtocolError
from spielleiter.feeds.address import FeedAddress
from spielleiter.feeds.feed import MAX_LINE_SIZE, FeedLine
from spielleiter.feeds.server import GREETING, HEARTBEAT_SECONDS

_SILENCE_SECONDS = 4 * HEARTBEAT_SECONDS
"""Seconds without a line until the connection counts as lost."""
_CONNECT_SECONDS = 5.0


async def read_feed(address: FeedAddress) -> AsyncIterator[FeedLine | None]:
    """All lines, first those that were written before; then, and now and again, ``None``: that was all so far.

    Raises ``OSError`` when the connection cannot be made, breaks or ends, and ``RemoteProtocolError`` when what answers
    is not a feed.
    """
    async with asyncio.timeout(_CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=2 * MAX_LINE_SIZE)
    try:
        writer.write(f"{address.key}\n".encode())
        if await _line(reader) != GREETING:
            raise RemoteProtocolError(
                f"unter {address.host}:{address.port} antwortet etwas anderes als laufende Spiele",
                f"what answers at {address.host}:{address.port} is not a feed of games",
            )
        while True:
            data = await _line(reader)
            if data == b"\n":
                yield None
            else:
                try:
                    line = FeedLine.decode(data)
                except ValueError as problem:
                    raise RemoteProtocolError(
                        f"eine Zeile der laufenden Spiele ist beschädigt: {problem}",
                        f"a line of the feed is damaged: {problem}",
                    ) from None
                yield line
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        async with asyncio.timeout(_SILENCE_SECONDS):
            data = await reader.readline()
    except ValueError:
        raise RemoteProtocolError(
            f"eine Zeile der laufenden Spiele hat mehr als {MAX_LINE_SIZE} Bytes",
            f"a line of the feed has more than {MAX_LINE_SIZE} bytes",
        ) from None
    if not data.endswith(b"\n"):
        raise ConnectionResetError("the feed ended")
    return data
