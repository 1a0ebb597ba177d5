"""Everything that the pages share: the game master, its live games, the tables, the library, and what can be chosen."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.game import Team
from spielleiter.search import Budget
from spielleiter.server.master import GameMaster
from spielleiter.web.analysis import Analyst
from spielleiter.web.guard import Keys
from spielleiter.web.library import Library
from spielleiter.web.live import LiveGame, LiveGames
from spielleiter.web.tables import Tables

_GLANCE = Budget(nodes=20_000)
"""So much thought is given to a live position: a few milliseconds, so that no player on this machine feels it."""


@dataclass(slots=True, eq=False)
class Hall:
    """What a page needs to answer."""

    master: GameMaster
    keys: Keys | None = None
    """What opens the pages in a network; ``None`` on loopback."""
    records: Path | None = None
    uploads: Path | None = None
    """Where uploaded programs lie; without it none are taken."""
    live: LiveGames = field(init=False)
    tables: Tables = field(init=False)
    library: Library = field(init=False)
    analyst: Analyst = field(init=False)
    _sweeper: asyncio.Task[None] = field(init=False, repr=False)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False, repr=False)
    on_stage: str | None = None
    """The room that the projector shows."""
    _judging: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.live = LiveGames(self.master)
        self.tables = Tables(self.live)
        self.library = Library(self.records)
        self.analyst = Analyst()
        self._sweeper = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        """Clear forgotten tables now and then."""
        while True:
            await asyncio.sleep(60)
            await self.tables.clear()

    async def close(self) -> None:
        """End all tables and stop listening."""
        self._sweeper.cancel()
        await self.tables.close_all()
        self.analyst.close()
        self.live.close()

    def is_paused(self, live: LiveGame) -> bool:
        """Whether a game is held."""
        room = self.master.lobby.rooms.get(live.room_id)
        return room is not None and room.paused

    def evaluation(self, live: LiveGame) -> float | None:
        """ONE's chance to win as the engine sees it, ``None`` without one; a new position is looked at soon."""
        ply = len(live.plies)
        outcome = live.state.outcome
        if outcome is not None:
            return 0.5 if outcome.winner is None else float(outcome.winner is Team.ONE)
        if live.result is not None:
            return live.chance
        if live.judged != ply and self.analyst.absence(live.game) is None and not self._judging:
            live.judged, self._judging = ply, True
            self._tasks.add(task := asyncio.create_task(self._evaluate(live)))
            task.add_done_callback(self._tasks.discard)
        return live.chance

    async def _evaluate(self, live: LiveGame) -> None:
        try:
            judgement = await self.analyst.judge(live.game, live.state, _GLANCE)
        finally:
            self._judging = False
        if judgement is not None:
            live.chance = judgement.win_probability
            live.channel.tell()

    def thinking(self, live: LiveGame) -> float:
        """The seconds that the player who is to move has been thinking."""
        room = self.master.lobby.rooms.get(live.room_id)
        if live.is_over or room is None or room.awaited is None:
            return 0.0
        return max(0.0, time.monotonic() - live.asked)
