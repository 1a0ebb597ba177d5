"""A player as a ZIP that runs on a bare Python: start.sh, the player, and the part of this package that it needs.

What is needed shows in the imports: those of the player, and those of what it imports. Of the games only the one is
taken that is played. Packages from elsewhere are not packed; they are told, because the contest does not have them.
"""

from __future__ import annotations

import ast
import sys
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spielleiter import games
from spielleiter.errors import ProgramError
from spielleiter.game import AnyGame

_PACKAGE = Path(__file__).parents[1]
_NAME = _PACKAGE.name
_LEFT_OUT = {"__pycache__", "venv", "node_modules", "tests", "build", "dist"}
_ENTRIES = ("player.py", "main.py")
_OLD = (2020, 1, 1, 0, 0, 0)
"""The time of every file in the ZIP, so that the same player makes the same ZIP."""

START_SCRIPT = """\
#!/bin/sh
# Starts the player. The contest adds: --host HOST --port PORT --reservation CODE
cd "$(dirname "$0")" || exit 1
exec "${{PYTHON:-python3}}" {entry} "$@"
"""


@dataclass(frozen=True, slots=True)
class Package:
    """What goes into the ZIP: names in it, and where the files are."""

    start: str
    """The text of start.sh."""
    files: dict[str, Path]
    foreign: tuple[str, ...]
    """Imported packages that are neither Python's nor ours: the contest does not have them."""
    games: tuple[str, ...]
    """The folders of the games that are inside."""

    def write(self, target: Path) -> None:
        """Write the ZIP, the same bytes each time."""
        try:
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
                _add(archive, "start.sh", self.start.encode(), 0o755)
                for name, path in sorted(self.files.items()):
                    _add(archive, name, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)
        except OSError as problem:
            raise ProgramError(f"cannot write {target}: {problem.strerror or problem}") from None


def _add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(name, _OLD)
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def collect(player: Path, game: AnyGame | None = None, include: Iterable[Path] = ()) -> Package:
    """What the player needs. Raises ``ProgramError`` for what is no Python player.

    ``player`` is a Python file, of which the modules beside it are taken that it imports, or a folder, of which
    everything is taken except tests, caches, hidden files and texts. ``include`` are more files and folders.
    """
    entry, own = _own_files(player)
    for extra in include:
        own |= _extra_files(extra, entry.parent)
    modules = {path: _imports(path) for path in own.values() if path.suffix == ".py"}
    imported = set().union(*modules.values())
    local = {name.split("/")[0].removesuffix(".py") for name in own}
    folders = _games_of(modules, game)
    ours = _needed(imported, folders)
    foreign = {name.split(".")[0] for name in imported} - local - sys.stdlib_module_names - {_NAME}
    script = entry.parent / "start.sh"
    start = START_SCRIPT.format(entry=entry.name)
    if player.is_dir() and script.is_file():
        start = script.read_text(encoding="utf-8")
    own.pop("start.sh", None)
    files = {**own, **{str(path.relative_to(_PACKAGE.parent)): path for path in ours}}
    return Package(start, files, tuple(sorted(foreign)), folders)


# --- the player's own files -------------------------------------------------------------------------------------------


def _own_files(player: Path) -> tuple[Path, dict[str, Path]]:
    """The file to start, and all files by their names in the ZIP."""
    if player.is_file() and player.suffix == ".py":
        return player, beside(player)
    if not player.is_dir():
        raise ProgramError(f"{player}: expected a Python file, or a folder with player.py in it")
    entry = next((player / name for name in _ENTRIES if (player / name).is_file()), None)
    if entry is None:
        raise ProgramError(f"{player}: expected {' or '.join(_ENTRIES)} in this folder")
    return entry, {path.relative_to(player).as_posix(): path for path in _wanted(player)}


def _wanted(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        name = path.name
        if name.startswith((".", "test_", "README")) or name in _LEFT_OUT or path.is_symlink():
            continue
        if path.is_dir():
            yield from _wanted(path)
        elif path.suffix not in (".zip", ".log", ".pyc", ".md"):
            yield path


def beside(entry: Path) -> dict[str, Path]:
    """The file and the modules beside it that it imports, and those that these import."""
    found = {entry.name: entry}
    waiting = [entry]
    while waiting:
        for name in _imports(waiting.pop()):
            top = entry.parent / name.split(".")[0]
            if top.name == _NAME:
                continue
            paths = _wanted(top) if (top / "__init__.py").is_file() else [top.with_suffix(".py")]
            for path in paths:
                inside = path.relative_to(entry.parent).as_posix()
                if path.is_file() and inside not in found:
                    found[inside] = path
                    waiting += [path] if path.suffix == ".py" else []
    return found


def _extra_files(extra: Path, root: Path) -> dict[str, Path]:
    if not extra.exists():
        raise ProgramError(f"--include {extra}: there is no such file")
    base = root if extra.resolve().is_relative_to(root.resolve()) else extra.resolve().parent
    paths = _wanted(extra) if extra.is_dir() else [extra]
    return {path.resolve().relative_to(base.resolve()).as_posix(): path for path in paths}


def _imports(path: Path) -> set[str]:
    """The full names of all modules that a file may import."""
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except SyntaxError as problem:
        raise ProgramError(f"{path}, line {problem.lineno}: {problem.msg}") from None
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


# --- our part ---------------------------------------------------------------------------------------------------------


def _games_of(modules: dict[Path, set[str]], game: AnyGame | None) -> tuple[str, ...]:
    """The folders of the games to pack: the given one, else those that the player names, else all."""
    everything = {key: game_folder(known) for key, known in games.all_games().items()}
    if game is not None:
        return (everything[game.key],)
    named = {name.split(".")[2] for names in modules.values() for name in names if name.startswith(f"{_NAME}.games.")}
    named &= set(everything.values())
    for path in modules:
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in everything:
                named.add(everything[node.value])
    return tuple(sorted(named or set(everything.values())))


def game_folder(game: AnyGame) -> str:
    """The name of the folder below ``games`` in which the game lives."""
    return type(game.notation).__module__.split(".")[2]


def _needed(imported: Iterable[str], folders: Iterable[str]) -> set[Path]:
    """The files of this package that are needed for these imports."""
    found: set[Path] = set()
    waiting = {name for name in imported if name.split(".")[0] == _NAME}
    # The games are found by looking into their folder, not by an import.
    waiting |= {f"{_NAME}.games.{folder}" for folder in folders}
    known = set(waiting)
    while waiting:
        for path in _files_of(waiting.pop()):
            if path in found:
                continue
            found.add(path)
            new = {name for name in _imports(path) if name.split(".")[0] == _NAME} - known
            waiting |= new
            known |= new
    unwanted = [_PACKAGE / "games" / game_folder(game) for game in games.all_games().values()]
    unwanted = [folder for folder in unwanted if folder.name not in set(folders)]
    return {path for path in found if not any(path.is_relative_to(folder) for folder in unwanted)}


def _files_of(module: str) -> Iterator[Path]:
    """The file of a module, and those of the packages around it; nothing for names inside of a module."""
    path = _PACKAGE.parent
    for part in module.split("."):
        if (path / part / "__init__.py").is_file():
            path /= part
            yield path / "__init__.py"
        elif (path / f"{part}.py").is_file():
            yield path / f"{part}.py"
            return
        else:
            return
