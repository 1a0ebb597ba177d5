"""Temporary folders that outlive their process by no more than the next run, also after kill -9.

All folders of a process lie in one of its own, with a file that it holds locked: the lock ends with the process,
however it ends. The next process removes the folders of this user whose lock is free; those of a running process are
never touched. What people are to read after a command stays for a day.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_PREFIX = "spielleiter-"
_LOCK = "lock"
_KEPT_SECONDS = 24 * 3600.0
_homes: dict[int, tuple[Path, int]] = {}
"""The folder of a process and the descriptor of its lock, by the process's id: a fork makes its own."""


def temporary_folder(kind: str) -> Path:
    """A new empty folder; the caller removes it."""
    if sys.platform == "win32":
        return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-"))
    pid = os.getpid()
    home, _ = _homes.get(pid) or (None, -1)
    if home is None or not home.is_dir():  # /tmp may have been cleaned up.
        _remove_dead(Path(tempfile.gettempdir()))
        home, lock = _new_home()
        _homes[pid] = home, lock
        atexit.register(_remove_home, pid, home)
    return Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=home))


def kept_folder(kind: str) -> Path:
    """A new empty folder that outlives this process; the next process that needs one removes it after a day."""
    place = Path(tempfile.gettempdir())
    for folder in place.glob(f"{_PREFIX}{kind}-*"):
        with suppress(OSError):
            found = folder.lstat()
            ours = sys.platform == "win32" or found.st_uid == os.geteuid()
            if ours and stat.S_ISDIR(found.st_mode) and found.st_mtime < time.time() - _KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-"))


if sys.platform != "win32":
    import fcntl

    def _new_home() -> tuple[Path, int]:
        while True:
            home = Path(tempfile.mkdtemp(prefix=_PREFIX))
            home.chmod(0o711)  # Players of a weak sandbox have users of their own, and folders in here.
            lock = _take(home, os.O_CREAT)
            if lock is not None:
                return home, lock

    def _take(home: Path, flags: int = 0) -> int | None:
        """The descriptor of a folder's lock, which is ours now; ``None`` if it is taken, or the folder is gone."""
        path = home / _LOCK
        try:
            lock = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)
        except OSError:
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.stat(path).st_ino == os.fstat(lock).st_ino:
                return lock
        except OSError:
            pass
        os.close(lock)
        return None

    def _remove_dead(place: Path) -> None:
        """Remove the folders of this user's processes that are no more."""
        for home in place.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                found = home.lstat()
                if not home.is_symlink() and found.st_uid == os.geteuid() and (lock := _take(home)) is not None:
                    shutil.rmtree(home, ignore_errors=True)
                    os.close(lock)

    def _remove_home(pid: int, home: Path) -> None:
        if pid == os.getpid():
            shutil.rmtree(home, ignore_errors=True)
