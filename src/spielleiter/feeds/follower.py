"""Follows games that are played elsewhere: by `contest run`, on a cluster, in a match, by the season of these pages.

Whatever a feed says is checked by the rules of its game before it is shown. A feed that is lost is tried again and
again; its games stay as they were, until they go on, their records are found, or they have waited too long.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from spielleiter.errors import RecordError, Refused, RemoteProtocolError, StoreError
from spielleiter.feeds.address import FeedAddress
from spielleiter.feeds.client import read_feed
from spielleiter.feeds.feed import FeedLine
from spielleiter.feeds.live import LiveGame, LiveGames, Source
from spielleiter.records.history import ClockChange, History, RecordedMove, RecordedNotes
from spielleiter.records.reader import RecordReader

log = logging.getLogger("spielleiter.feeds")

_POLL_SECONDS = 1.0
_MIN_PAUSE, _MAX_PAUSE = 0.5, 8.0
"""Seconds before a lost feed is tried again."""
_LOST_SECONDS = 600.0
"""How long a lost game stays listed, unless it goes on or its record is found."""
_MAX_GAMES = 500
"""Per feed, at the same time."""
_MAX_ID_LENGTH = 100


@dataclass(frozen=True, slots=True)
class FeedSource(Source):
    """A process that plays games elsewhere."""

    addresses: Callable[[], Mapping[str, FeedAddress]]
    """Where the feeds are just now, by a name; in a thread, for it may block."""
    prefix: str = ""
    """The prefix of the room ids of its games."""
    delay: Callable[[str], int] = lambda game_id: 0
    """How many moves late a game is shown."""


class FeedFollower:
    """Follows all feeds of one source, from ``start`` to ``close``."""

    def __init__(self, live: LiveGames, source: FeedSource) -> None:
        self._live = live
        self._source = source
        self._tasks: dict[str, tuple[FeedAddress, asyncio.Task[None]]] = {}
        self._lost: dict[str, tuple[LiveGame, float]] = {}
        """Games whose end was missed, and when they were lost, on the monotonic clock."""
        self._poller: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for feeds."""
        self._poller = asyncio.create_task(self._poll())

    async def close(self) -> None:
        """Follow nothing any more."""
        tasks = [task for _, task in self._tasks.values()] + ([] if self._poller is None else [self._poller])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _poll(self) -> None:
        while True:
            try:
                self._follow_only(await asyncio.to_thread(self._source.addresses))
                await self._find_records()
            except StoreError as problem:
                log.warning("running games cannot be looked up: %s", problem)
            except Exception:  # Whatever it was: no game would be found any more if this ended.
                log.exception("running games cannot be looked up")
            await asyncio.sleep(_POLL_SECONDS)

    def _follow_only(self, addresses: Mapping[str, FeedAddress]) -> None:
        for name, (address, task) in tuple(self._tasks.items()):
            if addresses.get(name) != address:
                task.cancel()
                del self._tasks[name]
        for name, address in addresses.items():
            if name not in self._tasks:
                self._tasks[name] = (address, asyncio.create_task(self._follow(address)))

    async def _follow(self, address: FeedAddress) -> None:
        pause = _MIN_PAUSE
        while True:
            followed: dict[str, _FollowedGame] = {}
            try:
                async for line in read_feed(address):
                    if line is None:
                        pause = _MIN_PAUSE
                    else:
                        self._take(followed, line)
            except (OSError, RemoteProtocolError) as problem:
                log.info("the feed at %s:%s is lost: %s", address.host, address.port, problem)
            finally:
                for game in followed.values():
                    self._drop(game)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _MAX_PAUSE)

    def _take(self, followed: dict[str, _FollowedGame], line: FeedLine) -> None:
        id_ = line.game_id
        if not line.line:
            if (game := followed.pop(id_, None)) is not None:
                self._drop(game)
            return
        known = followed.get(id_)
        if known is None:
            if len(followed) >= _MAX_GAMES or len(id_) > _MAX_ID_LENGTH or not id_.isprintable() or "/" in id_:
                return
            known = followed[id_] = _FollowedGame(self._live, self._source, id_)
        known.take(line)

    def _drop(self, game: _FollowedGame) -> None:
        """A game is not followed any more; if its end was missed, it may go on elsewhere, or its record be found."""
        live = game.live
        if live is not None and not live.is_over and self._live.get(live.room_id) is live:
            live.is_lost = True
            self._lost.setdefault(live.room_id, (live, time.monotonic()))
            self._live.publish(live)

    async def _find_records(self) -> None:
        for room_id, (live, since) in tuple(self._lost.items()):
            if not live.is_lost or self._live.get(room_id) is not live:
                del self._lost[room_id]  # It goes on.
            elif (address := await asyncio.to_thread(self._source.record, room_id)) is not None:
                del self._lost[room_id]
                live.record_address = address
                self._live.forget(live)
            elif time.monotonic() - since > _LOST_SECONDS:
                del self._lost[room_id]
                self._live.forget(live)


class _FollowedGame:
    """One game of a feed: its record as it grows, and the live game that is made of it."""

    def __init__(self, games_: LiveGames, source: FeedSource, game_id: str) -> None:
        self._games = games_
        self._source = source
        self._room_id = source.prefix + game_id
        self._delay = source.delay(game_id)
        self._reader = RecordReader(self._room_id)
        self._held: deque[tuple[RecordedMove, float]] = deque()
        self._is_ignored = False
        self.live: LiveGame | None = None
        """``None`` until it has begun, and if another process plays it too and began later."""

    def take(self, line: FeedLine) -> None:
        """One more line of the record; a line that cannot be ends the game for its viewers."""
        if self._is_ignored:
            return
        try:
            self._read(line)
        except Refused as problem:
            log.warning("a game cannot be followed: %s", problem)
            self._is_ignored = True
            if self.live is not None:
                self.live.is_lost = True
                self._games.publish(self.live)

    def _read(self, line: FeedLine) -> None:
        event = self._reader.read_line(line.line.encode())
        written = time.monotonic() - line.age
        if isinstance(event, History):
            self._begin(event, written)
        elif self.live is None:
            return
        elif isinstance(event, RecordedMove):
            self._held.append((event, written))
            if len(self._held) > self._delay:
                self._move(self.live, *self._held.popleft())
        elif isinstance(event, RecordedNotes):
            if event not in self.live.history.notes:
                self.live.history.add(event)
                self._games.publish(self.live)
        elif isinstance(event, ClockChange):
            if event not in self.live.history.clock_changes:  # Else seen before the connection was lost.
                self.live.history.add(event)
        else:
            while self._held:
                self._move(self.live, *self._held.popleft())
            self.live.history.add(event)
            self._games.grown(self.live)

    def _begin(self, history: History, written: float) -> None:
        before = self._games.get(self._room_id)
        if before is not None and before.source is not None:
            known, came = _identity(before.history), _identity(history)
            if known == came and before.is_over:
                self._is_ignored = True  # Sent again after a lost connection: its end is known.
                return
            if known == came:
                before.is_lost = False
                self.live = before
                self._games.publish(before)
                return
            if not (before.is_lost or before.is_over) and came[1] < known[1]:
                self._is_ignored = True  # Two play the same game: the one that began later counts.
                return
        shown = replace(history).replayed()  # It grows later than what is read, if spectators are to see it late.
        self.live = LiveGame(
            self._room_id, shown, written, asked=written, source=self._source, is_delayed=self._delay > 0
        )
        self._games.begin(self.live)

    def _move(self, live: LiveGame, recorded: RecordedMove, written: float) -> None:
        history = live.history
        if recorded.ply < len(history.moves):
            return  # Seen before the connection was lost.
        if recorded.team is not history.state.to_move:
            raise RecordError(
                f"{self._room_id}: {recorded.team.name} ist nicht am Zug",
                f"{self._room_id}: it is not the turn of {recorded.team.name}",
            )
        history.add(recorded, checked=True)
        live.asked = written
        self._games.grown(live)


def _identity(history: History) -> tuple[str, float]:
    """What tells two attempts at one game apart: the id, and when it began."""
    return history.id, 0.0 if history.started is None else history.started.timestamp()
