"""The files of a player program in one stream of bytes, so that a fresh folder can be filled from it for each game.

A file is a line ``MODE SIZE PATH`` (octal, decimal, with slashes) and then its bytes. ``bootstrap.py``, which runs
alone inside the sandbox, reads the same format. Untrusted archives are read by ``programs/archive.py``.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from spielleiter.errors import ProgramError

MAX_FILES = 20_000
MAX_BYTES = 500_000_000


class ProgramFile(NamedTuple):
    """One file of a program, with its path in the program's folder."""

    path: str
    data: bytes
    executable: bool = False


@dataclass(frozen=True)
class ProgramFiles:
    """All files of one program, packed."""

    data: bytes

    @classmethod
    def of(cls, files: Iterable[ProgramFile], what: str) -> ProgramFiles:
        """The packed files; ``what`` names them in messages. Raises ``ProgramError``."""
        chunks: list[bytes] = []
        total = 0
        for number, file in enumerate(sorted(files), 1):
            if any(ord(character) < 32 for character in file.path):
                raise ProgramError(
                    f"{what}: der Dateiname {file.path!r} enthält Steuerzeichen.",
                    f"{what}: the file name {file.path!r} has control characters",
                )
            total += len(file.data)
            if number > MAX_FILES or total > MAX_BYTES:
                raise ProgramError(
                    f"{what}: ein Spieler hat höchstens {MAX_FILES} Dateien und {MAX_BYTES // 10**6} MB.",
                    f"{what}: a player has at most {MAX_FILES} files and {MAX_BYTES // 10**6} MB",
                )
            mode = 0o755 if file.executable else 0o644
            chunks += [b"%o %d %s\n" % (mode, len(file.data), os.fsencode(file.path)), file.data]
        if not chunks:
            raise ProgramError(f"{what}: enthält keine Dateien.", f"{what}: there are no files in it")
        return cls(b"".join(chunks))

    @classmethod
    def read(cls, paths: Mapping[str, Path], what: str) -> ProgramFiles:
        """The packed files at ``paths``, by their paths in the program's folder. Raises ``ProgramError``."""
        return cls.of((_read(name, path) for name, path in paths.items()), what)

    @cached_property
    def digest(self) -> str:
        """What names the content: equal programs have equal digests on every machine."""
        return hashlib.sha256(self.data).hexdigest()

    def __iter__(self) -> Iterator[ProgramFile]:
        at = 0
        while at < len(self.data):
            end = self.data.index(b"\n", at)
            mode, size, path = self.data[at:end].split(b" ", 2)
            at = end + 1 + int(size)
            yield ProgramFile(os.fsdecode(path), self.data[end + 1 : at], bool(int(mode, 8) & stat.S_IXUSR))

    def find(self, path: str) -> ProgramFile | None:
        """The file with this path, or ``None``."""
        return next((file for file in self if file.path == path), None)

    def unpack(self, folder: Path) -> None:
        """Write all files into ``folder``, which should be empty."""
        for file in self:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)
            target.chmod(0o755 if file.executable else 0o644)


def _read(name: str, path: Path) -> ProgramFile:
    try:
        return ProgramFile(name, path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))
    except OSError as problem:
        raise ProgramError(
            f"{path}: lässt sich nicht lesen: {problem.strerror}.", f"{path}: cannot be read: {problem.strerror}"
        ) from None


def files_in(folder: Path) -> dict[str, Path]:
    """Every file below ``folder``, caches left out; links must not lead out of it. Raises ``ProgramError``."""
    inside = folder.resolve()
    found: dict[str, Path] = {}
    for path in folder.rglob("*"):
        if path.is_dir() or "__pycache__" in path.parts:
            continue
        if not path.resolve().is_relative_to(inside):
            raise ProgramError(
                f"{path}: ist ein Link auf etwas außerhalb des Spieler-Ordners.",
                f"{path}: is a link to something outside of the player's folder",
            )
        if path.is_file():
            found[path.relative_to(folder).as_posix()] = path
    return found
