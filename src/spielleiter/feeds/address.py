"""Where a feed is to be found: as a value, and as a small file beside the results of a match."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from spielleiter.errors import WRITE, SettingsError, refusing

_MAX_FILE_SIZE = 1000


@dataclass(frozen=True, slots=True)
class FeedAddress:
    """Where a feed is to be found, and the key that opens it."""

    host: str
    port: int
    key: str = field(repr=False)

    @contextmanager
    def written_to(self, path: Path) -> Iterator[None]:
        """Stands in a file that only this user can read, while the block runs. Raises ``SettingsError``."""
        with refusing(SettingsError, path, WRITE):
            path.unlink(missing_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump(asdict(self), file)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: Path) -> FeedAddress | None:
        """The address in a file; ``None`` if there is none, or something else."""
        try:
            with path.open("rb") as file:
                found = json.loads(file.read(_MAX_FILE_SIZE))
            host, port, key = found["host"], found["port"], found["key"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        right = isinstance(host, str) and isinstance(key, str) and type(port) is int and 0 < port < 65536
        return cls(host, port, key) if right else None
