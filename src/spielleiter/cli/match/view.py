"""How a running match is shown: a live table in a terminal, plain lines elsewhere, nothing for programs."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from rich import box
from rich.console import Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.cli.programs import BusyWarning, print_failure
from spielleiter.cli.terminal import WIDE, console, errors, language, word
from spielleiter.game import Team, Text
from spielleiter.matches.match import Match, MatchEnd
from spielleiter.matches.pairings import Pairing
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Standing, Summary, summarise
from spielleiter.pressure import current_pressure
from spielleiter.rating.formatting import duration, number, percent
from spielleiter.rating.sprt import SprtState
from spielleiter.text import shell_word

_REFRESHES_PER_SECOND = 4
_MIN_NAME = 16
"""Characters of a name that stay on one line in any terminal."""
_MAX_FAILURES = 3
"""Per player, listed at the end; the report has all."""
_SHOWN_PONDER = 0.1
"""Seconds of processor time; every run-time system uses a little to wait."""
_MAX_SHARE = 0.05
"""The share of the time in which the table may be computed anew."""


class View(Protocol):
    """Shows a match while it runs. ``with view`` is the time in which games are played."""

    sprt: SprtState | None

    def notice(self, text: Text) -> None:
        """Something that a reader should know."""

    def begin(self, played: Match) -> None:
        """The games begin; some may be there from before."""

    def start(self, pairing: Pairing) -> None:
        """A game begins."""

    def row(self, row: MatchGame, played: Match) -> None:
        """A game has ended."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class QuietView:
    """Says nothing but what has to be known."""

    def __init__(self) -> None:
        self.sprt: SprtState | None = None
        self._busy = BusyWarning()

    def notice(self, text: Text) -> None:
        """Print a warning."""
        errors.print(text.to(language()), markup=False, soft_wrap=True, style="yellow")

    def begin(self, played: Match) -> None:
        """Nothing to say but that the machine is busy."""
        self.sprt = played.sprt_state
        if not played.plan.in_process:  # Then processor time counts.
            self._busy.notice(current_pressure())

    def start(self, pairing: Pairing) -> None:
        """Nothing to say."""

    def row(self, row: MatchGame, played: Match) -> None:
        """Nothing to say but that the machine is busy."""
        self.sprt = played.sprt_state
        self._busy.notice(row.pressure)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class PlainView(QuietView):
    """One line for each game."""

    def __init__(self, plan: MatchPlan, stats: bool) -> None:
        super().__init__()
        self._plan = plan
        self._stats = stats
        self._next = 0.0

    def row(self, row: MatchGame, played: Match) -> None:
        """Print who won, why, and the score so far."""
        super().row(row, played)
        one, two = row.names
        score = "½-½" if row.winner is None else "1-0" if row.winner is Team.ONE else "0-1"
        line = f"{len(played.rows)} {row.id}: {one} {score} {two} ({row.reason.to(language())})"
        line += "" if row.counts else word(" · zählt nicht", " · does not count")
        if played.is_to_replay(row):
            line += word(" · Rechner überlastet, wird wiederholt", " · machine busy, is played again")
        pondered = [(side.name, side.ponder_time) for side in row.sides if side.ponder_time >= _SHOWN_PONDER]
        if pondered:
            line += word(" · rechnet im Zug des Gegners: ", " · in the opponent's time: ") + ", ".join(
                f"{name} {number(seconds, 1).to(language())} s" for name, seconds in pondered
            )
        if len(self._plan.entrants) == 2 and time.monotonic() >= self._next:
            self._next = time.monotonic() + 1
            summary = summarise(self._plan, played.rows, self.sprt)
            line += f" · {score}" if (score := duel_line(summary, self._stats)) else ""
        console.print(line, markup=False, soft_wrap=True)
        for side in row.sides:
            print_failure(side.failure, played.folder / side.log if side.fault is not None and side.log else None)


class LiveView(QuietView):
    """A table that follows the match."""

    def __init__(self, plan: MatchPlan, stats: bool) -> None:
        super().__init__()
        self._plan = plan
        self._stats = stats
        self._live = Live(console=console, refresh_per_second=_REFRESHES_PER_SECOND, transient=True)
        self._before = 0
        self._began = time.monotonic()
        self._next = 0.0

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def begin(self, played: Match) -> None:
        """Show what is there from before."""
        super().begin(played)
        self._before = len(played.rows)
        self._began = time.monotonic()
        self._show(played)

    def row(self, row: MatchGame, played: Match) -> None:
        """Show the new score, unless that was done a moment ago."""
        super().row(row, played)
        if time.monotonic() >= self._next:
            self._show(played)

    def _show(self, played: Match) -> None:
        began = time.monotonic()
        self._live.update(self._picture(summarise(self._plan, played.rows, self.sprt)))
        now = time.monotonic()
        self._next = now + max(1 / _REFRESHES_PER_SECOND, (now - began) / _MAX_SHARE)

    def _picture(self, summary: Summary) -> RenderableType:
        new = summary.played - self._before
        elapsed = time.monotonic() - self._began
        left = None if summary.total is None else max(0, summary.total - summary.played)
        parts: list[RenderableType] = [standings_table(summary, self._stats)]
        if summary.duel is not None and self._stats:
            parts.append(RichText(duel_line(summary)))
        if left is not None and summary.total:
            parts.append(ProgressBar(total=summary.total, completed=summary.played, width=60))
            rest = f" · {duration(left * elapsed / new)}" if new else ""
            parts.append(
                RichText(
                    word(f"{summary.played} Spiele, noch {left}{rest}", f"{summary.played} games, {left} left{rest}")
                )
            )
        else:
            parts.append(RichText(word(f"{summary.played} Spiele", f"{summary.played} games")))
        return Group(*parts)


def short_number(value: float) -> str:
    """A number of points, without a comma if it is whole."""
    return number(value, 0 if value == int(value) else 1).to(language())


def duel_line(summary: Summary, stats: bool = True) -> str:
    """The score of the first player in one line, with ``stats`` Elo, LOS and SPRT too."""
    duel, tally = summary.duel, summary.duel_tally
    if duel is None or tally is None or not duel.games:
        return ""
    elo = _bounded(duel.elo, duel.bound) + ("" if duel.margin is None else f" ± {duel.margin:.0f}")
    points = short_number(tally.victory_points / 2)
    if not stats:
        return (
            f"{summary.names[0]} {points} : {short_number(tally.games - tally.victory_points / 2)} {summary.names[1]}"
        )
    line = f"{summary.names[0]}: {points}/{tally.games}, Elo {elo}"
    line += f", LOS {percent(duel.superiority).to(language())}, {list(tally.pairs.counts)}"
    if summary.sprt is not None:
        test = summary.sprt.test
        llr, lower, upper = (
            number(value, 2, signed=signed).to(language())
            for value, signed in ((summary.sprt.llr, True), (test.lower, False), (test.upper, False))
        )
        line += f", LLR {llr} ({lower} … {upper})"
        line += f" {summary.sprt.verdict.text.to(language())}"
    return line


def standings_table(summary: Summary, stats: bool = True) -> Table:
    """The table of all players; a narrow terminal shows only the longest time, so that there is room for the names."""
    headings = [word("Spieler", "player"), word("Punkte", "points"), "+", "=", "−", "Elo", "±",
                word("Zeit 50 %", "time 50 %"), "99 %", "max", word("Fehler", "faults")]  # fmt: skip
    rows = [_cells(standing) for standing in summary.standings]
    if not stats:
        headings[2:10] = [word("Siege", "won"), word("Remis", "drawn"), word("verloren", "lost"),
                          word("max. Zeit", "longest")]  # fmt: skip
        for cells in rows:
            cells[5:10] = [f"{cells[9]} s"]
    elif console.width < WIDE:
        for cells in (headings, *rows):
            del cells[7:9]
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    longest = max((len(cells[0]) for cells in rows), default=0)
    table.add_column(headings[0], overflow="fold", min_width=min(longest, _MIN_NAME))
    for heading in headings[1:-1]:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(headings[-1], justify="right", overflow="fold")
    for cells in rows:
        table.add_row(*map(RichText, cells))
    return table


def _cells(standing: Standing) -> list[str]:
    times = standing.times
    faults = [f"{games} {fault.text.to(language())}" for fault, games in standing.faults.items()]
    if standing.untimely:
        busy = word("Zeit, Rechner überlastet", "time, machine busy")
        faults.append(f"{standing.untimely} {busy}")
    return [
        standing.name,
        f"{short_number(standing.points)}/{standing.games}",
        str(standing.won),
        str(standing.drawn),
        str(standing.lost),
        "" if standing.elo is None else _bounded(standing.elo, standing.bound),
        "" if standing.margin is None else f"{standing.margin:.0f}",
        *(number(seconds, 3).to(language()) for seconds in (times.median, times.p99, times.max)),
        ", ".join(faults),
    ]


def _bounded(elo: float, bound: tuple[str, float] | None) -> str:
    """An Elo difference, or all that is known of it where every game went one way."""
    return f"{elo:+.0f}" if bound is None else f"{bound[0]} {bound[1]:+.0f}"


def _print_failures(standing: Standing, folder: Path) -> None:
    """Why a player's program failed, each failure once, with the log of the last game that ended so."""
    for failure in standing.failures[:_MAX_FAILURES]:
        what = f"{standing.name}: {failure.games} × {failure.fault.text.to(language())}"
        console.print(what, markup=False, soft_wrap=True)
        print_failure(failure.text, folder / failure.log if failure.log else None)


def print_summary(summary: Summary, end: MatchEnd, folder: Path, *, report: bool, stats: bool) -> None:
    """The end of a match, for people; with ``stats`` for those who know Elo."""
    console.print(standings_table(summary, stats))
    if summary.duel is not None and stats:
        console.print(duel_line(summary), markup=False, soft_wrap=True)
    for sentence in summary.sentences if stats else summary.plain:
        console.print(sentence.to(language()), markup=False, soft_wrap=True)
    for standing in summary.standings:
        _print_failures(standing, folder)
    for notice in end.notices:
        console.print(notice.to(language()), style="yellow", markup=False, soft_wrap=True)
    console.print(end.reason.to(language()), markup=False, soft_wrap=True)
    if not stats:
        more = word("Elo und Fehlergrenzen: --stats, oder im Bericht", "Elo and error bars: --stats, or in the report")
        console.print(more, markup=False, soft_wrap=True)
        coach = f"spielleiter coach {shell_word(folder)} --player {shell_word(summary.names[0])}"
        console.print(word("Woran es liegt: ", "What to improve: ") + coach, markup=False, soft_wrap=True)
    shown = folder / "report.html" if report else folder
    console.print(str(shown), markup=False, soft_wrap=True)
