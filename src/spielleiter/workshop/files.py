"""A player as files: the folder of ``spielleiter new``, the ZIP of ``spielleiter pack``, and both opened again."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from spielleiter.errors import ProgramError
from spielleiter.game import AnyGame
from spielleiter.programs.archive import ArchiveLimits, list_zip, unpack_zip
from spielleiter.programs.entrants import PYTHON_ENTRIES, find_source
from spielleiter.programs.kit_folder import kit_files
from spielleiter.programs.package import collect
from spielleiter.programs.start_script import START_SCRIPT
from spielleiter.text import Language, Text
from spielleiter.workshop.program import MAX_CODE

_DATE = (2020, 1, 1, 0, 0, 0)
_LIMITS = ArchiveLimits(size=16 << 20, files=2000)
DEFAULT_NAME = Text("mein-spieler", "my-player")
Position = tuple[str, str]
"""A position and the move that is to be played there."""


def file_name(name: str, language: Language) -> str:
    """A player's name as that of a file: letters, digits, ``-`` and ``_``."""
    return re.sub(r"[^\w-]+", "-", name, flags=re.ASCII).strip("-")[:40] or DEFAULT_NAME.to(language)


def folder_zip(name: str, game: AnyGame, language: Language, code: str, positions: Sequence[Position]) -> bytes:
    """The folder of a player, as ``spielleiter new`` makes it, in a ZIP."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(kit_files(name, game, language, code, positions).items()):
            entry = zipfile.ZipInfo(f"{name}/{path}", _DATE)
            entry.external_attr = (0o100755 if path == START_SCRIPT else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return buffer.getvalue()


def contest_zip(name: str, game: AnyGame, language: Language, code: str) -> bytes:
    """What ``spielleiter pack`` makes of that folder. Raises ``ProgramError``."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / name
        folder.mkdir()
        for path, data in kit_files(name, game, language, code).items():
            (folder / path).write_bytes(data)
        (folder / START_SCRIPT).chmod(0o755)
        return collect(find_source(str(folder)), game).to_bytes()


def code_of(data: bytes) -> str:
    """The code in a file that was opened: a ZIP of either kind, or the code itself. Raises ``ProgramError``."""
    if data.startswith(b"PK"):
        members = [member for member in list_zip(data, "ZIP", _LIMITS) if member.path.count("/") <= 1]
        found = [member for entry in PYTHON_ENTRIES for member in members if member.path.split("/")[-1] == entry]
        if not found:
            raise ProgramError("In diesem ZIP ist keine player.py.", "There is no player.py in this ZIP.")
        if found[0].size > MAX_CODE:
            raise _too_large()
        [file] = unpack_zip(data, found[:1], "ZIP")
        data = file.data
    if len(data) > 4 * MAX_CODE:
        raise _too_large()
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ProgramError("Das ist kein Text in UTF-8.", "This is not text in UTF-8.") from None


def _too_large() -> ProgramError:
    return ProgramError(
        f"Diese Datei ist zu groß: höchstens {MAX_CODE // 1024} KiB Code.",
        f"This file is too large: at most {MAX_CODE // 1024} KiB of code.",
    )
