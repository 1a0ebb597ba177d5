"""Help and errors of typer in the reader's language.

Help texts are written in both languages (``t``). The words of typer itself it does not mark for translation: headings,
labels and errors have their German here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from spielleiter.cli.narrow_help import with_readable_options
from spielleiter.cli.terminal import BETWEEN_LANGUAGES
from spielleiter.text import Language

_HEADINGS = {
    "DEFAULT_STRING": "[Standard: {}]",
    "REQUIRED_LONG_STRING": "[nötig]",
    "ARGUMENTS_PANEL_TITLE": "Argumente",
    "OPTIONS_PANEL_TITLE": "Optionen",
    "COMMANDS_PANEL_TITLE": "Befehle",
    "ERRORS_PANEL_TITLE": "Fehler",
    "ABORTED_TEXT": "Abgebrochen.",
    "RICH_HELP": "Hilfe gibt [blue]'{command_path} {help_option}'[/].",
}
"""Constants of ``typer.rich_utils``."""

_OPTIONS = {
    "Install completion for the current shell.": "Richtet die Vervollständigung für diese Shell ein.",
    "Show completion for the current shell, to copy it or customize the installation.":
        "Zeigt die Vervollständigung für diese Shell, zum Kopieren oder Anpassen.",
    "Show this message and exit.": "Zeigt diese Hilfe.",
}  # fmt: skip
"""Help of the options that typer adds."""

TYPES = {
    "str": "Text", "int": "Zahl", "int range": "Zahl", "float": "Kommazahl", "float range": "Kommazahl", "path": "Pfad",
    "Path": "Pfad", "file": "Datei", "directory": "Ordner", "dir": "Ordner",
    "FOLDER": "ORDNER", "PHASE[:DAY]": "PHASE[:TAG]",
}  # fmt: skip
"""How the help calls the values of a parameter."""

ARGUMENTS = {
    "depth": "Tiefe", "file": "Datei", "files": "Dateien", "first": "Team", "folder": "Ordner", "game_key": "Spiel",
    "group": "Gruppe", "key": "Schlüssel", "matches": "Matches", "name": "Name", "new": "neu", "number": "Nummer",
    "old": "alt", "opponent": "Gegner", "out": "Datei", "page": "Seite", "paths": "Pfade", "phase": "Phase",
    "player": "Spieler", "players": "Spieler", "position": "Stellung", "repository": "Repository", "second": "Gegner",
    "source": "Quelle", "sources": "Quellen", "subject": "Gegenstand", "target": "Ziel", "team": "Team",
}  # fmt: skip
"""Names of arguments."""

_ERRORS = tuple(
    (re.compile(english, re.DOTALL), german)
    for english, german in (
        (r"No such command (.+?)\. Did you mean (.+)\?", r"Den Befehl \1 gibt es nicht. Meinst du \2?"),
        (r"No such command (.+)\.", r"Den Befehl \1 gibt es nicht."),
        (r"Missing command\.", "Es fehlt der Befehl."),
        (r"No such option: (.+) \(Possible options: (.+)\)", r"Die Option \1 gibt es nicht. Meinst du \2?"),
        (r"No such option: (.+)", r"Die Option \1 gibt es nicht."),
        (r"Option (.+) requires an argument\.", r"Die Option \1 braucht einen Wert."),
        (r"Option (.+) does not take a value\.", r"Die Option \1 nimmt keinen Wert."),
        (r"Got unexpected extra argument\(s\) \((.+)\)", r"Zu viele Argumente: \1"),
        (r"Missing argument (.+)\.", r"Es fehlt das Argument \1."),
        (r"Missing option (.+)\.", r"Es fehlt die Option \1."),
        (r"Invalid value for (.+?): (.+)", r"Ungültiger Wert für \1: \2"),
    )
)
_VALUES = tuple(
    (re.compile(english, re.DOTALL), german)
    for english, german in (
        (r"Input should be a valid integer(?:, .+)?", "Erwartet wird eine ganze Zahl."),
        (r"Unable to parse input string as an integer, .+", "Die Zahl ist zu lang."),
        (r"Input should be a valid number(?:, .+)?", "Erwartet wird eine Zahl."),
        (r"Input should be a valid boolean(?:, .+)?", "Erwartet wird true oder false."),
        (r"Input should be less than or equal to (.+)", r"Der Wert darf höchstens \1 sein."),
        (r"Input should be greater than or equal to (.+)", r"Der Wert muss mindestens \1 sein."),
        (r"Value error, (.+) is not one of (.+)\.", r"\1 gibt es hier nicht; möglich sind \2."),
        (r"(?:path|file|directory) (.+) does not exist\.", r"\1 gibt es nicht."),
        (r"(?:path|file|directory) (.+) is a directory\.", r"\1 ist ein Ordner."),
        (r"(?:path|file|directory) (.+) is a file\.", r"\1 ist eine Datei."),
        (r"(?:path|file|directory) (.+) is not readable\.", r"\1 ist nicht lesbar."),
        (r"(?:path|file|directory) (.+) is not writable\.", r"\1 ist nicht beschreibbar."),
    )
)
"""What typer and pydantic say of a value; matched at the end of an error."""


def translate(command: Any, language: Language) -> None:
    """Leave the reader's language of all help of a command and of those below it, readable in narrow terminals."""
    command.format_help = with_readable_options(command.format_help)
    command.help, command.epilog = _half(command.help, language), _half(command.epilog, language)
    for parameter in command.params:
        parameter.help = _half(parameter.help, language)
        parameter.prompt = _half(getattr(parameter, "prompt", None), language)
        if language == "de":
            _after(parameter, "display_type_rich", _type_label)
            if parameter.param_type_name == "argument":
                parameter.metavar = ARGUMENTS[parameter.name]
    for below in getattr(command, "commands", {}).values():
        translate(below, language)
    if language == "de":
        command.options_metavar = "[OPTIONEN]"
        command.subcommand_metavar = "BEFEHL [ARGUMENTE]..."
        _after(command, "get_help_option", _translate_option)
        _after(command, "get_usage", lambda usage: usage.replace("Usage: ", "Aufruf: ", 1))


def _half(text: str | None, language: Language) -> str | None:
    """The German or the English half of a help text; of one without halves, typer's own, its German if it is known."""
    if text is None or BETWEEN_LANGUAGES in text:
        return text and text.split(BETWEEN_LANGUAGES)[language == "en"]
    return _OPTIONS.get(text, text) if language == "de" else text


def _translate_option(option: Any) -> Any:
    if option is not None:
        option.help = _half(option.help, "de")
        option.display_type_rich = lambda ctx: None  # a flag
    return option


def _type_label(label: str | None) -> str | None:
    """What typer calls the values of a parameter: ``<int>``, ``<list[str]>``, ``<duel|swiss>``; a flag needs none."""
    if label is None or label == "<bool>":
        return None
    if not label.startswith("<"):
        return TYPES.get(label, label)  # a command's own word
    name = label.strip("<>").removeprefix("list[").removesuffix("]")
    return f"<{TYPES.get(name, name)}>"


def _after(thing: Any, method: str, change: Callable[[Any], Any]) -> None:
    """Let ``change`` have the last word on what a method of this command or parameter returns."""
    original = getattr(thing, method)
    setattr(thing, method, lambda *given, **named: change(original(*given, **named)))


@contextmanager
def typer_speaks(language: Language) -> Iterator[None]:
    """Inside, typer itself speaks this language: headings, labels and errors."""
    if language == "en":
        yield
        return
    from typer import rich_utils

    print_error = rich_utils.rich_format_error

    def print_in_german(problem: Any) -> None:
        message = error_text(problem.format_message())
        problem.format_message = lambda: message
        print_error(problem)

    german = {**_HEADINGS, "rich_format_error": print_in_german}
    english = {name: getattr(rich_utils, name) for name in german}
    vars(rich_utils).update(german)
    try:
        yield
    finally:
        vars(rich_utils).update(english)


def error_text(english: str) -> str:
    """An error of typer in German; English if it is not known."""
    for pattern, german in _ERRORS:
        if match := pattern.fullmatch(english):
            return value_text(match.expand(german))
    return english


def value_text(text: str) -> str:
    """What typer and pydantic say of a value, in German; English if it is not known."""
    for pattern, german in _VALUES:
        if (match := pattern.search(text)) and match.end() == len(text):
            return text[: match.start()] + match.expand(german)
    return text
