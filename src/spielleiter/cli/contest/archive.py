"""``spielleiter contest verify | export | backup``: proof and copies of a season."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    open_contest,
)
from spielleiter.cli.terminal import console, errors, say
from spielleiter.contest.run.proof import prove
from spielleiter.game import Text
from spielleiter.pages.export import export as write_export
from spielleiter.rating.formatting import number


def verify(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    """Replay every game from its record and compute everything again. Exit code 1 at the first difference."""
    with open_contest(season, store) as contest, Status("", console=errors) as status:
        proof = prove(contest, lambda done, total: status.update(f"{done}/{total}"))
    if proof.difference is not None:
        console.print(proof.difference, style="red", markup=False, soft_wrap=True)
        raise typer.Exit(1)
    say(
        Text(
            f"Saison bewiesen: {proof.games} Spiele nachgespielt, {proof.encounters} Begegnungen und {proof.standings} "
            "Tabellen nachgerechnet.",
            f"Season proved: {proof.games} games replayed, {proof.encounters} encounters and {proof.standings} "
            "standings computed again.",
        ),
        "green",
    )


def export(
    target: Annotated[Path, typer.Argument(help="New folder, or new ZIP if the name ends in .zip.")],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Write pages that open without a server, all records, and the standings as CSV and JSON; nothing private."""
    with open_contest(season, store) as contest, Status("", console=errors) as status:
        write_export(contest, target, on_progress=lambda done, total: status.update(f"{done}/{total}"))
    page = target if target.suffix.lower() == ".zip" else target / "site" / "index.html"
    say(Text(f"Geschrieben: {page}", f"Written: {page}"))


def backup(
    file: Annotated[Path, typer.Argument(help="New file.")], season: SeasonOption = SEASON, store: StoreOption = None
) -> None:
    """Copy the whole store into a file, also while the season is played; use it with --store FILE."""
    with open_contest(season, store) as contest:
        contest.store.backup(file)
    size = number(file.stat().st_size / 1e6, 1)
    say(Text(f"{file}: {size.de} MB gesichert.", f"{file}: {size.en} MB saved."))
