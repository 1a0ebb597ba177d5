"""Run all scenarios one after the other, or some: ``python -m soak --seconds 3600 [SCENARIO ...]``, see ``make soak``.

At the end one table says what was done, what was asserted and whether it held; the exit code is 1 if something did not.
A scenario finishes the round that it has begun: with few seconds each does its work once.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback

from rich.console import Console
from rich.table import Table

from soak.scenario import Deadline, Findings, Scenario

SCENARIOS: dict[str, str] = {
    "kills": "organisers killed",
    "postgres_killed": "PostgreSQL killed",
    "postgres_failover": "PostgreSQL failing over",
    "disk_full": "disk full",
    "cut_wal": "SQLite's WAL cut short",
    "clock_jumps": "clocks that jump by hours",
    "starved_player": "an opponent that takes every core",
    "spectators": "2,000 spectators beside 100 games",
    "friend_links": "links to friends guessed",
    "memory": "memory beside hostile clients",
}
"""The modules of this package, each with a function ``run``, and their titles."""


def scenario(name: str) -> Scenario:
    module = __import__(f"soak.{name}", fromlist=["run"])
    run: Scenario = module.run
    return run


def attempt(name: str, seconds: float) -> Findings:
    """What a scenario found; one that breaks has found that."""
    try:
        return scenario(name)(Deadline(seconds))
    except Exception as problem:  # noqa: BLE001 - the others still run
        traceback.print_exc()
        return Findings("", problems=[f"{type(problem).__name__}: {problem}"])


def result(findings: Findings) -> str:
    if findings.problems:
        return f"BROKEN: {'; '.join(findings.problems[:3])}"
    if not findings.done:
        return f"not run: {findings.unavailable}"
    return f"held; without {findings.unavailable}" if findings.unavailable else "held"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=", ".join(SCENARIOS))
    parser.add_argument("--seconds", type=float, default=3600.0, help="for each scenario")
    options = parser.parse_args()
    if unknown := set(options.scenarios) - set(SCENARIOS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
    table = Table(title=f"Soak, {options.seconds:.0f} s for each scenario", show_lines=True)
    for column in ("scenario", "done", "asserted", "result"):
        table.add_column(column)
    for column in ("seconds", "load"):
        table.add_column(column, justify="right")
    is_broken = False
    for name in options.scenarios or SCENARIOS:
        print(f"--- {SCENARIOS[name]}", file=sys.stderr, flush=True)
        began = time.monotonic()
        findings = attempt(name, options.seconds)
        is_broken |= bool(findings.problems)
        times = (f"{time.monotonic() - began:.0f}", f"{os.getloadavg()[0]:.1f}")
        table.add_row(SCENARIOS[name], findings.done, findings.asserted, result(findings), *times)
        for problem in findings.problems:
            print(problem, file=sys.stderr, flush=True)
    Console(width=160).print(table)
    sys.exit(is_broken)


if __name__ == "__main__":
    main()
