"""The games of a match as flat rows, for CSV and, where pyarrow is installed, Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from spielleiter.matches.results import MatchGame


def flat(row: MatchGame) -> dict[str, Any]:
    """One game as one row."""
    line: dict[str, Any] = {
        "id": row.id,
        "pair": row.pair,
        "round": row.round,
        "started": row.started,
        "one": row.names[0],
        "two": row.names[1],
        "winner": None if row.winner is None else row.names[row.winner],
        "score_one": row.victory_points[0] / 2 if row.counts else None,
        "counts": row.counts,
        "plies": row.plies,
        "seconds": row.seconds,
        "reason": row.reason.en,
        "pressure": row.pressure,
        "attempt": row.attempt,
    }
    for side, name in zip(row.sides, ("one", "two"), strict=True):
        line |= {
            f"points_{name}": " ".join(map(str, side.points)),
            f"fault_{name}": None if side.fault is None else side.fault.value,
            f"failure_{name}": side.failure.en or None,
            f"median_{name}": median(side.move_times) if side.move_times else None,
            f"worst_{name}": max(side.move_times, default=None),
            f"processor_{name}": side.processor_time,
            f"ponder_{name}": side.ponder_time,
            f"memory_{name}": side.peak_memory,
            f"sandbox_{name}": side.sandbox,
        }
    return line | {"start": row.start, "final": row.final, "record": row.record, "host": row.host}


def write_parquet(rows: Sequence[MatchGame], path: Path) -> bool:
    """Write the table with each move's time, if pyarrow is there; whether it is."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    lines = [
        flat(row) | {"times_one": list(row.sides[0].move_times), "times_two": list(row.sides[1].move_times)}
        for row in rows
    ]
    if lines:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(lines), path)
    return True
