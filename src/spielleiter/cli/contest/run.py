"""``spielleiter contest init | run``: found a season, play it, go on after a break; and what commands share."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from spielleiter.cli.contest.view import ContestView, advice
from spielleiter.cli.match.view import QuietView
from spielleiter.cli.terminal import console, errors, language
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import activate, awaited_players, submit
from spielleiter.contest.season.file import example
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.errors import ContestError, ProgramError, SettingsError
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.sandbox import Level, ResourceLimits, choose

contest_app = typer.Typer(
    help="A whole season: teams, matchdays, tables, final; safe against any interruption.", no_args_is_help=True
)

SeasonOption = Annotated[Path, typer.Option("--season", help="The season file.", show_default=True)]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="The store: a file, or postgresql://...; default: beside the season file."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="For programs.")]
SEASON = Path("season.toml")


def say(text: Text, style: str = "") -> None:
    """Print a sentence in the language of the person at the terminal."""
    console.print(text.to(language()), style=style, markup=False, soft_wrap=True)


def open_contest(season: Path, store: str | None) -> Contest:
    """The season that a command is about; a store alone is enough where there is no file."""
    if store is not None and not season.exists() and season == SEASON:
        return Contest.open_store(store)
    return Contest.open(season, store)


@contest_app.command()
def init(
    folder: Annotated[Path, typer.Argument(help="Where to put season.toml.", file_okay=False)] = Path(),
) -> None:
    """Write a commented season.toml with built-in players: a small season that can be played at once."""
    path = folder / SEASON
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(example())
    except FileExistsError:
        raise ContestError(f"{path}: is there already; an existing season is never overwritten") from None
    except OSError as problem:
        raise ContestError(f"{path}: cannot be written: {problem.strerror}") from None
    say(
        Text(
            f"{path} ist geschrieben. Die ganze Saison spielen: spielleiter contest run {path}",
            f"{path} is written. Play the whole season: spielleiter contest run {path}",
        )
    )


@contest_app.command()
def run(
    season: Annotated[Path, typer.Argument(help="The season file.")] = SEASON,
    until: Annotated[
        str | None,
        typer.Option(
            help="Stop after a phase (championship) or one of its days (championship:3).", metavar="PHASE[:DAY]"
        ),
    ] = None,
    ahead: Annotated[bool, typer.Option("--ahead", help="Do not wait for the dates of matchdays.")] = False,
    concurrency: Annotated[int | None, typer.Option(help="Games at the same time; default: half the cores.")] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Play on a Dask cluster: tcp://HOST:PORT, or local:4 for four workers here.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Play everything that is due, and go on where it was interrupted. Several may run at once on one store."""
    with open_contest(season, store) as contest:
        goal = None if until is None else read_until(until, contest.season)
        for note in contest.season.notes:
            errors.print(note.to(language()), style="yellow", markup=False, soft_wrap=True)
        view = ContestView(contest)
        try:
            with Conductor(contest, until=goal, ahead=ahead, on_game=view.game, on_state=view.state) as conductor:
                asyncio.run(_run(contest, conductor, view, concurrency, cluster))
        except KeyboardInterrupt:
            say(
                Text(
                    "Unterbrochen; derselbe Befehl spielt weiter.",
                    "Interrupted; the same command goes on.",
                )
            )
            raise typer.Exit(130) from None
        view.summary()
        state = conductor.state
        if state is not None and state.blocker not in (Blocker.GAMES, Blocker.NOTHING):
            say(state.text, "bold")
            if (hint := advice(state)) is not None:
                say(hint)


async def _run(
    contest: Contest, conductor: Conductor, view: ContestView, concurrency: int | None, cluster: str | None
) -> None:
    async with await open_executor(contest.season, concurrency, cluster) as executor:
        for notice in executor.notices:
            errors.print(notice.to(language()), style="yellow", markup=False, soft_wrap=True)
        for team, player in awaited_players(contest):
            await _first_program(contest, team, player, executor)
        with view:
            await play_series(conductor, executor)


async def _first_program(contest: Contest, team: str, player: str, executor: Executor) -> None:
    """Submit and activate the program that the season file names for a team."""
    say(Text(f"{team}: {player} wird geprüft …", f"{team}: checking {player} ..."))
    try:
        program = await submit(contest, team, player, who="season.toml", executor=executor)
        if program.passed:
            activate(contest, team, program.number, who="season.toml")
            return
        problem = f"spielleiter contest programs {team!r}"
    except (ContestError, ProgramError, SettingsError) as wrong:
        problem = str(wrong)
    errors.print(
        Text(f"{team}: das Programm spielt nicht: {problem}", f"{team}: the program does not play: {problem}").to(
            language()
        ),
        style="red",
        markup=False,
        soft_wrap=True,
    )


async def open_executor(season: Season, concurrency: int | None = None, cluster: str | None = None) -> Executor:
    """Where the games of a season are played, with its sandbox; says so if that is a weak one."""
    resource_limits = ResourceLimits(memory=season.memory * 1_000_000)
    if cluster is not None:
        from spielleiter.matches.cluster import DaskExecutor

        return DaskExecutor(cluster, sandbox=season.sandbox, resource_limits=resource_limits)
    level = Level.NONE
    if not season.in_process:
        choice = await choose(season.sandbox)
        level = choice.level
        QuietView().tell_level(choice)
    return LocalExecutor(ArenaSettings(level=level, resource_limits=resource_limits), concurrency=concurrency)


def read_until(text: str, season: Season) -> Until:
    """The place at which to stop. Raises ``SettingsError``."""
    name, _, day = text.partition(":")
    stages = [phase.stage for phase in season.phases]
    if name not in stages or (day and not day.isdecimal()):
        expected = ", ".join(stages)
        raise SettingsError(f"--until takes one of {expected}, or one with a day like {stages[0]}:1, not {text!r}")
    return Until(Stage(name), int(day) if day else None)


def read_stage(text: str, season: Season) -> Stage:
    """The phase that a command names. Raises ``SettingsError``."""
    stages = [phase.stage for phase in season.phases]
    if text not in stages:
        raise SettingsError(f"this season has no phase {text!r}: it has {', '.join(stages)}")
    return Stage(text)
