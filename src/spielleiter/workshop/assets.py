"""What the workshop loads into the browser: Python and an editor, and the sources of this package as one ZIP.

Where the release was built with the engine as WebAssembly, it is there, too; a page loads it when it is needed.
Python, editor and engine are the package ``spielleiter-workshop``, or in a checkout what ``make workshop`` has made.
"""

from __future__ import annotations

import gzip
import importlib.util
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

import markupsafe

from spielleiter import __version__, games
from spielleiter.programs.python_imports import PACKAGE

SOURCES = "spielleiter.zip"
EDITOR = "editor.js"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
ENGINE = "engine.wasm"
"""The engine for players who search with it, where the release was built with it."""
ENGINE_HASH = f"{ENGINE}.sha256"
_NAMES = (*PYTHON, EDITOR, "LICENSES.txt")
_TYPES = {
    "js": "text/javascript",
    "json": "application/json",
    "mjs": "text/javascript",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "zip": "application/zip",
}
_ELSEWHERE = ("cli", "coach", "contest", "lab", "rl", "server", "web")
"""Folders of this package for which a browser has no use."""
_TEMPLATES = ("exported", "learn", "parts", "play", "puzzles")
"""Folders of templates that are rendered in the browser."""
_RENDERERS = ("jinja2", "linkify_it", "markdown_it", "mdurl", "uc_micro")
"""What renders them, in plain Python."""
_DATE = (2020, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file for the browser."""

    data: bytes = field(repr=False)
    media_type: str
    is_gzipped: bool

    @property
    def plain(self) -> bytes:
        """The file as it is."""
        return gzip.decompress(self.data) if self.is_gzipped else self.data


@dataclass(frozen=True, slots=True)
class Assets:
    """All files, by their names."""

    files: dict[str, Asset]
    version: str
    """A name for the present contents: part of the addresses, so that browsers may keep the files."""


def find_folder() -> Path | None:
    """Where Python and the editor are; ``None`` if they are not installed."""
    package = importlib.util.find_spec("spielleiter_workshop")
    candidates = [] if package is None or package.origin is None else [Path(package.origin).parent / "assets"]
    candidates.append(PACKAGE.parents[1] / "build" / "workshop" / "assets")
    return next((folder for folder in candidates if all(_path(folder, name) for name in _NAMES)), None)


def load() -> Assets | None:
    """The files; ``None`` if they are not installed. Takes a second at the first time."""
    folder = find_folder()
    return None if folder is None else _load(folder)


@cache
def _load(folder: Path) -> Assets:
    files = {name: _read(folder, name) for name in _NAMES}
    if (engine := _read_engine(folder)) is not None:
        files[ENGINE] = engine
    files[SOURCES] = Asset(pack_sources(), _TYPES["zip"], is_gzipped=False)
    digest = sha256(__version__.encode())
    for name, asset in sorted(files.items()):
        digest.update(name.encode() + asset.data)
    return Assets(files, digest.hexdigest()[:16])


def _path(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / f"{name}.gz", folder / name) if path.is_file()), None)


def _read(folder: Path, name: str) -> Asset:
    path = _path(folder, name)
    assert path is not None
    return Asset(path.read_bytes(), _TYPES[name.rsplit(".", 1)[1]], path.suffix == ".gz")


def _read_engine(folder: Path) -> Asset | None:
    """The engine; ``None`` where there is none, or not that of which the hash was noted when it was built."""
    hash_file = folder / ENGINE_HASH
    if _path(folder, ENGINE) is None or not hash_file.is_file():
        return None
    engine = _read(folder, ENGINE)
    return engine if sha256(engine.plain).hexdigest() == hash_file.read_text(encoding="ascii").strip() else None


def pack_sources(*, pages: bool = False) -> bytes:
    """The part of this package that runs in the browser, with the games of other packages, always the same bytes.

    With ``pages`` also what renders pages there, for those that have no server.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        found = dict(_sources()) | (dict(_page_sources()) if pages else {})
        for name, path in sorted(found.items()):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def _sources() -> Iterator[tuple[str, Path]]:
    for path in (*PACKAGE.rglob("*.py"), *(PACKAGE / "programs" / "template").rglob("*.txt")):
        inside = path.relative_to(PACKAGE)
        if inside.parts[0] not in _ELSEWHERE and not {"template_clients", "template_players"} & set(inside.parts):
            yield f"{PACKAGE.name}/{inside.as_posix()}", path
    # Pictures are made of its marked texts; in Python it works without its C.
    for name in ("__init__.py", "_native.py"):
        yield f"markupsafe/{name}", Path(markupsafe.__file__).parent / name
    for game in games.all_games().values():
        if (plugin := games.plugin_of(game)) is not None:
            yield from plugin.files().items()


def _page_sources() -> Iterator[tuple[str, Path]]:
    templates = PACKAGE / "pages" / "templates"
    for pattern in ("*.html", *(f"{folder}/**/*.html" for folder in _TEMPLATES)):
        for path in templates.glob(pattern):
            yield f"{PACKAGE.name}/{path.relative_to(PACKAGE).as_posix()}", path
    for path in (PACKAGE / "games").glob("*/puzzles.tsv"):
        yield f"{PACKAGE.name}/{path.relative_to(PACKAGE).as_posix()}", path
    for name in _RENDERERS:
        package = importlib.util.find_spec(name)
        if package is None or package.origin is None:
            continue  # Some versions need what others do not.
        folder = Path(package.origin).parent
        for path in folder.rglob("*.py"):
            if "cli" not in path.parts:
                yield f"{name}/{path.relative_to(folder).as_posix()}", path
