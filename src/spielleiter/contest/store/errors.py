"""Tells errors of the database in one line that says where, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spielleiter.errors import StoreError


@contextmanager
def told(place: str) -> Iterator[None]:
    """Errors of the database in one line that says where."""
    try:
        yield
    except DBAPIError as problem:
        reason = str(problem.orig).strip().splitlines() or [type(problem.orig).__name__]
        raise StoreError(f"{place}: {reason[0]}{hint(problem.orig)}") from problem
    except SQLAlchemyError as problem:
        raise StoreError(f"{place}: {problem}") from problem


def hint(problem: BaseException | None) -> str:
    """What to do about an error of SQLite; its name may go on, as in SQLITE_READONLY_DIRECTORY."""
    name = getattr(problem, "sqlite_errorname", "")
    return next((hint for known, hint in _HINTS.items() if name.startswith(known)), "")


_HINTS = {
    "SQLITE_READONLY": " (is the disk or the folder read-only?)",
    "SQLITE_CANTOPEN": " (is the folder there, and may you write into it?)",
    "SQLITE_FULL": " (the disk is full; nothing was lost: make room and run again)",
    "SQLITE_NOTADB": " (the file is no store of a season)",
    "SQLITE_BUSY": " (another program has been writing for long: wait, and run again)",
}
