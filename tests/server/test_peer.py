"""One client's socket: its timers end with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from spielleiter.errors import RemoteProtocolError
from spielleiter.server import GameMaster, MasterSettings, peer
from spielleiter.server.peer import PeerLimits
from tests.support.raw import Raw

SHORT = 0.1


async def break_the_protocol(client: Raw) -> None:
    await client.send("<a></b>")
    await client.until_closed()


async def close_at_once(client: Raw) -> None:
    await client.close()


async def half_close(client: Raw) -> None:
    client.half_close()
    await client.until_closed()


async def say_goodbye(client: Raw) -> None:
    await client.send("</protocol>")
    await client.until_closed()


async def say_nothing(client: Raw) -> None:
    assert await client.until_closed() == ["errorpacket"]


async def vanish(client: Raw) -> None:
    client.reset()


@pytest.mark.parametrize("behave", [break_the_protocol, close_at_once, half_close, say_goodbye, say_nothing, vanish])
def test_no_timer_outlives_its_client(
    behave: Callable[[Raw], Awaitable[None]], caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, peer=PeerLimits(first_message=SHORT))) as master:
            client = await Raw.connect(master.address)
            await behave(client)
            await client.close()
            await asyncio.sleep(3 * SHORT)
            assert master.metrics.connections == 0

    asyncio.run(run())
    assert not [line for line in caplog.records if line.levelno >= logging.WARNING]


def test_a_client_that_was_cut_off_and_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "_FLUSH_SECONDS", SHORT)

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            client = await Raw.connect(master.address)
            await client.send("<join/>")
            await client.wait_for("joined")
            [connection] = master._peers.values()
            for _ in range(100):
                connection._write(b" " * 40_000)
            assert connection._unsent, "the kernel took it all"
            master._broken(connection, RemoteProtocolError("weg", "gone"))
            async with asyncio.timeout(5):
                while master.metrics.connections:  # noqa: ASYNC110 - the server has to notice
                    await asyncio.sleep(0.01)
            await client.close()

    asyncio.run(run())
