"""``spielleiter engine``: version and speed of the native engine, or why it is not available."""

from __future__ import annotations

import json
import time
from random import Random
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from spielleiter import games
from spielleiter.cli.terminal import JsonOption, console, errors, language, t
from spielleiter.game import Text
from spielleiter.rating.formatting import number, thousands
from spielleiter.search import Budget, engine

_COLUMNS = (
    Text("Regelwerk", "rule set"),
    Text("Perft\nMio./s", "perft\nM/s"),
    Text("Zufalls-\nspiele/s", "random\ngames/s"),
    Text("Knoten/s", "nodes/s"),
    Text("Tiefe", "depth"),
)
"""Two lines, so that the longest key and the largest numbers fit into 60 columns."""
_SECONDS = 0.25
"""Approximate duration of each measurement."""


def describe_engine(
    context: typer.Context,
    speed: Annotated[bool, typer.Option(help=t(
        "Ihre Geschwindigkeit messen (dauert einige Sekunden).", "Measure its speed (takes some seconds)."))] = True,
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    if context.invoked_subcommand is not None:
        return
    problem = engine.why_unavailable()
    if as_json:
        rows = [_measure(key) for key in engine.rule_sets()] if speed else []
        found = {"version": engine.version(), "features": engine.features(), "rule_sets": engine.rule_sets()}
        why = None if problem is None else problem.to(language())
        console.print_json(json.dumps({**found, "absent": why, "speed": rows}))
        raise typer.Exit(problem is not None)
    if problem is not None:
        errors.print(problem.to(language()))
        raise typer.Exit(1)
    console.print(f"spielleiter engine {engine.version()} ({', '.join(engine.features())})")
    if not speed:
        console.print(", ".join(engine.rule_sets()))
        return
    table = Table(box=box.SIMPLE, show_edge=False, padding=0)
    for i, column in enumerate(_COLUMNS):
        table.add_column(column.to(language()), justify="right" if i else "left", no_wrap=True)
    with console.status(Text("Ich messe …", "Measuring …").to(language())):
        for key in engine.rule_sets():
            row = _measure(key)
            speeds = (number(row["leaves"] / 1e6, 1), thousands(row["games"]), thousands(row["nodes"]))
            table.add_row(key, *(speed.to(language()) for speed in speeds), str(row["depth"]))
    console.print(table)


def _measure(key: str) -> dict[str, Any]:
    """The speed of one rule set from a start position, by the wall clock."""
    game = games.load(key)
    state, search = game.new_state(Random(1)), engine.EngineSearch(game, table_mib=16)
    leaves, seconds, depth = 0.0, 0.0, 1
    while seconds < _SECONDS / 10 and depth < 12:
        depth += 1
        begun = time.perf_counter()
        count = search.perft(state, depth)
        seconds = time.perf_counter() - begun
        leaves = max(leaves, count / seconds)
    played, playing = 0, 0.0
    while playing < _SECONDS:
        begun = time.perf_counter()
        played += sum(search.playouts(state, 200, seed=played))
        playing += time.perf_counter() - begun
    found = search.search(state, Budget(seconds=_SECONDS))
    return {
        "key": key,
        "leaves": leaves,
        "games": played / playing,
        "nodes": found.nodes / max(found.seconds, 1e-6),  # On a busy machine the time may be over before the search.
        "depth": found.depth,
    }
