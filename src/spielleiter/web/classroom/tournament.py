"""The players that were handed in: tried out as they come, and their tournament on this machine, in the sandbox.

Laws: a tournament is a match in a folder of the class, so that it goes on after a restart; programs of other people are
started in bubblewrap, or in the weaker sandbox that the host has named.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from starlette.datastructures import UploadFile

from spielleiter import games
from spielleiter.coach.own_games import read_own_games
from spielleiter.errors import WRITE as WRITE_FAILED
from spielleiter.errors import ProgramError, Refused, SettingsError, SpielleiterError, refusing
from spielleiter.feeds import Feed, FeedServer
from spielleiter.game import TEAMS, Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.match import Match
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import (
    FEED,
    RESULTS,
    MatchPlan,
    claim_folder,
    plan_from_json,
    planned_games,
    read_plan,
    stored_entrants,
)
from spielleiter.matches.results import MatchGame, last_attempts, read_rows
from spielleiter.matches.tasks import GameTask
from spielleiter.matches.time_budget import FittedMatch, fit_match, usual_plies
from spielleiter.programs.archive import map_zip
from spielleiter.programs.entrants import Entrant, entrant_from_zip, resolve, with_unique_names
from spielleiter.programs.sandbox import Level, ResourceLimits, choose
from spielleiter.web.classroom.book import ClassBook
from spielleiter.web.classroom.state import (
    ClassScene,
    ClassTournament,
    Participant,
    PlayerHandedIn,
    PlayerTried,
    SceneChosen,
    TournamentBegun,
    TournamentEnded,
)
from spielleiter.web.season.coach_studies import CoachStudies, CoachStudy
from spielleiter.web.uploads import store_upload

log = logging.getLogger("spielleiter.web")

MAX_MINUTES = 240
YARDSTICK = "greedy"
"""A built-in player that may play along, so that a class sees where it stands."""
_TRIAL_OPPONENT = "random"
_COACH_SECONDS = 8.0
"""Engine time for the games of one player: thirty players take four minutes."""
_MAX_TRIALS = 120
"""Maximum number of waiting and running trials."""
_INTERNAL_ERROR = Text(
    "Bei uns ging etwas schief; dein Spieler kann nichts dafür.",
    "Something went wrong on our side; it is not your player's fault.",
)

_UNEXPECTED = Text(
    "Bei uns ging etwas schief; im Terminal steht, was es ist.",
    "Something went wrong on our side; the terminal says what it is.",
)


@dataclass(frozen=True, slots=True)
class TournamentOffer:
    """What a tournament would be just now, said before it begins."""

    entrants: int
    match: FittedMatch | None
    problem: Text | None
    slots: int = 1
    """Games at the same time."""
    unaware: tuple[str, ...] = ()
    """Whose programs cannot be told of a shorter time for a move: those that were not packed with our kit."""


@dataclass(frozen=True, slots=True)
class EntrantScore:
    """Where one player stands in a tournament."""

    rank: int
    name: str
    points: float
    opponents: float
    """The points of all opponents together, which decide between equals."""
    won: int
    drawn: int
    lost: int


def bye_points(names: tuple[str, ...], rows: tuple[MatchGame, ...]) -> dict[str, float]:
    """The points of those who had a round of a Swiss match without an opponent: as for winning all games of it."""
    found: dict[str, float] = {}
    for number in {row.round for row in rows} - {0} if len(names) % 2 else ():
        played = [row for row in rows if row.round == number]
        without = set(names) - {name for row in played for name in row.names}
        if len(without) == 1:  # Else the round has not begun for all.
            encounters = Counter(frozenset(row.names) for row in played)
            name = without.pop()
            found[name] = found.get(name, 0.0) + max(encounters.values())
    return found


def tournament_table(names: tuple[str, ...], rows: tuple[MatchGame, ...]) -> list[EntrantScore]:
    """The players of a tournament, the best first; equals share a rank."""
    points, results = dict.fromkeys(names, 0.0), {name: [0, 0, 0] for name in names}
    rivals: dict[str, list[str]] = {name: [] for name in names}
    for row in rows:
        if not row.counts:
            continue
        for team in TEAMS:
            name, other = row.names[team], row.names[team.opponent]
            if name in points and other in points:
                points[name] += row.victory_points[team] / 2
                results[name][2 - row.victory_points[team]] += 1
                rivals[name].append(other)
    for name, gained in bye_points(names, rows).items():
        points[name] += gained
    opponents = {name: sum(points[other] for other in rivals[name]) for name in names}
    order = sorted(names, key=lambda name: (-points[name], -opponents[name], name.casefold()))
    table: list[EntrantScore] = []
    for place, name in enumerate(order, 1):
        before = table[-1] if table else None
        is_equal = before is not None and (before.points, before.opponents) == (points[name], opponents[name])
        rank = before.rank if before is not None and is_equal else place
        table.append(EntrantScore(rank, name, points[name], opponents[name], *results[name]))
    return table


class Tournaments:
    """Make and close it in the event loop of the pages."""

    def __init__(self, book: ClassBook, sandbox: str, follow: Callable[[Path], None]) -> None:
        """``follow`` lets the pages show the games of the match in a folder."""
        self._book = book
        self._sandbox = sandbox
        self._follow = follow
        self._feed = Feed()
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._trying = asyncio.Lock()
        self._beginning = asyncio.Lock()
        self._waiting = 0
        self._executor: LocalExecutor | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._rows: dict[int, list[MatchGame]] = {}
        self._plans: dict[int, dict[str, Any]] = {}
        self._began = 0.0
        """When the running tournament went on, on the monotonic clock, and with how many games played."""
        self._had = 0
        self.problem: Text | None = None
        """Why the last tournament stopped early."""
        self._coach = CoachStudies(self.spawn, _COACH_SECONDS)

    async def close(self) -> None:
        """Stop everything; a tournament goes on when the class is opened again."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._coach.close()
        await self._stack.aclose()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something run in the background, until it ends or the pages do."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _open_executor(self) -> LocalExecutor:
        """Where all games of programs are played. Raises ``SettingsError`` if none can be started here."""
        async with self._opening:
            if self._executor is None:
                level = await self._choose_level()
                settings = ArenaSettings(
                    level=level, resource_limits=ResourceLimits(), private=(self._book.settings.folder,)
                )
                self._executor = await self._stack.enter_async_context(LocalExecutor(settings))
            return self._executor

    async def _choose_level(self) -> Level:
        try:
            return (await choose(self._sandbox, untrusted=True)).level
        except SettingsError as problem:
            log.warning("no player can be started: %s", problem)
            raise SettingsError(
                "Auf diesem Rechner gibt es keine Sandbox für fremde Programme. Die Leitung kann bubblewrap"
                " installieren oder eine schwächere in Kauf nehmen: spielleiter class --sandbox limits",
                "This machine has no sandbox for other people's programs. The host can install bubblewrap, or accept a"
                " weaker one: spielleiter class --sandbox limits",
            ) from None

    # --- handing in ---------------------------------------------------------------------------------------------------

    async def hand_in(self, person: Participant, upload: UploadFile, filename: str) -> None:
        """Take a player in, and try it out in the background. Raises ``Refused`` with what is wrong."""
        what = filename[-60:] or "ZIP"
        if self._waiting >= _MAX_TRIALS:
            raise Refused("Gerade warten zu viele Spieler.", "Too many players are waiting just now.")
        name = f"{person.id}-{secrets.token_hex(4)}.zip"
        path = self._book.settings.players / name
        try:
            with refusing(ProgramError, path.parent, WRITE_FAILED):
                await store_upload(upload, path)
            entrant = await asyncio.to_thread(lambda: entrant_from_zip(map_zip(path, what), person.name, what))
            entrant.check_game(games.load(self._book.state.game))
            await self._open_executor()
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        before = self._book.state.players.get(person.id)
        self._book.record(PlayerHandedIn(person.id, name, what, self._book.now()))
        if before is not None and not self._is_entered(before.file):
            (self._book.settings.players / before.file).unlink(missing_ok=True)
        self.spawn(self._try_out(person.id, name, entrant))

    def _is_entered(self, file: str) -> bool:
        """Whether a tournament plays with this file."""
        plans = [self._plan_data(each) for each in self._book.state.tournaments]
        return any(player["player"].endswith(file) for plan in plans if plan for player in plan["players"])

    def try_again(self) -> None:
        """Try out what had not been when these pages were stopped."""
        for person, player in self._book.state.players.items():
            if player.works is None and person in self._book.state.people:
                self.spawn(self._try_out(person, player.file))

    async def _try_out(self, person: int, file: str, entrant: Entrant | None = None) -> None:
        """Let a player play a quick game, and write down whether it starts, joins, and keeps to the rules.

        One that was replaced while it waited is left out: handing in often keeps no other participant waiting.
        """
        self._waiting += 1
        try:
            async with self._trying:
                if self._book.state.players[person].file != file:
                    return
                works, said = await self._trial(entrant or (await self._entrants([person]))[0])
        except Refused as problem:
            works, said = False, problem.text
        except Exception as problem:  # Whatever it is, the person must see that it has ended.
            log.error("a trial failed", exc_info=problem)
            works, said = False, _INTERNAL_ERROR
        finally:
            self._waiting -= 1
        self._book.record(PlayerTried(person, file, works, said.de, said.en))

    async def _trial(self, entrant: Entrant) -> tuple[bool, Text]:
        game = games.load(self._book.state.game)
        opponent = replace(resolve(_TRIAL_OPPONENT), name="random")
        task = GameTask(
            id=f"trial-{secrets.token_hex(4)}",
            game=game.key,
            start=Openings(seed=1).position(game, 0),
            entrants=(entrant, opponent),
            limits=game.limits,
            ponder=False,
        )
        row = (await (await self._open_executor()).play(task)).row
        side = row.sides[0]
        if side.fault is None or any(row.untimely):
            slowest = max(side.move_times, default=0.0)
            return True, Text(
                f"Probespiel zu Ende gespielt, {row.plies} Züge; dein langsamster: {_seconds(slowest, ',')} s.",
                f"Played a trial game to its end, {row.plies} moves; your slowest: {_seconds(slowest, '.')} s.",
            )
        why = side.failure if side.failure.en else row.reason
        return False, Text(f"{side.fault.text.de}: {why.de}", f"{side.fault.text.en}: {why.en}")

    # --- before it begins ---------------------------------------------------------------------------------------------

    def ready(self) -> dict[int, Participant]:
        """Whose players can take part: those that have played their trial game."""
        state = self._book.state
        return {
            person: participant
            for person, participant in state.people.items()
            if person in state.players and state.players[person].works
        }

    async def offer(self, minutes: int, *, with_yardstick: bool) -> TournamentOffer:
        """What a tournament would be that lasts so long."""
        number = len(self.ready()) + with_yardstick
        if number < 2:
            problem = Text(
                "Ein Turnier braucht mindestens zwei Spieler, die ihr Probespiel geschafft haben.",
                "A tournament needs at least two players that have passed their trial game.",
            )
            return TournamentOffer(number, None, problem)
        game = games.load(self._book.state.game)
        plies = await asyncio.to_thread(usual_plies, game)
        try:
            slots = (await self._open_executor()).slots
            found = fit_match(number, 60.0 * minutes, slots, plies, game.limits.soft)
        except SettingsError as problem:
            return TournamentOffer(number, None, problem.text)
        unaware: tuple[str, ...] = ()
        if found.seconds < game.limits.soft:
            entrants = await self._entrants(self.ready())
            unaware = tuple(entrant.name for entrant in entrants if not entrant.made_for)
        return TournamentOffer(number, found, None, slots, unaware)

    async def _entrants(self, people: Iterable[int]) -> list[Entrant]:
        """The players that these people have handed in. Raises ``ProgramError``."""
        state, folder = self._book.state, self._book.settings.players
        found = [(str(folder / state.players[person].file), state.name_of(person)) for person in people]
        return await asyncio.to_thread(lambda: [replace(resolve(path), name=name) for path, name in found])

    # --- playing ------------------------------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether games are being played."""
        return self._running is not None and not self._running.done()

    async def begin(self, minutes: int, *, with_yardstick: bool) -> None:
        """Start a tournament of so many minutes. Raises ``Refused``."""
        async with self._beginning:  # A second click finds it running.
            if self.is_running:
                raise Refused("Ein Turnier läuft schon.", "A tournament is running already.")
            offer = await self.offer(minutes, with_yardstick=with_yardstick)
            if offer.match is None:
                assert offer.problem is not None
                raise Refused(offer.problem.de, offer.problem.en)
            await self._open_executor()
            people = self.ready()
            plan = self._plan(offer.match, await self._entrants(people), with_yardstick=with_yardstick)
            number = len(self._book.state.tournaments) + 1
            await asyncio.to_thread(_claim_anew, self.folder(number), plan)
            self._book.record(TournamentBegun(number, tuple(people), tuple(person.name for person in people.values())))
            self._book.record(SceneChosen(ClassScene.GAMES))
            self._running = self.spawn(self._play(number, plan))

    def _plan(self, chosen: FittedMatch, entrants: list[Entrant], *, with_yardstick: bool) -> MatchPlan:
        game = games.load(self._book.state.game)
        if chosen.seconds < game.limits.soft:
            limit = ("--limit", f"{chosen.seconds:g}")  # Only our kit knows it.
            entrants = [replace(each, arguments=limit) if each.made_for else each for each in entrants]
        if with_yardstick:
            entrants = [*entrants, replace(resolve(YARDSTICK), name=f"Computer ({YARDSTICK})")]
        return MatchPlan(
            game=game.key,
            entrants=with_unique_names(entrants),  # Somebody may be called Computer.
            format=chosen.format,
            games=chosen.games,
            rounds=chosen.rounds,
            seconds=chosen.seconds,
            openings=Openings(seed=secrets.randbelow(1_000_000)),
            ponder=False,
        )

    def resume(self) -> None:
        """Go on with a tournament that was running when these pages were stopped, and with trials."""
        self.try_again()
        last = self._book.state.tournament
        if last is not None and not last.is_over:
            self._running = self.spawn(self._resume(last.number))

    async def _resume(self, number: int) -> None:
        try:
            data = await asyncio.to_thread(read_plan, self.folder(number))
            entrants = await asyncio.to_thread(stored_entrants, data)
            plan = plan_from_json(data, entrants)
        except Refused as problem:
            log.error("the tournament cannot go on: %s", problem)
            self._failed(number, problem.text)
            return
        await self._play(number, plan)

    async def _play(self, number: int, plan: MatchPlan) -> None:
        folder = self.folder(number)
        try:
            executor = await self._open_executor()
            async with AsyncExitStack() as stack:
                server = await stack.enter_async_context(FeedServer(self._feed))
                stack.enter_context(server.address.written_to(folder / FEED))
                self._follow(folder)
                match = Match(
                    plan, folder, executor, recover=True, feed=self._feed, on_row=lambda row: self._row(number, row)
                )
                self._rows[number] = list(match.rows)
                self._began, self._had = time.monotonic(), len(match.rows)
                self.problem = None
                await match.run()
            self._end(number)
        except Exception as problem:  # Whatever it is, the host must see that nothing goes on.
            log.error("the tournament has stopped", exc_info=problem)
            self._failed(number, problem.text if isinstance(problem, Refused) else _UNEXPECTED)

    def _row(self, number: int, row: MatchGame) -> None:
        self._rows[number] = last_attempts([*self._rows[number], row])
        self._book.channel.publish()

    def _end(self, number: int) -> None:
        self._book.record(TournamentEnded(number))
        self._book.record(SceneChosen(ClassScene.TOURNAMENT))

    def _failed(self, number: int, problem: Text) -> None:
        """The tournament cannot go on: what was played counts."""
        self.problem = problem
        self._end(number)

    async def stop(self) -> None:
        """End the tournament now: what was played counts."""
        last = self._book.state.tournament
        if last is None or last.is_over:
            return
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
        self._end(last.number)

    # --- what came of it ----------------------------------------------------------------------------------------------

    def folder(self, number: int) -> Path:
        """Where the games of a tournament are."""
        return self._book.settings.folder / f"tournament-{number}"

    def _plan_data(self, tournament: ClassTournament) -> dict[str, Any]:
        """The plan as it stands in the file; empty if it cannot be read."""
        if tournament.number not in self._plans:
            try:
                self._plans[tournament.number] = read_plan(self.folder(tournament.number))
            except SettingsError as problem:
                log.error("%s", problem)
                return {}
        return self._plans[tournament.number]

    def rows(self, tournament: ClassTournament) -> tuple[MatchGame, ...]:
        """The games that are played."""
        number = tournament.number
        if number not in self._rows:
            found: list[MatchGame] = []
            with suppress(SpielleiterError):  # Nothing was played.
                found = last_attempts(row for row, _ in read_rows(self.folder(number) / RESULTS))
            self._rows[number] = found
        return tuple(self._rows[number])

    def table(self, tournament: ClassTournament) -> list[EntrantScore]:
        """How the players stand."""
        names = tuple(player["name"] for player in self._plan_data(tournament).get("players", ()))
        return tournament_table(names, self.rows(tournament))

    async def study(self, tournament: ClassTournament, person: int) -> CoachStudy | None:
        """What the coach finds in the games of the participant's player; ``None`` without a record of one."""
        name = tournament.entrants[person]
        try:
            own = await asyncio.to_thread(read_own_games, [self.folder(tournament.number)], name)
        except SpielleiterError:
            return None
        return self._coach.of_team(person, own)

    def progress(self, tournament: ClassTournament) -> tuple[int, int, float | None]:
        """The games played, the games planned, and about how many seconds the rest takes, once that is known."""
        data, played = self._plan_data(tournament), len(self.rows(tournament))
        total = (planned_games(data) if data else 0) or played
        done = played - self._had
        left = None
        if self.is_running and done > 0:
            left = (time.monotonic() - self._began) / done * max(0, total - played)
        return played, total, left


def _claim_anew(folder: Path, plan: MatchPlan) -> None:
    """Make the folder of a tournament that has not begun; one there is of pages that were killed just then."""
    shutil.rmtree(folder, ignore_errors=True)
    claim_folder(folder, plan, resume=False)


def _seconds(value: float, point: str) -> str:
    return f"{value:.2f}".replace(".", point)
