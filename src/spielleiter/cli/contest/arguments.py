"""What the commands of ``spielleiter contest`` share: their arguments, and how they open the season."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from spielleiter.cli.match.manual import JoinSettings, announce_arrivals
from spielleiter.cli.programs import choose_level
from spielleiter.cli.terminal import console, say, t, word
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import has_programs
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.next import Until
from spielleiter.errors import NoSeason, SettingsError
from spielleiter.game import Text
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor
from spielleiter.matches.play_settings import check_cluster
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.sandbox import AUTO, Level, ResourceLimits

SEASON = Path("season.toml")
SeasonOption = Annotated[Path, typer.Option("--season", envvar="SPIELLEITER_CONTEST_SEASON", dir_okay=False, help=t(
    "Saisondatei.", "Season file."))]  # fmt: skip
StoreOption = Annotated[str | None, typer.Option("--store", envvar="SPIELLEITER_CONTEST_STORE", help=t(
    "Datenbank der Saison: eine Datei oder postgresql://...; Standard: neben der Saisondatei.",
    "Store of the season: a file, or postgresql://...; default: beside the season file."))]  # fmt: skip
TeamArgument = Annotated[str, typer.Argument(help=t("Name des Teams.", "Name of the team."))]
ReasonOption = Annotated[str, typer.Option(help=t(
    "Begründung; alle können sie lesen.", "Reason; everybody can read it."))]  # fmt: skip


YesOption = Annotated[bool, typer.Option("--yes", help=t("Nicht fragen; für Skripte.", "Do not ask; for scripts."))]


def confirm(consequences: Text, yes: bool) -> None:
    """Say what will happen, and go on only if the person wants that. Raises ``SettingsError`` if there is none."""
    say(consequences, "bold")
    if yes:
        return
    if not _has_person():
        raise SettingsError(
            "Es geschieht nur mit Bestätigung: Starte den Befehl in einem Terminal oder mit --yes.",
            "this needs a confirmation: run the command in a terminal, or with --yes",
        )
    answer = console.input(word("Weiter? [j/N] ", "Go on? [y/N] "), markup=False)
    if answer.strip().casefold() not in ("j", "ja", "y", "yes"):
        say(Text("Nichts ist geschehen.", "Nothing was done."))
        raise typer.Exit(1)


def _has_person() -> bool:
    return sys.stdin.isatty()


def open_contest(season: Path, store: str | None) -> Contest:
    """The season that a command changes, created if need be; a store alone is enough where there is no file."""
    return _open(season, store, create=True)


def open_readonly(season: Path, store: str | None) -> Contest:
    """The season that a command shows. Nothing is created: before its first game it is only in memory."""
    return _open(season, store, create=False)


def find_contest(season: Path, store: str | None) -> Contest:
    """The season that a command proves or copies. Raises ``NoSeason`` if it is in no store."""
    contest = open_readonly(season, store)
    if not contest.is_stored:
        contest.close()
        place = store or season.with_suffix(".db")
        raise NoSeason(
            f"{place}: Hier ist noch keine Saison, also nichts zu beweisen oder zu kopieren; 'spielleiter contest run'"
            " beginnt sie.",
            f"{place}: there is no season yet, so nothing to prove or to copy: 'spielleiter contest run' begins it",
        )
    return contest


def _open(season: Path, store: str | None, *, create: bool) -> Contest:
    if store is not None and not season.exists() and season == SEASON:
        return Contest.open_store(store)
    return Contest.open(season, store, create=create)


async def open_executor(
    contest: Contest,
    concurrency: int | None = None,
    cluster: str | None = None,
    *,
    entrants: Sequence[Entrant] = (),
    join_settings: JoinSettings | None = None,
    untrusted: bool | None = None,
) -> Executor:
    """Where the games of a season are played, with its sandbox; says so if that is a weak one.

    Manual players among the ``entrants`` join as ``join_settings`` say. ``untrusted`` says that programs are
    played that are not built in; ``None``: if there are any in the season.
    """
    season = contest.season
    if untrusted is None:
        untrusted = has_programs(contest)
    resource_limits = ResourceLimits(memory=season.memory * 1_000_000)
    if cluster is not None:
        check_cluster(entrants)
        from spielleiter.matches.cluster import DaskExecutor

        sandbox = Level.BUBBLEWRAP.value if untrusted and season.sandbox == AUTO else season.sandbox
        return DaskExecutor(cluster, sandbox=sandbox, resource_limits=resource_limits)
    level = Level.NONE
    if not season.in_process:
        level = await choose_level(season.sandbox, untrusted=untrusted)
    settings = ArenaSettings(level=level, resource_limits=resource_limits, private=(contest.folder,))
    settings = settings if join_settings is None else join_settings.apply_to(settings, entrants)
    return LocalExecutor(settings, concurrency=concurrency, entrants=entrants, on_arrival=announce_arrivals(entrants))


def read_until(text: str, season: Season) -> Until:
    """The place at which to stop. Raises ``SettingsError``."""
    name, _, day = text.partition(":")
    stages = [phase.stage for phase in season.phases]
    if name not in stages or (day and not day.isdecimal()):
        expected = ", ".join(stages)
        raise SettingsError(
            f"--until nimmt {expected}, auch mit einem Spieltag wie {stages[0]}:1, nicht {text!r}.",
            f"--until takes one of {expected}, or one with a day like {stages[0]}:1, not {text!r}",
        )
    return Until(Stage(name), int(day) if day else None)


def read_stage(text: str, season: Season) -> Stage:
    """The phase that a command names. Raises ``SettingsError``."""
    stages = [phase.stage for phase in season.phases]
    if text not in stages:
        raise SettingsError(
            f"Diese Saison hat keine Phase {text!r}: Sie hat {', '.join(stages)}.",
            f"this season has no phase {text!r}: it has {', '.join(stages)}",
        )
    return Stage(text)
