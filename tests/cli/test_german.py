"""Whoever reads German finds German in every help text, label, error and result of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer import rich_utils
from typer.testing import CliRunner

from spielleiter.cli import app
from spielleiter.cli.app import COMMANDS, load_command
from spielleiter.cli.german import paragraphs
from spielleiter.cli.german.help_texts import HELP
from spielleiter.errors import Refused

NO_LANGUAGE = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "SPIELLEITER_LANG": ""}


def german(*words: str, columns: int = 80, **environment: str) -> str:
    """What a command prints for somebody who reads German."""
    settings = {"NO_COLOR": "1", "COLUMNS": str(columns), **environment}
    result = CliRunner().invoke(app, ["--lang", "de", *words], env=settings)
    if isinstance(result.exception, Refused):
        return result.exception.text.de
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def help_texts(command: Any) -> Iterator[str]:
    """Every help text of a command and of those below it."""
    yield from (text for text in (command.help, command.epilog) if text)
    context = typer.Context(command)
    for parameter in command.get_params(context):
        yield from (text for name in ("help", "prompt") if (text := getattr(parameter, name, None)))
    for below in getattr(command, "commands", {}).values():
        yield from help_texts(below)


def test_every_help_text_has_german_and_every_german_its_text() -> None:
    commands = [typer.main.get_command(app), *map(load_command, COMMANDS)]
    english = {part for command in commands for text in help_texts(command) for part in paragraphs(text)}
    assert english - HELP.keys() == set(), "without German: add them to cli/german/help_texts.py"
    assert HELP.keys() - english == set(), "no longer the text of a command: remove them"


def test_help_is_german_wherever_the_language_stands() -> None:
    for words in (["--lang", "de", "--help"], ["--help", "--lang=de"], ["--lang", "de"]):
        assert "Aufruf: spielleiter [OPTIONEN] BEFEHL" in CliRunner().invoke(app, words).output
    shown = german("match", "--help")
    assert "Das Spiel; sonst das" in shown
    assert "[Vorgabe: 13050]" in shown
    assert not [word for word in ("Usage", "Options", "Arguments", "default", "Show this") if word in shown]


def test_after_german_comes_english_again() -> None:
    german("--help")
    assert "Usage: spielleiter [OPTIONS] COMMAND" in CliRunner().invoke(app, ["--lang", "en", "--help"]).output
    assert rich_utils.OPTIONS_PANEL_TITLE == "Options"


@pytest.mark.parametrize(
    ("environment", "is_german"),
    [
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT.UTF-8"}, True),
        ({"LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "de_CH"}, True),
        ({"LC_ALL": "de_DE.UTF-8", "SPIELLEITER_LANG": "en"}, False),
        ({"LC_ALL": "C", "SPIELLEITER_LANG": "de"}, True),
    ],
)
def test_the_environment_chooses_the_language(environment: dict[str, str], is_german: bool) -> None:
    shown = CliRunner().invoke(app, ["--help"], env=NO_LANGUAGE | environment).output
    assert ("Aufruf:" if is_german else "Usage:") in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replya"], "Den Befehl 'replya' gibt es nicht. Meinst du 'replay', 'play'?"),
        (["xxxxxx"], "Den Befehl 'xxxxxx' gibt es nicht."),
        (["games", "--jsom"], "Die Option --jsom gibt es nicht. Meinst du --json?"),
        (["games", "-x"], "Die Option -x gibt es nicht."),
        (["serve", "--port"], "Die Option '--port' braucht einen Wert."),
        (["games", "--json=1"], "Die Option '--json' nimmt keinen Wert."),
        (["games", "x", "y"], "Zu viele Argumente: x y"),
        (["show"], "Es fehlt das Argument 'position'."),
        (["serve", "--port", "x"], "Ungültiger Wert für '--port': Erwartet wird eine ganze Zahl."),
        (["serve", "--port", "9" * 5000], "Ungültiger Wert für '--port': Die Zahl ist zu lang."),
        (["serve", "--soft", "x"], "Ungültiger Wert für '--soft': Erwartet wird eine Zahl."),
        (["serve", "--port", "65536"], "Ungültiger Wert für '--port': Der Wert darf höchstens 65535 sein."),
        (["serve", "--port", "-1"], "Ungültiger Wert für '--port': Der Wert muss mindestens 0 sein."),
        (["serve", "--log", "x"], "Ungültiger Wert für '--log': 'x' gibt es hier nicht; möglich sind 'human', 'json'."),
        (["pack", "/none"], "Ungültiger Wert für 'player': '/none' gibt es nicht."),
        (["perft", "--check", "/"], "Ungültiger Wert für '--check': '/' ist ein Ordner."),
        (["perft"], "Nenne eine Stellung oder den Schlüssel eines Spiels, oder --check DATEI."),
    ],
)
def test_an_error_of_the_input_is_german(words: list[str], sentence: str) -> None:
    assert sentence in " ".join(german(*words, columns=200).split())
