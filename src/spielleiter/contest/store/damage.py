"""Whether a store is damaged: a page that cannot be read, or a value that cannot have been written there.

SQLite has no checksums, and takes any value in any column: after a flipped bit, a number may be a text, and a text may
name nothing that there is. What is wrong but possible, such as another number, only the proof of a season finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import JSON, Connection, String, Table, select, text

from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store.database import Store
from spielleiter.contest.store.schema import Base
from spielleiter.errors import StoreError
from spielleiter.game import Ranking

_NAMES = {
    ("season", "default_ranking"): Ranking,
    ("matchdays", "stage"): Stage,
    ("encounters", "stage"): Stage,
    ("lots", "stage"): Stage,
    ("games", "decision"): Decision,
    ("audit", "action"): AuditAction,
}
"""The columns whose texts are names of something."""


def find_damage(store: Store) -> str | None:
    """The first thing that shows that the store is damaged, or ``None``."""
    try:
        with store.reading() as session:
            return next(_damages(session.connection(), is_sqlite=store.is_sqlite), None)
    except StoreError as problem:
        return problem.text.en


def damaged(store: Store, where: str) -> StoreError:
    """The refusal of a store that is damaged there."""
    return StoreError(
        f"{store.place}: Die Datenbank ist beschädigt ({where}); nimm die letzte Sicherung: --store SICHERUNG.db",
        f"{store.place}: the store is damaged ({where}); go back to the last backup: --store BACKUP.db",
    )


def _damages(connection: Connection, *, is_sqlite: bool) -> Iterator[str]:
    if is_sqlite:
        yield from (line for (line,) in connection.execute(text("PRAGMA integrity_check(1)")) if line != "ok")
    for table in Base.metadata.sorted_tables:
        try:
            for row in connection.execute(select(table).execution_options(yield_per=100)).mappings():
                yield from _strange_values(table, row)
        except (ValueError, TypeError) as problem:  # No moment, no JSON, no UTF-8.
            yield f"{table.name}: {problem}"
    if is_sqlite:
        for table_name, row_id, *_ in connection.execute(text("PRAGMA foreign_key_check")):
            yield f"{table_name} {row_id}: belongs to nothing"


def _strange_values(table: Table, row: Any) -> Iterator[str]:
    for column in table.columns:
        value = row[column.name]
        name = f"{table.name} {row[next(iter(table.primary_key)).name]!r}: {column.name}"
        if value is None:
            if not column.nullable:
                yield f"{name} is missing"
        elif not isinstance(value, (dict, list) if isinstance(column.type, JSON) else column.type.python_type):
            yield f"{name} is {value!r:.40}"
        elif isinstance(column.type, String) and column.type.length is not None and len(value) > column.type.length:
            yield f"{name} is too long"
        elif (names := _NAMES.get((table.name, column.name))) is not None and value not in set(names):
            yield f"{name} is {value!r:.40}"
