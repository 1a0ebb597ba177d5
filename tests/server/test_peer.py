"""One client's socket: its timers end with it."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Awaitable, Callable

import pytest

from spielleiter.errors import RemoteProtocolError
from spielleiter.server import GameMaster, MasterSettings, peer
from spielleiter.server.peer import PeerLimits
from tests.support.raw import Raw
from tests.support.waiting import until

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
            await asyncio.sleep(3 * SHORT)  # A timer that was forgotten would ring now, and log an error.
            assert master.metrics.connections == 0

    asyncio.run(run())
    assert not [line for line in caplog.records if line.levelno >= logging.WARNING]


def answers(messages: bytes, limits: PeerLimits | None = None) -> list[str]:
    """What a client hears that sends all of this at once, while somebody else goes on playing."""

    async def run() -> list[str]:
        async with GameMaster(MasterSettings(port=0, peer=limits or PeerLimits())) as master:
            client, other = await Raw.connect(master.address), await Raw.connect(master.address)
            await client.send(messages)
            heard = await client.until_closed()
            await other.send("<join/>")
            await other.wait_for("joined")
            for each in (client, other):
                await each.close()
            return heard

    return asyncio.run(run())


def test_a_client_that_sends_only_nonsense_is_cut_off_after_some_dozen_messages() -> None:
    heard = answers(b"<nonsense/>" * 5000)
    assert set(heard) == {"errorpacket"}
    assert 30 < len(heard) < 60


@pytest.mark.parametrize(
    ("message", "allowed"), [(b"<join a='%s'/>" % (b"x" * 50_000), 8), (b"<join>%s</join>" % (b"<a/>" * 250), 25)]
)
def test_large_messages_count_several_times(message: bytes, allowed: int) -> None:
    """400 small ones may come at once; of these it is fewer, by their bytes or by their elements."""
    joined = answers(message * 100).count("joined")
    assert 0.8 * allowed <= joined <= 1.5 * allowed


def test_who_is_cut_off_in_the_middle_of_much_is_closed_at_once_and_hears_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """What still comes is read and thrown away: with unread bytes a socket would be reset, and the last word lost."""
    monkeypatch.setattr(peer, "_DRAIN_SECONDS", 60.0)
    assert answers(b"<a></b>" + b" " * 60_000) == ["errorpacket"]

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            client = await Raw.connect(master.address)
            await client.send(b"<a></b>" + b" " * 60_000)
            await client.until_closed()
            await client.close()
            await until(lambda: not master.metrics.connections)

    asyncio.run(run())


def test_as_many_small_messages_as_allowed_are_all_granted() -> None:
    assert answers(b"<join/>" * 90 + b"</protocol>").count("joined") == 90


def test_who_neither_plays_nor_watches_may_not_stay_silent_for_long() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, password="p", peer=PeerLimits(idle=SHORT))) as master:
            idle, player, admin = [await Raw.connect(master.address) for _ in range(3)]
            await player.send("<join/>")
            await admin.send('<authenticate password="p"/>')
            await idle.send('<authenticate password="q"/>')
            assert await idle.until_closed() == ["errorpacket", "errorpacket"]
            await player.wait_for("joined")
            for other in (player, admin):
                await other.send("<nonsense/>")
                await other.wait_for("errorpacket")
            for client in (idle, player, admin):
                await client.close()

    asyncio.run(run())


@pytest.mark.sandbox
@pytest.mark.skipif(sys.platform != "linux", reason="needs a network of its own")
def test_a_machine_that_falls_asleep_loses_its_seat_and_no_address_takes_all_places() -> None:
    """In a network namespace of its own, whose only device is switched off in the middle of a game."""
    command = ["unshare", "--map-root-user", "--net", sys.executable, "-m", "tests.support.asleep"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "unshare" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["refused", "left"]


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
            await until(lambda: not master.metrics.connections, 5)
            await client.close()

    asyncio.run(run())
