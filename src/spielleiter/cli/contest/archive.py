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
    find_contest,
)
from spielleiter.cli.terminal import errors, say, shown_on, t, word
from spielleiter.contest.run.proof import prove
from spielleiter.errors import NoSeason
from spielleiter.game import Text
from spielleiter.pages.export import export as write_export
from spielleiter.rating.formatting import number

_NOTHING_TO_PROVE = 3
"""Exit code: nothing was found wrong, but nothing was proved either."""


def verify(season: SeasonOption = SEASON, store: StoreOption = None) -> None:
    try:
        begins = word("Der Beweis beginnt …", "The proof begins ...")
        with find_contest(season, store) as contest, Status(begins, console=errors) as status:
            proof = prove(contest, shown_on(status, Text("Begegnungen geprüft", "encounters checked")))
            if proof.difference is None and proof.is_empty:
                raise NoSeason(f"{contest.store.place}: {proof.text.de}", f"{contest.store.place}: {proof.text.en}")
    except NoSeason as nothing:
        say(nothing.text, "yellow")
        raise typer.Exit(_NOTHING_TO_PROVE) from None
    if proof.difference is not None:
        say(proof.difference, "red")
        raise typer.Exit(1)
    say(proof.text, "green")


def export(
    target: Annotated[Path, typer.Argument(help=t(
        "Neuer Ordner, oder neues ZIP, wenn der Name auf .zip endet.",
        "New folder, or new ZIP if the name ends in .zip."))],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    begins = word("Der Export beginnt …", "The export begins ...")
    with find_contest(season, store) as contest, Status(begins, console=errors) as status:
        write_export(contest, target, on_progress=shown_on(status, Text("Spiele geschrieben", "games written")))
    page = target if target.suffix.lower() == ".zip" else target / "site" / "index.html"
    say(Text(f"Geschrieben: {page}", f"Written: {page}"))


def backup(
    file: Annotated[Path, typer.Argument(help=t("Neue Datei.", "New file."))],
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    with find_contest(season, store) as contest:
        contest.store.backup(file)
    size = number(file.stat().st_size / 1e6, 1)
    say(Text(f"{file}: {size.de} MB gesichert.", f"{file}: {size.en} MB saved."))
