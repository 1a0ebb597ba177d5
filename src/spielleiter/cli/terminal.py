"""The terminal that all commands share: the consoles, the language, and arguments that several commands take."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from json import dumps, loads
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.status import Status

from spielleiter.text import Language, Text, choose_language, printable, system_language


class _Terminal(Console):
    """A console on which no text steers the terminal, be it from a program, a record or a visitor."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))

    def print_json(self, json: str | None = None, **options: Any) -> None:
        # Escaped, not replaced: a script gets every character.
        plain = dumps(loads(json or "null"), ensure_ascii=False)
        super().print_json(json, **options | {"ensure_ascii": printable(plain) != plain})


# Without markup: a name such as [/] or [link=...] is a name.
console = _Terminal(highlight=False, markup=False)
errors = _Terminal(stderr=True, highlight=False, markup=False)

BETWEEN_LANGUAGES = "\0"

WIDE = 80
"""Columns of a terminal from which on tables show everything; in narrower ones names and moves come first."""

_SECONDS_BETWEEN_LINES = 10.0

_language: Language = "en"


def language() -> Language:
    """The language in which to talk to the person at the terminal."""
    return _language


def set_language(chosen: Language | None) -> None:
    """Talk in this language from now on; ``None`` is the system's."""
    global _language
    choose_language(chosen)
    _language = system_language()


def word(de: str, en: str) -> str:
    """The one in the language of the person at the terminal."""
    return Text(de, en).to(language())


def t(de: str, en: str) -> str:
    """A help text in both languages, as the one string that typer takes; ``translate`` leaves the reader's half."""
    return f"{de}{BETWEEN_LANGUAGES}{en}"


def say(text: Text, style: str = "") -> None:
    """Print a sentence in the language of the person at the terminal."""
    console.print(text.to(language()), style=style, markup=False, soft_wrap=True)


class LogFormatter(logging.Formatter):
    """A line for each message, whatever is quoted in it; a traceback keeps its lines."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s.%(msecs)03d %(levelname)-7s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return printable(super().formatMessage(record)).replace("\n", " ")

    def formatException(  # noqa: N802
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        return printable(super().formatException(ei))


def shown_on(status: Status, what: Text) -> Callable[[int, int], None]:
    """Shows how much of all is done; where there is no terminal, a line now and then."""
    written = 0.0

    def show(done: int, total: int) -> None:
        nonlocal written
        line = f"{done} / {total} {what.to(language())}"
        status.update(line)
        if not errors.is_terminal and (done == total or time.monotonic() - written > _SECONDS_BETWEEN_LINES):
            written = time.monotonic()
            errors.print(line, highlight=False)

    return show


def complete_key(incomplete: str) -> list[str]:
    """The keys of games that begin like that, for the shell."""
    from spielleiter import games  # reading all rules takes longer than everything else here

    return [key for key in games.all_games() if key.startswith(incomplete)]


def complete_player(incomplete: str) -> list[str]:
    """The built-in players, and the Python files, ZIPs, JARs and folders beside them, that begin like that."""
    from spielleiter import players  # as above

    folder, _, name = incomplete.rpartition("/")
    place = Path(folder or ("/" if incomplete.startswith("/") else ".")).expanduser()
    found = [] if folder else [builtin for builtin in players.BUILT_IN if builtin.startswith(incomplete)]
    try:
        entries = sorted(place.iterdir())
    except OSError:
        return found
    before = incomplete[: len(incomplete) - len(name)]
    for entry in entries:
        if entry.name.startswith(name) and (name or not entry.name.startswith(".")):
            if entry.is_dir():
                found.append(f"{before}{entry.name}/")
            elif entry.suffix.lower() in (".py", ".zip", ".jar"):
                found.append(f"{before}{entry.name}")
    return found


JsonOption = Annotated[bool, typer.Option("--json", help=t("Ausgabe als JSON.", "JSON output."))]
