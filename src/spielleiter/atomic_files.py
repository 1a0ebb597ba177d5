"""Files that are whole or not there, whenever the process or the machine dies while they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """A draft to write beside ``path``, whose place it takes after the block; if that fails, ``path`` is as before.

    Raises what the system refuses.
    """
    draft = path.with_name(f".{path.name}.part")
    try:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
