"""``spielleiter contest status | schedule | bracket | encounter``: how far a season is, and who meets whom."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Annotated, Any

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
from spielleiter.cli.contest.view import advice, print_encounter, print_podium
from spielleiter.cli.terminal import JsonOption, console, language, say, t, word
from spielleiter.contest.read.reader import read_snapshot, reading
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import encounter_key
from spielleiter.contest.season.snapshot import Encounter, SeasonGame, SeasonSnapshot
from spielleiter.game import Text


def status(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    with open_readonly(season, store) as contest:
        snapshot = read_snapshot(contest)
    phases = [snapshot.progress(phase.stage) for phase in snapshot.season.phases]
    pending = [(game.name(snapshot.by_id[game.encounter]), game) for game in snapshot.pending]
    if as_json:
        data = {
            "name": snapshot.season.name,
            "game": snapshot.season.game,
            "state": snapshot.state.blocker.value,
            "text": snapshot.text.to(language()),
            "teams": len(snapshot.teams),
            "friendly_games": snapshot.progress(Stage.FRIENDLY).games,
            "podium": snapshot.knockout.places,
            "pending": [name for name, _ in pending],
            "phases": [
                {
                    "phase": phase.stage.value,
                    "drawn": phase.is_drawn,
                    "matchdays": phase.matchdays,
                    "encounters": phase.encounters,
                    "games": phase.games,
                }
                for phase in phases
            ],
        }
        console.print_json(json.dumps(data))
        return
    console.print(RichText(f"{snapshot.season.name} ({snapshot.season.game}, {len(snapshot.teams)} Teams)", "bold"))
    say(snapshot.text)
    if (hint := advice(snapshot.state)) is not None:
        say(hint, "dim")
    if pending:
        say(Text("Die Spielleitung muss entscheiden:", "The organisers have to decide:"), "bold red")
    for name, game in pending:
        first, second = (team.name for team in snapshot.by_id[game.encounter].teams)
        score = f"{game.points[0]}:{game.points[1]}"
        console.print(RichText(f"  {name}  {first} {score} {second}  {game.reason.to(language())}"), soft_wrap=True)
    shown = Table(box=box.SIMPLE, pad_edge=False)
    shown.add_column(word("Phase", "Phase"))
    for heading in (word("Spieltage", "Matchdays"), word("Begegnungen", "Encounters"), word("Spiele", "Games")):
        shown.add_column(heading, justify="right")
    for phase in phases:
        done = [f"{done}/{total}" if phase.is_drawn else "–" for done, total in (phase.matchdays, phase.encounters)]
        shown.add_row(snapshot.season.stage_name(phase.stage).to(language()), *done, str(phase.games))
    console.print(shown)
    print_podium(snapshot.knockout.places)


def schedule(
    phase: Annotated[str | None, typer.Argument(help=t("Nur diese Phase.", "Only this phase."))] = None,
    team: Annotated[str | None, typer.Option(help=t(
        "Nur die Begegnungen dieses Teams.", "Only the encounters of this team."))] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    with open_readonly(season, store) as contest:
        snapshot = read_snapshot(contest)
    wanted = snapshot.encounters if team is None else snapshot.by_team[snapshot.find_team(team).id]
    stage = None if phase is None else read_stage(phase, snapshot.season)
    encounters = [one for one in wanted if one.day is not None and stage in (None, one.stage)]
    if as_json:
        console.print_json(json.dumps([_encounter_json(snapshot, one) for one in encounters]))
        return
    for day_id, of_day in groupby(encounters, key=lambda one: one.day):
        day = snapshot.day(day_id)
        assert day is not None
        date = "" if day.date is None else f" · {day.date.astimezone():%Y-%m-%d %H:%M}"
        console.print(RichText(snapshot.season.day_title(day.stage, day.number).to(language()) + date, "bold"))
        shown = Table(box=None, show_header=False, padding=(0, 2))
        for one in of_day:
            shown.add_row(RichText(one.key, "dim"), *_meeting(one))
        console.print(shown)


def _meeting(one: Encounter) -> tuple[RichText, RichText, RichText]:
    """First team, result, second team; the winner in bold."""
    result = f"{one.won[0]}:{one.won[1]}" if one.games else "–"
    if one.games and not one.is_over:
        result += " …"
    if one.lot_seed is not None:
        result += word(" (Los)", " (lot)")
    first, second = (RichText(team.name, "bold" if one.winner == side else "") for side, team in enumerate(one.teams))
    return first, RichText(result), second


def _encounter_json(snapshot: SeasonSnapshot, one: Encounter) -> dict[str, Any]:
    day = snapshot.day(one.day)
    return {
        "encounter": one.key,
        "phase": one.stage,
        "matchday": None if day is None else day.number,
        "date": None if day is None or day.date is None else day.date.isoformat(),
        "group": one.group,
        "teams": [team.name for team in one.teams],
        "won": one.won,
        "drawn": one.drawn,
        "secondary": one.secondary,
        "finished": one.is_over,
        "winner": None if one.winner is None else one.teams[one.winner].name,
        "lot_seed": one.lot_seed,
    }


def bracket(season: SeasonOption = SEASON, store: StoreOption = None, as_json: JsonOption = False) -> None:
    with open_readonly(season, store) as contest:
        snapshot = read_snapshot(contest)
    knockout = snapshot.knockout
    if as_json:
        rows = [
            {"round": slot.round.name, "teams": slot.teams, "winner": knockout.winners.get((slot.day, slot.place))}
            for slot in knockout.slots
        ]
        console.print_json(json.dumps({"encounters": rows, "places": knockout.places}))
        return
    if not knockout.slots:
        say(Text("Das Finale ist noch nicht ausgelost.", "The final is not drawn yet."))
        return
    shown = Table(box=None, show_header=False, padding=(0, 2))
    for round_, slots in groupby(knockout.slots, key=lambda slot: slot.round):
        shown.add_row(RichText(round_.text.to(language()), "bold"))
        for slot in slots:
            key = encounter_key(Stage.FINAL, "", slot.day, slot.place)
            one, (first, second) = snapshot.by_key.get(key), slot.teams
            cells = (RichText(first), RichText("–"), RichText(second)) if one is None else _meeting(one)
            shown.add_row(RichText(f"  {key}", "dim"), *cells)
    console.print(shown)
    print_podium(knockout.places)


def encounter(
    key: Annotated[str, typer.Argument(help=t(
        "Kürzel der Begegnung, wie im Spielplan: M3-A2.", "Key of the encounter, as in the schedule: M3-A2."))],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    with open_readonly(season, store) as contest, reading(contest) as reader:
        snapshot = reader.snapshot()
        one = snapshot.find_encounter(key)
        games = [game for game in reader.games((one.id,)) if not game.annulled]
        hosts = reader.hosts(one.id)
    if not as_json:
        print_encounter(snapshot, one, games)
        return
    rows = [_game_json(one, game) | {"host": hosts[game.id]} for game in games]
    console.print_json(json.dumps(_encounter_json(snapshot, one) | {"games": rows}))


def _game_json(one: Encounter, game: SeasonGame) -> dict[str, Any]:
    return {
        "game": game.number,
        "first_move": one.teams[game.one].name,
        "points": game.points,
        "secondary": game.secondary,
        "faults": game.faults,
        "decision": game.decision,
        "reason": game.reason.to(language()),
        "plies": game.plies,
        "started": game.started.isoformat(),
    }
