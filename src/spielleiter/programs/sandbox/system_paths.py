"""What a program may read of this machine: system programs and libraries, run-times, our package and its plug-ins.

``/usr`` and ``/opt`` are not shown as a whole: people also keep private files there.
"""

from __future__ import annotations

import os
import site
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import spielleiter
from spielleiter import plugins
from spielleiter.errors import SettingsError

_SYSTEM = (
    *(f"/usr{local}/{folder}" for local in ("", "/local")
      for folder in ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "share")),
    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
)  # fmt: skip
_CONFIGURATION = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/fonts",
    "/etc/timezone", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust",
    "/etc/java*", "/etc/jvm*", "/etc/mono",
)  # fmt: skip
_RUNTIMES = (
    "java", "node", "deno", "bun", "python3", "pypy3", "dotnet", "mono", "ruby", "julia", "go", "ghc", "erl", "php",
)  # fmt: skip
_INSTALLED = ("/opt", "/usr")
"""Where people install run-times; those in a home folder are not shown."""
_TOO_MUCH = {"/", "/opt", "/usr", "/usr/local"}


@cache
def readable(more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The paths that every program may read, and ``more`` that one of them needs; none inside of another."""
    paths = [path for path in _SYSTEM if os.path.lexists(path)]
    paths += [str(found) for pattern in _CONFIGURATION for found in _matching(pattern)]
    ours = {sys.base_prefix, sys.prefix, str(Path(spielleiter.__file__).parent.parent), *site.getsitepackages()}
    paths += ours - _TOO_MUCH  # The system's own Python has these as its prefix.
    paths += plugins.readable_paths() - _TOO_MUCH
    paths += set(more) - _TOO_MUCH
    paths += [str(prefix) for prefix in _runtimes(Path(path) for path in paths)]
    covered = {Path(path) for path in paths if not os.path.islink(path)}
    return tuple(path for path in sorted(set(paths)) if not covered & set(Path(path).parents))


def _matching(pattern: str) -> Iterator[Path]:
    path = Path(pattern)
    return iter(sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor)))))


def _runtimes(known: Iterable[Path]) -> set[Path]:
    """The folders of run-times that the paths we know do not hold: found by links in the system's path, or in /opt."""
    inside = set(known)
    programs = [Path(name) for folder in ("/usr/local/bin", "/usr/bin") for name in _links_in(folder)]
    programs += [Path(folder) / name for folder in os.environ.get("PATH", "").split(os.pathsep) for name in _RUNTIMES]
    programs += [found for name in _RUNTIMES for place in ("*", "*/bin") for found in _matching(f"/opt/{place}/{name}")]
    prefixes = set()
    for program in programs:
        real = Path(os.path.realpath(program))
        installed = any(real.is_relative_to(place) for place in _INSTALLED) and real.is_file()
        if installed and not inside & set(real.parents):
            # A program in a folder bin has its libraries beside that.
            prefixes.add(real.parents[1] if real.parent.name == "bin" else real.parent)
    return {prefix for prefix in prefixes if str(prefix) not in _TOO_MUCH}


def _links_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return []


def exposed(private: Iterable[Path]) -> list[str]:
    """Our ``private`` folders that every program could read.

    Raises ``SettingsError`` if a program needs such a folder itself.
    """
    shown = [Path(os.path.realpath(path)) for path in readable()]
    found = []
    for folder in {Path(os.path.realpath(folder)) for folder in private}:
        if folder in shown:
            raise SettingsError(
                f"{folder} müssen alle Programme lesen können: Lege die Saison in einen anderen Ordner.",
                f"every program must be able to read {folder}: move the season to another folder",
            )
        if set(shown) & set(folder.parents):
            found.append(str(folder))
    return sorted(found)


def closed_folders(more: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The folders that other users cannot enter, each with what a program needs in there."""
    found: dict[str, list[str]] = {}
    for path in readable(more):
        parents = [*reversed(Path(path).parents), Path(path)]
        closed = next((parent for parent in parents if not os.stat(parent).st_mode & stat.S_IXOTH), None)
        if closed is not None and closed != Path(path) and os.path.isdir(path):
            found.setdefault(str(closed), []).append(path)
    return found
