"""Reads ``params.toml``: what to tune, from where, within which bounds. Errors in it name the line.

form = "--set {name}={value}"    # how the program is given an option; this is the default

[mobility]
start = 1.0
min = 0.0
max = 4.0
step = 0.2
"""

from __future__ import annotations

from pathlib import Path

from spielleiter.errors import Refused
from spielleiter.lab.spsa import Parameter
from spielleiter.programs.entrants import OPTION_FORM, Entrant, with_options
from spielleiter.toml_values import TomlValues

_KEYS = ("start", "min", "max", "step", "whole")
_MAX_PARAMETERS = 30


def read_parameters(path: Path, player: Entrant) -> tuple[tuple[Parameter, ...], str]:
    """The parameters of ``player`` that a file names, and how the program is given them. Raises ``SettingsError``."""
    values = TomlValues.read(path)
    form = OPTION_FORM
    parameters = []
    for name, table in values.content.items():
        if name == "form":
            form = values.plain(name, str)
            if "{value}" not in form:
                raise values.wrong(
                    f"form braucht {{value}}, wie in {OPTION_FORM!r}.",
                    f"form needs {{value}}, as in {OPTION_FORM!r}",
                    name,
                )
        elif not isinstance(table, dict):
            raise values.unknown(name, ["form", "[NAME]"])
        else:
            parameters.append(_parameter(values, name, player))
    if not 1 <= len(parameters) <= _MAX_PARAMETERS:
        raise values.wrong(
            f"Zugleich einstellen lassen sich 1 bis {_MAX_PARAMETERS} Parameter, jeder in einem Abschnitt [NAME], "
            f"nicht {len(parameters)}.",
            f"1 to {_MAX_PARAMETERS} parameters can be tuned at once, each in a section [NAME], not {len(parameters)}",
        )
    return tuple(parameters), form


def _parameter(values: TomlValues, name: str, player: Entrant) -> Parameter:
    for key in values.content[name]:
        if key not in _KEYS:
            raise values.unknown(key, _KEYS, name)
    low, high = values.number(name, "min"), values.number(name, "max")
    if low >= high:
        raise values.wrong(
            f"min muss kleiner sein als max, nicht {low:g} und {high:g}.",
            f"min must be less than max, not {low:g} and {high:g}",
            name,
            "min",
        )
    whole: bool = values.value(name, "whole", bool, False)
    # Of whole numbers the two versions must differ.
    least = 0.5 if whole else (high - low) * 1e-6
    parameter = Parameter(
        name=name,
        start=values.number(name, "start", low=low, high=high),
        low=low,
        high=high,
        step=values.number(name, "step", low=least, high=(high - low) / 2),
        whole=whole,
    )
    try:
        with_options(player, {name: option_text(parameter, parameter.start)})
    except Refused as problem:
        raise values.wrong(problem.text.de, problem.text.en, name) from None
    return parameter


def option_text(parameter: Parameter, value: float) -> str:
    """A value as the program gets it."""
    return str(round(value)) if parameter.whole else f"{value:.6g}"
