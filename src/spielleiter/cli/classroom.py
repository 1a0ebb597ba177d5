"""``spielleiter class``: a lesson or an evening on this machine, for everybody in the same network."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spielleiter.cli.programs import Sandbox, SandboxOption
from spielleiter.cli.terminal import complete_key, say, t
from spielleiter.cli.web import serve_pages
from spielleiter.errors import SettingsError
from spielleiter.text import Text


def classroom(
    game_key: Annotated[str | None, typer.Argument(metavar="game", autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das der laufenden Saison.", "The game; default: that of the current season."))] = None,
    names: Annotated[Path | None, typer.Option(dir_okay=False, help=t(
        "Datei mit einem Namen in jeder Zeile, aus denen gewählt wird; ohne sie tippt jeder seinen.",
        "File with a name in each line to choose from; without it all type theirs."))] = None,
    host: Annotated[str, typer.Option(help=t(
        "Adresse, unter der die Geräte kommen; 127.0.0.1 nur für diesen Rechner.",
        "Address for the devices; 127.0.0.1 for this machine only."))] = "0.0.0.0",  # noqa: S104 - a class has devices
    port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port der Seiten; 0 für irgendeinen freien.", "Port of the pages; 0 for any free one."))] = 8050,
    game_port: Annotated[int, typer.Option(min=0, max=65535, help=t(
        "Port des Spielleiters.", "Port of the game master."))] = 13050,
    folder: Annotated[Path | None, typer.Option(file_okay=False, help=t(
        "Ordner der Klasse; für mehrere Klassen je einer.", "Folder of the class; one each for several classes."))]
        = None,
    forget: Annotated[bool, typer.Option("--forget", help=t(
        "Alles löschen, was von der Klasse gespeichert ist: Namen, Spiele, abgegebene Spieler.",
        "Delete all that is stored of the class: names, games, handed-in players."))] = False,
    browser: Annotated[bool, typer.Option(help=t(
        "Die Seiten im Browser öffnen.", "Open the pages in the browser."))] = True,
    sandbox: SandboxOption = Sandbox.AUTO,
) -> None:  # fmt: skip
    from spielleiter import games
    from spielleiter.web.classroom import journal
    from spielleiter.web.classroom.book import ClassSettings
    from spielleiter.web.classroom.names import read_names
    from spielleiter.web.server import default_class

    where = folder or default_class()
    if forget:
        if journal.forget(where):
            say(Text(f"Gelöscht: {where}", f"Deleted: {where}"))
        else:
            say(Text(f"Hier ist keine Klasse gespeichert: {where}", f"No class is stored here: {where}"))
        return
    key = "" if game_key is None else games.load(game_key).key
    if not key and not (where / journal.JOURNAL).exists():
        key = games.CURRENT_SEASON
    if key and games.load(key).board_input is None:
        raise SettingsError(f"{key} lässt sich nicht im Browser spielen.", f"{key} cannot be played in the browser")
    settings = ClassSettings(folder=where, game=key, names=() if names is None else read_names(names))
    serve_pages(
        host=host, port=port, game_port=game_port, records=settings.records, browser=browser, sandbox=sandbox,
        classroom=settings,
    )  # fmt: skip
