"""The TOML file of a command (``--config``): every option under its long name; of a match, the players too.

The command line takes precedence. What the file says is checked before anything starts, and
refused with its line.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from spielleiter.cli.help_language import value_text
from spielleiter.cli.terminal import t
from spielleiter.errors import Refused, SettingsError
from spielleiter.programs.entrants import Entrant, resolve_all, with_options, with_python, with_unique_names
from spielleiter.text import Text
from spielleiter.values import Values, read_toml

_PLAYERS = "player"
_PLAYER_KEYS = ("player", "name", "options", "arguments", "python")


def read_options(context: typer.Context, table: Values, *, but: Collection[str] = ()) -> None:
    """Make ``table`` the defaults of the command's options, except for the names in ``but``. Raises ``SettingsError``.

    The environment and the command line take precedence.
    """
    parameters: dict[str, Any] = {
        parameter.opts[0].removeprefix("--"): parameter
        for parameter in context.command.params
        if parameter.opts[0].startswith("--") and parameter.name not in ("config", "help")
    }
    table.refuse_unknown({*parameters, *but})
    options = {key: value for key, value in table.data.items() if key not in but}
    for key, value in options.items():
        try:
            parameters[key].process_value(context, value)
        except (typer.BadParameter, TypeError) as problem:
            why = problem.message if isinstance(problem, typer.BadParameter) else repr(value)
            raise table.wrong(key, Text(f"{key} = {value!r}: {value_text(why)}", f"{key} = {value!r}: {why}")) from None
    named = {str(parameters[key].name): value for key, value in options.items()}
    context.default_map = {**(context.default_map or {}), **named}


def _read_match(context: typer.Context, path: Path | None) -> Path | None:
    if path is not None:
        top = read_toml(path)
        read_options(context, top, but=(_PLAYERS,))
        for player in top.tables(_PLAYERS):
            player.refuse_unknown(_PLAYER_KEYS)
            for key in ("player", "name", "arguments", "python"):
                if key == "player" or key in player:
                    player.text(key)
            player.value("options", dict, {})
    return path


ConfigOption = Annotated[Path | None, typer.Option(callback=_read_match, is_eager=True, dir_okay=False, help=t(
    "TOML-Datei mit diesen Optionen und einer Tabelle „player“ für jeden Spieler; die Befehlszeile hat Vorrang.",
    "TOML file with these options and a table 'player' for each player; the command line takes precedence.",
))]  # fmt: skip


def configured_players(path: Path) -> tuple[Entrant, ...]:
    """The players of a file that was checked. Raises ``SettingsError`` with the line of one that cannot be found."""
    entrants = []
    for section in read_toml(path).tables(_PLAYERS):
        table = section.data
        try:
            [entrant] = resolve_all([table["player"]], [table["name"]] if "name" in table else ())
            entrant = with_options(entrant, {key: _written(value) for key, value in table.get("options", {}).items()})
            entrant = replace(entrant, arguments=(*entrant.arguments, *shlex.split(table.get("arguments", ""))))
            entrant = with_python(entrant, table.get("python", ""))
        except Refused as problem:
            raise section.wrong("player", problem.text) from None
        except ValueError as problem:  # An open quotation mark.
            raise section.wrong("arguments", Text(f"arguments: {problem}", f"arguments: {problem}")) from None
        entrants.append(entrant)
    return with_unique_names(entrants)


def _written(value: Any) -> str:
    """A value as people write it on a command line."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def players_with_options(
    texts: Sequence[str], names: Sequence[str], options: Sequence[str], pythons: Sequence[str] = ()
) -> tuple[Entrant, ...]:
    """The players of a command line, with what ``--set PLACE:NAME=VALUE`` and ``--python PLACE:VERSION`` say.

    Raises ``SettingsError``.
    """
    entrants = list(resolve_all(texts, names))
    for option in options:
        place, colon, setting = option.partition(":")
        name, equals, value = setting.partition("=")
        if not (colon and equals and name and place.isdecimal() and 0 < int(place) <= len(entrants)):
            raise SettingsError(
                f"--set erwartet Platz, Name und Wert wie in 1:depth=3, nicht {option!r}.",
                f"--set takes place, name and value, as in 1:depth=3, not {option!r}",
            )
        at = int(place) - 1
        entrants[at] = with_options(entrants[at], {name: value})
    for python in pythons:
        place, colon, version = python.partition(":")
        if not (colon and place.isdecimal() and 0 < int(place) <= len(entrants)):
            raise SettingsError(
                f"--python erwartet Platz und Version wie in 1:3.12, nicht {python!r}.",
                f"--python takes place and version, as in 1:3.12, not {python!r}",
            )
        entrants[int(place) - 1] = with_python(entrants[int(place) - 1], version)
    return with_unique_names(entrants)
