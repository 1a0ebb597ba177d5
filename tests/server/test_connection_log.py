"""The log of connections: a line for each join, refusal and goodbye, and for rooms that stay lonely."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

import pytest

from spielleiter import games
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.server.connection_log import LONELY_SECONDS
from tests.support.raw import Raw
from tests.support.waiting import until

Scene = Callable[[GameMaster], Awaitable[None]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Callable[[Scene], list[str]]:
    """Plays a scene on a game master and gives what its log says of connections and lonely rooms."""

    def play(scene: Scene) -> list[str]:
        async def run() -> None:
            async with GameMaster(MasterSettings(port=0)) as master:
                await scene(master)

        with caplog.at_level(logging.INFO, "spielleiter.server"):
            asyncio.run(run())
        return [line.getMessage() for line in caplog.records if "connection" in line.msg or "%s" in line.msg]

    return play


async def join(master: GameMaster, request: str) -> Raw:
    client = await Raw.connect(master.address)
    await client.send(request)
    await client.wait_for("joined", "errorpacket")
    return client


def test_the_log_says_who_joined_and_waits_for_whom(lines: Callable[[Scene], list[str]]) -> None:
    async def scene(master: GameMaster) -> None:
        one = await join(master, "<join/>")
        two = await join(master, "<join/>")
        await two.wait_for("memento")
        await one.close()
        await two.wait_for("left")
        await two.close()

    said = lines(scene)
    joined = [line.split(" of ", 1)[1] for line in said if " joined room " in line]
    assert joined == [
        "blokus-2027 as ONE: waits for a second player of blokus-2027",
        "blokus-2027 as TWO: plays connection 1",
    ]
    assert "connection 1 from 127.0.0.1 left" in said
    assert "connection 2 from 127.0.0.1 left" in said


def test_the_log_says_for_which_reservation_a_room_waits(lines: Callable[[Scene], list[str]]) -> None:
    async def scene(master: GameMaster) -> None:
        room = master.open_room(games.load("piranhas-2026"), names=("Ada", "Bob"))
        client = await join(master, f'<joinPrepared reservationCode="{room.codes[0]}"/>')
        await client.close()

    [joined] = [line for line in lines(scene) if " joined room " in line]
    assert joined.endswith("of piranhas-2026 as ONE (Ada): waits for Bob, who has a reservation")


def test_the_log_says_why_a_request_was_refused(lines: Callable[[Scene], list[str]]) -> None:
    async def scene(master: GameMaster) -> None:
        client = await join(master, '<joinRoom roomId="nowhere"/>')
        await client.close()

    assert "connection 1 from 127.0.0.1 was refused: there is no room 'nowhere' (any more)" in lines(scene)


def test_a_lonely_room_is_named_once_with_what_would_fill_it(lines: Callable[[Scene], list[str]]) -> None:
    async def scene(master: GameMaster) -> None:
        clients = [await join(master, "<join/>"), await join(master, '<join gameType="swc_2026"/>')]
        begin = time.monotonic()
        for seconds in (LONELY_SECONDS - 1, LONELY_SECONDS + 1, LONELY_SECONDS + 2):
            master._connection_log.name_lonely_rooms(begin + seconds)
        for client in clients:
            await client.close()

    lonely = [line.split(" for ", 1)[1] for line in lines(scene) if " has waited " in line]
    assert lonely == [
        "a second player of blokus-2027; a client in piranhas-2026 waits too: was a gameType missing?",
        "a second player of piranhas-2026; a client in blokus-2027 waits too: was a gameType missing?",
    ]


def test_a_room_that_was_filled_or_left_is_not_lonely(lines: Callable[[Scene], list[str]]) -> None:
    async def scene(master: GameMaster) -> None:
        players = [await join(master, "<join/>") for _ in range(2)]
        gone = await join(master, '<join gameType="swc_2026"/>')
        await gone.close()
        await until(lambda: len(master.lobby.rooms) == 1)
        master._connection_log.name_lonely_rooms(time.monotonic() + LONELY_SECONDS + 1)
        for client in players:
            await client.close()

    assert not [line for line in lines(scene) if " has waited " in line]
