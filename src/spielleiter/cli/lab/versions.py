"""The versions of a player, played and shown: a curve in the terminal and a report."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import typer
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.cli.match.run import RunSettings, open_executor
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import console, errors, language, say, word
from spielleiter.game import Text
from spielleiter.lab.versions import VersionCurve, VersionPlan
from spielleiter.matches.plan import PLAN
from spielleiter.matches.results import MatchGame
from spielleiter.pages.match_report.versions import write_version_report
from spielleiter.rating.bradley_terry import Rating
from spielleiter.rating.formatting import number

_MIN_PLOT, _MAX_PLOT = 16, 48
"""Columns of the curve, which takes what the terminal has left."""
_OTHER_COLUMNS = 56


def is_player_folder(path: Path) -> bool:
    """Whether this is a folder, and not that of a match."""
    return path.is_dir() and not (path / PLAN).exists()


def rate_versions(plan: VersionPlan, name: str, settings: RunSettings, *, as_json: bool) -> None:
    """Play what is missing, show the curve, and write the report. Exits if it is interrupted."""
    try:
        interrupt_on_every_signal()
        asyncio.run(_play(plan, settings))
    except KeyboardInterrupt:
        stopped = Text("Unterbrochen; derselbe Befehl setzt fort.", "Interrupted; the same command goes on.")
        errors.print(stopped.to(language()))
        raise typer.Exit(130) from None
    curve = plan.rate()
    report = write_version_report(plan, curve, name, language())
    if as_json:
        data = curve.ratings.to_json() | {"report": str(report)}
        data["versions"] = [
            {"commit": version.commit.hash, "subject": version.commit.subject, "elo": round(rating.elo, 1),
             "margin": round(rating.margin, 1), "games": rating.games}
            for version, rating in curve.versions
        ]  # fmt: skip
        console.print_json(json.dumps(data))
        return
    console.print(_curve(curve))
    for note in curve.notes:
        say(note)
    console.print(str(report), soft_wrap=True)


async def _play(plan: VersionPlan, settings: RunSettings) -> None:
    entrants = [version.entrant for version in plan.versions]
    executor = await open_executor(entrants, settings, in_process=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=len(plan.encounters()) * plan.games)

        def show(row: MatchGame) -> None:
            bar.update(task, advance=1, description=" – ".join(row.names))

        async with executor:
            await plan.play(executor, show)


def _curve(curve: VersionCurve) -> Table:
    """A line for each version: its rating, and where that lies with its error bar."""
    ratings = [rating for _, rating in curve.versions]
    low, high = min(rating.low for rating in ratings), max(rating.high for rating in ratings)
    width = min(_MAX_PLOT, max(_MIN_PLOT, console.width - _OTHER_COLUMNS))
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("Commit", "Elo", "±", word("Spiele", "games")):
        table.add_column(heading, justify="left" if heading == "Commit" else "right", no_wrap=True)
    ends = number(low, signed=True).to(language()), number(high, signed=True).to(language())
    table.add_column(ends[0] + ends[1].rjust(width - len(ends[0])), no_wrap=True, min_width=width)
    table.add_column(word("Änderung", "change"), overflow="ellipsis", no_wrap=True)
    for version, rating in curve.versions:
        table.add_row(
            version.commit.name,
            number(rating.elo, signed=True).to(language()),
            number(rating.margin).to(language()),
            str(rating.games),
            _bar(rating, low, high, width),
            RichText(version.commit.subject),
        )
    return table


def _bar(rating: Rating, low: float, high: float, width: int) -> RichText:
    def column(elo: float) -> int:
        return round((elo - low) / max(high - low, 1.0) * (width - 1))

    first, point, last = column(rating.low), column(rating.elo), column(rating.high)
    line = [" "] * width
    line[first : last + 1] = "─" * (last + 1 - first)
    line[first], line[last], line[point] = "├", "┤", "●"
    return RichText("".join(line))
