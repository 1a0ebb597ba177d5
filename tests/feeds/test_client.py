"""Following a feed of another process."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from spielleiter.errors import RemoteProtocolError
from spielleiter.feeds import Feed, FeedAddress, FeedLine, FeedServer, read_feed
from spielleiter.feeds import client as module
from tests.support.feeds import record_lines, write


def test_a_follower_gets_what_was_written_then_what_is_new() -> None:
    async def work() -> None:
        feed, lines = Feed(), record_lines()
        write(feed, "1", lines[:3])
        async with FeedServer(feed) as server:
            followed = read_feed(server.address)
            before = []
            while (line := await anext(followed)) is not None:
                before.append(line.line)
            assert before == list(lines[:3])
            feed.write("1", lines[3])
            feed.drop("1")
            assert await anext(followed) == FeedLine("1", lines[3])
            assert await anext(followed) == FeedLine("1", "")
        with pytest.raises(OSError):  # noqa: PT011 - the server is gone
            await anext(followed)

    asyncio.run(asyncio.wait_for(work(), 120))


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"spielleiter feed 1\nnonsense\n", b"\x00" * 3_000_000]
)
def test_an_address_that_answers_nonsense_is_not_a_feed(answer: bytes) -> None:
    async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(answer)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def work() -> None:
        async with await asyncio.start_server(nonsense, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(RemoteProtocolError):
                await anext(read_feed(FeedAddress("127.0.0.1", port, "key")))

    asyncio.run(asyncio.wait_for(work(), 120))


def test_silence_is_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SILENCE_SECONDS", 0.1)

    async def work() -> None:
        left = asyncio.Event()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()
            await writer.wait_closed()
            left.set()

        async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(TimeoutError):
                await anext(read_feed(FeedAddress("127.0.0.1", port, "key")))
            await left.wait()

    asyncio.run(asyncio.wait_for(work(), 120))
