"""The option ``--sandbox`` of all commands that start player programs, and what they say about the level in use."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from spielleiter.cli.terminal import errors, language
from spielleiter.game import Text
from spielleiter.programs.sandbox import Level, choose


class Sandbox(StrEnum):
    """The values of ``--sandbox``."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    LIMITS = "limits"
    NONE = "none"


SandboxOption = Annotated[Sandbox, typer.Option("--sandbox", help="Sandbox level; auto: the best that works here.")]


async def choose_level(wanted: str) -> Level:
    """The level to use; says why it is not the best one. Raises ``SettingsError`` if the wanted one does not work."""
    choice = await choose(wanted)
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
