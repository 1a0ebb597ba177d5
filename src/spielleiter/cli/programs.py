"""What commands that start player programs share: the sandbox, the exit codes, and how a failure is shown."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer
from rich.text import Text as RichText

from spielleiter.cli.terminal import console, errors, language
from spielleiter.game import Text
from spielleiter.programs.sandbox import Level, choose
from spielleiter.programs.temporary import kept_folder

EXIT_NEVER_STARTED = 3
EXIT_ALWAYS_CRASHED = 4


class Sandbox(StrEnum):
    """The values of ``--sandbox``."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    LIMITS = "limits"
    NONE = "none"


SandboxOption = Annotated[Sandbox, typer.Option("--sandbox", help="Sandbox level; auto: the best that works here.")]


async def choose_level(wanted: str, *, untrusted: bool = False) -> Level:
    """The level to use; says why it is not the best one. Raises ``SettingsError`` if the wanted one does not work.

    ``untrusted`` programs are those of several people: a weaker level than bubblewrap must be wanted by name.
    """
    choice = await choose(wanted, untrusted=untrusted)
    level = choice.level
    if choice.missed:
        better, why = choice.missed[0]
        warning = Text(
            f"Sandbox: {level.value} ({level.text.de}); {better.value} geht hier nicht: {why.de}",
            f"Sandbox: {level.value} ({level.text.en}); {better.value} does not work here: {why.en}",
        )
        style = "yellow" if level in (Level.LIMITS, Level.NONE) else ""
        errors.print(warning.to(language()), markup=False, soft_wrap=True, style=style)
    return level


def write_logs(logs: Mapping[str, bytes]) -> dict[str, Path]:
    """Write what a program printed into files of a new folder, to be read after the command: their paths by name."""
    if not any(logs.values()):
        return {}
    folder = kept_folder("logs")
    paths = {name: folder / f"{quote(name, safe=' ')}.log" for name, log in logs.items() if log}
    for name, path in paths.items():
        path.write_bytes(logs[name])
    return paths


def print_failure(failure: Text, log: Path | None, indent: str = "  ") -> None:
    """Under a cross or a crash: why the program failed, and the path of its whole log."""
    if failure.en:
        console.print(RichText(f"{indent}! {failure.to(language())}", "red"), soft_wrap=True)
    if log is not None:
        console.print(RichText(f"{indent}  {Text('Ausgabe', 'log').to(language())}: {log}", "dim"), soft_wrap=True)
