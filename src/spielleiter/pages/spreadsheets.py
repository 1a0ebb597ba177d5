"""Rows as CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    file = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, list(row))
            writer.writeheader()
        writer.writerow({key: _harmless(value) for key, value in row.items()})
    return file.getvalue()


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value and value[0] in "=+-@\t\r" else value
