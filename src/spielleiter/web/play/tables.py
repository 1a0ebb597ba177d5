"""Tables: games that were started from the pages, with their players, and all that people can do with them.

A table outlives its rooms. Taking back and playing again opens a new room on the game master, from an earlier
position; the old one ends without a decision. So every room is a whole, recorded game of its own.

A table belongs to the browser that set it up, which plays every person there; but where a friend was invited, each
person's seat has its own browser (``holders``), and there is no room before everybody has come. All others watch.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from spielleiter.errors import Refused, SpielleiterError
from spielleiter.feeds.channel import Channel
from spielleiter.feeds.live import LiveGame, LiveGames
from spielleiter.game import TEAMS, AnyGame, Limits, Team, Text
from spielleiter.programs.entrants import contest_arguments, resolve
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import AUTO, ExitStatus, Level, ResourceLimits, choose
from spielleiter.programs.seat import ProgramSeat
from spielleiter.records.history import Ply
from spielleiter.referee import GameEnded, GameEvent, PastMove
from spielleiter.server import OpenedRoom
from spielleiter.web.browsers import new_browser
from spielleiter.web.play.holders import FORFEIT_SECONDS, Holder
from spielleiter.web.play.people import People
from spielleiter.web.play.processes import GRACE_SECONDS, Computer, RoomPrograms
from spielleiter.web.play.seating import PEOPLE, Seating, SeatKind, Table
from spielleiter.web.replays.library import Library

_MAX_TABLES = 60
_MAX_CHALLENGES = 20
"""Open ones at the same time; each browser may have one."""
_MIN_RATED_PLIES = 2
"""A game that ends before both have moved is not rated."""
_IDLE_SECONDS = 900.0
"""Seconds until a table without viewers is closed."""
_CROWDED_IDLE_SECONDS = 45.0
"""The same when there are too many tables."""
_MAX_OUTPUT = 64 << 20
"""Bytes that a program may print."""
_INVITATION_SECONDS = 3600.0
"""The same while a friend is expected: they may come after the sender of the link has left the page."""
_RETURN_SECONDS = 1.5
"""How long a page may take to reload."""
_LEFT_SECONDS = 300.0
"""How long a table stays that all have left: a player who only looked something up finds the game again."""
_ABANDONED = Text("das Spiel wurde verlassen", "the game was abandoned")
_CLOSE_SECONDS = 5.0
"""How long all tables may take to close."""


class Tables:
    """All tables, and what people do at them."""

    def __init__(
        self, live: LiveGames, library: Library | None = None, sandbox: str = AUTO, people: People | None = None
    ) -> None:
        """``sandbox`` is the level in which programs are started."""
        self.lobby = Channel()
        """Wakes the viewers of the tables that wait for an opponent."""
        self.people = people or People(None)
        self._live = live
        self._master = live.master
        self._sandbox = sandbox
        self._level: Level | None = None
        self._tables: dict[str, Table] = {}
        self._by_room: dict[str, Table] = {}
        self._programs = RoomPrograms(library)
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = self._master.subscribe(self._on_event)

    def _on_event(self, event: GameEvent) -> None:
        table = self._by_room.get(event.room_id)
        if table is not None and table.room is not None and table.room.room_id == event.room_id:
            if table.live is None:
                table.live = self._live.get(event.room_id)
            table.channel.publish()
            if isinstance(event, GameEnded):
                self._rate(table, event)

    def _rate(self, table: Table, event: GameEnded) -> None:
        """Remember a rated game that has a decision."""
        result, rated = event.result, table.rated
        is_decided = result.winner is not None or result.regular
        if len(rated) == 2 and is_decided and len(table.plies) >= _MIN_RATED_PLIES:
            self._do(self._record(event.room_id, table.game.key, (rated[0], rated[1]), result.winner))

    async def _record(self, room_id: str, game_key: str, rated: tuple[str, str], winner: Team | None) -> None:
        await self.people.record(room_id, game_key, rated, winner)
        self.lobby.publish()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.add(task := asyncio.create_task(work))
        task.add_done_callback(self._tasks.discard)

    def get(self, key: str) -> Table | None:
        """The table that this key opens."""
        return self._tables.get(key)

    def of_room(self, room_id: str) -> Table | None:
        """The table at which a room is played."""
        return self._by_room.get(room_id)

    def of_browser(self, browser: str) -> list[Table]:
        """The tables that a browser has set up, or at which it has a seat."""
        return [table for table in self._tables.values() if browser and browser in (table.creator, *table.browsers)]

    # --- opening ------------------------------------------------------------------------------------------------------

    async def open(
        self,
        game: AnyGame,
        seats: tuple[Seating, Seating],
        start: Any,
        browser: str = "",
        *,
        browsers: tuple[str, str] | None = None,
        past: tuple[Ply, ...] = (),
    ) -> Table:
        """A new table with its first room, or with invitations; ``browser`` set it up.

        With ``browsers`` two people who are here already play each other, and no other visitor may do anything at it.
        ``past`` was played before, elsewhere.
        Raises ``ProgramError`` or ``Refused``.
        """
        table = await self._new_table(game, seats, start, browser if browsers is None else new_browser())
        table.past = past
        if browsers is not None:
            table.holders = {team: Holder(own) for team, own in zip(TEAMS, browsers, strict=True)}
        elif any(seat.kind is SeatKind.FRIEND for seat in seats):
            self._invite(table, browser)
            return table
        try:
            await self._open_room(table)
        except SpielleiterError:
            await self.close(table)
            raise
        return table

    async def challenge(
        self,
        game: AnyGame,
        seats: tuple[Seating, Seating],
        start: Any,
        browser: str,
        *,
        limits: Limits | None,
        rated: str = "",
    ) -> Table:
        """A table for the first who comes; ``rated`` is the id of its owner if the game is. Raises ``Refused``."""
        waiting = self.challenges()
        if any(table.creator == browser for table in waiting):
            raise Refused(
                "Du wartest schon auf jemanden. Zieh erst deine Herausforderung zurück.",
                "You are waiting for somebody already. Withdraw your challenge first.",
            )
        if len(waiting) >= _MAX_CHALLENGES:
            raise Refused(
                "Es warten schon genug Leute: Nimm eine ihrer Herausforderungen an.",
                "Enough people are waiting already: accept one of their challenges.",
            )
        table = await self._new_table(game, seats, start, browser)
        table.limits, table.is_challenge, table.rated = limits, True, (rated,) if rated else ()
        self._invite(table, browser)
        return table

    async def _new_table(self, game: AnyGame, seats: tuple[Seating, Seating], start: Any, browser: str) -> Table:
        if len(self._tables) >= _MAX_TABLES:
            await self.close_idle(crowded=True)
        if len(self._tables) >= _MAX_TABLES:
            raise Refused(
                "Alle Tische sind besetzt. Versuche es in ein paar Minuten noch einmal.",
                "All tables are taken. Try again in a few minutes.",
            )
        table = Table(secrets.token_urlsafe(16), game, seats, start, creator=browser)
        self._tables[table.key] = table
        return table

    def _invite(self, table: Table, browser: str) -> None:
        """Give each person's seat its holder: the friends' are open."""
        for team in table.person_teams():
            invited = table.seats[team].kind is SeatKind.FRIEND
            table.holders[team] = Holder.invited() if invited else Holder(browser)
        self.lobby.publish()

    async def _open_room(self, table: Table) -> None:
        """A new room with all players in it; if one cannot come, none stays. Raises ``SpielleiterError``."""
        try:
            await self._fill_room(table)
        except SpielleiterError:
            self._leave_room(table)
            table.channel.publish()
            raise

    async def _fill_room(self, table: Table) -> None:
        # What was played in the room before counts only as far as it is in ``past``.
        seats, before, table.live = table.seats, table.live, None
        # Nor has our own player a clock: on a busy machine it would lose games on time.
        one, two = (seat.kind in (SeatKind.PROGRAM, SeatKind.JOINS) for seat in seats)
        has_clock = table.limits is not None
        room = self._master.open_room(
            table.game,
            names=(seats[0].name, seats[1].name),
            start=table.state,
            past=tuple(PastMove(ply.team, ply.move, ply.before, ply.timing, ply.hints) for ply in table.past),
            can_timeout=(one or has_clock, two or has_clock),
            by_hand=(seats[0].kind in PEOPLE, seats[1].kind in PEOPLE),
            limits=table.limits,
        )
        table.room, table.hint = room, None
        self._by_room[room.room_id] = table
        for team, code in zip(TEAMS, room.codes, strict=True):
            await self._seat(table, room, team, code)
        self._master.admit(room.room_id)
        table.channel.publish()
        if before is not None:
            before.successor = room.room_id
            self._live.publish(before)

    async def _seat(self, table: Table, room: OpenedRoom, team: Team, code: str) -> None:
        seat = table.seats[team]
        match seat.kind:
            case SeatKind.BUILT_IN:
                if team not in table.computers or not table.computers[team].is_there:
                    table.computers[team] = Computer(self._master.local_address, table.game.key, seat.what)
                    await table.computers[team].start()
                table.computers[team].sit_down(code)
            case SeatKind.PROGRAM:
                program = ProgramSeat(await self._launcher(), await asyncio.to_thread(resolve, seat.what))
                await program.launch(contest_arguments(code))
                program.go()
                table.programs[team] = program
                self._programs.add(room, team, program, table.channel.publish)
            case SeatKind.PERSON | SeatKind.FRIEND | SeatKind.JOINS:
                pass

    async def _launcher(self) -> Launcher:
        """What starts programs; the first time the sandbox is tried. Raises ``SettingsError`` if it does not work."""
        if self._level is None:
            self._level = (await choose(self._sandbox)).level
        return Launcher(self._master, self._level, ResourceLimits(output=_MAX_OUTPUT))

    def exit_status(self, room_id: str, team: Team) -> ExitStatus | None:
        """How a program of a room ended or is doing, as long as that is remembered; later its record knows."""
        return self._programs.exit_status(room_id, team)

    # --- what people do -----------------------------------------------------------------------------------------------

    async def move(self, table: Table, ply: int | None, find: Callable[[Any], Any], browser: str = "") -> None:
        """Play what ``find`` makes of the position after ``ply`` moves. Raises ``Refused``."""
        async with table.busy:
            live = self._running(table)
            if ply != len(table.plies):
                raise Refused("Die Stellung hat sich inzwischen geändert.", "The position has changed in the meantime.")
            state = live.history.state
            team: Team = state.to_move
            if team not in table.hands(browser):
                raise Refused("Du bist nicht am Zug.", "It is not your turn.")
            self._master.play(live.room_id, team, find(state))

    async def resign(self, table: Table, browser: str = "") -> None:
        """The person gives up; with people on both sides the one to move does. Raises ``Refused``."""
        async with table.busy:
            live, hands = self._running(table), table.hands(browser)
            if not hands:
                raise Refused("Hier spielst du nicht mit.", "You do not play here.")
            to_move: Team = live.history.state.to_move
            team = to_move if to_move in hands else hands[0]
            self._master.resign(live.room_id, team)

    async def take_back(self, table: Table) -> None:
        """Back to before the last move that a person made. Raises ``Refused``."""
        async with table.busy:
            self._must_be_there(table)
            plies = table.plies
            people = table.person_teams()
            last = max((number for number, ply in enumerate(plies) if ply.team in people), default=None)
            if not table.can_take_back or last is None:
                raise Refused("Hier ist nichts zurückzunehmen.", "There is nothing to take back here.")
            self._leave_room(table)
            table.past = plies[:last]
            await self._open_room(table)

    async def again(
        self, table: Table, *, swap: bool = False, start: Any = None, computer: Seating | None = None
    ) -> None:
        """A new game with the same start, or with ``start``; with changed sides, or another built-in player."""
        async with table.busy:
            self._must_be_there(table)
            if table.has_company and (table.live is None or not table.live.is_over):
                raise Refused(
                    "Euer Spiel ist noch nicht zu Ende; wer nicht weiterspielen will, gibt auf.",
                    "Your game is not over yet; resign if you do not want to play on.",
                )
            self._leave_room(table)
            if computer is not None:
                await self._dismiss(table)
                one, two = (computer if seat.kind is SeatKind.BUILT_IN else seat for seat in table.seats)
                table.seats = (one, two)
            if swap:
                await self._dismiss(table)
                table.seats = (table.seats[1], table.seats[0])
                table.holders = {team.opponent: holder for team, holder in table.holders.items()}
                table.rated = table.rated[::-1]
            table.past = ()
            if start is not None:
                table.start = start
            await self._open_room(table)

    def leave(self, table: Table, browser: str = "") -> None:
        """A browser has left the table. Without viewers, its game is abandoned after a while."""
        for team in table.hands(browser) if table.holders else ():
            table.holders[team].has_left = True
        loop = asyncio.get_running_loop()
        loop.call_later(_RETURN_SECONDS, table.channel.publish)  # Every page that is open looks then.
        loop.call_later(_RETURN_SECONDS + _LEFT_SECONDS, self._close_if_left, table, time.monotonic())

    def _close_if_left(self, table: Table, left: float) -> None:
        # A friend may come after the sender of the link has gone, and one who only put the phone down comes back.
        stay = any(holder.is_missing or not holder.has_left for holder in table.holders.values())
        if table.seen > left or table.is_gone or not table.person_teams() or stay:
            return
        self._do(self.close(table))

    async def close(self, table: Table) -> None:
        """All players leave, and the table is gone; spectators see that its game was abandoned."""
        async with table.busy:
            table.is_gone = True
            table.channel.close()
            self.lobby.publish()
            self._tables.pop(table.key, None)
            programs = tuple(table.programs.values())
            self._leave_room(table, _ABANDONED)
            if table.live is not None:
                self._live.forget(table.live)
            await self._dismiss(table)
            await asyncio.gather(*(program.stop(GRACE_SECONDS) for program in programs))
            for room_id in [room_id for room_id, of in self._by_room.items() if of is table]:
                del self._by_room[room_id]
            for seat in table.seats:
                if seat.upload is not None:
                    await asyncio.to_thread(shutil.rmtree, seat.upload, ignore_errors=True)

    async def close_idle(self, *, crowded: bool = False) -> None:
        """Close the tables that have long been without viewers, unless programs play there."""
        now = time.monotonic()
        for table in tuple(self._tables.values()):
            live = table.live
            busy = live is not None and not live.is_over and not table.person_teams()
            patience = _INVITATION_SECONDS if table.missing else _IDLE_SECONDS
            if now - table.seen > (_CROWDED_IDLE_SECONDS if crowded else patience) and not busy:
                await self.close(table)

    # --- friends ------------------------------------------------------------------------------------------------------

    def invitation(self, token: str) -> tuple[Table, Team] | None:
        """The table and the side that the link of an invitation opens; ``None`` if it does not any more."""
        for table in self._tables.values():
            for team, holder in table.holders.items():
                if token and holder.token == token:
                    return table, team
        return None

    def challenges(self) -> list[Table]:
        """The tables whose free seat is for everybody, the oldest first."""
        return [table for table in tuple(self._tables.values()) if table.is_open]

    def waiting_for(self, browser: str) -> list[Table]:
        """The tables with a free seat that ``browser`` has set up, or was sent the link of."""
        tables = tuple(self._tables.values())
        return [
            table
            for table in tables
            if browser
            and table.missing
            and (table.creator == browser or any(browser in table.holders[team].guests for team in table.missing))
        ]

    async def take_seat(self, table: Table, team: Team, browser: str, name: str, *, person: str = "") -> None:
        """Let the first who comes have the seat; with the last of them the game begins. Raises ``Refused``.

        ``person`` is the id of the visitor; a seat in a rated game needs one.
        """
        async with table.busy:
            self._must_be_there(table)
            holder = table.holders[team]
            if holder.browser not in ("", browser):
                raise Refused("Auf diesem Platz sitzt schon jemand.", "This seat is already taken.")
            if table.rated and holder.is_missing and not person:
                raise Refused(
                    "Dieses Spiel ist gewertet: Wähle dir erst einen Namen, unter dem du gewertet wirst.",
                    "This game is rated: choose a name first under which you are rated.",
                )
            if table.rated and holder.is_missing:
                table.rated = (*table.rated, person) if team else (person, *table.rated)
            if holder.is_missing and table.room is None:
                table.seat_person(team, replace(table.seats[team], name=name or table.seats[team].name))
            holder.take(browser)
            if not table.missing and table.room is None:
                await self._open_room(table)
            table.channel.publish()
            self.lobby.publish()

    async def invite_again(self, table: Table, team: Team) -> None:
        """Open the seat of an absent person to another browser, by another link. Raises ``Refused``."""
        async with table.busy:
            self._must_be_there(table)
            if team not in (*table.away, *table.missing):
                raise Refused("Dieser Platz ist besetzt.", "This seat is taken.")
            table.holders[team] = Holder.invited()
            table.is_challenge, table.rated = False, ()
            table.channel.publish()
            self.lobby.publish()

    async def play_on(self, table: Table, team: Team, seating: Seating) -> None:
        """Let another player go on for a person who is away or never came. Raises ``Refused``."""
        async with table.busy:
            self._must_be_there(table)
            if team not in (*table.away, *table.missing):
                raise Refused("Dieser Platz ist besetzt.", "This seat is taken.")
            plies = table.plies
            self._leave_room(table)
            table.past, table.away = plies, ()
            table.limits, table.is_challenge, table.rated = None, False, ()
            del table.holders[team]
            table.seat_person(team, seating)
            if not table.missing:
                await self._open_room(table)
            table.channel.publish()
            self.lobby.publish()

    async def claim(self, table: Table, team: Team) -> None:
        """End the game of an absent person: they have lost. Raises ``Refused``."""
        async with table.busy:
            live = self._running(table)
            if team not in table.away:
                raise Refused(f"{live.history.names[team]} ist wieder da.", f"{live.history.names[team]} is back.")
            self._forfeit(live, team)

    def _forfeit(self, live: LiveGame, team: Team) -> None:
        name = live.history.names[team]
        self._master.resign(live.room_id, team, Text(f"{name} ist nicht wiedergekommen", f"{name} did not come back"))

    async def note_absences(self) -> None:
        """Tell the opponents of absent people; after a long time the game ends. To be called often."""
        now = time.monotonic()
        for table in [table for table in self._tables.values() if table.holders]:
            live = table.live
            if table.is_open and all(holder.away_for(now) for holder in table.holders.values() if holder.browser):
                await self.close(table)  # Nobody should accept what its owner has left.
                continue
            runs = live is not None and not live.is_over
            away = {team: holder.away_for(now) for team, holder in table.holders.items() if runs}
            if (absent := tuple(team for team, seconds in away.items() if seconds)) != table.away:
                table.away = absent
                table.channel.publish()
            gone = [team for team, seconds in away.items() if seconds > FORFEIT_SECONDS]
            if live is not None and len(gone) == 1 and not table.busy.locked():
                self._forfeit(live, gone[0])
            elif len(gone) > 1:
                await self.close(table)

    async def close_all(self) -> None:
        """Close every table."""
        await asyncio.gather(*(self.close(table) for table in tuple(self._tables.values())))
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_SECONDS)
        self.lobby.close()
        await self._programs.stored(_CLOSE_SECONDS)
        self._stop()

    def _must_be_there(self, table: Table) -> None:
        if table.is_gone:
            raise Refused("Diesen Tisch gibt es nicht mehr.", "There is no such table any more.")

    def _running(self, table: Table) -> LiveGame:
        self._must_be_there(table)
        live = table.live
        if live is None:
            raise Refused("Das Spiel hat noch nicht begonnen.", "The game has not begun yet.")
        if live.is_over:
            raise Refused("Das Spiel ist schon zu Ende.", "The game is already over.")
        return live

    def _leave_room(self, table: Table, why: Text | None = None) -> None:
        if table.room is not None:
            self._master.cancel_room(table.room.room_id, why)
        table.programs = {}  # They end with their room.

    async def _dismiss(self, table: Table) -> None:
        """End the built-in players."""
        computers, table.computers = table.computers, {}
        for computer in computers.values():
            computer.end()
        await asyncio.gather(*(computer.ended() for computer in computers.values()))
