"""The packages that a player needs beside this one: what it requires, and the wheels for a target, unpacked.

A player requires what stands in requirements.txt beside it and in the block at the head of its Python file (PEP 723).
Only names with versions are taken: an address or a path would not be the same tomorrow, or on another machine.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.errors import READ, START, ProgramError, refusing
from spielleiter.game import Text
from spielleiter.programs.archive import list_zip, unpack_zip
from spielleiter.programs.runtimes import script_block
from spielleiter.programs.sandbox import ProgramFile
from spielleiter.programs.targets import Target
from spielleiter.programs.temporary import temporary_folder
from spielleiter.values import parse_toml

REQUIREMENTS = "requirements.txt"
PACKAGES = "packages"
"""The folder of a ZIP in which they are."""
_OWN = "spielleiter"
_MAX_REQUIREMENTS = 100
_MAX_BYTES = 100_000
_DOWNLOAD_SECONDS = 900.0
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[A-Za-z0-9._,\s-]*\])?\s*"
    r"(?:\(?\s*(?:[<>=!~]=?=?\s*[A-Za-z0-9.*+_-]+\s*(?:,\s*)?)+\)?)?\s*(?:;[^@]*)?"
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that a player needs, in the words of its author."""

    name: str
    text: str

    @property
    def is_own(self) -> bool:
        """Whether it is this package, which is packed without pip."""
        return re.sub(r"[-_.]+", "-", self.name).lower() == _OWN


def requirements_of(root: Path, entries: Iterable[Path]) -> tuple[Requirement, ...]:
    """What a player requires in its folder ``root``, and its Python files that are ``entries`` at their heads.

    Raises ``ProgramError`` with the line that cannot be taken.
    """
    found: dict[str, Requirement] = {}
    file = root / REQUIREMENTS
    lines: list[tuple[str, str]] = []
    if file.is_file():
        text = _text(file)
        lines += [(f"{REQUIREMENTS}:{number}", line) for number, line in enumerate(text.splitlines(), 1)]
    for entry in entries:
        if block := script_block(_text(entry)):
            listed = parse_toml(block, entry.name)
            if "dependencies" in listed:
                lines += [(entry.name, line) for line in listed.texts("dependencies")]
    for place, line in lines:
        written = re.sub(r"(^|\s)#.*$", "", line).strip()
        if written:
            requirement = _parse(place, written)
            if not requirement.is_own:
                found.setdefault(written, requirement)
    if len(found) > _MAX_REQUIREMENTS:
        raise ProgramError(
            f"{REQUIREMENTS}: mehr als {_MAX_REQUIREMENTS} Pakete.",
            f"{REQUIREMENTS}: more than {_MAX_REQUIREMENTS} packages",
        )
    return tuple(found.values())


def _text(file: Path) -> str:
    with refusing(ProgramError, file, READ):
        data = file.read_bytes()
    return data[:_MAX_BYTES].decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _parse(place: str, written: str) -> Requirement:
    found = _REQUIREMENT.fullmatch(written)
    is_file = written.endswith((".whl", ".gz", ".zip"))
    if found is not None and not is_file:
        return Requirement(found["name"], written)
    shown = written[:80]
    if "://" in written or "@" in written:
        what = Text("eine Adresse", "an address")
    elif written.startswith("-"):
        what = Text("eine Option von pip", "an option of pip")
    elif is_file or written.startswith((".", "~")) or "/" in written or "\\" in written:
        what = Text("ein Pfad", "a path")
    else:
        what = Text("kein Name eines Pakets", "not the name of a package")
    raise ProgramError(
        f"{place}: {shown!r} ist {what.de}; erwartet wird ein Paket mit Namen und Version, wie numpy==2.2.6. Was du"
        " als Datei hast, packt --include.",
        f"{place}: {shown!r} is {what.en}; expected a package by name and version, such as numpy==2.2.6. What you have"
        " as a file is packed by --include",
    )


# --- names of wheels --------------------------------------------------------------------------------------------------


_GLIBC = re.compile(r"manylinux_(\d{1,3})_(\d{1,3})_")
_OLD_GLIBC = {"manylinux1_x86_64": (2, 5), "manylinux2010_x86_64": (2, 12), "manylinux2014_x86_64": (2, 17)}
"""The C library of the tags from before it was part of their names."""


@dataclass(frozen=True, slots=True)
class WheelName:
    """What the name of a wheel says: the package, and for which Python and machine it was built."""

    package: str
    version: str
    python: str
    abi: str
    platform: str

    @classmethod
    def parse(cls, file: str) -> WheelName | None:
        """The parts of a file's name; ``None`` if it is not the name of a wheel."""
        parts = file.removesuffix(".whl").split("-")
        if not file.endswith(".whl") or len(parts) not in (5, 6):
            return None
        return cls(parts[0], parts[1], *parts[-3:])

    @property
    def glibc(self) -> tuple[int, int] | None:
        """The C library that it needs at least, as its tags promise; ``None`` if none of them says it."""
        tags = self.platform.split(".")
        named = [_OLD_GLIBC[tag] for tag in tags if tag in _OLD_GLIBC]
        named += [(int(found[1]), int(found[2])) for tag in tags if (found := _GLIBC.match(tag))]
        return min(named, default=None)

    def why_unfit(self, target: Target) -> Text | None:
        """Why it does not run on the target, or ``None`` if it does."""
        if not any(self._is_python(tag, abi, target) for tag in self.python.split(".") for abi in self.abi.split(".")):
            tags = f"{self.python}-{self.abi}"
            return Text(
                f"gebaut für {tags}, dort läuft Python {target.python}",
                f"built for {tags}, but Python {target.python} runs there",
            )
        if not any(tag == "any" or re.fullmatch(r"(many)?linux.*_x86_64", tag) for tag in self.platform.split(".")):
            return Text(
                f"gebaut für {self.platform}, dort läuft Linux auf x86_64",
                f"built for {self.platform}, but Linux on x86_64 runs there",
            )
        return None

    @staticmethod
    def _is_python(tag: str, abi: str, target: Target) -> bool:
        found = re.fullmatch(r"(py|cp)3(\d*)", tag)
        if found is None:
            return False
        minor = int(found[2] or 0)
        if found[1] == "py":
            return abi == "none" and minor <= target.python.minor
        if abi == "abi3":
            return minor <= target.python.minor
        return minor == target.python.minor and abi in ("none", f"cp3{minor}")


def refuse_unfit(paths: Iterable[str], target: Target) -> None:
    """Raise ``ProgramError`` if there is a wheel among these files that does not run on the target."""
    for path in paths:
        wheel = WheelName.parse(path.rpartition("/")[2])
        if wheel is not None and (problem := wheel.why_unfit(target)) is not None:
            raise ProgramError(
                f"{path} passt nicht zu {target.name}: {problem.de}.",
                f"{path} does not fit {target.name}: {problem.en}",
            )


def newer_than(paths: Iterable[str], target: Target) -> tuple[Text, ...]:
    """The wheels among these files that need a newer Linux than the target is known to have, one line for each."""
    promised = max(WheelName("", "", "", "", tag).glibc or (0, 0) for tag in target.platforms)
    found = []
    for path in paths:
        wheel = WheelName.parse(path.rpartition("/")[2])
        if wheel is not None and wheel.glibc is not None and wheel.glibc > promised:
            needed, known = (".".join(map(str, version)) for version in (wheel.glibc, promised))
            tags = ", ".join(target.platforms)
            found.append(Text(
                f"{path} braucht glibc {needed}; für {target.name} ist nur {known} zugesagt ({tags}). Nimm eine ältere"
                " Version des Pakets, wenn es dort nicht startet.",
                f"{path} needs glibc {needed}, but {target.name} is only known to have {known} ({tags}). Use an older"
                " version of the package if it does not start there.",
            ))  # fmt: skip
    return tuple(found)


# --- wheels of packages -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Vendored:
    """Packages as they are unpacked into a ZIP."""

    packages: tuple[str, ...] = ()
    """Their names with their versions."""
    files: Mapping[str, ProgramFile] | None = None

    @property
    def modules(self) -> set[str]:
        """What can be imported of them."""
        inside = (path.split("/")[1] for path in self.files or ())
        return {name.split(".")[0] for name in inside if not name.endswith(".dist-info")}


def vendor(requirements: Sequence[Requirement], target: Target) -> Vendored:
    """The packages for the target, as pip finds them. Raises ``ProgramError`` with those for which it has no wheel."""
    wanted = [each for each in requirements if each.name.lower() not in target.provides]
    if not wanted:
        return Vendored()
    folder = temporary_folder("wheels")
    problem = _download(wanted, target, folder)
    if problem is not None:
        alone = wanted if len(wanted) > 1 else ()
        failed = [each.text for each in alone if _download([each], target, folder) is not None]
        names = ", ".join(failed or [each.text for each in wanted])
        raise ProgramError(
            f"Für {names} gibt es kein Paket für {target.name} (pip: {problem}).",
            f"there is no package of {names} for {target.name} (pip: {problem})",
        )
    wheels = sorted(folder.glob("*.whl"))
    refuse_unfit((wheel.name for wheel in wheels), target)
    files: dict[str, ProgramFile] = {}
    packages = []
    for wheel in wheels:
        named = WheelName.parse(wheel.name)
        assert named is not None
        packages.append(f"{named.package} {named.version}")
        files |= _unpacked(wheel)
    return Vendored(tuple(packages), files)


def _download(requirements: Sequence[Requirement], target: Target, folder: Path) -> str | None:
    """Let pip bring the wheels; what it says if that fails."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check",
               "--only-binary=:all:", "--implementation=cp", f"--python-version={target.python}",
               f"--dest={folder}"]  # fmt: skip
    command += [f"--platform={platform}" for platform in target.platforms]
    with refusing(ProgramError, "pip", START):
        try:
            ran = subprocess.run(  # noqa: S603 - each requirement is a name with versions
                [*command, "--", *(each.text for each in requirements)],
                capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"{_DOWNLOAD_SECONDS:.0f} s"
    if ran.returncode == 0:
        return None
    if "No module named pip" in ran.stderr:
        raise ProgramError(
            f"pip fehlt in {sys.executable}; installiere es: python -m ensurepip",
            f"{sys.executable} has no pip; install it: python -m ensurepip",
        )
    lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR:")]
    return (errors or lines or [f"Code {ran.returncode}"])[-1][:300]


def _unpacked(wheel: Path) -> dict[str, ProgramFile]:
    """The files of a wheel as they would be installed, by their paths in the ZIP."""
    with refusing(ProgramError, wheel.name, READ):
        data = wheel.read_bytes()
    inside = []
    for member in list_zip(data, wheel.name):
        top, _, rest = member.path.partition("/")
        if top.endswith(".data"):
            scheme, _, rest = rest.partition("/")
            if scheme not in ("purelib", "platlib") or not rest:
                continue  # Scripts, headers and documents.
            member = replace(member, path=rest)
        inside.append(replace(member, path=f"{PACKAGES}/{member.path}"))
    return {file.path: file for file in unpack_zip(data, inside, wheel.name)} if inside else {}
