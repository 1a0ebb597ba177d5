"""The files of a player program in one stream of bytes, so that a fresh folder can be filled from it for each game.

A file is a line ``MODE SIZE PATH`` (octal, decimal, with slashes) and then its bytes. ``bootstrap.py``, which runs
alone inside the sandbox, reads the same format. Untrusted archives are read by ``programs/archive.py``.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import NamedTuple, Self

from spielleiter.errors import READ, ProgramError, refusing
from spielleiter.text import Text

MAX_FILES = 20_000
MAX_BYTES = 500_000_000
_MAX_IN_MEMORY = 16_000_000
_MAX_NAME, _MAX_PATH = 255, 1000
"""Bytes of the name of a file or folder, as file systems have them, and of all names of a path."""
_RESERVED = re.compile(r"(con|prn|aux|nul|(com|lpt)[1-9¹²³])[ .]*(\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, with any extension: its machines cannot unpack such a file."""


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
        if (why := _unusable(path)) is not None:
            name = path if len(path) <= 80 else f"{path[:79]}…"
            raise ProgramError(
                f"{self._what}: der Dateiname {name!r} {why.de}.", f"{self._what}: the file name {name!r} {why.en}"
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
        for path, begin, end, executable in self._entries():
            yield ProgramFile(path, self.data[begin:end], executable)

    def _entries(self) -> Iterator[tuple[str, int, int, bool]]:
        """The path of each file, from where to where it goes, and whether it is executable."""
        at = 0
        while at < len(self.data):
            end = self.data.find(b"\n", at)
            mode, size, path = self.data[at:end].split(b" ", 2)
            at = end + 1 + int(size)
            yield os.fsdecode(path), end + 1, at, bool(int(mode, 8) & stat.S_IXUSR)

    def paths(self) -> Iterator[str]:
        """The paths of all files."""
        return (path for path, *_ in self._entries())

    def find(self, path: str) -> ProgramFile | None:
        """The file with this path, or ``None``."""
        found = next((entry for entry in self._entries() if entry[0] == path), None)
        return None if found is None else ProgramFile(path, self.data[found[1] : found[2]], found[3])

    def unpack(self, folder: Path) -> None:
        """Write all files into ``folder``, which should be empty. Raises ``OSError``."""
        for file in self:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.data)
            target.chmod(0o755 if file.executable else 0o644)


def _unusable(path: str) -> Text | None:
    """Why no program may have a file with this path: it could not be unpacked everywhere."""
    if any(unicodedata.category(character) == "Cc" for character in path):
        return Text("enthält Steuerzeichen", "has control characters")
    names = path.split("/")
    if any(len(os.fsencode(name)) > _MAX_NAME for name in names) or len(os.fsencode(path)) > _MAX_PATH:
        return Text(
            f"ist zu lang: höchstens {_MAX_NAME} Bytes, mit allen Ordnern {_MAX_PATH}",
            f"is too long: at most {_MAX_NAME} bytes, {_MAX_PATH} with all folders",
        )
    if any(_RESERVED.fullmatch(name) for name in names):
        return Text("ist unter Windows der eines Geräts", "is that of a device in Windows")
    return None


def _read(name: str, path: Path) -> ProgramFile:
    with refusing(ProgramError, path, READ):
        return ProgramFile(name, path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR))


_LEFT_OUT = {"__pycache__", ".git"}
"""What is no part of a program: with its history it would be another one after each commit, and too large one day."""


def files_in(folder: Path) -> dict[str, Path]:
    """Every file below ``folder`` but caches and git's own; links must not lead out of it. Raises ``ProgramError``."""
    inside = folder.resolve()
    found: dict[str, Path] = {}
    for path in folder.rglob("*"):
        if path.is_dir() or not _LEFT_OUT.isdisjoint(path.relative_to(folder).parts):
            continue
        if not path.resolve().is_relative_to(inside):
            raise ProgramError(
                f"{path}: ist ein Link auf etwas außerhalb des Spieler-Ordners.",
                f"{path}: is a link to something outside of the player's folder",
            )
        if path.is_file():
            found[path.relative_to(folder).as_posix()] = path
    return found
