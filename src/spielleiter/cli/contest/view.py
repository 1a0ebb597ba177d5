"""How a running season is shown: a picture that follows it in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import deque
from types import TracebackType
from typing import Self

from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text as RichText
from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.cli.terminal import console, language, say, word
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.results import counted_games
from spielleiter.contest.run.status import status
from spielleiter.contest.season.names import game_name
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.store import EncounterRow, GameRow
from spielleiter.game import Text

_SHOWN_GAMES = 6
_REFRESH_SECONDS = 0.5


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

    def __enter__(self) -> Self:
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

    def game(self, encounter: EncounterRow, game: GameRow) -> None:
        """A game was recorded."""
        self._played += 1
        line = game_line(encounter, game)
        if self._live is None:
            console.print(line, soft_wrap=True)
            return
        self._last.append(line)
        self._show()

    def _show(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if self._live is not None and (force or now >= self._next):
            self._next = now + _REFRESH_SECONDS
            self._live.update(self._picture())

    def _picture(self) -> RenderableType:
        with self._contest.store.reading() as session:
            standing = status(session, self._contest.season)
            day = None if self._state is None else self._state.matchday_id
            open_ = select(EncounterRow).where(EncounterRow.matchday_id == day, EncounterRow.games > 0)
            today = session.scalars(open_.order_by(EncounterRow.id)).all()
        grid = Table.grid(padding=(0, 2))
        for phase in standing.phases:
            bar = ProgressBar(total=max(1, phase.encounters), completed=phase.finished_encounters, width=30)
            done = f"{phase.finished_encounters}/{phase.encounters}" if phase.drawn else "–"
            grid.add_row(phase.name.to(language()), bar, done)
        scores = Table(box=None, pad_edge=False, show_header=False)
        for encounter in today[-10:]:
            scores.add_row(
                encounter.key,
                encounter.first.name,
                f"{encounter.won_first}:{encounter.won_second}",
                encounter.second.name,
            )
        speed = self._played / max(1e-9, time.monotonic() - self._began)
        pace = Text(
            f"{self._played} Spiele, {speed * 60:.0f} pro Minute", f"{self._played} games, {speed * 60:.0f} per minute"
        )
        parts: list[RenderableType] = [
            RichText(standing.name, "bold"),
            RichText(),
            grid,
            RichText(),
            scores,
            RichText(),
        ]
        return Group(*parts, *self._last, RichText(pace.to(language()), "dim"))

    def summary(self) -> None:
        """Say how far the season is, and who has won it if it is over."""
        with self._contest.store.reading() as session:
            standing = status(session, self._contest.season)
        print_podium(standing.podium)


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


def game_line(encounter: EncounterRow, game: GameRow) -> RichText:
    """One line on a game: which, who, how, why."""
    first, second = encounter.first.name, encounter.second.name
    line = RichText()
    line.append(game_name(encounter.key, game.number, game.attempt).ljust(10), "dim")
    line.append(first, "bold" if game.points_first > game.points_second else "")
    line.append(f" {game.points_first}:{game.points_second} ")
    line.append(second, "bold" if game.points_second > game.points_first else "")
    fault = game.fault_first or game.fault_second
    reason = game.reason_de if language() == "de" else game.reason_en
    line.append(f"  {reason}", "red" if fault else "dim")
    return line


def print_encounter(session: Session, one: EncounterRow) -> None:
    """An encounter with its games."""
    title = f"{one.key}: {one.first.name} {one.won_first}:{one.won_second} {one.second.name}"
    console.print(RichText(title, "bold"))
    for team, program in ((one.first, one.first_program), (one.second, one.second_program)):
        used = word("kein Programm", "no program")
        if program is not None:
            used = f"{word('Programm', 'program')} {program.number} ({program.name})"
        console.print(RichText(f"{team.name}: {used}", "dim"))
    for game in counted_games(session, one):
        line = game_line(one, game)
        line.append(f"  {game.secondary_first}:{game.secondary_second}")
        console.print(line, soft_wrap=True)
    if one.lot_seed is not None:
        say(Text(f"Durch Los entschieden, Startwert {one.lot_seed}.", f"Decided by lot, seed {one.lot_seed}."))
