"""``spielleiter engine``: what the native engine is, and its analyses for other programs."""

from __future__ import annotations

import typer

from spielleiter.cli.engine.describe import describe_engine
from spielleiter.cli.engine.serve import serve
from spielleiter.cli.terminal import t

engine_app = typer.Typer(add_completion=False, callback=describe_engine, invoke_without_command=True)
engine_app.command("serve", help=t(
    "Stellungen für andere Programme analysieren: Anfragen kommen als JSON-Zeilen über die Standardeingabe, Antworten "
    "gehen als JSON-Zeilen auf die Standardausgabe (spielleiter docs engine-protocol).",
    "Analyse positions for other programs: requests come as JSON lines on standard input, answers go as JSON lines to "
    "standard output (spielleiter docs engine-protocol)."))(serve)  # fmt: skip
