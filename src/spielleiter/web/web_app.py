"""Everything that the pages share: the game master, its live games, the tables, the library, and what can be chosen."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request

from spielleiter.analysis import outcome_probability
from spielleiter.feeds.channel import Channel
from spielleiter.feeds.follower import FeedFollower, FeedSource
from spielleiter.feeds.live import LiveGame, LiveGames
from spielleiter.game import Team
from spielleiter.programs.sandbox import AUTO
from spielleiter.referee import Room, RoomPhase
from spielleiter.search import Budget
from spielleiter.server.master import GameMaster
from spielleiter.server.trace import RoomTraces
from spielleiter.web.analysis.engine_pool import EnginePool
from spielleiter.web.analysis.reports import AnalysisThread, Reports
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.guard import Keys, is_loopback_name
from spielleiter.web.lab.laboratory import Laboratory
from spielleiter.web.play.people import People
from spielleiter.web.play.seating import Table
from spielleiter.web.play.tables import Tables
from spielleiter.web.replays.drawing import DrawingThread
from spielleiter.web.replays.films import Films
from spielleiter.web.replays.library import Library
from spielleiter.web.watch.show import Show

log = logging.getLogger("spielleiter.web")

_PEOPLE = "people.journal"
"""The file of handles and ratings, beside the records."""
_LIVE_BUDGET = Budget(nodes=20_000)
"""For a live position: a few milliseconds, so that no player on this machine notices.

Twenty times the nodes move a chance by 2 points on average; the curve of random players jumps as much with them (8 and
7 points a ply in Piranhas, 20 and 20 in Ostseeschach): their moves do, not the engine. So nothing is smoothed.
"""


@dataclass(slots=True, eq=False)
class WebApp:
    """What a page needs to answer."""

    master: GameMaster
    keys: Keys | None = None
    """What opens the pages in a network; ``None`` on loopback."""
    records: Path | None = None
    uploads: Path | None = None
    """Where uploaded programs lie; without it none are taken."""
    sandbox: str = AUTO
    """The level in which programs are started."""
    live: LiveGames = field(init=False)
    traces: RoomTraces = field(init=False)
    traces_channel: Channel = field(default_factory=Channel, init=False)
    people: People = field(init=False)
    tables: Tables = field(init=False)
    library: Library = field(init=False)
    analyst: AnalysisThread = field(init=False)
    reports: Reports = field(init=False)
    engine_pool: EnginePool = field(init=False)
    _sweeper: asyncio.Task[None] = field(init=False, repr=False)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False, repr=False)
    films: Films = field(default_factory=Films, init=False)
    drawing: DrawingThread = field(default_factory=DrawingThread, init=False)
    _followers: dict[FeedSource, FeedFollower] = field(default_factory=dict, init=False, repr=False)
    show: Show = field(init=False)
    """What the projector shows."""
    classroom: Classroom | None = None
    """The class of these pages, if they were started for one."""
    laboratory: Laboratory | None = None
    """The queue of tests, if they were started for one."""
    phone_url: str = ""
    """Where phones see what the projector shows; empty if no phone reaches these pages."""
    own_url: str = ""
    """Where this machine reaches the pages."""
    base_url: str = ""
    """Where others reach them; empty if they cannot."""
    is_public: bool = False
    """Whether ``base_url`` is the only way for others: a reverse proxy is in front."""

    def __post_init__(self) -> None:
        self.live = LiveGames(self.master)
        self.traces = RoomTraces(self.master.tracer, self.master.lobby, self.traces_channel.publish)
        self.library = Library(self.records)
        self.people = People(None if self.records is None else self.records / _PEOPLE)
        self.tables = Tables(self.live, self.library, self.sandbox, self.people)
        self.analyst = AnalysisThread()
        self.reports = Reports(self.analyst)
        self.engine_pool = EnginePool()
        self.show = Show()
        self._sweeper = asyncio.create_task(self._sweep())

    def follow(self, source: FeedSource) -> None:
        """Show the games that are played there too."""
        self._followers[source] = follower = FeedFollower(self.live, source)
        follower.start()

    @property
    def sources(self) -> tuple[FeedSource, ...]:
        """Where games are played elsewhere."""
        return tuple(self._followers)

    async def unfollow(self, source: FeedSource) -> None:
        """Show its games no more."""
        await self._followers.pop(source).close()

    async def record_address(self, room_id: str) -> str | None:
        """The page with the record of a game that was played elsewhere, if there is one. Raises ``StoreError``."""
        for source in self.sources:
            if (address := await asyncio.to_thread(source.record, room_id)) is not None:
                return address
        return None

    def waiting_rooms(self) -> list[Room]:
        """The rooms of this game master whose game has not begun, the newest first."""
        return [room for room in reversed(self.master.lobby.rooms.values()) if room.phase is RoomPhase.WAITING]

    async def _sweep(self) -> None:
        """Notice rooms that wait for players, which are no events; and close idle tables now and then."""
        waiting: list[tuple[str, int]] = []
        for second in itertools.count():
            await asyncio.sleep(1)
            found = [(room.room_id, len(room.players)) for room in self.waiting_rooms()]
            if found != waiting:
                waiting = found
                self.live.channel.publish()
            try:
                await self.tables.note_absences()
                if second % 60 == 59:
                    await self.tables.close_idle()
            except Exception:  # Whatever it was: no table would be closed any more if the sweeper died of it.
                log.exception("tables could not be looked after")

    async def close(self) -> None:
        """End all tables and stop listening."""
        self._sweeper.cancel()
        if self.classroom is not None:
            await self.classroom.close()
        if self.laboratory is not None:
            await self.laboratory.close()
        for follower in self._followers.values():
            await follower.close()
        self.show.close()
        self.traces_channel.close()
        await self.tables.close_all()
        self.people.close()
        await self.films.close()
        self.drawing.close()
        self.reports.close()
        self.engine_pool.close()
        self.analyst.close()
        self.live.close()

    def game_address(self, base_url: str) -> tuple[str, int]:
        """Where programs reach the game master of a visitor for whom the pages are at ``base_url``."""
        here, port = self.master.local_address
        return urlsplit(base_url).hostname or here, port

    def is_paused(self, live: LiveGame) -> bool:
        """Whether a game is held."""
        room = self.master.lobby.rooms.get(live.room_id)
        return room is not None and room.paused

    def evaluation(self, live: LiveGame) -> float | None:
        """ONE's chance to win as the engine sees it, ``None`` without one; a new position is looked at soon.

        Who has won has won, also by a fault of the other side, whatever the board looks like.
        """
        ply, result = len(live.history.plies), live.history.result
        if result is not None and result.winner is not None:
            return float(result.winner is Team.ONE)
        outcome = live.history.state.outcome
        if outcome is not None:
            return outcome_probability(outcome)
        if live.history.result is None and ply not in live.judgements:
            self.judge_soon(live, ply)
        return live.chance_at(ply)

    def judge_soon(self, live: LiveGame, ply: int) -> None:
        """Let the engine look at a position, unless it is looking at another one of this game, or cannot."""
        if not live.judging and self.analyst.why_unavailable(live.history.game) is None:
            live.judging = True
            self._tasks.add(task := asyncio.create_task(self._judge(live, ply)))
            task.add_done_callback(self._tasks.discard)

    async def _judge(self, live: LiveGame, ply: int) -> None:
        try:
            live.judgements[ply] = await self.analyst.judge(live.history.game, live.history.states[ply], _LIVE_BUDGET)
        finally:
            live.judging = False
        self.live.publish(live)

    def find_costliest_move(self, table: Table, live: LiveGame, team: Team) -> None:
        """Let the engine look where ``team`` lost a game that has ended, if it can and has not; the table shows it."""
        if live.room_id in table.costliest or self.analyst.why_unavailable(table.game) is not None:
            return
        table.costliest[live.room_id] = None
        self._tasks.add(task := asyncio.create_task(self._find_costliest_move(table, live, team)))
        task.add_done_callback(self._tasks.discard)

    async def _find_costliest_move(self, table: Table, live: LiveGame, team: Team) -> None:
        ply = table.costliest[live.room_id] = await self.analyst.costliest_move(live.history, team)
        table.channel.publish()
        if ply is not None and (better := await self.analyst.better_move(live.history, ply)) is not None:
            table.better[live.room_id] = better
            table.channel.publish()

    def may_analyse(self, live: LiveGame) -> bool:
        """Whether the engine may help with this game: not while a person plays at one of our tables."""
        table = self.tables.of_room(live.room_id)
        return live.is_over or table is None or not table.person_teams()

    def has_unexplained_fault(self, live: LiveGame) -> bool:
        """Whether a fault ended the game that is worth a look; that a person got up explains itself."""
        if live.history.offence is None:
            return False
        table = self.tables.of_room(live.room_id)
        return table is None or live.history.offence.team not in table.person_teams()

    def asked(self, live: LiveGame) -> float | None:
        """When the player who is to move was asked, on the monotonic clock; ``None`` if no move is awaited."""
        if live.is_over or live.is_lost or live.is_delayed:
            return None
        if live.source is not None:
            return live.asked
        room = self.master.lobby.rooms.get(live.room_id)
        return None if room is None or room.awaited is None else live.asked


def web_app_of(request: Request) -> WebApp:
    """Everything that the pages share."""
    app: WebApp = request.app.state.web_app
    return app


def base_url_for(request: Request) -> str:
    """Where others reach the pages: as this visitor does, unless only this machine can; empty if no other can."""
    app = web_app_of(request)
    if app.is_public or is_loopback_name(request.url.netloc):
        return app.base_url
    return f"{request.url.scheme}://{request.url.netloc}"
