"""An untrusted ZIP, read so that no name leads out of its folder, and nothing grows without bound."""

from __future__ import annotations

import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from spielleiter.errors import ProgramError
from spielleiter.programs.sandbox.files import MAX_BYTES, MAX_FILES, ProgramFile

_CHUNK_SIZE = 1 << 16


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much a ZIP may hold."""

    size: int = MAX_BYTES
    """Bytes of all files together, uncompressed."""
    files: int = MAX_FILES
    depth: int = 32
    """Nested folders."""


def read_zip(data: bytes, what: str, limits: ArchiveLimits | None = None) -> list[ProgramFile]:
    """The files of a ZIP; ``what`` names it in messages. Raises ``ProgramError`` for what is no ZIP, or is too much."""
    limits = limits or ArchiveLimits()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > limits.files:
                raise ProgramError(
                    f"{what}: mehr als {limits.files} Dateien.", f"{what}: more than {limits.files} files"
                )
            files = list(_files(archive, limits, what))
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, struct.error) as problem:
        raise ProgramError(
            f"{what}: keine lesbare ZIP-Datei: {problem}.", f"{what}: not a readable ZIP file: {problem}"
        ) from None
    except (NotImplementedError, RuntimeError) as problem:
        # What zipfile raises for an unknown compression, and for a password.
        raise ProgramError(
            f"{what}: diese Art von ZIP lässt sich nicht entpacken: {problem}.",
            f"{what}: this kind of ZIP cannot be unpacked: {problem}",
        ) from None
    _refuse_clashes(files, what)
    return files


def _files(archive: zipfile.ZipFile, limits: ArchiveLimits, what: str) -> Iterator[ProgramFile]:
    left = limits.size
    for member in archive.infolist():
        path = _safe_path(member.filename, limits, what)
        mode = member.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
            # A link could lead anywhere, and be followed by the next file.
            raise ProgramError(
                f"{what}: {member.filename!r} ist ein Link oder ein Gerät; erlaubt sind nur Dateien und Ordner.",
                f"{what}: {member.filename!r} is a link or a device; only files and folders are allowed",
            )
        if member.is_dir():
            continue
        content = bytearray()
        # The header may lie about the size: count what really comes.
        with archive.open(member) as source:
            while chunk := source.read(_CHUNK_SIZE):
                content += chunk
                if len(content) > left:
                    raise ProgramError(
                        f"{what}: entpackt mehr als {limits.size} Bytes.",
                        f"{what}: more than {limits.size} bytes when unpacked",
                    )
        left -= len(content)
        yield ProgramFile(path, bytes(content), bool(mode & 0o111))


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


def _refuse_clashes(files: list[ProgramFile], what: str) -> None:
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
