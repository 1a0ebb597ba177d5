"""A player that takes one message per read and drops what comes with it, as real programs of 2019 and 2022 do.

It reads in the event loop itself: of a read and a timer that are due together the loop runs the read first, so nothing
here depends on how busy the machine is.
"""

from __future__ import annotations

import asyncio
import re
import socket

_FIRST = re.compile(rb"\s*(?:<protocol>)?\s*(<room.*?</room>|<[^>]*/>|<[^>]*>)", re.DOTALL)


class OneMessageClient:
    """Plays its moves in order, one for each request that it notices."""

    def __init__(self, address: tuple[str, int], code: str, moves: list[str]) -> None:
        self._room = ""
        self._moves = iter(moves)
        self._socket = socket.create_connection(address)
        self._socket.sendall(f'<protocol><joinPrepared reservationCode="{code}"/>'.encode())
        self._socket.setblocking(False)
        asyncio.get_running_loop().add_reader(self._socket, self._read)

    def _read(self) -> None:
        data = self._socket.recv(1 << 16)
        first = _FIRST.match(data)
        if first is None:
            return
        message = first[1].decode()
        if room := re.search('roomId="([^"]*)"', message):
            self._room = room[1]
        if "oveRequest" in message:
            self._socket.sendall(f'<room roomId="{self._room}">{next(self._moves)}</room>'.encode())

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
