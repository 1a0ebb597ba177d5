"""All commands of ``spielleiter contest``, in the order in which a season needs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from spielleiter.cli.contest import archive, people, programs, rulings, run, schedule, standings

contest_app = typer.Typer(
    help="A whole season: teams, matchdays, standings, final; safe against any interruption.", no_args_is_help=True
)

_COMMANDS: dict[str, Callable[..., Any]] = {
    "init": run.init,
    "run": run.run,
    "status": schedule.status,
    "schedule": schedule.schedule,
    "standings": standings.standings,
    "bracket": schedule.bracket,
    "encounter": schedule.encounter,
    "submit": programs.submit,
    "activate": programs.activate,
    "programs": programs.programs,
    "friendly": programs.friendly,
    "annul": rulings.annul,
    "disqualify": rulings.disqualify,
    "undo": rulings.undo,
    "draw-lot": rulings.draw_lot,
    "pause": rulings.pause,
    "resume": rulings.resume,
    "audit": rulings.audit,
    "verify": archive.verify,
    "export": archive.export,
    "backup": archive.backup,
    "invite": people.invite,
}
for _name, _function in _COMMANDS.items():
    contest_app.command(_name)(_function)
