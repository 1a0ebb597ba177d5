"""A raw client for tests of bad manners: bytes out, messages in, on asyncio; it shares no code with the package."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Self
from xml.etree import ElementTree


def name_of(message: ElementTree.Element) -> str:
    """The name of a message, or of what a room message carries."""
    data = message.find("data")
    return message.tag if data is None else data.attrib["class"].split(".")[-1]


class Raw:
    """One connection; ``log`` keeps the names of everything that came."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._parser: ElementTree.XMLPullParser[Any] = ElementTree.XMLPullParser(["start", "end"])
        self._depth = 0
        self._waiting: deque[ElementTree.Element] = deque()
        self.log: list[str] = []
        self.closed = False

    @classmethod
    async def connect(cls, address: tuple[str, int], opening: str = "<protocol>", *, source: str = "") -> Self:
        client = cls(*await asyncio.open_connection(*address, local_addr=(source, 0) if source else None))
        if opening:
            await client.send(opening)
        return client

    async def send(self, text: str | bytes) -> None:
        self._writer.write(text.encode() if isinstance(text, str) else text)
        await self._writer.drain()

    async def next(self) -> ElementTree.Element | None:
        """The next message, or ``None`` when the server has closed the connection."""
        while not self._waiting:
            async with asyncio.timeout(60):
                data = await self._reader.read(1 << 16)
            if not data:
                self.closed = True
                return None
            self._parser.feed(data)
            events: Iterator[Any] = self._parser.read_events()
            for event, element in events:
                self._depth += 1 if event == "start" else -1
                if event == "end" and self._depth == 1:
                    self._waiting.append(element)
        message = self._waiting.popleft()
        self.log.append(name_of(message))
        return message

    async def wait_for(self, *names: str) -> ElementTree.Element:
        """The next message of one of these names."""
        while (message := await self.next()) is not None:
            if name_of(message) in names:
                return message
        raise ConnectionError(f"closed before {names} came; there came {self.log}")

    async def until_closed(self) -> list[str]:
        """Everything that came until the server closed."""
        while await self.next() is not None:
            pass
        return self.log

    def half_close(self) -> None:
        self._writer.write_eof()

    def reset(self) -> None:
        """Vanish without a word: the other side gets a RST."""
        sock: socket.socket = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()


def points(result: ElementTree.Element) -> list[list[int]]:
    """The points of both players in a result."""
    return [[int(part.text or "") for part in score.iter("part")] for score in result.iter("score")]


def winner(result: ElementTree.Element) -> str | None:
    """The winner in a result of the newest seasons."""
    found = result.find("data/winner")
    return None if found is None else found.attrib.get("team")
