"""A feed on the network, for clients with the key: usually the process that serves the pages.

The client says the key in one line. The server says what it is, then every line of the feed; an empty line after those
that were written before, and another now and then, so that a lost connection shows.

Law: a client without the key takes no place from one that has it. If too many are silent, the oldest of the address
with the largest number of them gives way.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from contextlib import suppress
from hmac import compare_digest
from types import TracebackType
from typing import Self

from spielleiter.errors import SettingsError, refusing
from spielleiter.feeds.address import FeedAddress
from spielleiter.feeds.feed import Feed, FeedLine
from spielleiter.text import Text

log = logging.getLogger("spielleiter.feeds")

GREETING = b"spielleiter feed 1\n"
HEARTBEAT_SECONDS = 5.0
_KEY_SECONDS = 5.0
"""How long a client may take to send the key."""
_MAX_UNREAD = 8 << 20
"""Bytes; a client with more unread than this is disconnected."""
_MAX_CLIENTS = 100
"""Limit for clients with the key, and again for those that have not sent it yet."""


class FeedServer:
    """Serves a feed at ``host``, the address of this machine as others reach it: ``async with FeedServer(feed)``."""

    def __init__(self, feed: Feed, host: str = "127.0.0.1") -> None:
        self._feed = feed
        self._host = host
        self._key = secrets.token_urlsafe(24)
        self._clients: set[asyncio.Task[None]] = set()
        self._silent: dict[asyncio.StreamWriter, str] = {}
        """Clients that have not sent the key yet, the oldest first, and their addresses."""
        self._followers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        no_port = Text("hier lässt sich kein Port für Zuschauer öffnen", "no port for spectators can be opened here")
        with refusing(SettingsError, self._host, no_port):
            self._server = await asyncio.start_server(self._welcome, self._host, 0, limit=1024)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    @property
    def address(self) -> FeedAddress:
        """Where to follow the feed."""
        return FeedAddress(self._host, self._server.sockets[0].getsockname()[1], self._key)

    def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._silent) >= _MAX_CLIENTS:
            crowded = Counter(self._silent.values()).most_common(1)[0][0]
            oldest = next(silent for silent, address in self._silent.items() if address == crowded)
            del self._silent[oldest]
            oldest.transport.abort()
        peer = writer.get_extra_info("peername")
        self._silent[writer] = peer[0] if peer else ""
        client = asyncio.create_task(self._serve(reader, writer))
        self._clients.add(client)
        client.add_done_callback(self._clients.discard)

    async def _has_key(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            async with asyncio.timeout(_KEY_SECONDS):
                said = await reader.readline()
        finally:
            self._silent.pop(writer, None)
        return compare_digest(said.strip(), self._key.encode())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def send(data: bytes) -> None:
            if writer.transport.get_write_buffer_size() > _MAX_UNREAD:
                writer.transport.abort()
            else:
                writer.write(data)

        def tell(line: FeedLine) -> None:
            send(line.encode())

        try:
            if not await self._has_key(reader, writer) or len(self._followers) >= _MAX_CLIENTS:
                return
            self._followers.add(writer)
            send(GREETING)
            for line in self._feed.lines():
                tell(line)
            send(b"\n")
            unsubscribe = self._feed.subscribe(tell)
            try:
                while not writer.is_closing():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(HEARTBEAT_SECONDS):
                            if not await reader.read(1024):
                                return
                    send(b"\n")
            finally:
                unsubscribe()
        except (OSError, ValueError) as problem:  # Gone, silent, or a line without end.
            log.info("a client of the feed left: %s", problem)
        finally:
            self._followers.discard(writer)
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()  # A client that does not read would keep us waiting.
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
