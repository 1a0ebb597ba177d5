"""A person's place at the table: a client of the game master like any other, moved from a page."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from spielleiter.client import ClientSettings, RemoteGame
from spielleiter.client.session import ChooseMove
from spielleiter.errors import PlayingError, RemoteProtocolError
from spielleiter.game import AnyGame


class Person:
    """Sits at one place of one room. What happens there the pages know from the game master itself."""

    def __init__(self, game: AnyGame, address: tuple[str, int], code: str) -> None:
        """The place that ``code`` opens, at the game master there."""
        host, port = address
        self._remote = RemoteGame(ClientSettings(host=host, port=port, reservation=code, game=game))
        self._asked = asyncio.Event()
        self._following: asyncio.Task[None] | None = None

    async def sit_down(self) -> None:
        """Take the place. Raises ``NoServer``."""
        await self._remote.connect()
        self._following = asyncio.create_task(self._follow())

    async def move(self, move: Any) -> None:
        """Answer the request for a move, once it is here; whether the move counts decides the game master."""
        # A page may be quicker than the wire: it knows of a move before our connection does.
        await self._asked.wait()
        self._asked.clear()
        await self._remote.send_move(move)

    async def leave(self) -> None:
        """Stand up; in a running game that is giving up."""
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        await self._remote.close()

    async def _follow(self) -> None:
        with suppress(PlayingError, RemoteProtocolError):
            async for action in self._remote.actions():
                if isinstance(action, ChooseMove):
                    self._asked.set()
