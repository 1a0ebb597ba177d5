"""The course of a check: which trials are run, and when it is useless to go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from spielleiter import games
from spielleiter.errors import ProgramError
from spielleiter.game import TEAMS, AnyGame, Team, Text
from spielleiter.programs.check import findings
from spielleiter.programs.check.findings import Finding, Mark
from spielleiter.programs.check.throttle import measure_speed, slowdown
from spielleiter.programs.check.trial import (
    MAX_ATTEMPTS,
    MAX_OUTPUT,
    POLL_SECONDS,
    ArgumentForm,
    Incident,
    Patience,
    Trial,
    TrialPlan,
    run_trial,
)
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.launcher import Launcher
from spielleiter.programs.sandbox import Level, ResourceLimits
from spielleiter.server import GameMaster, MasterSettings

Progress = Callable[[Text], None]
FIRST_MOVES = 10
"""Moves after which there is a first verdict."""
FIRST_SECONDS = 7.0
"""Seconds after which there is one with fewer moves: a program may use its two seconds for each."""
_MAY_BE_UNKNOWN = ("memory", "leftovers")
"""Not every system counts memory, and a program that we had to end has left nothing behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """What can be chosen about a check."""

    level: Level
    """The sandbox's, as in a match."""
    game: AnyGame | None = None
    """The game to play; without one, the one that the program asks for."""
    slowdown: float | None = None
    """How much slower than this machine the contest's is; ``None``: it is measured."""
    patience: Patience = field(default_factory=Patience)
    moves_with_incident: int = 5
    """Moves of a game with an incident, which is not played to the end."""
    moves_slowed: int = 12
    """Moves of the game that is slowed down, if the program takes its time."""
    start: Any = None
    """The position from which the whole games are played; ``None``: new games."""
    quick: bool = False
    """Only the first moves on each side, a few seconds."""
    quick_seconds: float = 4.0
    """Seconds on each side, then."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The list of ticks and crosses, and what it was made from."""

    entrant: Entrant
    game: AnyGame
    findings: tuple[Finding, ...]
    trials: tuple[Trial, ...]
    slowdown: float
    quick: bool = False
    """Whether only the first moves were tried."""

    @property
    def started(self) -> bool:
        """Whether it has joined one of its games at all."""
        return any(trial.joined or trial.joined_elsewhere for trial in self.trials)

    @property
    def passed(self) -> bool:
        """Whether there is no cross, and the games could be played; notes lose no game."""
        return not any(
            finding.mark is Mark.BAD or (finding.mark is Mark.UNKNOWN and finding.key not in _MAY_BE_UNKNOWN)
            for finding in self.findings
        )


@dataclass(frozen=True, slots=True)
class FirstVerdict:
    """What is known within some seconds: the program has started, joined and moved."""

    moves: int
    seconds: float
    """Since it was started."""

    @property
    def text(self) -> Text:
        """The verdict in one line."""
        seconds = f"{self.seconds:.1f}"
        return Text(
            f"startet, tritt bei und zieht: {self.moves} {'Zug' if self.moves == 1 else 'Züge'} in"
            f" {seconds.replace('.', ',')} s",
            f"starts, joins and moves: {self.moves} {'move' if self.moves == 1 else 'moves'} in {seconds} s",
        )


async def check_program(
    entrant: Entrant,
    settings: CheckSettings,
    progress: Progress = lambda text: None,
    on_first: Callable[[FirstVerdict], None] = lambda verdict: None,
) -> CheckReport:
    """Play some games with the program, and list what is good and what is not.

    ``on_first`` gets the first verdict as soon as there is one.
    Raises ``ProgramError`` if it is not a program, and ``SettingsError`` if the sandbox does not work here.
    """
    if entrant.kind is EntrantKind.MANUAL:
        raise ProgramError(
            "Geprüft werden Programme; wer selbst beitritt, ist keines.",
            "only programs are checked; a manual player is not a program",
        )
    if settings.game is not None:
        entrant.check_game(settings.game)
    factor = slowdown(measure_speed()) if settings.slowdown is None else settings.slowdown
    found: list[Finding] = []
    if (problems := entrant.start_problems) is not None:
        found.append(findings.start_file(problems))
    if (python := findings.python(entrant.python_choice)) is not None:
        found.append(python)
    async with GameMaster(MasterSettings(port=0, language="en")) as master:
        launcher = Launcher(master, settings.level, ResourceLimits(output=MAX_OUTPUT))
        game = settings.game
        if game is None and entrant.made_for:
            game = games.load(entrant.made_for[0])
        if game is None:
            progress(Text("Welches Spiel spielt es?", "Which game does it play?"))
            game = await _find_game(launcher, entrant, settings.patience)
        trials = await _Trials(launcher, game, entrant, settings, factor, progress, on_first).run()
    found += (_judge_first if settings.quick else _judge)(trials, game, settings, factor)
    return CheckReport(entrant, game, tuple(found), tuple(trials.values()), factor, settings.quick)


async def _find_game(launcher: Launcher, entrant: Entrant, patience: Patience) -> AnyGame:
    """The game that the program asks for when it has no reservation."""
    rooms = launcher.master.lobby.rooms
    process = await launcher.start(entrant, ("--host", "{host}", "--port", "{port}"))
    process.go()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(patience.to_join):
                while process.running and not rooms:  # noqa: ASYNC110 - the lobby is a pure machine and sends no notice
                    await asyncio.sleep(POLL_SECONDS)
        return next(iter(rooms.values())).game if rooms else games.load(games.CURRENT_SEASON)
    finally:
        await launcher.stop(process)


class _Trials:
    """The games of a check, one after the other."""

    def __init__(
        self,
        launcher: Launcher,
        game: AnyGame,
        entrant: Entrant,
        settings: CheckSettings,
        factor: float,
        progress: Progress,
        on_first: Callable[[FirstVerdict], None],
    ) -> None:
        self._launcher = launcher
        self._game = game
        self._entrant = entrant
        self._settings = settings
        self._factor = factor
        self._progress = progress
        self._on_first = on_first
        self._has_verdict = False
        self._trials: dict[str, Trial] = {}

    async def run(self) -> dict[str, Trial]:
        """The games by their names; those that would say nothing are left out."""
        settings = self._settings
        moves, seconds = (FIRST_MOVES, settings.quick_seconds) if settings.quick else (None, None)
        one, two = (self._game.team_name(team) for team in TEAMS)
        first = await self._play(
            Text(f"Ein Spiel als {one.de}", f"A game as {one.en}"),
            TrialPlan(name="one", start=settings.start, moves=moves, seconds=seconds),
        )
        second = await self._play(
            Text(f"Ein Spiel als {two.de}", f"A game as {two.en}"),
            TrialPlan(
                name="two",
                form=ArgumentForm.LONG if settings.quick else ArgumentForm.SHORT,
                team=Team.TWO,
                start=settings.start,
                moves=moves,
                seconds=seconds,
            ),
        )
        # Whatever else may be wrong does not matter yet if it cannot play.
        if not settings.quick and (first.played_well or second.played_well):
            await self._play_with_incidents()
            await self._play_slowly(first, second)
        return self._trials

    async def _play_with_incidents(self) -> None:
        few = self._settings.moves_with_incident
        await self._play(
            Text("Ein Spiel mit Pause", "A game with a pause"),
            TrialPlan(name="pause", form=ArgumentForm.EQUALS, incident=Incident.PAUSE, moves=few),
        )
        await self._play(
            Text("Ein Spiel mit unbekannten Elementen", "A game with unknown elements"),
            TrialPlan(
                name="unknown",
                form=ArgumentForm.MIXED,
                team=Team.TWO,
                incident=Incident.UNKNOWN_ELEMENTS,
                moves=few,
            ),
        )

    async def _play_slowly(self, first: Trial, second: Trial) -> None:
        thinks_long = max(sum(first.times), sum(second.times)) > 20
        await self._play(
            Text("Ein Spiel auf langsamer Maschine", "A game on a slow machine"),
            TrialPlan(
                name="slow",
                form=(first if first.joined else second).plan.form,
                slowdown=self._factor,
                moves=self._settings.moves_slowed if thinks_long else None,
                start=self._settings.start,
            ),
        )

    async def _play(self, text: Text, plan: TrialPlan) -> Trial:
        for _ in range(MAX_ATTEMPTS):
            self._progress(text)
            report = self._trials[plan.name] = await run_trial(
                self._launcher,
                self._game,
                self._entrant,
                plan,
                self._settings.patience,
                partial(self._has_moved, text, time.monotonic()),
            )
            if report.is_judged:
                break
        first = self._trials["one"]
        known = first.plan.form if first.joined else plan.form
        if report.joined or not report.is_judged or plan.form is known:
            return report
        # It failed at the form of the arguments: what the game was to show is tried with one that it knows.
        self._trials[f"{plan.name}-{plan.form.name.lower()}"] = self._trials.pop(plan.name)
        return await self._play(text, replace(plan, form=known))

    def _has_moved(self, text: Text, begin: float, moves: int) -> None:
        seconds = time.monotonic() - begin
        number = f"{moves} {'Zug' if moves == 1 else 'Züge'}", f"{moves} {'move' if moves == 1 else 'moves'}"
        self._progress(Text(f"{text.de}: {number[0]}", f"{text.en}: {number[1]}"))
        if not self._has_verdict and (moves >= FIRST_MOVES or seconds >= FIRST_SECONDS):
            self._has_verdict = True
            self._on_first(FirstVerdict(moves, seconds))


def _judge_first(trials: dict[str, Trial], game: AnyGame, settings: CheckSettings, factor: float) -> list[Finding]:
    """What the first moves say."""
    everything = list(trials.values())
    return [
        findings.arguments(everything),
        findings.reservation(everything),
        findings.first_moves(everything, game),
        findings.in_time(everything, game.limits),
        findings.log(everything),
        findings.memory(everything),
    ]


def _judge(trials: dict[str, Trial], game: AnyGame, settings: CheckSettings, factor: float) -> list[Finding]:
    everything = list(trials.values())
    normal = [report for name, report in trials.items() if name != "slow"]
    whole = [trials["one"], trials["two"]]
    return [
        findings.arguments(normal),
        findings.reservation(normal),
        findings.both_sides(whole, game),
        findings.in_time(whole, game.limits),
        findings.forecast(trials.get("slow"), game, factor),
        findings.incident(trials.get("pause"), Incident.PAUSE, game),
        findings.incident(trials.get("unknown"), Incident.UNKNOWN_ELEMENTS, game),
        findings.ends(normal, settings.patience.to_end),
        findings.leftovers(everything),
        findings.log(everything),
        findings.memory(everything),
    ]
