"""Who may play what: two organisers at once never play the same encounter.

A claim is a lock of the operating system or of PostgreSQL, held by the process that plays. So there are no clocks
and no leases: a process that is killed loses its claims in the same moment, and one that merely hangs keeps them.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from spielleiter.contest.store.errors import translate_errors
from spielleiter.errors import OPEN, StoreError, refusing

_NAMESPACE = 0x5C
"""The first of the two numbers of our locks on PostgreSQL."""


class Claims(Protocol):
    """The claims of one process on the encounters of one store."""

    def take(self, encounter: int) -> bool:
        """Whether the encounter is ours now; false if another process plays it."""

    def release(self, encounter: int) -> None:
        """Let others have it."""

    def close(self) -> None:
        """Release all."""


class FileClaims:
    """Claims beside an SQLite file: each encounter is one byte of a file of locks.

    Open and close all claims of a process in one thread.
    """

    # POSIX grants a lock to a process that has it already, and drops all locks of a process as soon as it closes the
    # file once: so a process opens it only once, however many claim in it, and must know whose its locks are.
    _opened: dict[Path, _LockFile] = {}  # noqa: RUF012

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        self._mine: set[int] = set()
        with refusing(StoreError, path, OPEN):
            self._file = self._opened.get(self._path) or _LockFile(self._path)
        self._opened[self._path] = self._file
        self._file.users.add(self)

    def take(self, encounter: int) -> bool:
        """Whether the encounter is ours now; false if another process plays it."""
        if encounter in self._mine or self._file.holders.setdefault(encounter, self) is not self:
            return False
        if not _lock(self._file.descriptor, encounter):
            del self._file.holders[encounter]
            return False
        self._mine.add(encounter)
        return True

    def release(self, encounter: int) -> None:
        """Let others have it."""
        if encounter in self._mine:
            _unlock(self._file.descriptor, encounter)
            self._mine.remove(encounter)
            del self._file.holders[encounter]

    def close(self) -> None:
        """Release all."""
        for encounter in tuple(self._mine):
            self.release(encounter)
        self._file.users.discard(self)
        if not self._file.users and self._opened.get(self._path) is self._file:
            del self._opened[self._path]
            os.close(self._file.descriptor)


class _LockFile:
    """The file of locks of one store, as this process has opened it."""

    def __init__(self, path: Path) -> None:
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self.users: set[FileClaims] = set()
        self.holders: dict[int, FileClaims] = {}


class PostgresClaims:
    """Claims as advisory locks of PostgreSQL, which end with the connection."""

    def __init__(self, engine: Engine) -> None:
        self._place = engine.url.render_as_string(hide_password=True)
        self._mine: set[int] = set()
        with translate_errors(self._place):
            self._connection: Connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def take(self, encounter: int) -> bool:
        """Whether the encounter is ours now; false if another process plays it."""
        if encounter in self._mine:
            return False
        with translate_errors(self._place):
            got = self._connection.scalar(
                text("SELECT pg_try_advisory_lock(:space, :id)"), {"space": _NAMESPACE, "id": encounter}
            )
        if got:
            self._mine.add(encounter)
        return bool(got)

    def release(self, encounter: int) -> None:
        """Let others have it."""
        if encounter in self._mine:
            self._mine.remove(encounter)
            with translate_errors(self._place):
                self._connection.execute(
                    text("SELECT pg_advisory_unlock(:space, :id)"), {"space": _NAMESPACE, "id": encounter}
                )

    def close(self) -> None:
        """Release all."""
        self._mine.clear()
        with suppress(SQLAlchemyError):  # A broken connection holds no locks.
            self._connection.execute(text("SELECT pg_advisory_unlock_all()"))
        self._connection.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int, place: int) -> bool:
        os.lseek(file, place, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: int, place: int) -> None:
        os.lseek(file, place, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int, place: int) -> bool:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except OSError:
            return False
        return True

    def _unlock(file: int, place: int) -> None:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)
