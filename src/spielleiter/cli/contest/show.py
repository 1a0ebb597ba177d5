"""``spielleiter contest status | schedule | table | bracket | encounter | programs | audit``: look at a season."""

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

from spielleiter.cli.contest.run import (
    SEASON,
    JsonOption,
    SeasonOption,
    StoreOption,
    contest_app,
    open_contest,
    read_stage,
    say,
)
from spielleiter.cli.contest.view import advice, game_line, print_status_line
from spielleiter.cli.terminal import console, language
from spielleiter.contest.run.programs import active_program, find_team
from spielleiter.contest.run.progress import bracket as known_bracket
from spielleiter.contest.run.results import counted_games
from spielleiter.contest.run.rulings import find_encounter
from spielleiter.contest.run.standings import group_standings, groups_of, lots, rating
from spielleiter.contest.run.status import status as season_status
from spielleiter.contest.season.bracket import final_places
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import encounter_key
from spielleiter.contest.store import AuditRow, EncounterRow, MatchdayRow, ProgramRow
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.formatting import number
from spielleiter.rating.standings import HEADINGS, Criterion, Standings, StandingsRow


def word(de: str, en: str) -> str:
    """The word in the language of the person at the terminal."""
    return Text(de, en).to(language())


@contest_app.command()
def status(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Say how far the season is and what it waits for."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        found = season_status(session, contest.season)
    if as_json:
        told = {
            "name": found.name,
            "game": found.game,
            "state": found.state.blocker.value,
            "text": found.state.text.to(language()),
            "teams": found.teams,
            "friendly_games": found.friendly_games,
            "podium": found.podium,
            "phases": [
                {
                    "phase": phase.stage.value,
                    "drawn": phase.drawn,
                    "matchdays": [phase.finished_matchdays, phase.matchdays],
                    "encounters": [phase.finished_encounters, phase.encounters],
                    "games": phase.games,
                }
                for phase in found.phases
            ],
        }
        console.print_json(json.dumps(told))
        return
    console.print(RichText(f"{found.name} ({found.game}, {found.teams} Teams)", "bold"))
    say(found.state.text)
    if (hint := advice(found.state)) is not None:
        say(hint, "dim")
    shown = Table(box=box.SIMPLE, pad_edge=False)
    shown.add_column(word("Phase", "Phase"))
    for heading in (word("Spieltage", "Matchdays"), word("Begegnungen", "Encounters"), word("Spiele", "Games")):
        shown.add_column(heading, justify="right")
    for phase in found.phases:
        days = f"{phase.finished_matchdays}/{phase.matchdays}" if phase.drawn else "–"
        meetings = f"{phase.finished_encounters}/{phase.encounters}" if phase.drawn else "–"
        shown.add_row(phase.stage.text.to(language()), days, meetings, str(phase.games))
    console.print(shown)
    print_status_line(found.podium)


@contest_app.command()
def schedule(
    phase: Annotated[str | None, typer.Argument(help="Only this phase.")] = None,
    team: Annotated[str | None, typer.Option(help="Only the encounters of this team.")] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List all encounters that are known, day by day, with their results."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        wanted = (
            select(EncounterRow)
            .join(MatchdayRow, MatchdayRow.id == EncounterRow.matchday_id)
            .order_by(EncounterRow.matchday_id, EncounterRow.id)
        )
        if phase is not None:
            wanted = wanted.where(EncounterRow.stage == read_stage(phase, contest.season))
        if team is not None:
            entry = find_team(session, team)
            wanted = wanted.where((EncounterRow.first_id == entry.id) | (EncounterRow.second_id == entry.id))
        encounters = list(session.scalars(wanted))
    stages = [one.stage for one in contest.season.phases]
    encounters.sort(
        key=lambda one: (stages.index(Stage(one.stage)), one.matchday.number if one.matchday else 0, one.id)
    )
    if as_json:
        console.print_json(json.dumps([_encounter_json(one) for one in encounters]))
        return
    day_before: int | None = None
    shown: Table | None = None
    for one in encounters:
        day = one.matchday
        assert day is not None
        if day.id != day_before:
            if shown is not None:
                console.print(shown)
            date = "" if day.date is None else f" · {day.date.astimezone():%Y-%m-%d %H:%M}"
            title = f"{Stage(one.stage).text.to(language())}, {word('Spieltag', 'matchday')} {day.number}{date}"
            console.print(RichText(title, "bold"))
            shown = Table(box=None, show_header=False, padding=(0, 2))
            day_before = day.id
        assert shown is not None
        shown.add_row(RichText(one.key, "dim"), *_meeting(one))
    if shown is not None:
        console.print(shown)


def _meeting(one: EncounterRow) -> tuple[RichText, RichText, RichText]:
    """First team, result, second team; the winner in bold."""
    result = f"{one.won_first}:{one.won_second}" if one.games else "–"
    if one.games and one.finished is None:
        result += " …"
    if one.lot_seed is not None:
        result += word(" (Los)", " (lot)")
    first = RichText(one.first.name, "bold" if one.winner_id == one.first_id else "")
    second = RichText(one.second.name, "bold" if one.winner_id == one.second_id else "")
    return first, RichText(result), second


def _encounter_json(one: EncounterRow) -> dict[str, Any]:
    return {
        "encounter": one.key,
        "phase": one.stage,
        "matchday": None if one.matchday is None else one.matchday.number,
        "date": None if one.matchday is None or one.matchday.date is None else one.matchday.date.isoformat(),
        "group": one.group,
        "teams": [one.first.name, one.second.name],
        "won": [one.won_first, one.won_second],
        "drawn": one.drawn,
        "secondary": [one.secondary_first, one.secondary_second],
        "finished": one.finished is not None,
        "winner": None
        if one.winner_id is None
        else one.first.name
        if one.winner_id == one.first_id
        else one.second.name,
        "lot_seed": one.lot_seed,
    }


# --- tables -----------------------------------------------------------------------------------------------------------


@contest_app.command()
def table(
    phase: Annotated[
        str | None, typer.Option(help="The phase; default: the last one that has begun.", show_default=False)
    ] = None,
    group: Annotated[str | None, typer.Option(help="Only this group.")] = None,
    with_rating: Annotated[
        bool, typer.Option("--rating/--no-rating", help="Beside it the rating, with ± 95 %.")
    ] = True,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="For spreadsheets.")] = False,
) -> None:
    """Show the tables: rank, games, victory points, average; and how sure the order is."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        stage = _last_begun(session, contest.season) if phase is None else read_stage(phase, contest.season)
        if stage is Stage.FINAL:
            raise SettingsError("the final has no table: see 'spielleiter contest bracket'")
        groups = groups_of(session, stage)
        if group is not None and group not in groups:
            raise SettingsError(f"{stage} has no group {group!r}: it has {', '.join(groups)}")
        tables = [
            (
                name,
                group_standings(session, contest.season, stage, name),
                rating(session, (stage,), name) if with_rating else None,
            )
            for name in ([group] if group is not None else groups)
        ]
        drawn = {name: lots(session, stage, name) for name, _, _ in tables}
    if as_json or as_csv:
        rows = [_row_json(stage, name, row, rated) for name, shown, rated in tables for row in shown.rows]
        if as_json:
            console.print_json(json.dumps(rows))
        else:
            writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [])
            writer.writeheader()
            writer.writerows(rows)
        return
    for name, shown, rated in tables:
        title = stage.text.to(language()) + (f" · {word('Gruppe', 'group')} {name}" if name else "")
        console.print(RichText(title, "bold"))
        console.print(draw_table(contest.season, stage, shown, rated))
        for lot in drawn[name]:
            say(lot.text, "dim")


def _last_begun(session: Session, season: Season) -> Stage:
    """The last phase with a table of which a game was played; before the first game, the first with a table."""
    begun = set(session.scalars(select(EncounterRow.stage).where(EncounterRow.games > 0).distinct()))
    stages = [phase.stage for phase in season.phases if phase.has_standings]
    return next((stage for stage in reversed(stages) if stage in begun), stages[0])


def draw_table(season: Season, stage: Stage, shown: Standings, rated: Ratings | None) -> Table:
    """The table for a terminal; a line marks who goes on."""
    phase = season.phase(stage)
    assert phase is not None
    by_encounters = Criterion.ENCOUNTER_POINTS in season.order.value
    figures = ["encounters", "won", "drawn", "lost", "victory_points"]
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    drawn.add_column(word("", ""), justify="right")
    drawn.add_column(HEADINGS["team"].to(language()))
    short = {
        "encounters": word("Beg.", "Enc."),
        "won": "+",
        "drawn": "=",
        "lost": "−",
        "victory_points": word("SP", "VP"),
    }
    if by_encounters:
        drawn.add_column(word("BP", "EP"), justify="right")
    for name in figures:
        drawn.add_column(short[name], justify="right")
    secondary = season.load_game().scores[1:2]
    for part in secondary:
        drawn.add_column("⌀ " + part.text.to(language()), justify="right")
    if rated is not None:
        drawn.add_column("Elo", justify="right")
    last = season.cuts(phase)[-1:] or (0,)
    for place, row in enumerate(shown.rows, 1):
        cells = [f"{row.rank}." + ("=" if row.shared else ""), row.team]
        totals = row.totals
        cells += [str(totals.encounter_points)] if by_encounters else []
        cells += [str(getattr(totals, name)) for name in figures]
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
    told: dict[str, Any] = {
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
        told["elo"] = None if mine is None else round(mine.elo, 1)
        told["elo_margin"] = None if mine is None else round(mine.margin, 1)
    return told


# --- single things ----------------------------------------------------------------------------------------------------


@contest_app.command()
def bracket(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the knock-out: quarter-finals, semi-finals, third place, final."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        known, winners = known_bracket(session, contest.season)
        encounters = {
            one.key: one for one in session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.FINAL))
        }
    if as_json:
        told = [
            {"round": slot.round.name, "teams": slot.teams, "winner": winners.get((slot.day, slot.place))}
            for slot in known
        ]
        console.print_json(json.dumps({"encounters": told, "places": final_places(known, winners)}))
        return
    if not known:
        say(Text("Das Finale ist noch nicht ausgelost.", "The final is not drawn yet."))
        return
    shown = Table(box=None, show_header=False, padding=(0, 2))
    round_before = None
    for slot in known:
        if slot.round is not round_before:
            shown.add_row(RichText(slot.round.text.to(language()), "bold"))
            round_before = slot.round
        one = encounters.get(encounter_key(Stage.FINAL, "", slot.day, slot.place))
        cells = _meeting(one) if one is not None else (RichText(slot.teams[0]), RichText("–"), RichText(slot.teams[1]))
        shown.add_row(RichText(f"  {encounter_key(Stage.FINAL, '', slot.day, slot.place)}", "dim"), *cells)
    console.print(shown)
    print_status_line(final_places(known, winners))


@contest_app.command()
def encounter(
    key: Annotated[str, typer.Argument(help="As in the schedule: M3-A2.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show an encounter: its games with results, reasons and secondary figures."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        one = find_encounter(session, key)
        games = counted_games(session, one)
        first, second, programs = one.first, one.second, (one.first_program, one.second_program)
    if as_json:
        told = _encounter_json(one)
        told["games"] = [
            {
                "game": game.number,
                "first_move": (first if game.number % 2 else second).name,
                "points": [game.points_first, game.points_second],
                "secondary": [game.secondary_first, game.secondary_second],
                "faults": [game.fault_first, game.fault_second],
                "decision": game.decision,
                "reason": game.reason_de if language() == "de" else game.reason_en,
                "plies": game.plies,
                "started": game.started.isoformat(),
                "host": game.host,
            }
            for game in games
        ]
        console.print_json(json.dumps(told))
        return
    title = f"{one.key}: {first.name} {one.won_first}:{one.won_second} {second.name}"
    console.print(RichText(title, "bold"))
    for team, program in zip((first, second), programs, strict=True):
        used = word("kein Programm", "no program") if program is None else f"{program.number} ({program.name})"
        console.print(RichText(f"{team.name}: {word('Programm', 'program')} {used}", "dim"))
    for game in games:
        line = game_line(one, game)
        line.append(f"  {game.secondary_first}:{game.secondary_second}")
        console.print(line, soft_wrap=True)
    if one.lot_seed is not None:
        say(Text(f"Entschieden durch das Los mit der Saat {one.lot_seed}.", f"Decided by lot, seed {one.lot_seed}."))


@contest_app.command()
def programs(
    team: Annotated[str, typer.Argument(help="The team.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the programs of a team, with what their checks have found."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        entry = find_team(session, team)
        active = active_program(session, entry)
        kept = session.scalars(
            select(ProgramRow).where(ProgramRow.team_id == entry.id).order_by(ProgramRow.number)
        ).all()
    if as_json:
        console.print_json(
            json.dumps(
                [
                    {
                        "program": one.number,
                        "name": one.name,
                        "digest": one.digest,
                        "submitted": one.submitted.isoformat(),
                        "who": one.who,
                        "passed": one.passed,
                        "active": active is not None and active.id == one.id,
                        "report": one.report,
                    }
                    for one in kept
                ]
            )
        )
        return
    for one in kept:
        print_program(one, active=active is not None and active.id == one.id)


def print_program(program: ProgramRow, *, active: bool) -> None:
    """A program with the ticks and crosses of its check."""
    mark = "✓" if program.passed else "✗"
    line = RichText(f"{mark} {program.number} {program.name}", "green" if program.passed else "red")
    line.append(f"  {program.submitted.astimezone():%Y-%m-%d %H:%M} {program.who} {program.digest[:12]}", "dim")
    if active:
        line.append(word("  aktiv", "  active"), "bold")
    console.print(line, soft_wrap=True)
    for finding in program.report.get("findings", ()):
        sign = "✓" if finding["good"] else "✗" if finding["known"] else "–"
        detail = finding["detail"][language()]
        console.print(
            RichText(f"    {sign} {finding['title'][language()]}{': ' if detail else ''}{detail}"), soft_wrap=True
        )
        if finding["fix"] is not None:
            console.print(RichText(f"      → {finding['fix'][language()]}"), soft_wrap=True)
    if not program.passed:
        for game in program.report.get("games", ()):
            tail = game["log"].strip().splitlines()[-5:]
            for text in (f"{game['side']}: {game['reason'][language()]}", *tail):
                console.print(RichText(f"      {text}", "dim"), soft_wrap=True)


@contest_app.command()
def audit(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """List what people decided: who, when, what and why."""
    with open_contest(season, store) as contest, contest.store.reading() as session:
        entries = session.scalars(select(AuditRow).order_by(AuditRow.id)).all()
    if as_json:
        keys = ("who", "action", "subject", "reason")
        told = [{"at": one.at.isoformat()} | {key: getattr(one, key) for key in keys} for one in entries]
        console.print_json(json.dumps(told))
        return
    for one in entries:
        told_line = f"{one.at.astimezone():%Y-%m-%d %H:%M} {one.who}: {one.action} {one.subject}"
        console.print(RichText(told_line + (f" – {one.reason}" if one.reason else "")), soft_wrap=True)
