"""The files of a player program in one stream of bytes, so that a fresh folder can be filled from it for each game.

A file is a line ``MODE SIZE PATH`` (octal, decimal, with slashes) and then its bytes. The reader stands in
``bootstrap.py``, which runs alone inside the sandbox; nothing here is meant for strangers' archives.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from spielleiter.errors import SettingsError

MOST_FILES = 20_000
MOST_BYTES = 500_000_000


@dataclass(frozen=True)
class ProgramFiles:
    """All files of one program, packed."""

    data: bytes
    files: int

    @cached_property
    def digest(self) -> str:
        """What names the content: equal programs have equal digests on every machine."""
        return hashlib.sha256(self.data).hexdigest()

    def unpack(self, folder: Path) -> None:
        """Write all files into ``folder``, which should be empty."""
        at = 0
        while at < len(self.data):
            end = self.data.index(b"\n", at)
            mode, size, path = self.data[at:end].split(b" ", 2)
            target = folder / os.fsdecode(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            at = end + 1 + int(size)
            target.write_bytes(self.data[end + 1 : at])
            target.chmod(int(mode, 8))


def pack(source: Path) -> ProgramFiles:
    """The parcel of a folder with everything in it. Raises ``SettingsError``."""
    return pack_files(dict(_files(source)), str(source))


def pack_files(files: Mapping[str, Path], what: str) -> ProgramFiles:
    """The parcel of these files, by their names in it; ``what`` names them in messages. Raises ``SettingsError``."""
    chunks: list[bytes] = []
    total = 0
    for name, path in sorted(files.items()):
        try:
            data = path.read_bytes()
            mode = 0o755 if path.stat().st_mode & stat.S_IXUSR else 0o644
        except OSError as problem:
            raise SettingsError(f"{path}: cannot be read: {problem.strerror}") from None
        if any(ord(character) < 32 for character in name):
            raise SettingsError(f"{what}: the name {name!r} of a file has control characters")
        total += len(data)
        if len(files) > MOST_FILES or total > MOST_BYTES:
            raise SettingsError(f"{what}: a player has at most {MOST_FILES} files and {MOST_BYTES // 10**6} MB")
        chunks += [b"%o %d %s\n" % (mode, len(data), os.fsencode(name)), data]
    if not files:
        raise SettingsError(f"{what}: there are no files in it")
    return ProgramFiles(b"".join(chunks), len(files))


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file below ``folder`` with its relative name; links must not lead out of the folder."""
    inside = folder.resolve()
    for path in folder.rglob("*"):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        if not path.resolve().is_relative_to(inside):
            raise SettingsError(f"{path}: is a link to something outside of the player's folder")
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path
