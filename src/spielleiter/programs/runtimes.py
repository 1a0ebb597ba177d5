"""The Python that a program needs, and where this machine has it: of pyenv, of uv, or in the system's path.

A program says it (``--python``, the season file, ``pack --for``), or it shows: in the tags of its wheels and compiled
modules, in the folders of a virtual environment, in ``requires-python``. It gets an environment of that Python with
pip and nothing else in it, as the images of the contest have.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.programs.python_imports import PACKAGE
from spielleiter.programs.sandbox import SYSTEM_PATH, ProgramFiles, Runtime
from spielleiter.programs.temporary import temporary_folder


class PythonVersion(NamedTuple):
    """A version of Python, without its last number."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True)
class PythonNeed:
    """Which Python a program needs, and where that shows."""

    version: PythonVersion
    reason: Text
    or_newer: bool = False
    bare: bool = False
    """Whether it must find nothing but what that Python brings, as in the contest."""

    def __str__(self) -> str:
        return f"{self.version}+" if self.or_newer else str(self.version)

    def is_met_by(self, version: PythonVersion) -> bool:
        """Whether the program runs on this one."""
        return version >= self.version if self.or_newer else version == self.version


VERSION = re.compile(r"3\.(\d{1,2})")
"""A version as people write it."""
_WANTED = Text("so gewünscht", "as asked for")


def parse_version(text: str) -> PythonVersion:
    """The version that ``text`` names, such as ``3.12``. Raises ``SettingsError``."""
    if (found := VERSION.fullmatch(text)) is None:
        raise SettingsError(
            f"{text!r} ist keine Version von Python: erwartet wird eine wie 3.12.",
            f"{text!r} is not a version of Python: expected one such as 3.12",
        )
    return PythonVersion(3, int(found[1]))


def wanted(text: str) -> PythonNeed:
    """The need of a program for which the user has chosen this version. Raises ``SettingsError``."""
    return PythonNeed(parse_version(text), _WANTED)


# --- what shows in the files ------------------------------------------------------------------------------------------

_WHEEL_TAG = re.compile(r"(?:^|/)([^/]+)-cp3(\d{1,2})-cp3\2t?-[^/]+\.whl$")
"""A wheel for one version; those of the stable ABI run on later ones too."""
_MODULE_TAG = re.compile(r"(?:^|/)([^/]+)\.cpython-3(\d{1,2})-[^/]+\.so$")
_SITE_PACKAGES = re.compile(r"(?:^|/)lib/python3\.(\d{1,2})/site-packages/")
_REQUIRES = re.compile(r"""requires-python\s*=\s*["']\s*(>=|~=|==)\s*3\.(\d{1,2})(?:\.[\d*]+)?\s*[,"']""")
_REQUIRES_BYTES, _REQUIRES_FILES = 4000, 20
"""How much is read to find it: these files are a stranger's."""
_SCRIPT_BLOCK = re.compile(r"(?m)^# /// script\n((?:#[^\n]*\n)*?)# ///$")


_known_needs: WeakKeyDictionary[ProgramFiles, PythonNeed | None] = WeakKeyDictionary()


def need_shown_by(files: ProgramFiles) -> PythonNeed | None:
    """What the files of a program say about the Python that it needs, if anything; the clearest sign counts."""
    if files not in _known_needs:
        _known_needs[files] = _look_at(files)
    return _known_needs[files]


def _look_at(files: ProgramFiles) -> PythonNeed | None:
    paths = tuple(files.paths())
    for ending, pattern in ((".whl", _WHEEL_TAG), (".so", _MODULE_TAG)):
        for path in paths:
            if path.endswith(ending) and (found := pattern.search(path)):
                name = found[0].removeprefix("/")
                return PythonNeed(PythonVersion(3, int(found[2])), Text(f"wegen {name}", f"because of {name}"))
    for path in paths:
        if found := _SITE_PACKAGES.search(path):
            name = found[0].strip("/")
            return PythonNeed(PythonVersion(3, int(found[1])), Text(f"wegen {name}", f"because of {name}"))
    return _required(files, paths)


def _required(files: ProgramFiles, paths: Iterable[str]) -> PythonNeed | None:
    """What ``requires-python`` says in pyproject.toml or at the head of a Python file, at the top or a folder below."""
    near = (path for path in paths if path.count("/") <= 1)
    known = sorted(path for path in near if f"/{path}".endswith((".py", "/pyproject.toml")))
    for path in sorted(known, key=lambda path: path.count("/"))[:_REQUIRES_FILES]:
        file = files.find(path)
        text = b"" if file is None else file.data[:_REQUIRES_BYTES]
        written = text.decode("utf-8", "replace").replace("\r\n", "\n")
        if path.endswith(".py"):
            written = script_block(written)
        if found := _REQUIRES.search(written):
            exact = found[1] == "=="
            reason = Text(f"requires-python in {path}", f"requires-python in {path}")
            return PythonNeed(PythonVersion(3, int(found[2])), reason, or_newer=not exact)
    return None


def script_block(source: str) -> str:
    """The TOML at the head of a Python file that says what it needs (PEP 723); empty without one."""
    found = _SCRIPT_BLOCK.search(source)
    return "" if found is None else re.sub(r"(?m)^# ?", "", found[1])


# --- what this machine has --------------------------------------------------------------------------------------------

_PROBE = (
    "import json, sys, sysconfig; "
    "print(json.dumps([*sys.version_info[:2], sys.executable, sys.base_prefix, sysconfig.get_path('purelib')]))"
)
_PROBE_SECONDS = 20.0
_MAX_MINOR = 99
_PIP = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
"""What the images of the contest have beside the standard library."""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python of this machine."""

    version: PythonVersion
    path: str
    prefix: str
    packages: str
    """Where its packages are installed."""


def find(need: PythonNeed) -> Interpreter | None:
    """The oldest Python of this machine that meets the need, of pyenv, of uv, or in the system's path, or ``None``."""
    known = _candidates(os.environ.get("PATH", ""), _home())
    for version, path in sorted(known, key=lambda candidate: candidate[0]):
        if need.is_met_by(version):
            interpreter = _probe(os.path.realpath(path))
            if interpreter is not None and need.is_met_by(interpreter.version):
                return interpreter
    return None


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path("/nonexistent")


@cache
def _candidates(path: str, home: Path) -> tuple[tuple[PythonVersion, Path], ...]:
    """Files that may be a Python, by their names; this one comes before all others."""
    own = getattr(sys, "_base_executable", sys.executable)
    found = [(PythonVersion(*sys.version_info[:2]), Path(own))] if own else []
    pyenv = Path(os.environ.get("PYENV_ROOT") or home / ".pyenv")
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or home / ".local/share/uv/python")
    folders: list[Path] = []
    for place, pattern in ((pyenv / "versions", "3.*"), (uv, "cpython-3.*")):
        with suppress(OSError):
            folders += (folder / "bin" for folder in sorted(place.glob(pattern), key=_as_numbers, reverse=True))
    names = dict.fromkeys((*path.split(os.pathsep), *SYSTEM_PATH.split(os.pathsep)))
    folders += (Path(name) for name in names if name and Path(name).name != "shims")
    for folder in folders:
        with suppress(OSError):
            for file in sorted(folder.glob("python3.*")):
                named = re.fullmatch(r"python3\.(\d{1,2})", file.name)
                if named is not None and os.access(file, os.X_OK):
                    found.append((PythonVersion(3, int(named[1])), file))
    return tuple(found)


def _as_numbers(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder.name)]


@cache
def _probe(path: str) -> Interpreter | None:
    """What a file says that may be a Python, or ``None``."""
    try:
        ran = subprocess.run(  # noqa: S603 - a Python that this user has installed
            [path, "-I", "-S", "-c", _PROBE], capture_output=True, timeout=_PROBE_SECONDS, check=True
        )
        major, minor, executable, prefix, packages = json.loads(ran.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if major != 3 or not 0 <= minor <= _MAX_MINOR:
        return None
    return Interpreter(PythonVersion(major, minor), executable, prefix, packages)


@cache
def system_version(path: str) -> PythonVersion | None:
    """The version of the ``python3`` that programs find in this search path, if there is one."""
    found = shutil.which("python3", path=path)
    interpreter = None if found is None else _probe(found)
    return None if interpreter is None else interpreter.version


@dataclass(frozen=True, slots=True)
class PythonChoice:
    """The Python with which a program is started here."""

    need: PythonNeed | None = None
    version: PythonVersion | None = None
    """The one that it gets; ``None`` where it needs none that is known."""
    runtime: Runtime | None = None
    """An environment for it; ``None``: the Python that programs find anyway."""

    @property
    def problem(self) -> Text | None:
        """What to say if the program does not get the Python that it needs."""
        if self.need is None or (self.version is not None and self.need.is_met_by(self.version)):
            return None
        return missing(self.need)


def choose(need: PythonNeed | None, *, with_package: bool) -> PythonChoice:
    """The Python for a program with this need: the usual one if that will do, else the oldest of this machine."""
    if need is None or sys.platform == "win32":
        return PythonChoice()
    usual = PythonVersion(*sys.version_info[:2]) if with_package else system_version(SYSTEM_PATH)
    if usual is not None and need.is_met_by(usual) and not need.bare:
        return PythonChoice(need, usual)
    found = find(need)
    if found is None:
        return PythonChoice(need, usual)
    return PythonChoice(need, found.version, environment_of(found, with_package=with_package))


def missing(need: PythonNeed) -> Text:
    """What to say where this machine does not have it."""
    how = how_to_install(need)
    return Text(
        f"Python {need} ({need.reason.de}) ist nicht auf diesem Rechner; installiere es, z. B.: {how}",
        f"Python {need} ({need.reason.en}) is not on this machine; install it, e.g.: {how}",
    )


def how_to_install(need: PythonNeed) -> str:
    """A command that brings a Python that meets the need."""
    return f"uv python install {need.version}"


# --- an environment for a program -------------------------------------------------------------------------------------


def environment_around(program: str) -> Runtime | None:
    """The virtual environment to which a Python belongs that is named by its whole path, with what is installed there.

    Of packages that are installed for editing it says where their sources are.
    """
    folder = Path(program).parent.parent
    if not os.path.isabs(program) or not (folder / "pyvenv.cfg").is_file():
        return None
    sources: list[str] = []
    for file in sorted(folder.glob("lib/python3.*/site-packages/*.pth")):
        with suppress(OSError, UnicodeDecodeError):
            lines = file.read_text(encoding="utf-8").splitlines()
            sources += (line for line in lines if os.path.isabs(line) and os.path.isdir(line))
    return Runtime(program, (str(folder), str(Path(os.path.realpath(program)).parents[1]), *sources))


_made: dict[tuple[Interpreter, bool], Runtime] = {}


def environment_of(interpreter: Interpreter, *, with_package: bool = False) -> Runtime:
    """A virtual environment with pip and nothing else, for all programs that this process starts.

    ``with_package`` it has this package, too, as on the machine of a player's author.
    """
    made = _made.get((interpreter, with_package))
    if made is None or not os.path.exists(made.python):  # /tmp may have been cleaned up.
        made = _made[interpreter, with_package] = _make_environment(interpreter, with_package)
    return made


def _make_environment(interpreter: Interpreter, with_package: bool) -> Runtime:
    folder = temporary_folder("python")
    folder.chmod(0o755)  # Programs have users of their own.
    version = f"python{interpreter.version}"
    programs, packages = folder / "bin", folder / "lib" / version / "site-packages"
    programs.mkdir()
    packages.mkdir(parents=True)
    settings = f"home = {Path(interpreter.path).parent}\ninclude-system-site-packages = false\n"
    (folder / "pyvenv.cfg").write_text(settings, encoding="utf-8")
    for name in ("python", "python3", version):
        (programs / name).symlink_to(interpreter.path)
    places = (interpreter.packages, os.path.join(interpreter.prefix, "lib", "python3", "dist-packages"))
    installed = [Path(place, name) for name in _PIP for place in places]
    if with_package:
        installed.append(PACKAGE)
    for path in installed:
        if path.exists() and not (packages / path.name).is_symlink():
            (packages / path.name).symlink_to(path)
    if (packages / "pip").exists():
        for name in ("pip", "pip3"):
            (programs / name).write_text(f'#!/bin/sh\nexec "{programs}/python" -m pip "$@"\n', encoding="utf-8")
            (programs / name).chmod(0o755)
    return Runtime(str(programs / "python3"), (str(folder), interpreter.prefix))
