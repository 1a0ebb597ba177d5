"""Listening sockets that come and go while the game master runs, as those of players with a network of their own."""

from __future__ import annotations

import asyncio
import socket

import pytest

from spielleiter import games
from spielleiter.server import GameMaster, MasterSettings
from tests.support.raw import Raw


def test_a_player_may_come_through_a_door_of_his_own() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            door = socket.create_server(("127.0.0.1", 0))
            address = door.getsockname()
            master.add_listener(door)
            room = master.open_room(games.load("piranhas-2026"))
            one, two = await Raw.connect(address), await Raw.connect(master.address)
            for client, code in zip((one, two), room.codes, strict=True):
                await client.send(f'<joinPrepared reservationCode="{code}"/>')
                await client.wait_for("joined")
            await one.wait_for("moveRequest")
            master.remove_listener(door)
            master.remove_listener(door)
            with pytest.raises(OSError):  # noqa: PT011 - refused, in the words of the system
                await Raw.connect(address)
            # Who is inside stays.
            await one.send(f'<room roomId="{room.room_id}"><data class="move"/></room>')
            await two.wait_for("result")
            await one.close()
            await two.close()

    asyncio.run(run())


def test_whoever_crowds_his_own_door_keeps_nobody_else_out() -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            doors = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
            for door in doors:
                master.add_listener(door, most=3)
            crowd = [await Raw.connect(doors[0].getsockname()) for _ in range(6)]
            refused = [client for client in crowd[3:] if await client.until_closed() == ["errorpacket"]]
            assert len(refused) == 3
            other = await Raw.connect(doors[1].getsockname())
            await other.send('<join gameType="swc_2026_piranhas"/>')
            await other.wait_for("joined")
            # Places that were given up are free again.
            for client in (crowd[0], *refused):
                await client.close()
            while master.metrics.connections > 3:  # noqa: ASYNC110 - the server has to notice
                await asyncio.sleep(0.01)
            again = await Raw.connect(doors[0].getsockname())
            await again.send('<join gameType="swc_2026_piranhas"/>')
            await again.wait_for("joined")
            for client in (*crowd[1:3], other, again):
                await client.close()

    asyncio.run(run())
