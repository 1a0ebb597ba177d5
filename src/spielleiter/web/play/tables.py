"""Tables: games that were started from the pages, with whoever sits there, and all that people can do with them.

A table outlives its rooms. Taking back and playing again opens a new room on the game master, from an earlier
position; the old one ends without a decision. So every room is a whole, recorded game of its own.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from spielleiter.errors import Refused, SettingsError, SpielleiterError
from spielleiter.game import TEAMS, AnyGame, Team, Text
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import AUTO, ExitStatus, Level, ResourceLimits, choose
from spielleiter.referee import GameEvent
from spielleiter.server.master import OpenedRoom
from spielleiter.web.live import Channel, LiveGame, LiveGames, Ply
from spielleiter.web.play.people import Person
from spielleiter.web.play.processes import Computer, Program
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.library import Library

_MAX_TABLES = 60
_IDLE_SECONDS = 900.0
"""After so long a table that nobody looks at is closed."""
_CROWDED_IDLE_SECONDS = 45.0
"""The same if there are too many tables."""
_MAX_ROOMS_WITH_PROGRAMS = 30
_MAX_OUTPUT = 64 << 20
"""Bytes that a program may print."""
_RETURN_SECONDS = 1.5
"""So long a page may take to be loaded again."""
_ABANDONED = Text("das Spiel wurde verlassen", "the game was abandoned")
_JUDGE_SECONDS = 5.0
"""So long the game master may take to judge a move."""


class Kind(StrEnum):
    """Who sits at a place."""

    PERSON = "person"
    BUILT_IN = "built-in"
    PROGRAM = "program"
    JOINS = "joins"


@dataclass(frozen=True, slots=True)
class Seating:
    """One place as it was ordered."""

    kind: Kind
    name: str
    """What the others see."""
    what: str = ""
    """The name of the built-in player, or the program."""
    upload: Path | None = None
    """The folder that was made for an uploaded program; it goes with the table."""


@dataclass(slots=True, eq=False)
class Table:
    """One table. ``past`` are the moves that were played in earlier rooms and still count."""

    key: str
    game: AnyGame
    seats: tuple[Seating, Seating]
    start: Any
    past: list[Ply] = field(default_factory=list)
    room: OpenedRoom | None = None
    live: LiveGame | None = None
    """The game in the room, once it has begun; it stays however many others have been played since."""
    people: dict[Team, Person] = field(default_factory=dict)
    programs: dict[Team, Program] = field(default_factory=dict)
    computers: dict[Team, Computer] = field(default_factory=dict)
    channel: Channel = field(default_factory=Channel)
    hint: tuple[int, Any] | None = None
    """The ply for which a hint was given, and the move."""
    hinting: bool = False
    """Whether the engine is looking for one."""
    is_gone: bool = False
    """Whether it was closed while somebody was waiting to do something at it."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    seen: float = field(default_factory=time.monotonic)
    """When somebody last looked, on the monotonic clock."""

    def looked_at(self) -> None:
        """Somebody looks at the table."""
        self.seen = time.monotonic()

    def person_teams(self) -> tuple[Team, ...]:
        """The sides that people play at this table."""
        return tuple(team for team in TEAMS if self.seats[team].kind is Kind.PERSON)

    @property
    def can_take_back(self) -> bool:
        """Whether nobody here has to be asked."""
        return all(seat.kind in (Kind.PERSON, Kind.BUILT_IN) for seat in self.seats)


class Tables:
    """All tables, and what people do at them."""

    def __init__(self, live: LiveGames, library: Library | None = None, sandbox: str = AUTO) -> None:
        """``sandbox`` is the level in which programs are started."""
        self._live = live
        self._master = live.master
        self._sandbox = sandbox
        self._level: Level | None = None
        self._library = library
        self._tables: dict[str, Table] = {}
        self._by_room: dict[str, Table] = {}
        self._programs: dict[str, dict[Team, Program]] = {}
        self._storing: set[asyncio.Task[None]] = set()
        self._stop = self._master.subscribe(self._on_event)

    def _on_event(self, event: GameEvent) -> None:
        table = self._by_room.get(event.room_id)
        if table is not None and table.room is not None and table.room.room_id == event.room_id:
            if table.live is None:
                table.live = self._live.get(event.room_id)
            table.channel.publish()

    def get(self, key: str) -> Table | None:
        """The table that this key opens."""
        return self._tables.get(key)

    def of_room(self, room_id: str) -> Table | None:
        """The table at which a room is played."""
        return self._by_room.get(room_id)

    def live(self, table: Table) -> LiveGame | None:
        """The running or finished game of the table, ``None`` while somebody is missing."""
        return table.live

    def plies(self, table: Table) -> list[Ply]:
        """All moves that count, of earlier rooms too."""
        live = self.live(table)
        return table.past + (live.plies if live else [])

    def state(self, table: Table) -> Any:
        """The present position."""
        plies = self.plies(table)
        return plies[-1].after if plies else table.start

    @property
    def address(self) -> tuple[str, int]:
        """Where players on this machine reach the game master."""
        host, port = self._master.address
        return ("127.0.0.1" if host == "0.0.0.0" else "::1" if host == "::" else host), port  # noqa: S104

    # --- opening ------------------------------------------------------------------------------------------------------

    async def open(self, game: AnyGame, seats: tuple[Seating, Seating], start: Any) -> Table:
        """A new table with its first room. Raises ``ProgramError`` or ``Refused``."""
        if len(self._tables) >= _MAX_TABLES:
            await self.close_idle(_CROWDED_IDLE_SECONDS)
        if len(self._tables) >= _MAX_TABLES:
            raise Refused(
                "Alle Tische sind besetzt. Versuche es in ein paar Minuten noch einmal.",
                "All tables are taken. Try again in a few minutes.",
            )
        table = Table(secrets.token_urlsafe(16), game, seats, start)
        self._tables[table.key] = table
        try:
            await self._open_room(table)
        except SpielleiterError:
            await self.close(table)
            raise
        return table

    async def _open_room(self, table: Table) -> None:
        """A new room with everybody in it; if somebody cannot come, nobody stays. Raises ``SpielleiterError``."""
        try:
            await self._fill_room(table)
        except (SpielleiterError, OSError) as problem:
            await self._leave_room(table)
            table.channel.publish()
            if isinstance(problem, OSError):
                why = problem.strerror or problem
                raise SettingsError(
                    f"Der Spielleiter ist nicht zu erreichen: {why}.", f"the game master cannot be reached: {why}"
                ) from None
            raise

    async def _fill_room(self, table: Table) -> None:
        seats, before = table.seats, table.live
        one, two = (seat.kind is not Kind.PERSON for seat in seats)
        room = self._master.open_room(
            table.game,
            names=(seats[0].name, seats[1].name),
            start=self.state(table) if table.past else table.start,
            can_timeout=(one, two),
        )
        table.room, table.live, table.hint = room, None, None
        self._by_room[room.room_id] = table
        for team, code in zip(TEAMS, room.codes, strict=True):
            await self._seat(table, room, team, code)
        table.channel.publish()
        if before is not None:
            before.successor = room.room_id
            self._live.publish(before)

    async def _seat(self, table: Table, room: OpenedRoom, team: Team, code: str) -> None:
        seat, (host, port) = table.seats[team], self.address
        match seat.kind:
            case Kind.PERSON:
                person = table.people[team] = Person(table.game, (host, port), code)
                await person.sit_down()
            case Kind.BUILT_IN:
                if team not in table.computers or not table.computers[team].is_there:
                    table.computers[team] = Computer((host, port), table.game.key, seat.what)
                    await table.computers[team].start()
                table.computers[team].sit_down(code)
            case Kind.PROGRAM:
                program = Program(await self._launcher(), seat.what, code)
                await program.start(table.channel.publish)
                table.programs[team] = program
                self._remember(room, team, program)
            case Kind.JOINS:
                pass

    async def _launcher(self) -> Launcher:
        """What starts programs; the first time the sandbox is tried. Raises ``SettingsError`` if it does not work."""
        if self._level is None:
            self._level = (await choose(self._sandbox)).level
        return Launcher(self._master, self._level, ResourceLimits(output=_MAX_OUTPUT))

    # --- how programs ended -------------------------------------------------------------------------------------------

    def _remember(self, room: OpenedRoom, team: Team, program: Program) -> None:
        """Have a program end with its game, and store how it ended."""
        first = room.room_id not in self._programs
        self._programs.setdefault(room.room_id, {})[team] = program
        while len(self._programs) > _MAX_ROOMS_WITH_PROGRAMS:
            del self._programs[next(iter(self._programs))]
        if first:
            task = asyncio.create_task(self._store_exit_statuses(room, self._programs[room.room_id]))
            self._storing.add(task)
            task.add_done_callback(self._storing.discard)

    async def _store_exit_statuses(self, room: OpenedRoom, programs: dict[Team, Program]) -> None:
        await asyncio.wait([room.ended])
        for program in programs.values():
            program.end()
        await asyncio.gather(*(program.ended() for program in programs.values()))
        path = None if self._library is None else await asyncio.to_thread(self._library.path_of_room, room.room_id)
        if path is not None:
            statuses = {team: end for team, program in programs.items() if (end := program.status) is not None}
            await asyncio.to_thread(exit_statuses.write, path, statuses)

    def exit_status(self, room_id: str, team: Team) -> ExitStatus | None:
        """How a program of a room ended or is doing, as long as that is remembered; later its record knows."""
        program = self._programs.get(room_id, {}).get(team)
        return None if program is None else program.status

    # --- what people do -----------------------------------------------------------------------------------------------

    async def move(self, table: Table, ply: int, find: Callable[[Any], Any]) -> None:
        """Play what ``find`` makes of the position after ``ply`` moves. Raises ``Refused``."""
        async with table.busy:
            live = self._running(table)
            before = len(live.plies)
            if ply != len(self.plies(table)):
                raise Refused("Die Stellung hat sich inzwischen geändert.", "The position has changed in the meantime.")
            state = live.state
            team: Team = state.to_move
            if team not in table.people:
                raise Refused("Du bist nicht am Zug.", "It is not your turn.")
            room = self._master.lobby.rooms.get(live.room_id)
            if room is None or room.awaited is not team:
                raise Refused("Das Spiel ist angehalten.", "The game is paused.")
            move = find(state)
            if (violation := state.violation(move)) is not None:
                raise Refused(violation.text.de, violation.text.en)
            async with asyncio.timeout(_JUDGE_SECONDS):
                await table.people[team].move(move)
                # Other news may come first. A second move before this one has been judged would be an unasked one.
                while len(live.plies) == before and not live.is_over:
                    await live.channel.wait(live.channel.version)

    async def resign(self, table: Table) -> None:
        """The person gives up; with people on both sides the one to move does. Raises ``Refused``."""
        async with table.busy:
            live = self._running(table)
            if not table.people:
                raise Refused("Hier spielt kein Mensch mit.", "Nobody plays here by hand.")
            to_move: Team = live.state.to_move
            team = to_move if to_move in table.people else next(iter(table.people))
            self._master.resign(live.room_id, team)

    async def take_back(self, table: Table) -> None:
        """Back to before the last move that a person made. Raises ``Refused``."""
        async with table.busy:
            self._must_be_there(table)
            plies = self.plies(table)
            people = table.person_teams()
            last = max((number for number, ply in enumerate(plies) if ply.team in people), default=None)
            if not table.can_take_back or last is None:
                raise Refused("Hier ist nichts zurückzunehmen.", "There is nothing to take back here.")
            await self._leave_room(table)
            table.past = plies[:last]
            await self._open_room(table)

    async def again(self, table: Table, *, swap: bool = False, start: Any = None) -> None:
        """A new game with the same start, or with ``start``; if wanted with changed sides."""
        async with table.busy:
            self._must_be_there(table)
            await self._leave_room(table)
            if swap:
                await self._dismiss(table)
                table.seats = (table.seats[1], table.seats[0])
            table.past = []
            if start is not None:
                table.start = start
            await self._open_room(table)

    def leave(self, table: Table) -> None:
        """A browser has left the table. If nobody looks at it soon, everybody has, and its game is abandoned."""
        task = asyncio.create_task(self._close_if_left(table, time.monotonic()))
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def _close_if_left(self, table: Table, left: float) -> None:
        await asyncio.sleep(_RETURN_SECONDS)  # It may only have been loaded again.
        table.channel.publish()  # Every page that is open looks now.
        await asyncio.sleep(_RETURN_SECONDS)
        if table.seen <= left and table.person_teams():
            await self.close(table)

    async def close(self, table: Table) -> None:
        """Everybody stands up, and the table is gone; who watches is told that its game was abandoned."""
        async with table.busy:
            table.is_gone = True
            table.channel.close()
            self._tables.pop(table.key, None)
            programs = tuple(table.programs.values())
            await self._leave_room(table, _ABANDONED)
            if table.live is not None:
                self._live.forget(table.live)
            await self._dismiss(table)
            await asyncio.gather(*(program.ended() for program in programs))
            for room_id in [room_id for room_id, of in self._by_room.items() if of is table]:
                del self._by_room[room_id]
            for seat in table.seats:
                if seat.upload is not None:
                    await asyncio.to_thread(shutil.rmtree, seat.upload, ignore_errors=True)

    async def close_idle(self, after: float = _IDLE_SECONDS) -> None:
        """Close the tables at which nobody has looked for so many seconds, unless programs play there."""
        now = time.monotonic()
        for table in tuple(self._tables.values()):
            live = self.live(table)
            busy = live is not None and not live.is_over and not table.person_teams()
            if now - table.seen > after and not busy:
                await self.close(table)

    async def close_all(self) -> None:
        """Close every table."""
        await asyncio.gather(*(self.close(table) for table in tuple(self._tables.values())))
        if self._storing:
            await asyncio.wait(self._storing, timeout=_JUDGE_SECONDS)
        self._stop()

    def _must_be_there(self, table: Table) -> None:
        if table.is_gone:
            raise Refused("Diesen Tisch gibt es nicht mehr.", "There is no such table any more.")

    def _running(self, table: Table) -> LiveGame:
        self._must_be_there(table)
        live = self.live(table)
        if live is None:
            raise Refused("Das Spiel hat noch nicht begonnen.", "The game has not begun yet.")
        if live.is_over:
            raise Refused("Das Spiel ist schon zu Ende.", "The game is already over.")
        return live

    async def _leave_room(self, table: Table, why: Text | None = None) -> None:
        if table.room is not None:
            self._master.cancel_room(table.room.room_id, why)
        people, table.people = table.people, {}
        for person in people.values():
            await person.leave()
        programs, table.programs = table.programs, {}
        for program in programs.values():
            program.end()

    async def _dismiss(self, table: Table) -> None:
        """End the built-in players."""
        computers, table.computers = table.computers, {}
        for computer in computers.values():
            computer.end()
        await asyncio.gather(*(computer.ended() for computer in computers.values()))
