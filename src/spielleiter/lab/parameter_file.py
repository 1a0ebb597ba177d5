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
from spielleiter.text import Text
from spielleiter.values import Values, read_toml

_KEYS = ("start", "min", "max", "step", "whole")
_MAX_PARAMETERS = 30


def read_parameters(path: Path, player: Entrant) -> tuple[tuple[Parameter, ...], str]:
    """The parameters of ``player`` that a file names, and how the program is given them. Raises ``SettingsError``."""
    top = read_toml(path)
    form = top.text("form", OPTION_FORM)
    if "{value}" not in form:
        raise top.wrong(
            "form",
            Text(f"form braucht {{value}}, wie in {OPTION_FORM!r}.", f"form needs {{value}}, as in {OPTION_FORM!r}"),
        )
    names = [name for name in top.data if name != "form"]
    for name in names:
        if not isinstance(top.data[name], dict):
            raise top.unknown(name, ["form", "[NAME]"])
    if not 1 <= len(names) <= _MAX_PARAMETERS:
        raise top.wrong(
            "",
            Text(
                f"Zugleich einstellen lassen sich 1 bis {_MAX_PARAMETERS} Parameter, jeder in einem Abschnitt [NAME], "
                f"nicht {len(names)}.",
                f"1 to {_MAX_PARAMETERS} parameters can be tuned at once, each in a section [NAME], not {len(names)}",
            ),
        )
    return tuple(_parameter(top.table(name), name, player) for name in names), form


def _parameter(section: Values, name: str, player: Entrant) -> Parameter:
    section.refuse_unknown(_KEYS)
    low, high = section.number("min"), section.number("max")
    if low >= high:
        raise section.wrong(
            "min",
            Text(
                f"min muss kleiner sein als max, nicht {low:g} und {high:g}.",
                f"min must be less than max, not {low:g} and {high:g}",
            ),
        )
    whole = section.flag("whole")
    # Of whole numbers the two versions must differ.
    least = 0.5 if whole else (high - low) * 1e-6
    parameter = Parameter(
        name=name,
        start=section.number("start", low=low, high=high),
        low=low,
        high=high,
        step=section.number("step", low=least, high=(high - low) / 2),
        whole=whole,
    )
    try:
        with_options(player, {name: option_text(parameter, parameter.start)})
    except Refused as problem:
        raise section.wrong("", problem.text) from None
    return parameter


def option_text(parameter: Parameter, value: float) -> str:
    """A value as the program gets it."""
    return str(round(value)) if parameter.whole else f"{value:.6g}"
