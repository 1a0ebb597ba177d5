"""A proxy between a program and the game master that adds XML elements that no season knows."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from typing import Any

from spielleiter.server import GameMaster

_CHUNK_SIZE = 1 << 16


class NoiseProxy:
    """Passes everything on between programs and a game master, with unknown elements added for the programs."""

    def __init__(self, master: GameMaster) -> None:
        self._master = master
        self._tasks: set[asyncio.Task[Any]] = set()
        self._servers: list[asyncio.Server] = []

    @property
    def address(self) -> tuple[str, int]:
        """Where a program finds it that has no network of its own."""
        host, port = self._servers[0].sockets[0].getsockname()[:2]
        return host, port

    async def listen(self, listener: socket.socket) -> None:
        """Serve one more socket; it is closed in the end."""
        self._servers.append(await asyncio.start_server(self._connected, sock=listener))

    async def close(self) -> None:
        """Close all sockets and connections."""
        for server in self._servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        with closing(writer), suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection(*self._master.address)
            with closing(far_writer):
                await asyncio.gather(
                    _pass_on(reader, far_writer, lambda data: data), _pass_on(far_reader, writer, _with_noise)
                )


@asynccontextmanager
async def noise_proxy(master: GameMaster) -> AsyncIterator[NoiseProxy]:
    """A proxy that is closed in the end."""
    proxy = NoiseProxy(master)
    await proxy.listen(socket.create_server(("127.0.0.1", 0)))
    try:
        yield proxy
    finally:
        await proxy.close()


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, change: Callable[[bytes], bytes]
) -> None:
    with suppress(OSError):
        while data := await reader.read(_CHUNK_SIZE):
            writer.write(change(data))
            await writer.drain()
        writer.write_eof()


def _with_noise(data: bytes) -> bytes:
    """What the game master says, with one unknown element after joining, and one after each message of the room."""
    joined, end, rest = data.partition(b"/>")
    if b"<joined " in joined:
        data = joined + end + b'\n  <announcement text="check">\n    <detail>1</detail>\n  </announcement>' + rest
    # Our master hands every message to the kernel in one piece, so that this is the end of one.
    if data.endswith(b"</room>"):
        data += b'\n  <announcement text="check"/>'
    return data
