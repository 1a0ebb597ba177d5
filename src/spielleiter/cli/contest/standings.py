"""``spielleiter contest standings``: who is where, and how sure that is."""

from __future__ import annotations

import csv
import json
import sys
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText
from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    look_at_contest,
    read_stage,
)
from spielleiter.cli.terminal import JsonOption, console, language, say, word
from spielleiter.contest.run.standings import group_standings, groups_of, lots, rating
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.store import EncounterRow
from spielleiter.errors import SettingsError
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.formatting import number
from spielleiter.rating.standings import HEADINGS, Criterion, Standings, StandingsRow


def standings(
    phase: Annotated[
        str | None, typer.Option(help="Phase; default: the last one that has begun.", show_default=False)
    ] = None,
    group: Annotated[str | None, typer.Option(help="Only this group.")] = None,
    with_rating: Annotated[
        bool, typer.Option("--rating/--no-rating", help="Show the rating, with its 95 % margin.")
    ] = True,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV output.")] = False,
) -> None:
    """Show the standings: rank, games, victory points, average; and how sure the order is."""
    with look_at_contest(season, store) as contest:
        with contest.store.reading() as session:
            stage = _last_begun(session, contest.season) if phase is None else read_stage(phase, contest.season)
            if stage is Stage.FINAL:
                raise SettingsError(
                    "Das Finale hat keine Tabelle: Sieh dir 'spielleiter contest bracket' an.",
                    "the final has no standings: see 'spielleiter contest bracket'",
                )
            groups = groups_of(session, stage)
            if group is not None and group not in groups:
                known = ", ".join(groups)
                raise SettingsError(
                    f"{contest.season.stage_name(stage).de}: Eine Gruppe {group!r} gibt es nicht, nur {known}.",
                    f"{stage} has no group {group!r}: it has {known}",
                )
            found = [
                (
                    name,
                    group_standings(session, contest.season, stage, name),
                    rating(session, (stage,), name) if with_rating else None,
                )
                for name in ([group] if group is not None else groups)
            ]
            drawn = {name: lots(session, stage, name) for name, _, _ in found}
        if as_json or as_csv:
            rows = [_row_json(stage, name, row, rated) for name, shown, rated in found for row in shown.rows]
            if as_json:
                console.print_json(json.dumps(rows))
            else:
                writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [])
                writer.writeheader()
                writer.writerows(rows)
            return
        for name, shown, rated in found:
            title = contest.season.stage_name(stage).to(language())
            title += f" · {word('Gruppe', 'group')} {name}" if name else ""
            console.print(RichText(title, "bold"))
            console.print(draw_standings(contest.season, stage, shown, rated))
            for lot in drawn[name]:
                say(lot.text, "dim")


def _last_begun(session: Session, season: Season) -> Stage:
    """The last phase with standings of which a game was played; before the first game, the first with standings."""
    begun = set(session.scalars(select(EncounterRow.stage).where(EncounterRow.games > 0).distinct()))
    stages = [phase.stage for phase in season.phases if phase.has_standings]
    return next((stage for stage in reversed(stages) if stage in begun), stages[0])


def draw_standings(season: Season, stage: Stage, shown: Standings, rated: Ratings | None) -> Table:
    """The standings for a terminal; a line marks who goes on."""
    phase = season.phase(stage)
    assert phase is not None
    by_encounters = Criterion.ENCOUNTER_POINTS in season.order.value
    columns = ["encounters", "won", "drawn", "lost", "victory_points"]
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    drawn.add_column("", justify="right")
    drawn.add_column(HEADINGS["team"].to(language()), overflow="fold")
    short = {
        "encounters": word("Beg.", "Enc."),
        "won": "+",
        "drawn": "=",
        "lost": "−",
        "victory_points": word("SP", "VP"),
    }
    if by_encounters:
        drawn.add_column(word("BP", "EP"), justify="right")
    for name in columns:
        drawn.add_column(short[name], justify="right")
    secondary = season.load_game().scores[1:2]
    for part in secondary:
        drawn.add_column("⌀ " + part.text.to(language()), justify="right")
    if rated is not None:
        drawn.add_column("Elo", justify="right", no_wrap=True)
    last = season.cuts(phase)[-1:] or (0,)
    for place, row in enumerate(shown.rows, 1):
        cells = [f"{row.rank}." + ("=" if row.shared else ""), row.team]
        totals = row.totals
        cells += [str(totals.encounter_points)] if by_encounters else []
        cells += [str(getattr(totals, name)) for name in columns]
        cells += ["–" if totals.average is None else number(totals.average, 2).to(language()) for _ in secondary]
        cells += [] if rated is None else [_elo(rated, row.team)]
        drawn.add_row(*map(RichText, cells), end_section=place == last[0])
    return drawn


def _elo(rated: Ratings, team: str) -> str:
    for one in rated.ratings:
        if one.player == team:
            return f"{one.elo:+.0f} ± {one.margin:.0f}"
    return "–"


def _row_json(stage: Stage, group: str, row: StandingsRow, rated: Ratings | None) -> dict[str, Any]:
    totals = row.totals
    line: dict[str, Any] = {
        "phase": stage.value,
        "group": group,
        "rank": row.rank,
        "shared": row.shared,
        "team": row.team,
        "encounters": totals.encounters,
        "won": totals.won,
        "drawn": totals.drawn,
        "lost": totals.lost,
        "victory_points": totals.victory_points,
        "encounter_points": totals.encounter_points,
        "secondary": totals.secondary,
        "average": None if totals.average is None else round(float(totals.average), 6),
    }
    if rated is not None:
        mine = next((one for one in rated.ratings if one.player == row.team), None)
        line["elo"] = None if mine is None else round(mine.elo, 1)
        line["elo_margin"] = None if mine is None else round(mine.margin, 1)
    return line
