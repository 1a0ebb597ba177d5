"""``spielleiter contest status | schedule | bracket | encounter``: how far a season is, and who meets whom."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text as RichText
from sqlalchemy import select

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    look_at_contest,
    read_stage,
)
from spielleiter.cli.contest.view import advice, print_encounter, print_podium
from spielleiter.cli.terminal import JsonOption, console, language, say, word
from spielleiter.contest.run.programs import find_team
from spielleiter.contest.run.progress import bracket as known_bracket
from spielleiter.contest.run.results import counted_games
from spielleiter.contest.run.rulings import find_encounter
from spielleiter.contest.run.status import status as season_status
from spielleiter.contest.season.bracket import final_places
from spielleiter.contest.season.encounter import first_is_one
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import encounter_key
from spielleiter.contest.store import EncounterRow, GameRow, MatchdayRow
from spielleiter.game import Text


def status(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Say how far the season is and what it waits for."""
    with look_at_contest(season, store) as contest:
        with contest.store.reading() as session:
            found = season_status(session, contest.season)
        if as_json:
            data = {
                "name": found.name,
                "game": found.game,
                "state": found.state.blocker.value,
                "text": found.text.to(language()),
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
            console.print_json(json.dumps(data))
            return
        console.print(RichText(f"{found.name} ({found.game}, {found.teams} Teams)", "bold"))
        say(found.text)
        if (hint := advice(found.state)) is not None:
            say(hint, "dim")
        shown = Table(box=box.SIMPLE, pad_edge=False)
        shown.add_column(word("Phase", "Phase"))
        for heading in (word("Spieltage", "Matchdays"), word("Begegnungen", "Encounters"), word("Spiele", "Games")):
            shown.add_column(heading, justify="right")
        for phase in found.phases:
            days = f"{phase.finished_matchdays}/{phase.matchdays}" if phase.drawn else "–"
            meetings = f"{phase.finished_encounters}/{phase.encounters}" if phase.drawn else "–"
            shown.add_row(phase.name.to(language()), days, meetings, str(phase.games))
        console.print(shown)
        print_podium(found.podium)


def schedule(
    phase: Annotated[str | None, typer.Argument(help="Only this phase.")] = None,
    team: Annotated[str | None, typer.Option(help="Only the encounters of this team.")] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List all encounters that are known, day by day, with their results."""
    with look_at_contest(season, store) as contest:
        with contest.store.reading() as session:
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
                title = contest.season.day_title(Stage(one.stage), day.number).to(language()) + date
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


def bracket(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show the knock-out: quarter-finals, semi-finals, third place, final."""
    with look_at_contest(season, store) as contest:
        with contest.store.reading() as session:
            known, winners = known_bracket(session, contest.season)
            encounters = {
                one.key: one for one in session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.FINAL))
            }
        if as_json:
            rows = [
                {"round": slot.round.name, "teams": slot.teams, "winner": winners.get((slot.day, slot.place))}
                for slot in known
            ]
            console.print_json(json.dumps({"encounters": rows, "places": final_places(known, winners)}))
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
            cells = (
                _meeting(one) if one is not None else (RichText(slot.teams[0]), RichText("–"), RichText(slot.teams[1]))
            )
            shown.add_row(RichText(f"  {encounter_key(Stage.FINAL, '', slot.day, slot.place)}", "dim"), *cells)
        console.print(shown)
        print_podium(final_places(known, winners))


def encounter(
    key: Annotated[str, typer.Argument(help="Key of the encounter, as in the schedule: M3-A2.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show an encounter: its games with results, reasons and secondary scores."""
    with look_at_contest(season, store) as contest, contest.store.reading() as session:
        one = find_encounter(session, key)
        if not as_json:
            print_encounter(session, one)
            return
        games = [_game_json(one, game) for game in counted_games(session, one)]
    console.print_json(json.dumps(_encounter_json(one) | {"games": games}))


def _game_json(one: EncounterRow, game: GameRow) -> dict[str, Any]:
    return {
        "game": game.number,
        "first_move": (one.first if first_is_one(game.number) else one.second).name,
        "points": [game.points_first, game.points_second],
        "secondary": [game.secondary_first, game.secondary_second],
        "faults": [game.fault_first, game.fault_second],
        "decision": game.decision,
        "reason": game.reason_de if language() == "de" else game.reason_en,
        "plies": game.plies,
        "started": game.started.isoformat(),
        "host": game.host,
    }
