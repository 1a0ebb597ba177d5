"""``spielleiter contest submit | activate | friendly | annul | ...``: what people do to a season, and its proof."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status

from spielleiter.cli.contest.run import (
    SEASON,
    SeasonOption,
    StoreOption,
    contest_app,
    open_contest,
    open_executor,
    read_stage,
    say,
)
from spielleiter.cli.contest.show import encounter as show_encounter
from spielleiter.cli.contest.show import print_program
from spielleiter.cli.terminal import console, errors, language
from spielleiter.contest.run import rulings
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest, os_user
from spielleiter.contest.run.programs import activate as make_active
from spielleiter.contest.run.programs import arrange_friendly
from spielleiter.contest.run.programs import submit as take_in
from spielleiter.contest.run.proof import prove
from spielleiter.contest.store import EncounterRow, ProgramRow
from spielleiter.game import Text
from spielleiter.matches.series import play_series
from spielleiter.pages.export import export as write_export

TeamArgument = Annotated[str, typer.Argument(help="The name of the team.")]
ReasonOption = Annotated[str, typer.Option(help="Why; everybody can read it.")]


@contest_app.command()
def submit(
    team: TeamArgument,
    player: Annotated[str, typer.Argument(help="A ZIP with start.sh, a Python file or folder, or a built-in player.")],
    activate_it: Annotated[bool, typer.Option("--activate", help="Activate it if it passes its check.")] = False,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Take in a team's new program: two games against random in the sandbox. Exit code 1 if it fails."""
    with open_contest(season, store) as contest:
        program = asyncio.run(_submit(contest, team, player))
        print_program(program, active=False)
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


async def _submit(contest: Contest, team: str, player: str) -> ProgramRow:
    with Status("", console=errors) as status:
        async with await open_executor(contest.season, 1) as executor:
            return await take_in(
                contest,
                team,
                player,
                who=os_user(),
                executor=executor,
                progress=lambda text: status.update(text.to(language()) + " …"),
            )


@contest_app.command()
def activate(
    team: TeamArgument,
    number: Annotated[int | None, typer.Argument(help="The program; default: the newest that passed.")] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Let a team play with one of its programs from the next matchday on."""
    with open_contest(season, store) as contest:
        say(make_active(contest, team, number, who=os_user()).text)


@contest_app.command()
def friendly(
    first: TeamArgument,
    second: Annotated[str, typer.Argument(help="The other team.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Play a friendly encounter with the active programs; it never counts."""
    with open_contest(season, store) as contest:
        id_ = arrange_friendly(contest, first, second)
        asyncio.run(_play_only(contest, id_))
        with contest.store.reading() as session:
            key = session.get_one(EncounterRow, id_).key
    show_encounter(key, season, store)


async def _play_only(contest: Contest, id_: int) -> None:
    async with await open_executor(contest.season) as executor:
        with Conductor(contest, only=id_) as conductor:
            await play_series(conductor, executor)


@contest_app.command("draw-lot")
def draw_lot(
    phase: Annotated[str, typer.Argument(help="The phase.")],
    group: Annotated[str, typer.Argument(help="The group; the Champions League has none.")] = "",
    seed: Annotated[str, typer.Option(help="The seed, such as tonight's lottery numbers.", prompt=True)] = "",
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Draw the lot that decides a place, where the season file says that a person does it."""
    with open_contest(season, store) as contest:
        stage = read_stage(phase, contest.season)
        say(rulings.draw_by_hand(contest, stage, group, seed, who=os_user()).text)


@contest_app.command()
def annul(
    subject: Annotated[str, typer.Argument(help="A game (M3-A2-4) or an encounter (M3-A2).")],
    reason: ReasonOption,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Annul a game or an encounter; it will be played again."""
    with open_contest(season, store) as contest:
        say(rulings.annul(contest, subject, reason, who=os_user()))


@contest_app.command()
def disqualify(
    team: TeamArgument,
    reason: ReasonOption,
    subject: Annotated[
        str | None, typer.Option("--in", help="Only in this game (M3-A2-4) or encounter (M3-A2).", show_default=False)
    ] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Disqualify a team in a game or an encounter, or in everything that it has not played yet."""
    with open_contest(season, store) as contest:
        say(rulings.disqualify(contest, team, reason, who=os_user(), subject=subject))


@contest_app.command()
def pause(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Ask every 'run' to stop after the games that are being played."""
    with open_contest(season, store) as contest:
        rulings.pause(contest, True, who=os_user())
    say(Text("Angehalten. Weiter mit: spielleiter contest resume", "Paused. Go on with: spielleiter contest resume"))


@contest_app.command()
def resume(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Allow 'run' again after a pause."""
    with open_contest(season, store) as contest:
        rulings.pause(contest, False, who=os_user())
    say(Text("Es kann weitergehen: spielleiter contest run", "It can go on: spielleiter contest run"))


@contest_app.command()
def verify(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Replay every game from its record and work everything out again. Exit code 1 at the first difference."""
    with open_contest(season, store) as contest, Status("", console=errors) as status:
        proof = prove(contest, lambda done, total: status.update(f"{done}/{total}"))
    if proof.difference is not None:
        console.print(proof.difference, style="red", markup=False, soft_wrap=True)
        raise typer.Exit(1)
    say(
        Text(
            f"Saison bewiesen: {proof.games} Spiele nachgespielt, {proof.encounters} Begegnungen und {proof.standings} "
            "Tabellen nachgerechnet.",
            f"Season proved: {proof.games} games replayed, {proof.encounters} encounters and {proof.standings} tables "
            "worked out again.",
        ),
        "green",
    )


@contest_app.command()
def export(
    target: Annotated[Path, typer.Argument(help="A new folder, or a new ZIP if the name ends in .zip.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Write pages that open without a server, all records, and the tables as CSV and JSON; nothing private."""
    with open_contest(season, store) as contest, Status("", console=errors) as status:
        write_export(contest, target, on_progress=lambda done, total: status.update(f"{done}/{total}"))
    page = target if target.suffix.lower() == ".zip" else target / "site" / "index.html"
    say(Text(f"Geschrieben: {page}", f"Written: {page}"))


@contest_app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="A new file.")], season: SeasonOption = SEASON, store: StoreOption = None
) -> None:
    """Copy the whole store into a file, also while the season is played; use it with --store FILE."""
    with open_contest(season, store) as contest:
        contest.store.backup(file)
    size = file.stat().st_size / 1e6
    say(Text(f"{file}: {size:.1f} MB gesichert.", f"{file}: {size:.1f} MB saved."))
