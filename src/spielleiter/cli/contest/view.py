"""How a running season is shown: a picture that follows it in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.cli.programs import BusyWarning
from spielleiter.cli.terminal import console, language, say, word
from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.season.snapshot import Encounter, SeasonGame, SeasonSnapshot
from spielleiter.game import Text
from spielleiter.pressure import current_pressure

_SHOWN_GAMES = 6
_REFRESH_SECONDS = 0.5
_REST_PER_READ = 8.0


class ContestView:
    """Shows each game and each new day; ``with view`` is the time in which games are played."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._state: SeasonState | None = None
        self._last: deque[RichText] = deque(maxlen=_SHOWN_GAMES)
        self._live = Live(console=console, refresh_per_second=4, transient=True) if console.is_terminal else None
        self._next = 0.0
        self._played = 0
        self._began = time.monotonic()
        self._busy = BusyWarning()

    def __enter__(self) -> Self:
        if not self._contest.season.in_process:  # Then processor time counts.
            self._busy.notice(current_pressure())
        if self._live is not None:
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def state(self, state: SeasonState) -> None:
        """A new day begins, or the season waits for something."""
        self._state = state
        if state.blocker is Blocker.GAMES:
            if self._live is None:
                console.print(self._headline(state))
            else:
                self._live.console.print(self._headline(state))
                self._show(force=True)

    def _headline(self, state: SeasonState) -> RichText:
        return RichText(state.text(self._contest.season).to(language()), style="bold")

    def game(self, encounter: Encounter, game: SeasonGame) -> None:
        """A game was recorded."""
        self._played += 1
        self._busy.notice(game.pressure)
        line = game_line(encounter, game)
        if game.annulled:
            line.append(word(" · wird wiederholt", " · is played again"), "bold")
        if self._live is None:
            console.print(line, soft_wrap=True)
            return
        self._last.append(line)
        self._show()

    def _show(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if self._live is not None and (force or now >= self._next):
            self._live.update(self._picture())
            # A season of a hundred thousand games is read less often.
            self._next = time.monotonic() + max(_REFRESH_SECONDS, _REST_PER_READ * (time.monotonic() - now))

    def _picture(self) -> RenderableType:
        snapshot = read_snapshot(self._contest)
        day = None if self._state is None else self._state.matchday_id
        today = [encounter for encounter in snapshot.by_day.get(day or 0, ()) if encounter.games]
        grid = Table.grid(padding=(0, 2))
        for phase in snapshot.season.phases:
            progress = snapshot.progress(phase.stage)
            finished, total = progress.encounters
            bar = ProgressBar(total=max(1, total), completed=finished, width=30)
            done = f"{finished}/{total}" if progress.is_drawn else "–"
            grid.add_row(snapshot.season.stage_name(phase.stage).to(language()), bar, done)
        scores = Table(box=None, pad_edge=False, show_header=False)
        for encounter in today[-10:]:
            first, second = (team.name for team in encounter.teams)
            scores.add_row(encounter.key, first, f"{encounter.won[0]}:{encounter.won[1]}", second)
        speed = self._played / max(1e-9, time.monotonic() - self._began)
        pace = Text(
            f"{self._played} Spiele, {speed * 60:.0f} pro Minute", f"{self._played} games, {speed * 60:.0f} per minute"
        )
        parts: list[RenderableType] = [
            RichText(snapshot.season.name, "bold"),
            RichText(),
            grid,
            RichText(),
            scores,
            RichText(),
        ]
        return Group(*parts, *self._last, RichText(pace.to(language()), "dim"))

    def summary(self) -> None:
        """Say how far the season is, and who has won it if it is over."""
        print_podium(read_snapshot(self._contest).knockout.places)


def advice(state: SeasonState) -> Text | None:
    """What to do so that a season can go on; ``None`` if it is over or plays."""
    match state.blocker:
        case Blocker.DATE:
            return Text(
                "Danach geht es mit demselben Befehl weiter; mit --ahead sofort.",
                "Run again then, or now with --ahead.",
            )
        case Blocker.LOT:
            assert state.stage is not None
            where = f"{state.stage} {state.group}".strip()
            return Text(
                f"Ziehe das Los: spielleiter contest draw-lot {where}", f"Draw it: spielleiter contest draw-lot {where}"
            )
        case Blocker.RULING:
            game = state.games[0]
            return Text(
                f"Neu spielen: spielleiter contest annul {game} --reason ...; werten, wie gespielt wurde:"
                f" spielleiter contest accept {game} --reason ...",
                f"Play it again: spielleiter contest annul {game} --reason ...; let it count as it was played:"
                f" spielleiter contest accept {game} --reason ...",
            )
        case Blocker.PAUSE:
            return Text("Weiter mit: spielleiter contest resume", "Go on with: spielleiter contest resume")
        case Blocker.GAMES | Blocker.GOAL | Blocker.NOTHING:
            return None


def print_podium(podium: tuple[str, ...]) -> None:
    """First to fourth, if the season is over."""
    if not podium:
        return
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    for place, team in enumerate(podium, 1):
        table.add_row(f"{place}.", RichText(team, "bold" if place == 1 else ""))
    console.print(table)


def game_line(encounter: Encounter, game: SeasonGame) -> RichText:
    """One line on a game: which, who, how, why."""
    first, second = (
        RichText(team.name, "bold" if game.winner == side else "") for side, team in enumerate(encounter.teams)
    )
    line = RichText(game.name(encounter).ljust(10), "dim")
    line = RichText.assemble(line, first, f" {game.points[0]}:{game.points[1]} ", second)
    line.append(f"  {game.reason.to(language())}", "red" if any(game.faults) else "dim")
    return line


def print_encounter(snapshot: SeasonSnapshot, one: Encounter, games: Iterable[SeasonGame]) -> None:
    """An encounter with these games."""
    title = f"{one.key}: {one.teams[0].name} {one.won[0]}:{one.won[1]} {one.teams[1].name}"
    console.print(RichText(title, "bold"))
    for team, number in zip(one.teams, one.programs, strict=True):
        program = next((each for each in snapshot.programs[team.id] if each.number == number), None)
        used = word("kein Programm", "no program")
        if program is not None:
            used = f"{word('Programm', 'program')} {program.number} ({program.name})"
        console.print(RichText(f"{team.name}: {used}", "dim"))
    for game in games:
        line = game_line(one, game)
        line.append(f"  {game.secondary[0]}:{game.secondary[1]}")
        console.print(line, soft_wrap=True)
    if one.lot_seed is not None:
        say(Text(f"Durch Los entschieden, Startwert {one.lot_seed}.", f"Decided by lot, seed {one.lot_seed}."))
