"""The TOML file of a command (``--config``): every option under its long name; of a match, the players too.

What is given on the command line goes before the file. What the file says is checked before anything starts, and
refused with its line.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from spielleiter.errors import Refused, SettingsError
from spielleiter.programs.entrants import Entrant, resolve_all, with_options, with_unique_names
from spielleiter.toml_values import TomlValues

_PLAYERS = "player"
_PLAYER_KEYS = ("player", "name", "options", "arguments")


def read_options(context: typer.Context, values: TomlValues, table: Mapping[str, Any], *, but: Collection[str]) -> None:
    """Make ``table`` the defaults of the command's options, except for the names in ``but``. Raises ``SettingsError``.

    The environment and the command line still go before.
    """
    parameters: dict[str, Any] = {
        parameter.opts[0].removeprefix("--"): parameter
        for parameter in context.command.params
        if parameter.opts[0].startswith("--") and parameter.name not in ("config", "help")
    }
    for key, value in table.items():
        if key in but:
            continue
        if key not in parameters:
            raise values.unknown(key, sorted([*parameters, *but]))
        try:
            parameters[key].process_value(context, value)
        except (typer.BadParameter, TypeError) as problem:
            from spielleiter.cli.german import value_text  # only for whoever has made a mistake

            why = problem.message if isinstance(problem, typer.BadParameter) else repr(value)
            raise values.wrong(f"{key} = {value!r}: {value_text(why)}", f"{key} = {value!r}: {why}", key) from None
    named = {str(parameters[key].name): value for key, value in table.items() if key not in but}
    context.default_map = {**(context.default_map or {}), **named}


def _read_match(context: typer.Context, path: Path | None) -> Path | None:
    if path is not None:
        values = TomlValues.read(path)
        read_options(context, values, values.content, but=(_PLAYERS,))
        _check_players(values)
    return path


ConfigOption = Annotated[
    Path | None,
    typer.Option(
        help="TOML file with these options and a table 'player' for each player; the command line takes precedence.",
        callback=_read_match,
        is_eager=True,
        dir_okay=False,
    ),
]


def _check_players(values: TomlValues) -> None:
    tables = values.content.get(_PLAYERS, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise values.wrong(
            "Schreib für jeden Spieler einen Abschnitt [[player]].", "write one [[player]] for each player", _PLAYERS
        )
    for number, table in enumerate(tables):
        for key in table:
            if key not in _PLAYER_KEYS:
                raise values.unknown(key, _PLAYER_KEYS, _PLAYERS, number)
        for key, kind in (("player", str), ("name", str), ("options", dict), ("arguments", str)):
            if key == "player" or key in table:
                values.value(_PLAYERS, key, kind, number=number)


def configured_players(path: Path) -> tuple[Entrant, ...]:
    """The players of a file that was checked. Raises ``SettingsError`` with the line of one that cannot be found."""
    values = TomlValues.read(path)
    entrants = []
    for number, table in enumerate(values.content.get(_PLAYERS, [])):
        try:
            [entrant] = resolve_all([table["player"]], [table["name"]] if "name" in table else ())
            entrant = with_options(entrant, {key: _written(value) for key, value in table.get("options", {}).items()})
            entrant = replace(entrant, arguments=(*entrant.arguments, *shlex.split(table.get("arguments", ""))))
        except Refused as problem:
            raise values.wrong(problem.text.de, problem.text.en, _PLAYERS, "player", number) from None
        except ValueError as problem:  # An open quotation mark.
            raise values.wrong(
                f"arguments: {problem}", f"arguments: {problem}", _PLAYERS, "arguments", number
            ) from None
        entrants.append(entrant)
    return with_unique_names(entrants)


def _written(value: Any) -> str:
    """A value as people write it on a command line."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def players_with_options(texts: Sequence[str], names: Sequence[str], options: Sequence[str]) -> tuple[Entrant, ...]:
    """The players of a command line, with what ``--set PLACE:NAME=VALUE`` says. Raises ``SettingsError``."""
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
    return with_unique_names(entrants)
