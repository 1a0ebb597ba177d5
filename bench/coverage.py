"""Coverage by folder: ``python -m bench.coverage build/coverage.json``, which ``make test COVER=1`` calls."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path


def by_folder(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, tuple[int, int]]:
    """Statements run and statements in all, by the folder below ``spielleiter``."""
    covered: Counter[str] = Counter()
    statements: Counter[str] = Counter()
    for name, numbers in files.items():
        parts = Path(name).parts
        inside = parts[parts.index("spielleiter") + 1 :]
        folder = inside[0] + "/" if len(inside) > 1 else "."
        covered[folder] += numbers["summary"]["covered_lines"]
        statements[folder] += numbers["summary"]["num_statements"]
    return {folder: (covered[folder], statements[folder]) for folder in sorted(statements)}


def main() -> None:
    found = by_folder(json.loads(Path(sys.argv[1]).read_text())["files"])
    found["all"] = (sum(done for done, _ in found.values()), sum(every for _, every in found.values()))
    for folder, (covered, statements) in found.items():
        print(f"{folder:12} {covered:6} of {statements:6} statements  {100 * covered / max(statements, 1):5.1f} %")


if __name__ == "__main__":
    main()
