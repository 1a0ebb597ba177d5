"""The terminal that all commands share: the consoles, the language, and arguments that several commands take."""

from __future__ import annotations

import locale
import os
from typing import Annotated

import typer
from rich.console import Console

from spielleiter.text import Language, Text

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

_language: Language = "en"


def language() -> Language:
    """The language in which to talk to the person at the terminal."""
    return _language


def set_language(chosen: Language | None) -> None:
    """Talk in this language from now on; ``None`` is the system's."""
    global _language
    _language = chosen or _system_language()


def _system_language() -> Language:
    name = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or locale.getlocale()[0]
    return "de" if (name or "").startswith("de") else "en"


def say(text: Text, style: str = "") -> None:
    """Print a sentence in the language of the person at the terminal."""
    console.print(text.to(language()), style=style, markup=False, soft_wrap=True)


def complete_key(incomplete: str) -> list[str]:
    """The keys of games that begin like that, for the shell."""
    from spielleiter import games  # reading all rules takes longer than everything else here

    return [key for key in games.all_games() if key.startswith(incomplete)]


JsonOption = Annotated[bool, typer.Option("--json", help="JSON output.")]
