"""The season, played in the background: started and paused by organisers, and what it does or waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from spielleiter.contest.run import rulings
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.first_programs import leave_out, refusal, submit_first_programs
from spielleiter.contest.run.programs import active_entrants
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.season.snapshot import Encounter, SeasonGame
from spielleiter.errors import ContestError, Refused
from spielleiter.game import Text
from spielleiter.programs.entrants import EntrantKind
from spielleiter.web.season.workers import Workers

log = logging.getLogger("spielleiter.web")

_POLL_SECONDS = 20.0
"""Seconds between two looks of a season that waits for a date, a lot or a ruling."""
_SHOWN_GAMES = 12


@dataclass(slots=True)
class SeasonProgress:
    """What this process knows of the season that it plays; every field is replaced, never changed."""

    running: bool = False
    stopping: bool = False
    """No new game is started; those that are being played come to their end."""
    state: SeasonState | None = None
    games: tuple[tuple[Encounter, SeasonGame], ...] = ()
    """Games recorded last, the newest at the end."""
    problem: Text | None = None
    """Why it stopped by itself."""


class SeasonRun:
    """Plays the season from where it stands."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._contest = workers.contest
        self.progress = SeasonProgress()
        self._conductor: Conductor | None = None
        self._wake = asyncio.Event()

    async def start(self, who: str, without: Sequence[str] = ()) -> None:
        """Let the season be played, ``without`` programs of these teams; nothing happens if it is.

        Raises ``ContestError`` while it is being stopped, and for a team that cannot be left out.
        """

        def allow() -> None:
            leave_out(self._contest, without, who=who)
            rulings.start(self._contest, who=who)

        if self.progress.running and not self.progress.stopping:
            return
        if self.progress.running:
            raise ContestError(
                "Die Saison hält gerade an: warte, bis die letzten Spiele zu Ende sind.",
                "The season is being stopped: wait until the last games have ended.",
            )
        self.progress = SeasonProgress(running=True)
        try:
            await self._workers.in_worker(allow)
        except BaseException:
            self.progress.running = False
            raise
        self._workers.spawn(self._play(self.progress))
        self._workers.channel.publish()

    async def pause(self, who: str, reason: str) -> None:
        """Start no more games, here and elsewhere."""

        def stop() -> None:
            rulings.pause(self._contest, True, who=who, reason=reason)
            if self._conductor is not None:
                self._conductor.stop()

        await self._workers.in_worker(stop)
        self.progress.stopping = self.progress.running
        self.wake()
        self._workers.channel.publish()

    def wake(self) -> None:
        """What the season waits for may have come."""
        self._wake.set()

    def _check_manual(self) -> None:
        names = [entrant.name for entrant in active_entrants(self._contest) if entrant.kind is EntrantKind.MANUAL]
        if names:
            listed = ", ".join(names)
            raise ContestError(
                f"Auf ihren eigenen Rechnern spielen {listed}: dafür spiele die Saison mit spielleiter contest run"
                " --host 0.0.0.0. Die Seiten zeigen sie auch dann.",
                f"{listed} play on their own machines: for them, play the season by spielleiter contest run"
                " --host 0.0.0.0; the pages show it all the same.",
            )

    async def _play(self, progress: SeasonProgress) -> None:
        try:
            await self._workers.in_worker(self._check_manual)
            if unplayable := await submit_first_programs(self._contest, await self._workers.executor()):
                raise refusal(unplayable)
            while not progress.stopping:
                async with self._workers.conductor(lambda: self._new_conductor(progress)) as self._conductor:
                    await self._workers.play(self._conductor)
                    state = self._conductor.state
                if state is None or state.blocker not in (Blocker.DATE, Blocker.LOT, Blocker.RULING, Blocker.GAMES):
                    break
                await self._rest()
        except Refused as problem:
            progress.problem = problem.text
        except Exception as problem:  # Whatever it is, organisers must see that nothing goes on.
            log.error("the season stopped", exc_info=problem)
            progress.problem = Text(
                f"Bei uns ist etwas schiefgegangen: {problem!r}", f"Something went wrong on our side: {problem!r}"
            )
        finally:
            self._conductor = None
            progress.running = progress.stopping = False
            self._workers.publish(self._workers.channel)

    def _new_conductor(self, progress: SeasonProgress) -> Conductor:
        """A conductor that reports to ``progress``, from the worker thread."""

        def on_game(encounter: Encounter, game: SeasonGame) -> None:
            progress.games = (*progress.games, (encounter, game))[-_SHOWN_GAMES:]
            self._workers.publish(self._workers.channel)

        def on_state(state: SeasonState) -> None:
            progress.state = state
            self._workers.publish(self._workers.channel)

        return Conductor(self._contest, on_game=on_game, on_state=on_state)

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL_SECONDS):
                await self._wake.wait()
        self._wake.clear()
