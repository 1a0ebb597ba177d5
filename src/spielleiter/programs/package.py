"""A player as a ZIP for the contest: start.sh, the player, and the part of this package that it needs.

What is needed shows in the imports: those of the player, and those of what it imports. Of the games only the one is
taken that is played; one of another package comes with that package and its entry points. Other packages are packed for
a target, if the player requires them (``wheels.py``), and reported otherwise, because the contest does not have them.
"""

from __future__ import annotations

import ast
import io
import json
import shlex
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter import __version__, games
from spielleiter.atomic_files import atomic_write
from spielleiter.errors import WRITE, ProgramError, refusing
from spielleiter.game import AnyGame
from spielleiter.programs.archive import PROGRAM_BEGINNINGS
from spielleiter.programs.entrants import PACKED_FOR, PYTHON_ENTRIES, EntrantKind, ProgramSource, game_folder
from spielleiter.programs.python_imports import PACKAGE, imports_of, parse, player_files
from spielleiter.programs.sandbox import JAVA, PYTHON, ProgramFiles, files_in
from spielleiter.programs.start_script import START_SCRIPT, mended
from spielleiter.programs.targets import Target
from spielleiter.programs.wheels import PACKAGES, Vendored, newer_than, refuse_unfit, requirements_of, vendor
from spielleiter.text import Text

_FIXED_DATE = (2020, 1, 1, 0, 0, 0)
"""The date of every file in the ZIP, so that the same player makes the same ZIP."""
_SEARCH_PATH = f"""\
PYTHONPATH="$(cd "$(dirname "$0")" && pwd)/{PACKAGES}${{PYTHONPATH:+:$PYTHONPATH}}"
export PYTHONPATH
"""
_START = """\
#!/bin/sh
# Starts the player. The contest adds: --host HOST --port PORT --reservation CODE
cd "$(dirname "$0")" || exit 1
exec {command} "$@"
"""


@dataclass(frozen=True, slots=True)
class Package:
    """What goes into the ZIP: paths beside its start.sh, and where the files are."""

    start: bytes
    """The content of start.sh."""
    below: str
    """Where start.sh lies in the ZIP: at the top, for which it is empty, or in a folder, with its slash."""
    files: dict[str, Path]
    foreign: tuple[str, ...]
    """Imported packages that are neither Python's nor ours: the contest does not have them."""
    games: tuple[str, ...]
    """The folders of the games that are inside."""
    keys: tuple[str, ...] = ()
    """The games for which it was packed, as far as that is known."""
    target: Target | None = None
    """The image of the contest for which it was packed."""
    vendored: Vendored = field(default_factory=Vendored)
    newer: tuple[Text, ...] = ()
    """Its own wheels that the target may be too old for, one line for each."""

    def to_bytes(self) -> bytes:
        """The ZIP, the same bytes each time. Raises ``ProgramError``, also if it is too large for the target."""
        buffer = io.BytesIO()
        note: dict[str, object] = {"spielleiter": __version__}
        note |= {"games": self.keys} if self.keys else {}
        note |= {} if self.target is None else {"target": self.target.name}
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            _add(archive, self.below + START_SCRIPT, self.start, executable=True)
            if len(note) > 1:
                _add(archive, self.below + PACKED_FOR, f"{json.dumps(note)}\n".encode(), executable=False)
            own = ProgramFiles.read(self.files, START_SCRIPT) if self.files else ()
            for file in (*own, *(self.vendored.files or {}).values()):
                executable = file.executable or file.data.startswith(PROGRAM_BEGINNINGS)
                _add(archive, self.below + file.path, file.data, executable=executable)
            sizes = sorted(((entry.compress_size, entry.filename) for entry in archive.infolist()), reverse=True)
        data = buffer.getvalue()
        if self.target is not None and len(data) > self.target.max_size:
            raise _too_large(len(data), self.target, sizes[0])
        return data

    def write(self, path: Path) -> None:
        """Write the ZIP. Raises ``ProgramError``, also if it is too large for the target."""
        data = self.to_bytes()
        with refusing(ProgramError, path, WRITE), atomic_write(path) as draft:
            draft.write_bytes(data)


def _too_large(size: int, target: Target, largest: tuple[int, str]) -> ProgramError:
    megabytes, limit, largest_file = (f"{number / 1e6:.1f}" for number in (size, target.max_size, largest[0]))
    return ProgramError(
        f"Das ZIP hätte {megabytes.replace('.', ',')} MB; für {target.name} sind {limit.replace('.', ',')} MB erlaubt."
        f" Die größte Datei ist {largest[1]} mit {largest_file.replace('.', ',')} MB.",
        f"the ZIP would have {megabytes} MB; {target.name} takes {limit} MB. The largest file is {largest[1]} with"
        f" {largest_file} MB",
    )


def _add(archive: zipfile.ZipFile, name: str, data: bytes, *, executable: bool) -> None:
    entry = zipfile.ZipInfo(name, _FIXED_DATE)
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def start_script(*command: str) -> str:
    """A start.sh for a command as a ``LaunchSpec`` has it."""
    first, *rest = command
    program = {PYTHON: '"${PYTHON:-python3}"', JAVA: "java"}.get(first) or shlex.quote(first)
    return _START.format(command=" ".join((program, *map(shlex.quote, rest))))


def collect(
    source: ProgramSource, game: AnyGame | None = None, include: Iterable[Path] = (), target: Target | None = None
) -> Package:
    """What a player needs to run by itself. Raises ``ProgramError`` for what cannot be packed.

    Of a Python file and a command the modules beside them are taken that they import. A folder with start.sh is taken
    as it is, unless it is a Python player that uses this package: of that and of a folder without start.sh everything
    is taken but tests, caches, hidden files and documents. ``include`` are more files and folders. For a ``target``
    the packages are taken along that the player requires, and a ``start.sh`` of its own finds them.
    """
    root = source.path if source.kind is EntrantKind.FOLDER else source.path.parent
    start, own, is_python = _own_files(source)
    start = mended(start)
    own.pop(START_SCRIPT, None)
    for extra in include:
        own |= _extra_files(extra, root)
    vendored = Vendored() if target is None else _vendored(source, own, target)
    if vendored.files:
        start = _with_packages(start)
    modules = _modules(own) if is_python else {}
    packed = _games_of(modules, game) if _uses_package(modules) else []
    keys = keys_in(modules) if game is None else (game.key,)
    if {games.package_of(games.load(key)) for key in keys} != {games.package_of(each) for each in packed}:
        keys = ()  # It may play more games than it names.
    for each in packed:
        if (plugin := games.plugin_of(each)) is not None:
            own |= plugin.files()
    modules = _modules(own) if is_python else {}
    imported = set().union(*modules.values())
    local = {name.split("/")[0].removesuffix(".py") for name in own}
    foreign = {name.split(".")[0] for name in imported} - local - sys.stdlib_module_names - {PACKAGE.name}
    foreign -= vendored.modules
    if packed:
        own |= {str(path.relative_to(PACKAGE.parent)): path for path in _needed(imported, packed)}
    own.pop(PACKED_FOR, None)
    folders = sorted({game_folder(each) for each in packed})
    newer = () if target is None else newer_than(own, target)
    return Package(start, source.below, own, tuple(sorted(foreign)), tuple(folders), keys, target, vendored, newer)


def _vendored(source: ProgramSource, own: Mapping[str, Path], target: Target) -> Vendored:
    """The packages for the target that a player in Python requires; refuses what cannot run there."""
    sources = {name: path for name, path in own.items() if path.suffix == ".py"}
    if not sources:
        raise ProgramError(
            f"{source.name}: darin ist keine Python-Datei, und {target.name} ist für Spieler in Python. Ohne --for wird"
            " gepackt, was da ist.",
            f"{source.name}: there is no Python file in it, and {target.name} is for players in Python. Without --for"
            " it is packed as it is",
        )
    for path in sources.values():
        parse(path, target.python)
    refuse_unfit(own, target)
    if any(name.split("/")[0] == PACKAGES for name in own):
        return Vendored()  # It brings its packages itself, as the organisers' kit packs them.
    root = source.path if source.kind is EntrantKind.FOLDER else source.path.parent
    return vendor(requirements_of(root, [path for name, path in sources.items() if "/" not in name]), target)


def _with_packages(start: bytes) -> bytes:
    """The script, with the folder of the packages in Python's search path wherever it is run."""
    first, _, rest = start.partition(b"\n")
    return b"%s\n%s%s" % (first, _SEARCH_PATH.encode(), rest)


# --- the player's own files -------------------------------------------------------------------------------------------


def _own_files(source: ProgramSource) -> tuple[bytes, dict[str, Path], bool]:
    """The content of start.sh, all files by their paths in the ZIP, and whether their imports matter."""
    match source.kind:
        case EntrantKind.FOLDER:
            return _folder_files(source)
        case EntrantKind.PYTHON_FILE | EntrantKind.COMMAND | EntrantKind.JAR:
            return start_script(*source.command).encode(), dict(source.files), True
        case _:
            raise ProgramError(
                f"{source.name}: erwartet wird eine Python-Datei, ein JAR, ein Ordner oder ein Befehl.",
                f"{source.name}: expected a Python file, a JAR, a folder or a command",
            )


def _folder_files(source: ProgramSource) -> tuple[bytes, dict[str, Path], bool]:
    script = source.path / START_SCRIPT
    needed = {path.relative_to(source.path).as_posix(): path for path in player_files(source.path)}
    if not script.is_file():
        is_python = source.command[0] == PYTHON
        return start_script(*source.command).encode(), needed if is_python else files_in(source.path), is_python
    is_python = any((source.path / entry).is_file() for entry in PYTHON_ENTRIES)
    if is_python and _uses_package(_modules(needed)):
        return script.read_bytes(), needed, True
    return script.read_bytes(), files_in(source.path), False


def _modules(files: Mapping[str, Path]) -> dict[Path, set[str]]:
    """What each Python file imports."""
    return {path: imports_of(path) for path in files.values() if path.suffix == ".py"}


def _uses_package(modules: Mapping[Path, set[str]]) -> bool:
    return any(name.split(".")[0] == PACKAGE.name for names in modules.values() for name in names)


def _extra_files(extra: Path, root: Path) -> dict[str, Path]:
    if not extra.exists():
        raise ProgramError(
            f"--include {extra}: diese Datei gibt es nicht.", f"--include {extra}: there is no such file"
        )
    base = root if extra.resolve().is_relative_to(root.resolve()) else extra.resolve().parent
    paths = player_files(extra) if extra.is_dir() else [extra]
    return {path.resolve().relative_to(base.resolve()).as_posix(): path for path in paths}


# --- our part ---------------------------------------------------------------------------------------------------------


def _games_of(modules: Mapping[Path, set[str]], game: AnyGame | None) -> list[AnyGame]:
    """The games to pack: the given one, else those that the player names or imports, else all."""
    everything = games.all_games()
    if game is not None:
        return [game]
    named = keys_in(modules)
    imported = {name for names in modules.values() for name in names}
    chosen = [each for key, each in everything.items() if key in named or _imports(imported, games.package_of(each))]
    return chosen or list(everything.values())


def _imports(imported: Iterable[str], package: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for name in imported)


def keys_in(modules: Iterable[Path]) -> tuple[str, ...]:
    """The keys of games that stand in these files."""
    known = games.all_games()
    constants = (node.value for path in modules for node in ast.walk(parse(path)) if isinstance(node, ast.Constant))
    return tuple(sorted({value for value in constants if isinstance(value, str) and value in known}))


def packable_files() -> set[Path]:
    """All files of this package that a player may bring along: what runs on the oldest Python of the contest."""
    roots = (f"{PACKAGE.name}.{name}" for name in ("client", "search", "players"))
    return _needed(roots, games.all_games().values())


def _needed(imported: Iterable[str], packed: Iterable[AnyGame]) -> set[Path]:
    """The files of this package that are needed for these imports and games."""
    found: set[Path] = set()
    # The games are found by looking into their folder, not by an import.
    packages = {games.package_of(game) for game in packed}
    waiting = {name for name in (*imported, *packages) if name.split(".")[0] == PACKAGE.name}
    known = set(waiting)
    while waiting:
        for path in _files_of(waiting.pop()):
            if path in found:
                continue
            found.add(path)
            new = {name for name in imports_of(path) if name.split(".")[0] == PACKAGE.name} - known
            waiting |= new
            known |= new
    others = {games.package_of(game) for game in games.all_games().values()} - packages
    unwanted = [PACKAGE.parent.joinpath(*package.split(".")) for package in others]
    return {path for path in found if not any(path.is_relative_to(folder) for folder in unwanted)}


def _files_of(module: str) -> Iterator[Path]:
    """The file of a module, and those of the packages around it; nothing for names inside of a module."""
    path = PACKAGE.parent
    for part in module.split("."):
        if (path / part / "__init__.py").is_file():
            path /= part
            yield path / "__init__.py"
        elif (path / f"{part}.py").is_file():
            yield path / f"{part}.py"
            return
        else:
            return
