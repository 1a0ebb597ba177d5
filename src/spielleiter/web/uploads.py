"""An uploaded file on its way to the disk: piece by piece, never in memory as a whole, and only up to a limit."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import IO

from starlette.datastructures import UploadFile

from spielleiter.atomic_files import atomic_write
from spielleiter.errors import ProgramError
from spielleiter.programs.archive import too_large
from spielleiter.web.guard import MAX_UPLOAD


async def store_upload(upload: UploadFile, path: Path, max_size: int = MAX_UPLOAD) -> None:
    """Write the file to ``path``, whose folder is made if need be. Raises ``ProgramError`` if it is too large."""
    # Starlette has put what is large on the disk as it came.
    await asyncio.to_thread(_store, upload.file, path, max_size)


def _store(file: IO[bytes], path: Path, max_size: int) -> None:
    if file.seek(0, 2) > max_size:
        problem = too_large(max_size)
        raise ProgramError(f"Die Datei ist {problem.de}.", f"The file is {problem.en}.")
    file.seek(0)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as draft, draft.open("wb") as target:
        shutil.copyfileobj(file, target)
