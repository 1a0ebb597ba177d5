"""Player programs: how to find one and how it is started.

A program is a Python file, a folder with a ``start.sh``, a ZIP of such a folder, the name of a built-in player, or a
command line. The contest starts it with ``--host H --port P --reservation R`` behind.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from spielleiter import players
from spielleiter.errors import ProgramError
from spielleiter.players import BUILT_IN
from spielleiter.programs.archive import ArchiveLimits, unpack

START = "start.sh"


class ProgramKind(Enum):
    """What a program was given as."""

    PYTHON_FILE = "Python file"
    FOLDER = "folder with start.sh"
    ZIP = "ZIP with start.sh"
    COMMAND = "command"
    BUILT_IN = "built-in player"


@dataclass(frozen=True, slots=True)
class PlayerProgram:
    """A program that can be started."""

    name: str
    kind: ProgramKind
    command: tuple[str, ...]
    """What to run; the arguments of the contest come behind."""
    folder: Path
    """Where to run it."""
    script: Path | None = None
    """The ``start.sh``, if there is one."""

    def environment(self) -> dict[str, str]:
        """The variables with which it is started: a ZIP finds no Python packages here, all others find this one."""
        variables = dict(os.environ)
        if self.kind is not ProgramKind.ZIP:
            paths = [str(Path(__file__).parents[2]), *filter(None, [variables.get("PYTHONPATH")])]
            return {**variables, "PYTHONPATH": os.pathsep.join(paths)}
        for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
            variables.pop(name, None)
        ours = {str(Path(sys.prefix) / "bin")} if sys.prefix != sys.base_prefix else set()
        paths = [path for path in variables.get("PATH", os.defpath).split(os.pathsep) if path not in ours]
        return {**variables, "PATH": os.pathsep.join(paths)}


@contextmanager
def open_program(text: str, limits: ArchiveLimits | None = None) -> Iterator[PlayerProgram]:
    """The program that ``text`` names; what was unpacked for it is removed in the end. Raises ``ProgramError``."""
    path = Path(text).expanduser()
    if path.is_file() and path.suffix.lower() == ".zip":
        with tempfile.TemporaryDirectory(prefix="spielleiter-", ignore_cleanup_errors=True) as unpacked:
            folder = Path(unpacked)
            unpack(path, folder, limits)
            script = _find_start(folder, text)
            # Many ZIP programs lose the permission to execute; the contest gives it back.
            script.chmod(script.stat().st_mode | 0o111)
            yield _with_start(path.stem, ProgramKind.ZIP, script)
        return
    yield _find(text, path)


def _find(text: str, path: Path) -> PlayerProgram:
    if path.is_dir():
        return _with_start(path.resolve().name, ProgramKind.FOLDER, _find_start(path.resolve(), text))
    if path.is_file():
        path = path.resolve()
        if path.suffix == ".py":
            return PlayerProgram(path.stem, ProgramKind.PYTHON_FILE, (sys.executable, str(path)), path.parent)
        if path.name == START:
            return _with_start(path.parent.name, ProgramKind.FOLDER, path)
    if text.partition(":")[0] in BUILT_IN:
        players.load(text)  # Wrong options should show now, not when it is started.
        command = (sys.executable, "-m", "spielleiter.players", text)
        return PlayerProgram(text, ProgramKind.BUILT_IN, command, Path.cwd())
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise ProgramError(f"{text!r} is no command line: {problem}") from None
    if not words:
        raise ProgramError("a player program is a Python file, a folder with start.sh, a ZIP or a command, not nothing")
    found = shutil.which(words[0])
    if found is None:
        raise ProgramError(
            f"there is no player {text!r}: expected a Python file, a folder with {START}, a ZIP, a command,"
            f" or one of {', '.join(BUILT_IN)}"
        )
    return PlayerProgram(
        Path(words[0]).stem, ProgramKind.COMMAND, (str(Path(found).absolute()), *words[1:]), Path.cwd()
    )


def _find_start(folder: Path, text: str) -> Path:
    """The ``start.sh`` of a folder: in it, or in the only folder inside."""
    inside = [path for path in folder.iterdir() if not path.name.startswith((".", "__MACOSX"))]
    for place in (folder, *(path for path in inside if path.is_dir() and len(inside) == 1)):
        if (place / START).is_file():
            return place / START
    raise ProgramError(
        f"{text}: there is no {START} in it; the contest starts a player by it ('spielleiter pack' makes one)"
    )


def _with_start(name: str, kind: ProgramKind, script: Path) -> PlayerProgram:
    runs_alone = script.stat().st_mode & 0o111 and script.read_bytes()[:2] == b"#!"
    command = (str(script),) if runs_alone else ("/bin/sh", str(script))
    return PlayerProgram(name, kind, command, script.parent, script)
