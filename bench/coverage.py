"""Coverage by folder: ``python -m bench.coverage build/coverage.json``, which ``make test COVER=1`` calls.

With ``--floors``, as in ``make nightly``, a folder below its floor is an error.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

FLOORS = {
    ".": 82, "analysis/": 95, "cli/": 51, "client/": 87, "coach/": 96, "contest/": 80, "feeds/": 96, "game/": 86,
    "games/": 90, "lab/": 96, "matches/": 82, "native/": 95, "pages/": 66, "players/": 96, "programs/": 47,
    "puzzles/": 97, "rating/": 97, "records/": 87, "referee/": 94, "rl/": 96, "search/": 79, "server/": 85, "web/": 80,
    "wire/": 92, "workshop/": 85,
}  # fmt: skip
"""Percent of the statements of each folder. Measured on 18 November 2026 with the quick tests of each folder (of cli a
part of them), less two or three: all tests of a night reach more, above all in cli, pages and programs. Raise them
after such a run."""


def by_folder(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, tuple[int, int]]:
    """Statements run and statements in all, by the folder below ``spielleiter``."""
    covered: Counter[str] = Counter()
    statements: Counter[str] = Counter()
    for name, numbers in files.items():
        parts = Path(name).parts
        if "spielleiter" not in parts:
            continue  # The game that a test puts beside the others.
        inside = parts[parts.index("spielleiter") + 1 :]
        folder = inside[0] + "/" if len(inside) > 1 else "."
        covered[folder] += numbers["summary"]["covered_lines"]
        statements[folder] += numbers["summary"]["num_statements"]
    return {folder: (covered[folder], statements[folder]) for folder in sorted(statements)}


def below_floors(found: dict[str, tuple[int, int]], floors: dict[str, int]) -> list[str]:
    """A line for each folder that is below its floor, or that has none."""
    lines = [f"{folder}: no floor in bench/coverage.py" for folder in found.keys() - floors.keys()]
    for folder in found.keys() & floors.keys():
        covered, statements = found[folder]
        if 100 * covered < floors[folder] * statements:
            lines.append(f"{folder}: {100 * covered / statements:.1f} % is below its floor of {floors[folder]} %")
    return sorted(lines)


def main() -> None:
    found = by_folder(json.loads(Path(sys.argv[1]).read_text())["files"])
    problems = below_floors(found, FLOORS) if "--floors" in sys.argv else []
    found["all"] = (sum(done for done, _ in found.values()), sum(every for _, every in found.values()))
    for folder, (covered, statements) in found.items():
        print(f"{folder:12} {covered:6} of {statements:6} statements  {100 * covered / max(statements, 1):5.1f} %")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
