"""Half requests, unread answers and too many connections: whoever else comes is served all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.server import MasterSettings
from spielleiter.web.connections import ConnectionLimits
from spielleiter.web.server import Running, WebSettings, serving
from tests.support.waiting import until

SOON = ConnectionLimits(connections=40, per_address=30)
"""As the real limits, a hundredth of them."""
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def attacked(tmp_path: Path, limits: ConnectionLimits, **more: object) -> AsyncIterator[Attack]:
    settings = WebSettings(
        port=0, master=MasterSettings(port=0, records=tmp_path), limits=limits, **more  # type: ignore[arg-type]
    )  # fmt: skip
    async with serving(settings) as running, asyncio.timeout(60):
        attack = Attack(running)
        try:
            yield attack
        finally:
            for _, writer in attack.streams:
                writer.close()


class Attack:
    def __init__(self, running: Running) -> None:
        self.running = running
        self.streams: list[Stream] = []

    async def connect(self, data: bytes, source: str = "127.0.0.1") -> Stream:
        stream = await asyncio.open_connection("127.0.0.1", self.running.port, local_addr=(source, 0))
        self.streams.append(stream)
        stream[1].write(data)
        return stream

    async def page(self, source: str = "127.0.0.1", path: str = "/", **headers: str) -> Any:
        transport = httpx.AsyncHTTPTransport(local_address=source)
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(f"http://127.0.0.1:{self.running.port}{path}", headers=headers)


def run(call: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(call(), 60))


async def closed(stream: Stream) -> bytes:
    """What came before the end."""
    try:
        return await stream[0].read()
    except ConnectionResetError:
        return b""


HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
HALF_BODY = b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf"


@pytest.mark.parametrize("half", [b"", b"G", HALF_HEAD, HALF_BODY])
def test_half_requests_shut_no_browser_out(tmp_path: Path, half: bytes) -> None:
    async def attack() -> None:
        async with attacked(tmp_path, SOON) as site:
            for _ in range(100):
                await site.connect(half)
            assert (await site.page()).status_code == 200, "from the same address"
            assert (await site.page("127.0.0.2")).status_code == 200

    run(attack)


def test_a_whole_class_that_comes_at_the_same_moment_is_served(tmp_path: Path) -> None:
    async def visit() -> None:
        async with attacked(tmp_path, ConnectionLimits()) as site:
            watch = b"GET /watch/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            streams = await asyncio.gather(*(site.connect(b"") for _ in range(300)))
            for _, writer in streams:
                writer.write(watch)
            answers = await asyncio.gather(*(reader.readline() for reader, _ in streams))
            assert set(answers) == {b"HTTP/1.1 200 OK\r\n"}

    run(visit)


def test_half_requests_from_many_addresses_give_way_to_a_whole_one(tmp_path: Path) -> None:
    async def attack() -> None:
        async with attacked(tmp_path, SOON) as site:
            for number in range(100):
                await site.connect(HALF_HEAD, f"127.0.1.{number % 20 + 1}")
            for number in range(5):
                assert (await site.page(f"127.0.2.{number + 1}")).status_code == 200

    run(attack)


def test_a_request_that_does_not_come_is_given_up_however_slowly_it_drips(tmp_path: Path) -> None:
    limits = ConnectionLimits(head_seconds=0.3, body_seconds=0.3, body_rate=1_000_000)

    async def attack() -> None:
        async with attacked(tmp_path, limits) as site:
            for half in (b"", HALF_HEAD, HALF_BODY):
                stream = await site.connect(half)

                async def drip(writer: asyncio.StreamWriter = stream[1]) -> None:
                    while True:
                        writer.write(b"x")
                        await asyncio.sleep(0.05)

                dripping = asyncio.create_task(drip())
                await closed(stream)
                dripping.cancel()
            second = await site.connect(b"GET /language/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            await second[0].readuntil(b"\r\n\r\n")
            second[1].write(HALF_HEAD)  # A second request on the same connection has no more time than the first.
            await closed(second)

    run(attack)


def test_a_slow_upload_that_goes_on_is_not_given_up(tmp_path: Path) -> None:
    limits = ConnectionLimits(body_seconds=0.2, body_rate=100)

    async def upload() -> None:
        async with attacked(tmp_path, limits) as site:
            reader, writer = await site.connect(
                b"POST /tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\nConnection: close\r\n"
                b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
            )
            for _ in range(10):
                writer.write(b"x" * 100)
                await asyncio.sleep(0.05)
            assert (await reader.read()).startswith(b"HTTP/1.1 ")

    run(upload)


def test_spectators_who_do_not_read_cost_memory_only(tmp_path: Path) -> None:
    async def attack() -> None:
        async with attacked(tmp_path, ConnectionLimits()) as site:
            live = site.running.web_app.live
            watch = b"GET /watch/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            for number in range(190):
                stream = await site.connect(watch, f"127.0.3.{number % 5 + 1}")
                stream[0]._transport.pause_reading()  # type: ignore[attr-defined]
            for _ in range(20):
                live.channel.publish()
                live.roster.publish()
                assert (await site.page()).status_code == 200

    run(attack)


def test_a_response_that_is_not_read_is_given_up(tmp_path: Path) -> None:
    async def attack() -> None:
        async with attacked(tmp_path, ConnectionLimits(unread_seconds=0.3)) as site:
            style = (await site.page()).text.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
            reader, _ = await site.connect(f"GET {style} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 500)
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            await until(lambda: not len(site.running.connections))

    run(attack)


def test_more_than_the_allowed_connections_of_one_address_are_refused_with_a_sentence(tmp_path: Path) -> None:
    async def attack() -> None:
        watch = b"GET /watch/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        async with attacked(tmp_path, SOON) as site:
            for _ in range(SOON.per_address):
                reader, _writer = await site.connect(watch)
                await reader.readuntil(b"\r\n\r\n")
            answer = await closed(await site.connect(b""))
            assert answer.startswith(b"HTTP/1.1 503")
            assert b"Too many connections" in answer
            assert (await site.page("127.0.0.2")).status_code == 200

    run(attack)


def test_a_named_proxy_has_no_cap_but_each_visitor_behind_it_has(tmp_path: Path) -> None:
    limits = replace(SOON, per_address=5)
    watch = "GET /watch/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {}\r\n\r\n"

    async def visit() -> None:
        async with attacked(tmp_path, limits, trusted_proxies=("127.0.0.9/32",)) as site:

            async def statuses(source: str, visitors: list[str]) -> list[int]:
                streams = [await site.connect(watch.format(visitor).encode(), source) for visitor in visitors]
                return [int((await reader.readuntil(b"\r\n")).split()[1]) for reader, _ in streams]

            many = [f"192.0.2.{number}" for number in range(limits.per_address + 3)]
            assert set(await statuses("127.0.0.9", many)) == {200}, "a proxy has many visitors"
            one = ["10.1.1.1, 203.0.113.9"] * 6  # The first of them the visitor has made up.
            assert await statuses("127.0.0.9", one) == [200] * 5 + [503]
            assert await statuses("127.0.0.8", many[:6]) == [200] * 5 + [503], "nobody else is believed"

    run(visit)
