"""Help for narrow terminals: typer's table of options has six columns, which leaves 18 characters for the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

WIDE_HELP = 100
"""Columns from which on typer's own table is readable."""
_INDENT = 6


def with_readable_options(print_help: Callable[..., Any]) -> Callable[..., Any]:
    """``print_help`` of a command, which in narrow terminals lists each option above its text."""

    def print_readable_help(*given: Any, **named: Any) -> Any:
        from typer import rich_utils  # takes its time, and only the help needs it

        print_table = rich_utils._print_options_panel

        def print_options(*, console: Console, **what: Any) -> None:
            if console.width < WIDE_HELP:
                _print_list(console=console, **what)
            else:
                print_table(console=console, **what)

        rich_utils._print_options_panel = print_options
        try:
            return print_help(*given, **named)
        finally:
            rich_utils._print_options_panel = print_table

    return print_readable_help


def _print_list(*, name: str, params: list[Any], ctx: Any, markup_mode: Any, console: Console) -> None:
    from typer import rich_utils

    if params:
        console.print(Text(f"{name}:", "bold"))
    for param in params:
        is_argument = param.param_type_name == "argument"
        names = [param.display_name_raw] if is_argument else sorted(param.opts, key=len, reverse=True)
        line = Text("  ").append(", ".join(names), "bold cyan")
        if param.secondary_opts:
            line.append(" / ").append(", ".join(param.secondary_opts), "bold magenta")
        kind = param.display_type_rich(ctx=ctx)
        if kind is not None and kind != "<bool>":
            numbers = param._get_number_range_help_str()
            line.append(f" {kind.replace(' range', '')}" + (f" [{numbers}]" if numbers else ""), "yellow")
        said = rich_utils._get_parameter_help(param=param, ctx=ctx, markup_mode=markup_mode).renderables
        console.print(line, soft_wrap=True)
        console.print(Padding(Text(" ").join(part for part in said if isinstance(part, Text)), (0, 0, 0, _INDENT)))
    if params:
        console.print()
