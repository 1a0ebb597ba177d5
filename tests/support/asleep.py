"""A game master in a network of its own, which is switched off: as if the laptop of a player fell asleep.

Run it with ``unshare --map-root-user --net``; it prints what happened.
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct

from spielleiter.server import GameMaster, MasterSettings, PeerLimits
from tests.support.raw import Raw

HOST = "192.0.2.1"
SIOCSIFADDR, SIOCSIFFLAGS, IFF_UP = 0x8916, 0x8914, 1


def control(request: int, name: str, data: bytes) -> None:
    """Tell the kernel something about a network device."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, request, struct.pack("16s24s", name.encode(), data))


def switch(name: str, flags: int) -> None:
    control(SIOCSIFFLAGS, name, struct.pack("h", flags))


async def run() -> None:
    settings = MasterSettings(
        host=HOST, port=0, max_connections_per_address=2, max_connections_from_here=9, peer=PeerLimits(vanished=2)
    )
    async with GameMaster(settings) as master:
        clients = [await Raw.connect(master.address) for _ in range(3)]
        if await clients[2].until_closed() == ["errorpacket"]:
            print("refused")
        await clients[0].send("<join/>")
        await clients[0].wait_for("joined")
        while master.metrics.connections > 2:  # noqa: ASYNC110 - the server has to notice
            await asyncio.sleep(0.05)
        switch("lo", 0)
        async with asyncio.timeout(60):
            while master.metrics.connections:  # noqa: ASYNC110 - likewise
                await asyncio.sleep(0.05)
        assert not master.lobby.rooms
        print("left")
        for client in clients:
            client.reset()


if __name__ == "__main__":
    control(SIOCSIFADDR, "lo", struct.pack("HH4s", socket.AF_INET, 0, socket.inet_aton(HOST)))
    switch("lo", IFF_UP)
    asyncio.run(run())
