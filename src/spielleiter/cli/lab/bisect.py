"""``spielleiter bisect``: play two commits of a player against each other, and find the one that made it weaker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spielleiter import games
from spielleiter.cli.match.command import parse_sprt
from spielleiter.cli.match.run import RunSettings, run_match
from spielleiter.cli.programs import (
    ConcurrencyOption,
    MemoryOption,
    OpeningsOption,
    RandomMovesOption,
    Sandbox,
    SandboxOption,
    SecondsOption,
)
from spielleiter.cli.terminal import complete_key, say, t
from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.lab.commits import Commit, check_out, commits_between, find_commit
from spielleiter.matches.openings import Order, choose_openings
from spielleiter.matches.plan import PLAN, MatchPlan
from spielleiter.rating.sprt import Verdict

EXIT_WEAKER = 1


def bisect(
    repository: Annotated[Path, typer.Argument(exists=True, help=t(
        "Ordner eines Git-Repositorys mit einem Spieler darin.", "Folder of a git repository with a player in it."))],
    old: Annotated[str, typer.Argument(help=t(
        "Der Commit, mit dem verglichen wird: ein Hash, ein Tag, HEAD~5.",
        "The commit to compare with: a hash, a tag, HEAD~5."))],
    new: Annotated[str, typer.Argument(help=t(
        "Der Commit, der getestet wird.", "The commit that is tested."))] = "HEAD",
    path: Annotated[str, typer.Option(help=t(
        "Wo der Spieler im Repository liegt; Standard: ganz oben.",
        "Where the player is in the repository; default: at its top."))] = "",
    find: Annotated[bool, typer.Option("--find", help=t(
        "Wenn er schwächer ist, den ersten Commit finden, der es ist.",
        "If it is weaker, find the first commit that is."))] = False,
    game: Annotated[str, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das der laufenden Saison.",
        "The game; default: that of the current season."))] = games.CURRENT_SEASON,
    sprt: Annotated[str, typer.Option(help=t(
        "Der Test: -30,0 fragt, ob der neue Commit 30 Elo schwächer ist oder nicht schwächer.",
        "The test: -30,0 asks whether the new commit is 30 Elo weaker or not weaker."))] = "-30,0",
    number: Annotated[int, typer.Option("--games", help=t(
        "Höchstzahl der Spiele eines Tests (gerade).",
        "Maximum number of games of a test (even)."))] = 2000,
    seconds: SecondsOption = None,
    openings: OpeningsOption = "0",
    random_moves: RandomMovesOption = 4,
    out: Annotated[Path, typer.Option(help=t(
        "Ordner für die Ergebnisse; wenn es ihn gibt, geht der Lauf weiter.",
        "Output folder; if it exists, the run is resumed."))] = Path("bisect"),
    sandbox: SandboxOption = Sandbox.AUTO,
    memory: MemoryOption = 1500,
    concurrency: ConcurrencyOption = None,
) -> None:  # fmt: skip
    settings = RunSettings(sandbox=sandbox, memory=memory, concurrency=concurrency)
    test, key = parse_sprt(sprt), games.load(game).key
    book = choose_openings(openings, Order.FILE, 0, random_moves, key)
    before, after = find_commit(repository, old), find_commit(repository, new)
    if before == after:
        raise SettingsError(
            f"{old} und {new} sind derselbe Commit: {before.name}.",
            f"{old} and {new} are the same commit: {before.name}",
        )

    def verdict(commit: Commit) -> Verdict:
        """What a match of this commit against the old one says."""
        players = out / "players"
        plan = MatchPlan(
            game=key,
            entrants=tuple(check_out(repository, each, players, path) for each in (commit, before)),
            games=number,
            sprt=test,
            openings=book,
            seconds=seconds,
        )
        folder = out / commit.name
        say(Text(f"{commit.name} gegen {before.name}: {commit.subject}", f"{commit.name} against {before.name}: "
                 f"{commit.subject}"), "bold")  # fmt: skip
        summary, _ = run_match(plan, folder, settings, resume=(folder / PLAN).exists())
        broken = {each.name for each in summary.standings if each.never_started or each.always_crashed}
        if before.name in broken:
            raise SettingsError(
                f"{before.name} startet nicht oder stürzt immer ab: damit lässt sich nichts vergleichen.",
                f"{before.name} does not start, or crashes in every game: nothing can be compared with it",
            )
        if commit.name in broken:
            return Verdict.H0  # No player can be weaker than this.
        return Verdict.CONTINUE if summary.sprt is None else summary.sprt.verdict

    found = verdict(after)
    if found is Verdict.H1:
        return
    if find and found is Verdict.H0:
        suspects = commits_between(repository, before, after)
        while len(suspects) > 1:
            middle = (len(suspects) - 1) // 2
            weaker = verdict(suspects[middle]) is Verdict.H0
            suspects = suspects[: middle + 1] if weaker else suspects[middle + 1 :]
        [first] = suspects
        say(
            Text(
                f"Der erste schwächere Commit ist {first.name}: {first.subject}",
                f"The first weaker commit is {first.name}: {first.subject}",
            ),
            "bold",
        )
    raise typer.Exit(EXIT_WEAKER)
