"""Games and players of other packages, found by their entry points: what a school keeps for itself, beside ours.

Laws: what is broken, or is called as something else is, gets one ``PluginWarning`` and is left out: it never ends a
program. Where no package has anything for us, looking takes a millisecond or two: only then is importlib.metadata
imported, which takes twenty.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielleiter.errors import PluginWarning
from spielleiter.text import Text

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES, PLAYERS = "spielleiter.games", "spielleiter.players"
"""The groups of entry points."""
NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
"""How the entry point of a player may be called: so that it is neither a path nor an option."""
_METADATA = (".dist-info", ".egg-info")
_MAX_REASON = 200
_left_out: dict[tuple[str, str], Text] = {}


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point of another package."""

    name: str
    package: str
    """What people install: the name of the distribution."""
    metadata: Path
    """The folder beside the code that says so."""
    entry_point: EntryPoint

    @property
    def module(self) -> str:
        """Where the code lives, for an import."""
        return self.entry_point.module

    def load(self) -> Any:
        """What the entry point names, or ``None`` after a warning."""
        try:
            return self.entry_point.load()
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - whatever another package does, we go on
            self.leave_out(describe(problem))
            return None

    def leave_out(self, reason: Text) -> None:
        """Say why this one is left out."""
        kind = Text("Spiel", "game") if self.entry_point.group == GAMES else Text("Spieler", "player")
        why = Text(
            f"{kind.de} {self.name!r} aus dem Paket {self.package} fehlt: {reason.de}",
            f"{kind.en} {self.name!r} of the package {self.package} is left out: {reason.en}",
        )
        _left_out[self.entry_point.group, self.name] = why
        warn(why.de, why.en)

    def code(self) -> Path | None:
        """The folder, or the file, with the code; ``None`` if Python does not find it either."""
        try:
            spec = find_spec(self.module.partition(".")[0])
        except (ImportError, ValueError):
            return None
        if spec is None:
            return None
        if spec.submodule_search_locations:
            return Path(next(iter(spec.submodule_search_locations)))
        return None if spec.origin is None else Path(spec.origin)

    def files(self) -> dict[str, Path]:
        """What has to lie beside a program so that it finds this elsewhere: code and entry points, by their paths."""
        code = self.code()
        if code is None:
            return {}
        found = sorted(code.rglob("*")) if code.is_dir() else [code]
        needed = {
            path.relative_to(code.parent).as_posix(): path
            for path in found
            if path.is_file() and "__pycache__" not in path.parts
        }
        folder = f"{self.package}.dist-info"
        for name in ("METADATA", "PKG-INFO", "entry_points.txt"):
            if (self.metadata / name).is_file():
                needed[f"{folder}/{name.replace('PKG-INFO', 'METADATA')}"] = self.metadata / name
        return needed


def find(group: str) -> list[Plugin]:
    """All entry points of this group, by name; of a package that is there twice those of the first."""
    section = f"[{group}]".encode()
    found: list[Plugin] = []
    seen: set[str] = set()
    for folder in _metadata_folders():
        try:
            with open(os.path.join(folder, "entry_points.txt"), "rb") as file:
                if section not in file.read():
                    continue
        except OSError:
            continue
        found += _read(Path(folder), group, seen)
    return sorted(found, key=lambda plugin: (plugin.name, plugin.package))


def _metadata_folders() -> Iterator[str]:
    for place in dict.fromkeys(sys.path):
        try:
            with os.scandir(place or ".") as entries:
                yield from sorted(entry.path for entry in entries if entry.name.endswith(_METADATA))
        except OSError:
            continue


def _read(folder: Path, group: str, seen: set[str]) -> list[Plugin]:
    """The entry points of one package, which is called as none of ``seen``."""
    from importlib.metadata import Distribution

    name = folder.stem.partition("-")[0]
    try:
        package = Distribution.at(folder)
        name = package.metadata["Name"] or name
        same = re.sub(r"[-_.]+", "-", name).lower()
        if same in seen:
            return []
        seen.add(same)
        points = [point for point in package.entry_points if point.group == group]
        return [Plugin(point.name, name, folder, point) for point in points if point.module]
    except Exception as problem:  # noqa: BLE001 - damaged files of another package
        why = describe(problem)
        warn(
            f"Die Einstiegspunkte des Pakets {name} lassen sich nicht lesen: {why.de}",
            f"the entry points of the package {name} cannot be read: {why.en}",
        )
        return []


def why_left_out(group: str, name: str) -> Text | None:
    """Why the entry point of this name is not used; ``None`` if there is none."""
    return _left_out.get((group, name))


def search_paths() -> list[str]:
    """Where Python finds these packages, for a program of which the environment is ours."""
    paths = [path for plugin in _all() for path in (plugin.metadata, plugin.code()) if path is not None]
    return list(dict.fromkeys(str(path.resolve().parent) for path in paths))


def readable_paths() -> set[str]:
    """What a program has to read to use them: their code and their entry points, nothing beside these."""
    paths = {path for plugin in _all() for path in (plugin.metadata, plugin.code()) if path is not None}
    return {str(path.resolve()) for path in paths}


def _all() -> list[Plugin]:
    return _all_in(tuple(sys.path))


@cache
def _all_in(path: tuple[str, ...]) -> list[Plugin]:
    return [*find(GAMES), *find(PLAYERS)]


# --- what is wrong with them ------------------------------------------------------------------------------------------


def describe(problem: BaseException) -> Text:
    """What another package's code raised, in one line."""
    said = " ".join(str(problem).split())
    text = f"{type(problem).__name__}: {said}" if said else type(problem).__name__
    shown = text if len(text) <= _MAX_REASON else f"{text[:_MAX_REASON]}..."
    return Text(shown, shown)


def warn(de: str, en: str) -> None:
    """Say in one line what of another package is not used, and why."""
    warnings.warn(PluginWarning(de, en), stacklevel=3)
