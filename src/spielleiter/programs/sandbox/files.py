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
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import NamedTuple, Self

from spielleiter.errors import ProgramError
from spielleiter.text import system_error

MAX_FILES = 20_000
MAX_BYTES = 500_000_000
_MAX_IN_MEMORY = 16_000_000


class ProgramFile(NamedTuple):
    """One file of a program, with its path in the program's folder."""

    path: str
    data: bytes
    executable: bool = False


class Packer:
    """Puts the files of a program into one stream, piece by piece; what is large lies on the disk, not in memory.

    Use it as ``with Packer(what) as packer``.
    """

    def __init__(self, what: str) -> None:
        """``what`` names the program in messages."""
        self._what = what
        self._stream = SpooledTemporaryFile(_MAX_IN_MEMORY)  # noqa: SIM115 - ``__exit__`` closes it
        self._files = self._bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def add(self, path: str, chunks: Iterable[bytes], size: int, *, executable: bool) -> None:
        """One more file; there must come as many bytes as ``size`` says. Raises ``ProgramError``."""
        if any(ord(character) < 32 for character in path):
            raise ProgramError(
                f"{self._what}: der Dateiname {path!r} enthält Steuerzeichen.",
                f"{self._what}: the file name {path!r} has control characters",
            )
        self._files += 1
        self._bytes += size
        if self._files > MAX_FILES or self._bytes > MAX_BYTES:
            raise ProgramError(
                f"{self._what}: ein Spieler hat höchstens {MAX_FILES} Dateien und {MAX_BYTES // 10**6} MB.",
                f"{self._what}: a player has at most {MAX_FILES} files and {MAX_BYTES // 10**6} MB",
            )
        self._stream.write(b"%o %d %s\n" % (0o755 if executable else 0o644, size, os.fsencode(path)))
        left = size
        for chunk in chunks:
            left -= len(chunk)
            if left < 0:
                break
            self._stream.write(chunk)
        if left:
            raise ProgramError(
                f"{self._what}: {path!r} ist nicht so groß, wie angegeben: {size} Bytes.",
                f"{self._what}: {path!r} does not have the size that was said: {size} bytes",
            )

    def finish(self) -> ProgramFiles:
        """All files. Raises ``ProgramError`` if there are none."""
        size = self._stream.tell()
        if not size:
            raise ProgramError(f"{self._what}: enthält keine Dateien.", f"{self._what}: there are no files in it")
        self._stream.seek(0)
        if size <= _MAX_IN_MEMORY:
            return ProgramFiles(self._stream.read())
        self._stream.flush()
        return ProgramFiles(mmap(self._stream.fileno(), size, access=ACCESS_READ))


@dataclass(frozen=True, eq=False)
class ProgramFiles:
    """All files of one program, packed."""

    data: bytes | mmap

    @classmethod
    def of(cls, files: Iterable[ProgramFile], what: str) -> ProgramFiles:
        """The packed files; ``what`` names them in messages. Raises ``ProgramError``."""
        with Packer(what) as packer:
            for file in sorted(files):
                packer.add(file.path, (file.data,), len(file.data), executable=file.executable)
            return packer.finish()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramFiles) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type[ProgramFiles], tuple[bytes]]:
        return ProgramFiles, (bytes(self.data),)

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
            end = self.data.find(b"\n", at)
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
        why = system_error(problem)
        raise ProgramError(f"{path}: lässt sich nicht lesen: {why.de}.", f"{path}: cannot be read: {why.en}") from None


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
