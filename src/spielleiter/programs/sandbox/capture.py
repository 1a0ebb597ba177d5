"""What a player program prints: the beginning and the end are stored, the rest is counted."""

from __future__ import annotations

import asyncio
import os
from collections import deque

_CHUNK_SIZE = 64 * 1024
_CHUNKS_PER_PAUSE = 16
_PAUSE_SECONDS = 0.02
"""A flood must not drown the game master: at most 50 MB/s are read."""
_MAX_NEW = 64 * 1024
"""Bytes for ``take``."""


class Capture:
    """Reads a pipe to its end and stores at most ``max_bytes``: the first half of them and the last half."""

    def __init__(self, pipe: int, max_bytes: int) -> None:
        self._pipe = pipe
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._half = max_bytes // 2
        self._tail_size = 0
        self.total = 0
        self._new = bytearray()
        self._loop = asyncio.get_running_loop()
        self._done = asyncio.Event()
        os.set_blocking(pipe, False)
        self._loop.add_reader(pipe, self._read)

    def _read(self) -> None:
        for _ in range(_CHUNKS_PER_PAUSE):
            try:
                chunk = os.read(self._pipe, _CHUNK_SIZE)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            if not chunk:
                self.close()
                return
            self._add(chunk)
        self._loop.remove_reader(self._pipe)
        self._loop.call_later(_PAUSE_SECONDS, self._go_on)

    def _go_on(self) -> None:
        if not self._done.is_set():
            self._loop.add_reader(self._pipe, self._read)

    def take(self) -> bytes:
        """What came since the last call, with all that is there by now; of very much only the end, from a line on."""
        if not self._done.is_set():
            self._read()
        new, self._new = bytes(self._new), bytearray()
        return new if len(new) < _MAX_NEW else new[new.find(b"\n") + 1 :]

    def _add(self, chunk: bytes) -> None:
        self.total += len(chunk)
        self._new += chunk
        del self._new[:-_MAX_NEW]
        room = self._half - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk)
            self._tail_size += len(chunk)
            while self._tail_size - len(self._tail[0]) >= self._half:
                self._tail_size -= len(self._tail.popleft())

    def close(self) -> None:
        """Stop reading; what came so far stays."""
        if not self._done.is_set():
            self._done.set()
            self._loop.remove_reader(self._pipe)
            os.close(self._pipe)

    async def finish(self, timeout: float = 0.5) -> bytes:  # noqa: ASYNC109 - no caller has another one
        """Everything that was stored, once the pipe has ended or the time is up."""
        try:
            async with asyncio.timeout(timeout):
                await self._done.wait()
        except TimeoutError:
            self.close()
        return self.text

    @property
    def text(self) -> bytes:
        """What was stored so far, with a line where something is missing."""
        tail = b"".join(self._tail)[-self._half :]
        dropped = self.total - len(self._head) - len(tail)
        middle = b"\n[... %d bytes left out ...]\n" % dropped if dropped else b""
        return bytes(self._head) + middle + tail

    @property
    def last(self) -> bytes:
        """The end of what came, at most the last two thousand bytes."""
        return (bytes(self._head[-2000:]) + b"".join(self._tail))[-2000:]
