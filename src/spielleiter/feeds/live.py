"""What is played right now, here or elsewhere: every game as a history that grows, with a channel for its spectators.

Games of this game master come from its events, those of others by ``follower``. The game master never waits for a page:
an event is stored here and wakes the watchers; what they then see is rendered once for all; one who is too slow for
a move sees the next one.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum
from weakref import WeakSet

from spielleiter.analysis import Judgement
from spielleiter.feeds.channel import Channel
from spielleiter.records.history import History
from spielleiter.referee import GameEvent, GameStarted, MoveMade
from spielleiter.server.master import GameMaster

_MAX_FINISHED = 60
"""Finished games that stay, to be looked at in peace."""


class Audience(IntEnum):
    """Who may watch a game; each of them may watch what those before may."""

    EVERYBODY = 0
    MEMBERS = 1
    """Visitors who are logged in."""
    GUESTS = 2
    """Visitors with the key of the network, or at this machine."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where games come from that are played elsewhere, and where their records go."""

    audience: Audience
    record: Callable[[str], str | None]
    """The address of the page with the record of a finished game, by its room id; in a thread, for it may block."""


@dataclass(slots=True, eq=False)
class LiveGame:
    """A game that is watched: its history as far as it has come, and what only spectators need."""

    room_id: str
    history: History
    started: float
    """Monotonic time."""
    asked: float = 0.0
    """When the player who is to move was asked, on the monotonic clock."""
    channel: Channel = field(default_factory=Channel)
    judgements: dict[int, Judgement | None] = field(default_factory=dict)
    """What the engine thinks of the position after so many plies, where it has looked; ``None`` if it found nothing."""
    judging: bool = False
    """Whether it is looking."""
    successor: str | None = None
    """The room in which this game goes on after a move was taken back, or is played again."""
    ended: float = 0.0
    """When it ended, on the monotonic clock."""
    source: Source | None = None
    """``None``: it is played on this game master."""
    is_lost: bool = False
    """Whether the connection to the process that plays it is lost: what is shown may be old."""
    is_delayed: bool = False
    """Whether spectators see it some moves late."""
    record_address: str | None = None
    """Where the record is, once it was found because the end was missed here."""

    def chance_at(self, ply: int) -> float | None:
        """ONE's winning chance after so many plies, or as the engine saw it last; ``None`` if it never knew."""
        known = [at for at, judged in self.judgements.items() if at <= ply and judged is not None]
        newest = self.judgements[max(known)] if known else None
        return None if newest is None else newest.win_probability

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.history.is_finished

    @property
    def audience(self) -> Audience:
        """Who may watch."""
        return Audience.GUESTS if self.source is None else self.source.audience


class LiveGames:
    """All games that run or have just ended, the newest last."""

    def __init__(self, master: GameMaster) -> None:
        self.master = master
        self.channel = Channel()
        """Every start, move and end."""
        self.roster = Channel()
        """Starts and ends only."""
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
        games = tuple(self._games.values())  # At once: pages that read a store ask from a thread.
        newest = [live for live in reversed(games) if live.audience <= audience]
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

    def grown(self, live: LiveGame) -> None:
        """Its history goes on, or has ended."""
        if live.is_over:
            live.ended = time.monotonic()
            self.roster.publish()
        self.publish(live)

    def forget(self, live: LiveGame) -> None:
        """A game is no longer listed; its viewers may go on watching."""
        if self._games.get(live.room_id) is live:
            del self._games[live.room_id]
            self.roster.publish()
        self.publish(live)

    def publish(self, live: LiveGame) -> None:
        """Something about this game has changed without an event: it was paused, say."""
        live.channel.publish()
        self.channel.publish()

    def _on_event(self, event: GameEvent) -> None:
        now = time.monotonic()
        if isinstance(event, GameStarted):
            history = History.begin(event, datetime.now(UTC), self.master.clock)
            self.begin(LiveGame(event.room_id, history, event.at, asked=now))
        elif (live := self._games.get(event.room_id)) is not None:  # Else it ended before it began.
            if isinstance(event, MoveMade):
                live.asked = now
            live.history.follow(event)
            self.grown(live)

    def _forget_old(self) -> None:
        finished = [live.room_id for live in self._games.values() if live.is_over]
        for room_id in finished[: max(0, len(finished) - _MAX_FINISHED)]:
            del self._games[room_id]
