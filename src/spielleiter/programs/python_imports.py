"""What a Python file imports, found without running it, and which of that lies beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from spielleiter.errors import READ, ProgramError, refusing

PACKAGE = Path(__file__).parents[1]
"""The folder of this package."""
_IGNORED_FOLDERS = {"__pycache__", "venv", "node_modules", "tests", "build", "dist"}


def imports_of(path: Path) -> set[str]:
    """The full names of all modules that a file may import. Raises ``ProgramError`` for what is no Python."""
    found: set[str] = set()
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def parse(path: Path, version: tuple[int, int] | None = None) -> ast.Module:
    """The syntax tree of a file, as that ``version`` of Python reads it.

    Raises ``ProgramError`` with the line that is no Python.
    """
    try:
        with refusing(ProgramError, path, READ, also=(ValueError,)):
            return ast.parse(path.read_bytes(), str(path), feature_version=version)
    except SyntaxError as problem:
        raise ProgramError(
            f"{path}, Zeile {problem.lineno}: {problem.msg}", f"{path}, line {problem.lineno}: {problem.msg}"
        ) from None


def modules_beside(entry: Path) -> dict[str, Path]:
    """The file and the modules beside it that it imports, and those that these import, by their relative paths."""
    found = {entry.name: entry}
    waiting = [entry]
    while waiting:
        for name in imports_of(waiting.pop()):
            top = entry.parent / name.split(".")[0]
            if top.name == PACKAGE.name:
                continue
            paths = player_files(top) if (top / "__init__.py").is_file() else [top.with_suffix(".py")]
            for path in paths:
                inside = path.relative_to(entry.parent).as_posix()
                if path.is_file() and inside not in found:
                    found[inside] = path
                    waiting += [path] if path.suffix == ".py" else []
    return found


def player_files(folder: Path) -> Iterator[Path]:
    """The files of a folder that a player needs: no tests, caches, hidden files, logs, documents, matches or drills."""
    for path in sorted(folder.iterdir()):
        name = path.name
        if name.startswith((".", "test_", "README")) or name in _IGNORED_FOLDERS or path.is_symlink():
            continue
        if path.is_dir():
            if not (path / "match.json").is_file():  # Played here with ``spielleiter match``: may be large one day.
                yield from player_files(path)
        elif not name.endswith((".zip", ".log", ".pyc", ".md", ".drill", ".history.jsonl")):
            yield path
