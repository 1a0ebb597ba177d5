"""A class while its pages are served: who is here and does what, the tables of its rounds, and what games end with.

Laws: what must outlive a restart is in the book; a table is not, so that of a pair is opened again, from the record of
its last room, by the first of the two who comes back.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import Any

from spielleiter import games
from spielleiter.errors import RecordError, Refused
from spielleiter.feeds.channel import Channel
from spielleiter.feeds.live import LiveGames
from spielleiter.game import TEAMS, AnyGame, Team, Text
from spielleiter.records.history import Ply
from spielleiter.records.load import open_any
from spielleiter.referee import GameEnded, GameEvent
from spielleiter.web.classroom.activity import Presence, describe
from spielleiter.web.classroom.book import ClassBook
from spielleiter.web.classroom.rounds import next_round
from spielleiter.web.classroom.state import (
    Achieved,
    ClassScene,
    ClassState,
    GameRound,
    PairDecided,
    PairSeated,
    Participant,
    SceneChosen,
)
from spielleiter.web.classroom.tournament import Tournaments
from spielleiter.web.play.seating import PEOPLE, Seating, SeatKind, Table
from spielleiter.web.play.tables import Tables
from spielleiter.web.replays.library import Library

_SWEEP_SECONDS = 5.0
_random = SystemRandom()


class Classroom:
    """Make and close it in the event loop of the pages."""

    def __init__(
        self,
        book: ClassBook,
        tables: Tables,
        live: LiveGames,
        library: Library,
        show: Channel,
        tournaments: Tournaments,
    ) -> None:
        """``show`` is told when the projector has something new."""
        self.book = book
        self.tournaments = tournaments
        self.tables = tables
        self.library = library
        self.channel = Channel()
        """Everything that the host sees: also who is here."""
        self._live = live
        self._show = show
        self._presence: dict[int, Presence] = {}
        self._seating: dict[tuple[int, int], asyncio.Lock] = {}
        self._away: frozenset[int] = frozenset()
        self._stop = live.master.subscribe(self._on_event)
        self._follower = asyncio.create_task(self._follow_book())
        self._sweeper = asyncio.create_task(self._sweep())

    @property
    def state(self) -> ClassState:
        return self.book.state

    @property
    def game(self) -> AnyGame:
        """The game of this class."""
        return games.load(self.state.game)

    async def close(self) -> None:
        """Nobody looks any more; all that matters is in the book."""
        self._stop()
        for task in (self._follower, self._sweeper):
            task.cancel()
        await asyncio.gather(self._follower, self._sweeper, return_exceptions=True)
        await self.tournaments.close()
        for channel in (self.channel, self.book.channel):  # All streams end, before the server would cut them off.
            channel.close()

    async def _follow_book(self) -> None:
        """What the book says concerns the host and the projector."""
        seen = -1
        while not self.book.channel.is_closed:
            seen = await self.book.channel.wait(seen)
            self.channel.publish()
            self._show.publish()

    async def _sweep(self) -> None:
        """Notice who has gone, and tasks whose time is over: both are no events."""
        was_open = None
        while True:
            await asyncio.sleep(_SWEEP_SECONDS if was_open is not True else 1.0)
            away = frozenset(person for person in self.state.people if not self.is_here(person))
            task = self.state.task
            is_open = None if task is None else task.is_open(self.book.now())
            if is_open is not was_open:
                self.book.channel.publish()
            elif away != self._away:
                self.channel.publish()
            self._away, was_open = away, is_open

    def until(self, ends: float | None) -> float | None:
        """When a time of the book is, on the clock of the pages."""
        return None if ends is None else round(time.monotonic() + ends - self.book.now())

    # --- who is here --------------------------------------------------------------------------------------------------

    def note(self, person: Participant, path: str) -> None:
        """Note a sign of the participant's device, with this page open."""
        if self._presence.setdefault(person.id, Presence()).note(path, time.monotonic()):
            self.channel.publish()

    def is_here(self, person: int) -> bool:
        """Whether there was a sign of the participant's device lately."""
        presence = self._presence.get(person)
        return presence is not None and presence.is_here(time.monotonic())

    def activity(self, person: Participant) -> Text:
        """What the participant is doing just now."""
        if not person.browser:
            return Text("Platz ist frei", "seat is free")
        presence = self._presence.get(person.id)
        if presence is None or not presence.is_here(time.monotonic()):
            return Text("nicht da", "away")
        return describe(presence.path, person.browser, self.tables, self.state.game)

    def present(self) -> list[int]:
        """Who is here."""
        return [person for person in self.state.people if self.is_here(person)]

    # --- what they achieve --------------------------------------------------------------------------------------------

    def achieved(self, person: Participant, kind: str, game: str, what: str) -> None:
        """Somebody has solved an exercise or a puzzle, or beaten a level; the first time counts."""
        if (kind, game, what) not in self.state.achieved.get(person.id, ()):
            self.book.record(Achieved(person.id, kind, game, what))

    def _on_event(self, event: GameEvent) -> None:
        if not isinstance(event, GameEnded):
            return
        live, table = self._live.get(event.room_id), self.tables.of_room(event.room_id)
        result = None if live is None else live.history.result
        if live is None or table is None or result is None or (result.winner is None and not result.regular):
            return  # Broken off: it goes on after a restart, or is nobody's.
        pair = self._pair_of_room(event.room_id)
        if pair is not None:
            points = 0.5 if result.winner is None else float(result.winner is Team.ONE)
            self.book.record(PairDecided(*pair, points))
        elif result.winner is not None:
            self._note_level(table, result.winner)

    def _note_level(self, table: Table, winner: Team) -> None:
        """A person may have beaten a level at a table of their own."""
        loser = table.seats[winner.opponent]
        person = self.state.by_browser(table.creator)
        if person and table.seats[winner].kind in PEOPLE and loser.kind is SeatKind.BUILT_IN and not table.holders:
            self.achieved(person, "level", table.game.key, loser.what)

    def _pair_of_room(self, room_id: str) -> tuple[int, int] | None:
        """The round and the place of the undecided pair that plays in a room."""
        current = self.state.round
        for at, pair in enumerate(() if current is None else current.pairs):
            if current is not None and room_id in pair.rooms[-1:] and pair.points is None:
                return current.number, at
        return None

    # --- rounds -------------------------------------------------------------------------------------------------------

    async def pair_up(self, minutes: int | None = None) -> None:
        """Pair those who are here, and seat each pair at a table. Raises ``Refused``."""
        ends = self.book.now() + 60 * minutes if minutes else None
        here = [person for person in self.present() if self.state.people[person].browser]
        self.book.record(next_round(self.state, here, self.state.game, ends))
        self.book.record(SceneChosen(ClassScene.ROUND))
        current = self.state.round
        assert current is not None
        for at in range(len(current.pairs)):
            await self._seat(current, at)

    async def table_of(self, person: Participant) -> Table | None:
        """The participant's table in the present round; ``None`` if they play no game. Raises ``Refused``."""
        current = self.state.round
        at = None if current is None else current.pair_of(person.id)
        if current is None or at is None:
            return None
        return await self._seat(current, at)

    async def _seat(self, current: GameRound, at: int) -> Table | None:
        """The table of a pair, opened where it is not; ``None`` for a game that is over and put away."""
        async with self._seating.setdefault((current.number, at), asyncio.Lock()):
            pair = current.pairs[at]
            table = self.tables.of_room(pair.rooms[-1]) if pair.rooms else None
            if table is not None or pair.points is not None:
                return table
            one, two = (self.book.person(person) for person in pair.people)
            game = games.load(current.game)
            start, past = await self._so_far(pair.rooms, game)
            if past and (outcome := past[-1].state.outcome) is not None:  # We were stopped before it was written down.
                points = 0.5 if outcome.winner is None else float(outcome.winner is Team.ONE)
                self.book.record(PairDecided(current.number, at, points))
                return None
            table = await self.tables.open(
                game,
                (Seating(SeatKind.FRIEND, one.name), Seating(SeatKind.FRIEND, two.name)),
                start,
                browsers=(one.browser, two.browser),
                past=past,
            )
            assert table.room is not None
            self.book.record(PairSeated(current.number, at, table.room.room_id))
            return table

    async def _so_far(self, rooms: tuple[str, ...], game: AnyGame) -> tuple[Any, tuple[Ply, ...]]:
        """The start of a pair's game, and what was played in its rooms before."""
        start: Any = None
        past: tuple[Ply, ...] = ()
        for room in rooms:
            path = await asyncio.to_thread(self.library.path_of_room, room)
            if path is None:
                continue
            with suppress(RecordError):
                history = (await asyncio.to_thread(partial(open_any, path))).replayed()
                if start is None:
                    start = history.first_state
                # Records say what was played in the rooms before, too; older ones did not.
                past = history.plies if history.first_state == start else past + history.plies
        return game.new_state(_random) if start is None else start, past

    def decide(self, at: int, points: float) -> None:
        """The host decides a game of the present round. Raises ``Refused``."""
        current = self.state.round
        if current is None or not 0 <= at < len(current.pairs):
            raise Refused("Dieses Paar gibt es nicht.", "There is no such pair.")
        if current.pairs[at].points != (points, 1.0 - points):
            self.book.record(PairDecided(current.number, at, points))

    def decide_open(self) -> None:
        """All games that still run are draws. Raises ``Refused``."""
        current = self.state.round
        for at, pair in enumerate(() if current is None else current.pairs):
            if pair.points is None:
                self.decide(at, 0.5)

    async def remove(self, person_id: int) -> None:
        """Somebody is no longer here: their games end, and an opponent gets the point. Raises ``Refused``."""
        person, current = self.book.person(person_id), self.state.round
        self.book.remove(person_id)
        at = None if current is None else current.pair_of(person_id)
        if current is not None and at is not None and current.pairs[at].points is None:
            self.decide(at, float(current.pairs[at].people[1] == person_id))
        for table in self.tables.of_browser(person.browser):
            await self.tables.close(table)

    def moved_seat(self, person: int) -> None:
        """Somebody has another device: their seat at a running game moves with them."""
        current = self.state.round
        at = None if current is None else current.pair_of(person)
        if current is None or at is None or not current.pairs[at].rooms:
            return
        table = self.tables.of_room(current.pairs[at].rooms[-1])
        if table is not None and (found := self.state.people.get(person)) is not None:
            team = TEAMS[current.pairs[at].people.index(person)]
            table.holders[team].take(found.browser)
            table.channel.publish()
