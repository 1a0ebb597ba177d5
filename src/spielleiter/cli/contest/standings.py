"""``spielleiter contest standings``: who is where, and how sure that is."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    open_readonly,
    read_stage,
)
from spielleiter.cli.terminal import JsonOption, console, language, say, t, word
from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.snapshot import SeasonSnapshot
from spielleiter.errors import SettingsError
from spielleiter.pages.export import standings_rows
from spielleiter.pages.formatting import csv_text
from spielleiter.pages.season.views import StandingsView, average_of, standings_of
from spielleiter.rating.standings import HEADINGS, SHORT_HEADINGS, Totals


def standings(
    phase: Annotated[str | None, typer.Option(show_default=False, help=t(
        "Phase; Standard: die letzte, die begonnen hat.", "Phase; default: the last one that has begun."))] = None,
    group: Annotated[str | None, typer.Option(help=t("Nur diese Gruppe.", "Only this group."))] = None,
    with_rating: Annotated[bool, typer.Option("--rating/--no-rating", help=t(
        "Die Elo-Zahl zeigen, mit ihrem Fehler (95 %).", "Show the rating, with its 95 % margin."))] = True,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help=t("Ausgabe als CSV.", "CSV output."))] = False,
) -> None:  # fmt: skip
    with open_readonly(season, store) as contest:
        snapshot = read_snapshot(contest)
        stage = _last_begun(snapshot) if phase is None else read_stage(phase, contest.season)
        if stage is Stage.FINAL:
            raise SettingsError(
                "Das Finale hat keine Tabelle: Sieh dir 'spielleiter contest bracket' an.",
                "the final has no standings: see 'spielleiter contest bracket'",
            )
        groups = snapshot.groups(stage)
        if group is not None and group not in groups:
            known = ", ".join(groups)
            raise SettingsError(
                f"{contest.season.stage_name(stage).de}: Eine Gruppe {group!r} gibt es nicht, nur {known}.",
                f"{stage} has no group {group!r}: it has {known}",
            )
        found = [standings_of(snapshot, stage, name) for name in groups if group in (None, name)]
        if not with_rating:
            found = [replace(view, ratings={}) for view in found]
        if as_json or as_csv:
            rows = [
                {"phase": stage.value, "group": view.group, **row} for view in found for row in standings_rows(view)
            ]
            if as_json:
                console.print_json(json.dumps(rows))
            else:
                sys.stdout.write(csv_text(rows))
            return
        for view in found:
            title = contest.season.stage_name(stage).to(language())
            title += f" · {word('Gruppe', 'group')} {view.group}" if view.group else ""
            console.print(RichText(title, "bold"))
            say(view.ranked_by, "dim")
            console.print(_drawn(view))
            for drawn in view.lots:
                say(drawn.lot.text, "dim")


def _last_begun(snapshot: SeasonSnapshot) -> Stage:
    """The last phase with standings of which a game was played; before the first game, the first with standings."""
    stages = [phase.stage for phase in snapshot.season.phases if phase.has_standings]
    return next((stage for stage in reversed(stages) if snapshot.progress(stage).games), stages[0])


def _drawn(view: StandingsView) -> Table:
    """The standings for a terminal; a line marks who goes on."""
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    drawn.add_column("", justify="right")
    drawn.add_column(HEADINGS["team"].to(language()), overflow="fold")
    headings = {name: text.to(language()) for name, text in SHORT_HEADINGS.items()}
    if view.secondary is not None:
        headings["average"] = "⌀ " + view.secondary.to(language())
    for name in view.columns():
        drawn.add_column(headings[name], justify="right")
    if view.ratings:
        drawn.add_column("Elo", justify="right", no_wrap=True)
    for place, row in enumerate(view.rows, 1):
        cells = [f"{row.rank}." + ("=" if row.shared else ""), row.team]
        cells += [_cell(row.totals, name) for name in view.columns()]
        if view.ratings:
            rating = view.ratings.get(row.team)
            cells.append("–" if rating is None else f"{rating.elo:+.0f} ± {rating.margin:.0f}")
        drawn.add_row(*map(RichText, cells), end_section=place == view.goes_on)
    return drawn


def _cell(totals: Totals, column: str) -> str:
    return average_of(totals).to(language()) if column == "average" else str(getattr(totals, column))
