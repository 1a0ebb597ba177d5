"""A feed on the network: who gets it, and what those cost who do not behave."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import pytest

from spielleiter.errors import SettingsError
from spielleiter.feeds import Feed, FeedAddress, FeedServer
from spielleiter.feeds import server as module
from tests.support.feeds import record_lines, write


async def said_to(address: FeedAddress, said: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(said)
    try:
        return await asyncio.wait_for(reader.readline(), 10)
    except ConnectionError:
        return b""
    finally:
        await closed(writer)


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 30))


def test_only_the_key_opens_a_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_KEY_SECONDS", 0.2)

    async def work() -> None:
        async with FeedServer(Feed()) as server:
            address = server.address
            assert await said_to(address, address.key.encode() + b"\n") == module.GREETING
            for wrong in (b"\n", b"key\n", address.key[:-1].encode() + b"\n", b"\xff\n", b"x" * 5000, b"no end"):
                assert await said_to(address, wrong) == b""
            assert address.key not in repr(address)

    run(work())


def test_a_spectator_who_never_reads_is_hung_up_on_and_the_others_miss_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MAX_UNREAD", 100_000)

    async def work() -> None:
        feed = Feed()
        async with FeedServer(feed) as server:
            address = server.address
            lazy, lazy_writer = await asyncio.open_connection(address.host, address.port, limit=1)
            good, good_writer = await asyncio.open_connection(address.host, address.port, limit=1 << 22)
            for writer in (lazy_writer, good_writer):
                writer.write(address.key.encode() + b"\n")
            for _ in range(2):
                await good.readline()
            await lazy.read(1)
            long = '{"event":"move","text":"' + "x" * 20_000 + '"}'
            received = 0
            for _ in range(1000):
                feed.write("1", long)
                received += len(await good.readline()) > 20_000
            assert received == 1000
            assert len(server._clients) == 1  # The other one is gone.
            await closed(lazy_writer)
            await closed(good_writer)

    run(work())


def test_silent_clients_keep_nobody_with_the_key_out() -> None:
    async def work() -> None:
        async with FeedServer(Feed()) as server:
            address = server.address
            silent = [
                await asyncio.open_connection(address.host, address.port, local_addr=(f"127.0.0.{number % 3 + 2}", 0))
                for number in range(3 * module._MAX_CLIENTS)
            ]
            assert await said_to(address, address.key.encode() + b"\n") == module.GREETING
            assert len(server._clients) < 3 * module._MAX_CLIENTS, "and they do not add up"
            for _, writer in silent:
                await closed(writer)

    run(work())


def test_a_client_with_the_key_is_not_driven_out_by_silent_ones_from_elsewhere() -> None:
    async def work() -> None:
        async with FeedServer(Feed()) as server:
            address = server.address
            reader, slow = await asyncio.open_connection(address.host, address.port)
            silent = [
                await asyncio.open_connection(address.host, address.port, local_addr=("127.0.0.2", 0))
                for _ in range(2 * module._MAX_CLIENTS)
            ]
            slow.write(address.key.encode() + b"\n")
            assert await reader.readline() == module.GREETING
            for writer in (slow, *(writer for _, writer in silent)):
                await closed(writer)

    run(work())


def test_an_address_that_is_not_ours_is_one_clear_line() -> None:
    async def work() -> None:
        with pytest.raises(SettingsError, match=r"203\.0\.113\.1: no port for spectators can be opened here"):
            await FeedServer(Feed(), "203.0.113.1").__aenter__()

    run(work())


def test_what_spectators_say_changes_nothing() -> None:
    async def work() -> None:
        feed = Feed()
        write(feed, "1", record_lines()[:4])
        before = [line.line for line in feed.lines()]
        async with FeedServer(feed) as server:
            address = server.address
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(address.key.encode() + b"\n" + b"1\t0.0\t{}\n<cancel/>" * 100)
            lines = [await reader.readline() for _ in range(6)]
            assert lines[0] == module.GREETING
            assert [line.line for line in feed.lines()] == before
            await closed(writer)

    run(work())
