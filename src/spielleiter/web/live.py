"""What is played right now, here or elsewhere: every game move by move, and channels that wake whoever watches.

Games of this game master come from its events, those of others by ``web.watch.feeds``. The game master never waits for
a page: an event is stored here and wakes the watchers; what they then see is rendered once for all of them, and whoever
is too slow for a move sees the next one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar
from weakref import WeakSet

from spielleiter.analysis import Judgement
from spielleiter.game import AnyGame, GameResult, Limits, Team
from spielleiter.referee import ClockChanged, GameEnded, GameEvent, GameStarted, MoveMade, Offence
from spielleiter.server.master import GameMaster

T = TypeVar("T")

_MAX_FINISHED = 60
"""Of finished games so many stay, to be looked at in peace."""


_MAX_LOOKS = 200
"""Ways of looking at one thing that are remembered."""
_WOKEN_AT_ONCE = 25
"""Watchers: each takes some fifty microseconds to be sent something."""


class Audience(IntEnum):
    """Who may watch a game; each of them may watch what those before may."""

    EVERYBODY = 0
    MEMBERS = 1
    """Everybody who is logged in."""
    GUESTS = 2
    """Everybody with the key of the network, or at this machine."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where games come from that are played elsewhere, and where their records go."""

    audience: Audience
    record: Callable[[str], str | None]
    """The address of the page with the record of a finished game, by its room id; in a thread, for it may block."""


class Channel:
    """Wakes everybody who waits for a change, and renders it once for each way of looking at it."""

    def __init__(self) -> None:
        self.version = 0
        self.is_closed = False
        self._waiting: dict[asyncio.Future[None], None] = {}
        self._rendered: dict[Hashable, tuple[int, Any]] = {}
        self._remembered: dict[Hashable, Any] = {}

    def publish(self) -> None:
        """Something has changed."""
        self.version += 1
        waiting, self._waiting = self._waiting, {}
        self._wake(iter(waiting))

    def _wake(self, waiting: Iterator[asyncio.Future[None]]) -> None:
        """Wake some, and the others later: between them the game master reads what players have sent."""
        woken = 0
        for future in waiting:
            if not future.done():
                future.set_result(None)
                woken += 1
            if woken == _WOKEN_AT_ONCE:
                asyncio.get_running_loop().call_soon(self._wake, waiting)
                return

    def close(self) -> None:
        """Nothing will change any more; waiting viewers may go."""
        self.is_closed = True
        self.publish()

    async def wait(self, seen: int) -> int:
        """The version after ``seen``, as soon as there is one."""
        while self.version == seen:
            self._waiting[future := asyncio.get_running_loop().create_future()] = None
            try:
                await future
            finally:
                self._waiting.pop(future, None)
        return self.version

    def remembered(self, look: Hashable, make: Callable[[], T]) -> T:
        """What is remembered of one way of looking at it."""
        if look not in self._remembered:
            if len(self._remembered) >= _MAX_LOOKS:  # Whoever still looks in that way goes on with what they have.
                del self._remembered[next(iter(self._remembered))]
            self._remembered[look] = make()
        found: T = self._remembered[look]
        return found

    def rendered(self, look: Hashable, render: Callable[[], T]) -> T:
        """What ``render`` returns for the present version; it is called once for each ``look``."""
        version, found = self._rendered.get(look, (-1, None))
        if version != self.version:
            found = render()
            self._rendered[look] = (self.version, found)
        result: T = found
        return result


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was made, and the position after it."""

    team: Team
    move: Any
    text: str
    after: Any
    seconds: float
    hints: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class LiveGame:
    """One game as far as it has come."""

    room_id: str
    game: AnyGame
    names: tuple[str, str]
    limits: tuple[Limits | None, Limits | None]
    start: Any
    started: float
    plies: list[Ply] = field(default_factory=list)
    result: GameResult | None = None
    offence: Offence | None = None
    asked: float = 0.0
    """When the player who is to move was asked, on the monotonic clock."""
    channel: Channel = field(default_factory=Channel)
    judgements: dict[int, Judgement] = field(default_factory=dict)
    """What the engine thinks of the position after so many plies, where it has looked."""
    judging: bool = False
    """Whether it is looking."""
    successor: str | None = None
    """The room in which this game goes on after a move was taken back, or is played again."""
    ended: float = 0.0
    """When it ended, on the monotonic clock."""
    source: Source | None = None
    """``None``: it is played on this game master."""
    record: tuple[str, float] | None = None
    """The id of the record that is followed, and when it began: what tells two attempts at one game apart."""
    is_lost: bool = False
    """Whether the connection to the process that plays it is lost: what is shown may be old."""
    is_delayed: bool = False
    """Whether spectators see it some moves late."""
    record_address: str | None = None
    """Where the record is, once it was found because nobody here saw the end."""

    @property
    def state(self) -> Any:
        """The present position."""
        return self.plies[-1].after if self.plies else self.start

    def state_at(self, ply: int) -> Any:
        """The position after so many plies."""
        return self.plies[ply - 1].after if ply else self.start

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def audience(self) -> Audience:
        """Who may watch."""
        return Audience.GUESTS if self.source is None else self.source.audience

    def change_limits(self, team: Team, limits: Limits | None) -> None:
        """``team`` has other limits from the next request on."""
        one, two = self.limits
        self.limits = (one, limits) if team else (limits, two)

    def used(self, team: Team) -> float:
        """The seconds that ``team`` has used so far, without the move it is thinking about."""
        return sum(ply.seconds for ply in self.plies if ply.team is team)


class LiveGames:
    """All games that run or have just ended, the newest last."""

    def __init__(self, master: GameMaster) -> None:
        self.master = master
        self.channel = Channel()
        """Of every start, move and end."""
        self.roster = Channel()
        """Of starts and ends only."""
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._channels: WeakSet[Channel] = WeakSet()  # Also those of games that are forgotten but still looked at.
        self._stop = master.subscribe(self._on_event)

    def close(self) -> None:
        """Stop listening, and end all streams."""
        self._stop()
        for channel in (self.channel, self.roster, *self._channels):
            channel.close()

    def get(self, room_id: str) -> LiveGame | None:
        """The game in that room, if it is known (still)."""
        return self._games.get(room_id)

    def all(self, audience: Audience = Audience.GUESTS) -> list[LiveGame]:
        """The games that ``audience`` may watch: running ones first, then finished ones; the newest first in both."""
        newest = [live for live in reversed(self._games.values()) if live.audience <= audience]
        return sorted(newest, key=lambda live: live.is_over)

    def running(self, audience: Audience = Audience.GUESTS) -> list[LiveGame]:
        """The games that are being played, the newest first."""
        return [live for live in self.all(audience) if not live.is_over]

    # --- what happens -------------------------------------------------------------------------------------------------

    def begin(self, live: LiveGame) -> None:
        """A game begins. One of the same name that is looked at goes on as this one."""
        before = self._games.pop(live.room_id, None)
        if before is not None:
            live.channel = before.channel
        self._games[live.room_id] = live
        self._channels.add(live.channel)
        self._forget_old()
        self.roster.publish()
        self.publish(live)

    def move(self, live: LiveGame, team: Team, move: Any, after: Any, seconds: float, hints: tuple[str, ...]) -> None:
        """A legal move was made."""
        text = live.game.notation.format_move(live.state, move)
        live.plies.append(Ply(team, move, text, after, seconds, hints))
        self.publish(live)

    def end(self, live: LiveGame, result: GameResult, offence: Offence | None) -> None:
        """A game has ended."""
        live.result, live.offence, live.ended = result, offence, time.monotonic()
        self.roster.publish()
        self.publish(live)

    def forget(self, live: LiveGame) -> None:
        """A game is no longer listed; its viewers may go on watching."""
        if self._games.get(live.room_id) is live:
            del self._games[live.room_id]
            self.roster.publish()
        self.publish(live)

    def publish(self, live: LiveGame) -> None:
        """Something about this game has changed that is no event: it was paused, say."""
        live.channel.publish()
        self.channel.publish()

    def _on_event(self, event: GameEvent) -> None:
        now = time.monotonic()
        if isinstance(event, GameStarted):
            self.begin(LiveGame(event.room_id, event.game, event.names, event.limits, event.state, event.at, asked=now))
            return
        live = self._games.get(event.room_id)
        if live is None:
            return  # It ended before it began.
        match event:
            case MoveMade():
                live.asked = now
                self.move(live, event.team, event.move, event.state, event.timing.elapsed, event.hints)
            case GameEnded():
                self.end(live, event.result, event.offence)
            case ClockChanged():
                live.change_limits(event.team, event.limits)
                self.publish(live)

    def _forget_old(self) -> None:
        finished = [live.room_id for live in self._games.values() if live.is_over]
        for room_id in finished[: max(0, len(finished) - _MAX_FINISHED)]:
            del self._games[room_id]
