"""``spielleiter contest``: its commands are loaded when one of them is asked for, with the database that they need."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from spielleiter.cli.app import app
from spielleiter.errors import SettingsError


class _Contest(TyperGroup):
    """The group of commands, found in ``contest_commands`` at the first look."""

    def _loaded(self) -> Any:
        if not self.commands:
            try:
                from spielleiter.cli.contest.commands import contest_app
            except ModuleNotFoundError as problem:
                if (problem.name or "").startswith("spielleiter"):
                    raise
                raise SettingsError(f"{problem.name} is missing: pip install 'spielleiter[contest]'") from None
            group = typer.main.get_command(contest_app)
            assert isinstance(group, TyperGroup)
            self.commands = group.commands
        return self.commands

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order in which a season needs them."""
        return list(self._loaded())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name."""
        return self._loaded().get(cmd_name)


_contest = typer.Typer(
    name="contest",
    cls=_Contest,
    help="A whole season: teams, matchdays, tables, final; safe against any interruption.",
    no_args_is_help=True,
)
app.add_typer(_contest)


@_contest.callback()
def _nothing() -> None:
    """A whole season: teams, matchdays, tables, final; safe against any interruption."""
