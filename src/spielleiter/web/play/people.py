"""A person's place at the table: a connection to the game master like any other player's, with a page as its hands."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from spielleiter.game import AnyGame
from spielleiter.wire import ClientConnection
from spielleiter.wire.messages import JoinPrepared, RoomMessage


class Person:
    """Sits at one place of one room. What happens there the pages know from the game master itself."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._talk = ClientConnection(game.codec.dialect)
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    async def sit_down(self, address: tuple[str, int], code: str) -> None:
        """Take the place that ``code`` opens."""
        reader, self._writer = await asyncio.open_connection(*address)
        self._reading = asyncio.create_task(_pass_over(reader))
        self._talk.send(JoinPrepared(code))
        await self._flush()

    async def move(self, room_id: str, move: Any) -> None:
        """Send a move; whether it counts decides the game master."""
        self._talk.send(RoomMessage(room_id, self._game.codec.write_move(move)))
        await self._flush()

    async def leave(self) -> None:
        """Stand up; in a running game that is giving up."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        self._talk.close()
        with suppress(OSError):
            writer.write(self._talk.data_to_send())
            await writer.drain()
        writer.close()
        if self._reading is not None:
            self._reading.cancel()
        with suppress(OSError):
            await writer.wait_closed()

    async def _flush(self) -> None:
        if self._writer is not None:
            self._writer.write(self._talk.data_to_send())
            await self._writer.drain()


async def _pass_over(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass
