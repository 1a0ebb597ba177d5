"""A stranger's ZIP, unpacked so that nothing of it lands outside of its folder, and nothing grows without bound."""

from __future__ import annotations

import stat
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from spielleiter.errors import ProgramError


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How much a ZIP may hold."""

    size: int = 1 << 30
    """Bytes of all files together, unpacked."""
    files: int = 20_000
    depth: int = 32
    """Folders inside folders."""


_PIECE = 1 << 16


def unpack(archive: Path, folder: Path, limits: ArchiveLimits | None = None) -> None:
    """Unpack ``archive`` into the empty ``folder``. Raises ``ProgramError`` for a ZIP that is none, or is too much."""
    limits = limits or ArchiveLimits()
    try:
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
            if len(members) > limits.files:
                raise ProgramError(f"{archive}: more than {limits.files} files")
            left = limits.size
            for member in members:
                left -= _unpack_one(opened, member, folder, left, limits, archive)
    except (zipfile.BadZipFile, zlib.error, EOFError) as problem:
        raise ProgramError(f"{archive}: no readable ZIP file: {problem}") from None
    except (NotImplementedError, RuntimeError) as problem:
        # What zipfile raises for an unknown compression, and for a password.
        raise ProgramError(f"{archive}: this kind of ZIP cannot be unpacked: {problem}") from None
    except OSError as problem:
        raise ProgramError(f"{archive}: cannot be unpacked: {problem.strerror or problem}") from None


def _unpack_one(
    opened: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int, limits: ArchiveLimits, archive: Path
) -> int:
    """The bytes that the member took."""
    target = folder / _safe_path(member.filename, limits, archive)
    mode = member.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        # A link could lead anywhere, and be followed by the next file.
        raise ProgramError(
            f"{archive}: {member.filename!r} is a link or a device; only files and folders may be inside"
        )
    if member.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        return 0
    target.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    # The header may lie about the size: count what really comes.
    with opened.open(member) as source, target.open("xb") as sink:
        while piece := source.read(_PIECE):
            written += len(piece)
            if written > left:
                raise ProgramError(f"{archive}: more than {limits.size} bytes when unpacked")
            sink.write(piece)
    target.chmod(0o755 if mode & 0o111 else 0o644)
    return written


def _safe_path(name: str, limits: ArchiveLimits, archive: Path) -> Path:
    path = PurePosixPath(name.replace("\\", "/"))
    parts = path.parts
    odd = not parts or path.is_absolute() or ".." in parts or "\0" in name or ":" in parts[0]
    if odd or len(parts) > limits.depth:
        raise ProgramError(f"{archive}: the name {name[:80]!r} leads out of the ZIP, or nowhere")
    return Path(*parts)
