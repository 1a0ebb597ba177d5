"""An untrusted ZIP, read so that no name leads out of its folder, and nothing grows without bound.

It is judged by its directory before anything is unpacked, and what comes out must be what the directory says.
"""

from __future__ import annotations

import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePosixPath
from typing import IO, Literal, cast

from spielleiter.errors import READ, ProgramError, refusing
from spielleiter.programs.sandbox.files import MAX_BYTES, MAX_FILES, Packer, ProgramFiles
from spielleiter.text import Text

MAX_ZIP = 100_000_000
"""Bytes of the ZIP of a program: what ``pack`` makes, and what our contests and pages take."""
_CHUNK_SIZE = 1 << 16
PROGRAM_BEGINNINGS = (b"\x7fELF", b"#!")
"""The first bytes of what the system can execute."""
_END, _END_SIZE, _LARGE_END = b"PK\5\6", 22, b"PK\6\6"
"""What stands behind the directory, and in large archives before that."""
_MAX_ENTRY = 500
"""Bytes of a file in the directory, on average: 46, its path, and what some tools add."""


class MappedZip(mmap):
    """The bytes of a ZIP that stay on the disk, for ``zipfile`` too."""

    def seekable(self) -> bool:  # ``mmap`` has it from Python 3.13 on.
        return True

    def seek(self, position: int, whence: Literal[0, 1, 2, 3, 4] = 0) -> int:  # type: ignore[override]
        """The new position, as for files; ``OSError`` is how ``zipfile`` notices data too short for a ZIP."""
        try:
            super().seek(position, whence)
        except ValueError as problem:
            raise OSError(str(problem)) from None
        return self.tell()


ZipBytes = bytes | MappedZip
"""A ZIP, in memory or on the disk."""


def map_zip(path: Path, what: str, max_size: int = MAX_ZIP) -> ZipBytes:
    """The ZIP at ``path``. Raises ``ProgramError`` if it cannot be read, or has more than ``max_size`` bytes."""
    with refusing(ProgramError, what, READ), path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size > max_size:
            raise ProgramError(
                f"{what}: {too_large(max_size).de}: es sind {_megabytes(size, ',')} MB.",
                f"{what}: {too_large(max_size).en}: it has {_megabytes(size, '.')} MB",
            )
        return MappedZip(file.fileno(), size, access=ACCESS_READ) if size else b""


def too_large(max_size: int) -> Text:
    """What is said of a file of more than ``max_size`` bytes."""
    return Text(f"größer als {_megabytes(max_size, ',')} MB", f"larger than {_megabytes(max_size, '.')} MB")


def _opened(data: ZipBytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else cast("IO[bytes]", data))


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much a ZIP may hold."""

    size: int = MAX_BYTES
    """Bytes of all files together, uncompressed."""
    files: int = MAX_FILES
    depth: int = 32
    """Nested folders."""


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file in a ZIP, as its directory describes it."""

    path: str
    size: int
    executable: bool
    entry: zipfile.ZipInfo = field(repr=False)


def list_zip(data: ZipBytes, what: str, limits: ArchiveLimits | None = None) -> list[ZipMember]:
    """The files of a ZIP, before anything is unpacked; ``what`` names it in messages.

    Raises ``ProgramError`` for what is no ZIP, or is too much by what its directory says.
    """
    limits = limits or ArchiveLimits()
    _refuse_large_directory(data, limits, what)
    with _readable(what), _opened(data) as archive:
        entries = archive.infolist()
        if len(entries) > limits.files:
            raise _too_many_files(limits, what)
        found = [_member(entry, limits, what) for entry in entries]
    members = [member for member in found if not member.entry.is_dir()]
    if sum(member.size for member in members) > limits.size:
        raise ProgramError(
            f"{what}: entpackt mehr als {_megabytes(limits.size, ',')} MB.",
            f"{what}: more than {_megabytes(limits.size, '.')} MB when unpacked",
        )
    _refuse_clashes(members, what)
    return members


def _megabytes(size: int, point: str) -> str:
    return f"{size / 10**6:.9g}".replace(".", point)


def unpack_zip(data: ZipBytes, members: Iterable[ZipMember], what: str, *, find_programs: bool = False) -> ProgramFiles:
    """These files of the ZIP, one piece after the other. Raises ``ProgramError`` where its directory has lied.

    With ``find_programs`` a file that begins as programs do is executable, whatever the directory says.
    """
    with Packer(what) as packer, _readable(what), _opened(data) as archive:
        for member in sorted(members, key=lambda member: member.path):
            with archive.open(member.entry) as source:
                first = source.read(_CHUNK_SIZE)
                executable = member.executable or (find_programs and first.startswith(PROGRAM_BEGINNINGS))
                chunks = chain((first,), iter(partial(source.read, _CHUNK_SIZE), b""))
                packer.add(member.path, chunks, member.size, executable=executable)
        return packer.finish()


@contextmanager
def _readable(what: str) -> Iterator[None]:
    """What goes wrong inside is a ``ProgramError``."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, struct.error) as problem:
        raise ProgramError(
            f"{what}: keine lesbare ZIP-Datei; packe sie neu.", f"{what}: not a readable ZIP file: {problem}"
        ) from None
    except (NotImplementedError, RuntimeError) as problem:
        # What zipfile raises for an unknown compression, and for a password.
        raise ProgramError(
            f"{what}: diese Art von ZIP lässt sich nicht entpacken; packe sie ohne Passwort neu.",
            f"{what}: this kind of ZIP cannot be unpacked: {problem}",
        ) from None


def _refuse_large_directory(data: ZipBytes, limits: ArchiveLimits, what: str) -> None:
    """``zipfile`` makes an object of each entry before they can be counted: judge by the directory's size."""
    allowed = limits.files * _MAX_ENTRY
    end = data.rfind(_END, max(0, len(data) - _END_SIZE - 0xFFFF))
    large = data.rfind(_LARGE_END)
    sizes = [int.from_bytes(data[end + 12 : end + 16], "little")] if end >= 0 else []
    sizes += [int.from_bytes(data[large + 40 : large + 48], "little")] if large >= 0 else []
    if any(allowed < size <= len(data) for size in sizes):
        raise _too_many_files(limits, what)


def _too_many_files(limits: ArchiveLimits, what: str) -> ProgramError:
    return ProgramError(f"{what}: mehr als {limits.files} Dateien.", f"{what}: more than {limits.files} files")


def _member(entry: zipfile.ZipInfo, limits: ArchiveLimits, what: str) -> ZipMember:
    path = _safe_path(entry.filename, limits, what)
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        # A link could lead anywhere, and be followed by the next file.
        raise ProgramError(
            f"{what}: {entry.filename!r} ist ein Link oder ein Gerät; erlaubt sind nur Dateien und Ordner.",
            f"{what}: {entry.filename!r} is a link or a device; only files and folders are allowed",
        )
    return ZipMember(path, entry.file_size, bool(mode & 0o111), entry)


def _safe_path(name: str, limits: ArchiveLimits, what: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    odd = not parts or path.is_absolute() or ".." in parts or "\0" in name or ":" in parts[0]
    if odd or len(parts) > limits.depth:
        raise ProgramError(
            f"{what}: der Name {name[:80]!r} führt aus dem ZIP heraus oder nirgendwohin.",
            f"{what}: the name {name[:80]!r} leads out of the ZIP, or nowhere",
        )
    return str(path)


def _refuse_clashes(files: list[ZipMember], what: str) -> None:
    """A file must not come twice, nor be a folder as well."""
    seen: set[str] = set()
    folders = {str(parent) for file in files for parent in PurePosixPath(file.path).parents}
    for file in files:
        if file.path in seen or file.path in folders:
            raise ProgramError(
                f"{what}: lässt sich nicht entpacken: {file.path!r} kommt zweimal vor.",
                f"{what}: cannot be unpacked: {file.path!r} is there twice",
            )
        seen.add(file.path)
