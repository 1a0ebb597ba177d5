"""``spielleiter contest submit | activate | programs | friendly``: the programs of the teams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status
from rich.text import Text as RichText

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    TeamArgument,
    open_contest,
    open_executor,
    open_readonly,
)
from spielleiter.cli.contest.view import print_encounter
from spielleiter.cli.programs import print_failure, write_logs
from spielleiter.cli.terminal import JsonOption, complete_player, console, errors, language, say, t, word
from spielleiter.contest.read.reader import reading
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest, os_user
from spielleiter.contest.run.programs import activate as make_active
from spielleiter.contest.run.programs import arrange_friendly
from spielleiter.contest.run.programs import submit as take_in
from spielleiter.contest.season.snapshot import CheckedProgram
from spielleiter.game import Text
from spielleiter.matches.series import play_series
from spielleiter.programs.entrants import EntrantKind, find_source


def submit(
    team: TeamArgument,
    player: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "ZIP mit start.sh, JAR, Python-Datei, Ordner oder eingebauter Spieler.",
        "ZIP with start.sh, JAR, Python file, folder, or built-in player."))],
    activate_it: Annotated[bool, typer.Option("--activate", help=t(
        "Es aktivieren, wenn es die Prüfung besteht.", "Activate it if it passes its check."))] = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        program = asyncio.run(_submit(contest, team, player))
        games = () if program.passed else program.report["games"]
        logs = write_logs({game["side"].lower(): game["log"].encode() for game in games})
        print_program(program, active=False, logs=logs)
        if not program.passed:
            raise typer.Exit(1)
        if activate_it:
            say(make_active(contest, team, program.number, who=os_user()).text)
        else:
            say(
                Text(
                    f'Aktivieren: spielleiter contest activate "{team}" {program.number}',
                    f'Activate it: spielleiter contest activate "{team}" {program.number}',
                ),
                "dim",
            )


async def _submit(contest: Contest, team: str, player: str) -> CheckedProgram:
    with Status("", console=errors) as status:
        untrusted = find_source(player, contest.folder).kind is not EntrantKind.BUILT_IN
        async with await open_executor(contest, 1, untrusted=untrusted) as executor:
            return await take_in(
                contest,
                team,
                player,
                who=os_user(),
                executor=executor,
                progress=lambda text: status.update(text.to(language()) + " …"),
            )


def activate(
    team: TeamArgument,
    number: Annotated[int | None, typer.Argument(help=t(
        "Nummer des Programms; Standard: das neueste, das bestanden hat.",
        "Program number; default: the newest that passed."))] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        say(make_active(contest, team, number, who=os_user()).text)


def programs(
    team: TeamArgument,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    with open_readonly(season, store) as contest:
        with reading(contest) as reader:
            snapshot = reader.snapshot()
            id_ = snapshot.find_team(team).id
            found, active = reader.checked_programs(id_), snapshot.active.get(id_)
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
                            "active": one.number == active,
                            "report": one.report,
                        }
                        for one in found
                    ]
                )
            )
            return
        for one in found:
            print_program(one, active=one.number == active)


def print_program(program: CheckedProgram, *, active: bool, logs: Mapping[str, Path] | None = None) -> None:
    """A program with the marks of its check; under each cross and note why, with the log of that game if written."""
    mark, style = ("✓", "green") if program.passed else ("✗", "red") if program.was_judged else ("–", "dim")
    line = RichText(f"{mark} {program.number} {program.name}", style)
    line.append(f"  {program.submitted.astimezone():%Y-%m-%d %H:%M} {program.who} {program.digest[:12]}", "dim")
    if active:
        line.append(word("  aktiv", "  active"), "bold")
    console.print(line, soft_wrap=True)
    for finding in program.report.get("findings", ()):
        sign = "✓" if finding["good"] else "~" if finding.get("note") else "✗" if finding["known"] else "–"
        detail = finding["detail"][language()]
        console.print(
            RichText(f"    {sign} {finding['title'][language()]}{': ' if detail else ''}{detail}"), soft_wrap=True
        )
        if finding["fix"] is not None:
            print_failure(Text(**finding["failure"]), (logs or {}).get(finding["trial"]), "      ")
            console.print(RichText(f"      → {finding['fix'][language()]}"), soft_wrap=True)


def friendly(
    first: TeamArgument,
    second: Annotated[str, typer.Argument(help=t("Name des anderen Teams.", "Name of the other team."))],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with open_contest(season, store) as contest:
        id_, _ = arrange_friendly(contest, first, second)
        asyncio.run(_play_friendly(contest, id_))
        with reading(contest) as reader:
            snapshot, games = reader.snapshot(), reader.games((id_,))
        print_encounter(snapshot, snapshot.by_id[id_], [game for game in games if not game.annulled])


async def _play_friendly(contest: Contest, id_: int) -> None:
    async with await open_executor(contest) as executor:
        with Conductor(contest, only=id_) as conductor:
            await play_series(conductor, executor)
