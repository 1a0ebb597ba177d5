"""Errors of the database as ``StoreError``: one line that says where, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spielleiter.errors import StoreError
from spielleiter.text import Text


@contextmanager
def translate_errors(place: str) -> Iterator[None]:
    """Raise ``StoreError`` for whatever the database raises within the block."""
    try:
        yield
    except DBAPIError as problem:
        reason = str(problem.orig).strip().splitlines() or [type(problem.orig).__name__]
        advice = hint(problem.orig)
        raise StoreError(f"{place}: {reason[0]}{advice.de}", f"{place}: {reason[0]}{advice.en}") from problem
    except UnicodeDecodeError as problem:  # Of sqlite3, which quotes a damaged file in its message.
        quoted = problem.object.decode("utf-8", "replace")
        raise StoreError(f"{place}: {quoted}", f"{place}: {quoted}") from problem
    except SQLAlchemyError as problem:
        raise StoreError(f"{place}: {problem}", f"{place}: {problem}") from problem


def hint(problem: BaseException | None) -> Text:
    """What to do about an error of the database."""
    name = getattr(problem, "sqlite_errorname", "") or _postgres_name(problem)
    return next((hint for known, hint in _HINTS.items() if name.startswith(known)), Text("", ""))


def _postgres_name(problem: BaseException | None) -> str:
    """The code of an error of PostgreSQL; if the connection is lost, or never came about, there is none."""
    if problem is None or not hasattr(problem, "sqlstate"):
        return ""
    return f"POSTGRES_{problem.sqlstate or type(problem).__name__}"


_FULL = Text(
    " (der Datenträger ist voll; nichts ging verloren: schaffe Platz und starte neu)",
    " (the disk is full; nothing was lost: make room and run again)",
)
_GONE = Text(
    " (die Datenbank ist nicht erreichbar; was gespeichert war, ist sicher: starte neu, sobald sie wieder läuft)",
    " (the database cannot be reached; what was recorded is safe: run again when it is back)",
)
_HINTS = {  # By how the names of errors begin: SQLITE_READONLY_DIRECTORY is one, too.
    "SQLITE_READONLY": Text(
        " (sind Datenträger oder Ordner schreibgeschützt?)", " (is the disk or the folder read-only?)"
    ),
    "SQLITE_CANTOPEN": Text(
        " (gibt es den Ordner, und darfst du darin schreiben?)", " (is the folder there, and may you write into it?)"
    ),
    "SQLITE_FULL": _FULL,
    "SQLITE_NOTADB": Text(" (die Datei ist keine Datenbank einer Saison)", " (the file is not the store of a season)"),
    "SQLITE_BUSY": Text(
        " (ein anderes Programm schreibt schon lange: warte und starte neu)",
        " (another program has been writing for long: wait, and run again)",
    ),
    "POSTGRES_53100": _FULL,  # disk_full
    "POSTGRES_08": _GONE,  # connection exceptions
    "POSTGRES_57P": _GONE,  # ended by an operator, crashed, or still starting
    "POSTGRES_OperationalError": _GONE,  # without a code, as it came from no server
}
