"""Everything of a contest that takes long: the season, checks of programs and friendly games, beside the pages.

It all happens in a thread with an event loop of its own, so that no page waits for a game and no game for a page. All
games share one executor: there are never more players at once than this machine bears.
"""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sys
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeVar

from sqlalchemy import select

from spielleiter.contest.run import programs, rulings
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.first_programs import submit_first_programs
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.store import AuditAction, EncounterRow, GameRow, write_audit
from spielleiter.errors import ContestError, ProgramError, Refused, SpielleiterError
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.sandbox import Level, ResourceLimits, choose
from spielleiter.web.live import Channel

log = logging.getLogger("spielleiter.web")

_PATIENCE = 20.0
"""Seconds after which a season that waits for a date or a lot looks again."""
_KEPT = 12
"""So many of the last games are shown."""
_MOST_CHECKS = 30
"""So many programs may wait for their check."""
_T = TypeVar("_T")


@dataclass(slots=True)
class Check:
    """The check of a program that somebody has submitted."""

    team_id: int
    name: str
    lines: list[Text] = field(default_factory=list)
    """What has happened so far."""
    number: int | None = None
    """Under which the program was kept, as soon as it is."""
    passed: bool = False
    problem: Text | None = None
    """Why it could not be kept at all."""
    channel: Channel = field(default_factory=Channel)

    @property
    def over(self) -> bool:
        """Whether its end is known."""
        return self.number is not None or self.problem is not None


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that has just been kept."""

    key: str
    teams: tuple[str, str]
    points: tuple[int, int]
    reason: Text


@dataclass(slots=True)
class SeasonRun:
    """What this process knows of the season that it plays."""

    running: bool = False
    stopping: bool = False
    """No new game is begun; those that are being played come to their end."""
    state: SeasonState | None = None
    games: deque[Ended] = field(default_factory=lambda: deque(maxlen=_KEPT))
    """The newest last."""
    problem: Text | None = None
    """Why it stopped by itself."""


class BackgroundJobs:
    """Plays and checks in the background. Make and close it in the event loop of the pages."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.season = SeasonRun()
        self.channel = Channel()
        """Tells of everything that the season and friendly games do."""
        self.level: Level | None = None
        """How programs are locked up, as soon as it is known."""
        self._pages = asyncio.get_running_loop()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._executor: LocalExecutor | None = None
        self._opening: asyncio.Lock | None = None
        self._conductor: Conductor | None = None
        self._wake: asyncio.Event | None = None
        self._checks: dict[int, Check] = {}
        self._waiting_checks: asyncio.Lock | None = None
        self._friendly: set[int] = set()
        """The encounters that are being played, or wait for it."""
        self._stuck: set[int] = set()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _begin(self) -> asyncio.AbstractEventLoop:
        """The event loop of the workshop; it is started by the first who needs it."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._opening, self._waiting_checks, self._wake = asyncio.Lock(), asyncio.Lock(), asyncio.Event()
            self._thread = threading.Thread(target=self._loop.run_forever, name="workshop", daemon=True)
            self._thread.start()
        return self._loop

    def _spawn(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(work, self._begin())

    async def do(self, act: Callable[[], _T]) -> _T:
        """Do something short in the workshop: all that takes claims happens in its one thread."""

        async def run() -> _T:
            return act()

        return await asyncio.wrap_future(self._spawn(run()))

    async def close(self) -> None:
        """Stop everything; games that are being played will be played again another time."""
        if self._loop is None or self._thread is None:
            return
        with suppress(Exception):
            await asyncio.wrap_future(self._spawn(self._end()))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()
        self._loop = None

    async def _end(self) -> None:
        mine = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)
        if self._executor is not None:
            await self._executor.__aexit__(None, None, None)
        await asyncio.get_running_loop().shutdown_default_executor()

    def _tell(self, channel: Channel) -> None:
        with suppress(RuntimeError):  # The pages are gone already.
            self._pages.call_soon_threadsafe(channel.publish)

    async def _floor(self) -> LocalExecutor:
        """Where games are played; opened by the first who plays. Raises ``SettingsError`` if no program can run."""
        assert self._opening is not None
        async with self._opening:
            if self._executor is None:
                season = self.contest.season
                self.level = (await choose(season.sandbox)).level
                resource_limits = ResourceLimits(memory=season.memory * 1_000_000)
                executor = LocalExecutor(ArenaSettings(level=self.level, resource_limits=resource_limits))
                self._executor = await executor.__aenter__()
        return self._executor

    # --- the season ---------------------------------------------------------------------------------------------------

    async def run_season(self, who: str) -> None:
        """Let the season be played from where it stands; nothing happens if that is being done."""

        def allow() -> None:
            rulings.pause(self.contest, False, who=who)
            with self.contest.store.transaction() as session:
                write_audit(session, who, AuditAction.RUN, self.contest.season.name)

        if self.season.running and not self.season.stopping:
            return
        if self.season.running:
            raise ContestError(
                "Die Saison hält gerade an: warte, bis die letzten Spiele zu Ende sind.",
                "The season is just being stopped: wait until the last games have ended.",
            )
        self.season = SeasonRun(running=True)
        try:
            await self.do(allow)
        except BaseException:
            self.season.running = False
            raise
        self._spawn(self._play_season(self.season))
        self.channel.publish()

    async def pause_season(self, who: str, reason: str) -> None:
        """Begin no more games, here and elsewhere."""

        def stop() -> None:
            rulings.pause(self.contest, True, who=who, reason=reason)
            self._stop()

        await self.do(stop)
        self.channel.publish()

    def _stop(self) -> None:
        """In the workshop: let the season come to rest."""
        self.season.stopping = self.season.running
        if self._conductor is not None:
            self._conductor.stop()
        self.look_again()

    def look_again(self) -> None:
        """What the season waits for may have come."""
        if self._wake is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    async def _play_season(self, run: SeasonRun) -> None:
        try:
            executor = await self._floor()
            await submit_first_programs(self.contest, executor)
            while not run.stopping:
                with Conductor(self.contest, on_game=self._ended(run), on_state=self._moved(run)) as conductor:
                    self._conductor = conductor
                    await play_series(conductor, executor)
                blocker = None if conductor.state is None else conductor.state.blocker
                if blocker not in (Blocker.DATE, Blocker.LOT, Blocker.GAMES):
                    break
                await self._rest()
        except Refused as problem:
            run.problem = problem.text
        except Exception as problem:  # whatever it is, organisers must see that nothing goes on
            log.error("the season stopped", exc_info=problem)
            run.problem = Text(f"Ein Fehler von uns: {problem!r}", f"A mistake of ours: {problem!r}")
        finally:
            self._conductor = None
            run.running = run.stopping = False
            self._tell(self.channel)

    async def _rest(self) -> None:
        assert self._wake is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self._wake.wait()
        self._wake.clear()

    def _ended(self, run: SeasonRun) -> Callable[[EncounterRow, GameRow], None]:
        def ended(encounter: EncounterRow, game: GameRow) -> None:
            run.games.append(
                Ended(
                    game_name(encounter.key, game.number, game.attempt),
                    (encounter.first.name, encounter.second.name),
                    (game.points_first, game.points_second),
                    Text(game.reason_de, game.reason_en),
                )
            )
            self._tell(self.channel)

        return ended

    def _moved(self, run: SeasonRun) -> Callable[[SeasonState], None]:
        def moved(state: SeasonState) -> None:
            run.state = state
            self._tell(self.channel)

        return moved

    # --- checks -------------------------------------------------------------------------------------------------------

    def check_of(self, team_id: int) -> Check | None:
        """The newest check of a team since the pages were started."""
        return self._checks.get(team_id)

    def begin_check(self, team_id: int, team: str, path: Path, name: str, who: str) -> Check:
        """Check a program in the background. Raises ``ContestError`` while another one of the team is checked.

        The file is the workshop's from now on, with the folder in which it lies alone.
        """
        before = self._checks.get(team_id)
        if before is not None and not before.over:
            raise ContestError(
                "Ein anderes Programm deines Teams wird gerade geprüft: warte das ab.",
                "Another program of your team is just being checked: wait for its end.",
            )
        if sum(not check.over for check in self._checks.values()) >= _MOST_CHECKS:
            raise ContestError(
                "Zu viele Programme warten auf ihre Prüfung: versuche es in ein paar Minuten noch einmal.",
                "Too many programs wait for their check: try again in a few minutes.",
            )
        if self.contest.season.in_process:
            raise ContestError(
                "Diese Saison spielt nur mit eingebauten Spielern (in_process steht in ihrer Datei).",
                "This season plays with built-in players only (its file says in_process).",
            )
        check = Check(team_id, name)
        self._checks[team_id] = check
        self._say(check, Text("Angenommen; die Prüfung beginnt gleich.", "Taken; the check begins in a moment."))
        self._spawn(self._check(check, team, path, who))
        return check

    def _say(self, check: Check, text: Text) -> None:
        check.lines.append(text)
        self._tell(check.channel)

    async def _check(self, check: Check, team: str, path: Path, who: str) -> None:
        assert self._waiting_checks is not None
        try:
            async with self._waiting_checks:
                executor = await self._floor()
                self._refuse_unsafe()
                if path.suffix == ".py":
                    await _refuse_unreadable(path)
                await self._submit(check, team, str(path), who, executor)
        except (ContestError, ProgramError) as problem:
            said = _without_folders(str(problem), check.name)
            check.problem = problem.text if isinstance(problem, ContestError) else Text(said, said)
        except SpielleiterError as problem:
            log.error("a check failed: %s", problem)
            check.problem = _OUR_FAULT
        except asyncio.CancelledError:
            check.problem = Text("Der Spielleiter wurde beendet.", "The game master was stopped.")
            raise
        except Exception as problem:  # the team must see that it has ended
            log.error("a check failed", exc_info=problem)
            check.problem = _OUR_FAULT
        finally:
            shutil.rmtree(path.parent, ignore_errors=True)
            self._tell(check.channel)

    def _refuse_unsafe(self) -> None:
        """Strangers' programs are started only where they are locked up, unless the season file says otherwise."""
        if self.level in (Level.NONE, Level.LIMITS) and self.contest.season.sandbox == "auto":
            raise ContestError(
                "Auf diesem Rechner können Programme nicht eingesperrt werden: die Organisation muss bubblewrap"
                " installieren, oder die Sandbox in der Saisondatei wählen.",
                "Programs cannot be locked up on this machine: organisers must install bubblewrap, or choose the"
                " sandbox in the season file.",
            )

    async def _submit(self, check: Check, team: str, path: str, who: str, executor: LocalExecutor) -> None:
        program = await programs.submit(
            self.contest, team, path, who=who, executor=executor, name=check.name,
            progress=lambda text: self._say(check, text),
        )  # fmt: skip
        self._say(
            check,
            Text("Bestanden. ✓", "Passed. ✓") if program.passed else Text("Nicht bestanden. ✗", "Not passed. ✗"),
        )
        check.passed, check.number = program.passed, program.number

    # --- friendly games -----------------------------------------------------------------------------------------------

    async def challenge(self, first: str, second: str, who: str) -> int:
        """Arrange a friendly encounter and play it in the background: its id. Raises ``ContestError``."""

        def arrange() -> int:
            with self.contest.store.reading() as session:
                team = programs.find_team(session, first)
                mine = select(EncounterRow.id).where(
                    EncounterRow.first_id == team.id, EncounterRow.id.in_(self._friendly)
                )
                if session.scalars(mine).first() is not None:
                    raise ContestError(
                        "Die letzte Herausforderung deines Teams wird noch gespielt: warte das ab.",
                        "Your team's last challenge is still being played: wait for its end.",
                    )
            id_ = programs.arrange_friendly(self.contest, first, second)
            with self.contest.store.transaction() as session:
                key = session.get_one(EncounterRow, id_).key
                write_audit(session, who, AuditAction.CHALLENGE, f"{key}: {first} - {second}")
            self._friendly.add(id_)
            return id_

        id_ = await self.do(arrange)
        self._spawn(self._play_friendly(id_))
        return id_

    def resume_friendly(self) -> None:
        """Go on with friendly encounters that were interrupted."""
        with self.contest.store.reading() as session:
            wanted = select(EncounterRow.id).where(
                EncounterRow.stage == Stage.FRIENDLY, EncounterRow.finished.is_(None)
            )
            left = list(session.scalars(wanted.order_by(EncounterRow.id)))
        for id_ in left:
            self._spawn(self._play_friendly(id_))

    def is_stuck(self, encounter: int) -> bool:
        """Whether a friendly encounter stopped by a mistake of ours; it is tried again at the next start."""
        return encounter in self._stuck

    async def _play_friendly(self, id_: int) -> None:
        self._friendly.add(id_)
        try:
            executor = await self._floor()
            with Conductor(
                self.contest, only=id_, on_game=lambda encounter, game: self._tell(self.channel)
            ) as conductor:
                await play_series(conductor, executor)
        except SpielleiterError as problem:
            self._stuck.add(id_)
            log.error("a friendly encounter stopped: %s", problem)
        except Exception as problem:  # it can be played another time
            self._stuck.add(id_)
            log.error("a friendly encounter stopped", exc_info=problem)
        finally:
            self._friendly.discard(id_)
            self._tell(self.channel)


def _without_folders(said: str, name: str) -> str:
    """A message with a file's own name: where it lay on this machine is nobody's business."""
    return re.sub(re.escape(gettempdir()) + r"/\S+?\.(?:zip|py)\b", lambda _: name, said)


_OUR_FAULT = Text(
    "Bei uns ging etwas schief; dein Programm kann nichts dafür. Die Organisation sieht im Terminal, was es ist.",
    "Something went wrong here; it is not your program's fault. Organisers see in the terminal what it is.",
)


_READ = "import ast, sys; ast.walk(ast.parse(open(sys.argv[1], 'rb').read()))"
_READING = 15.0
"""Seconds that a Python file may take to be read."""


async def _refuse_unreadable(path: Path) -> None:
    """Read a Python file in another process first: a nasty one can break whoever reads it.

    Raises ``ProgramError``.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", _READ, str(path), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(_READING):
            _, said = await process.communicate()
    except TimeoutError:
        said = b"it takes too long"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        last = (said.decode("utf-8", "replace").strip().splitlines() or ["it cannot be read"])[-1]
        raise ProgramError(f"{path}: this is no Python file: {last[:300]}")
