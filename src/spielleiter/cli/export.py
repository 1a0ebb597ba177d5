"""``spielleiter export``: what runs here as files for any web space, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.status import Status

from spielleiter.cli.terminal import errors, say, shown_on, t, word
from spielleiter.text import Text, shell_word
from spielleiter.workshop.export.site import export_workshop

export_app = typer.Typer(no_args_is_help=True)


@export_app.callback()
def _group() -> None:
    """Commands below ``export``."""


@export_app.command("workshop", help=t(
    "Werkstatt, Regeln mit Übungen, Rätsel und Spiele gegen den Computer als Ordner mit Dateien: für jeden Webspace, "
    "auch in einem Unterordner. Alles rechnet im Browser, nach dem ersten Besuch auch ohne Internet (mit https).\n\n"
    "Ein Ordner, den dieser Befehl geschrieben hat, wird ersetzt; ein anderer muss neu oder leer sein.",
    "The workshop, rules with exercises, puzzles and games against the computer as a folder of files: for any web "
    "space, in a sub-folder too. All of it runs in the browser, after the first visit without the internet, too (with "
    "https).\n\n"
    "A folder that this command has written is replaced; any other has to be new or empty."))  # fmt: skip
def workshop(
    target: Annotated[Path, typer.Argument(help=t(
        "Neuer Ordner, oder einer, den dieser Befehl geschrieben hat.",
        "New folder, or one that this command has written."))],
) -> None:  # fmt: skip
    """Write the folder, and say how to try it out."""
    with Status(word("Der Export beginnt …", "The export begins ..."), console=errors) as status:
        export_workshop(target, on_progress=shown_on(status, Text("Seiten geschrieben", "pages written")))
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file()) / 1e6
    say(Text(f"Geschrieben: {target} ({size:.0f} MB).", f"Written: {target} ({size:.0f} MB)."))
    command = f"python -m http.server --bind 127.0.0.1 --directory {shell_word(target)}"
    say(Text(f"Ausprobieren: {command}", f"Try it out: {command}"))
