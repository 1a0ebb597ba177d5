"""A player as a value that can travel: what to start, its files, and a digest of both.

``resolve`` makes it of what people type: the name of a built-in player, a Python file, a JAR, a folder or ZIP with
``start.sh`` or with one JAR, a command line, or ``manual:NAME`` for a player who joins from their own machine, with a
reservation for all of their games.
``entrant_from_zip`` makes it of an upload.

The ``start.sh`` or the JAR lies at the top, or in the only folder there. A script in that folder is run in it, unless
more of the paths that it names exist from the folder above, as the organisers' Python kit writes them.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shlex
import shutil
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import Enum
from pathlib import Path

from spielleiter import games, players
from spielleiter.errors import READ, ProgramError, SettingsError, refusing
from spielleiter.game import AnyGame, Limits, Text
from spielleiter.programs import runtimes
from spielleiter.programs.archive import PROGRAM_BEGINNINGS, ZipBytes, list_zip, map_zip, unpack_zip
from spielleiter.programs.python_imports import modules_beside
from spielleiter.programs.runtimes import PythonChoice, PythonNeed
from spielleiter.programs.sandbox import (
    JAVA,
    PYTHON,
    LaunchSpec,
    ProgramFile,
    ProgramFiles,
    Runtime,
    files_in,
    package_path,
    system_paths,
)
from spielleiter.programs.sandbox.files import MAX_BYTES
from spielleiter.programs.start_script import START_SCRIPT, lint_start_script, runs_from_above, with_folders
from spielleiter.programs.targets import TARGETS

PYTHON_ENTRIES = ("player.py", "main.py")
"""What a folder without a start.sh is started by."""
PACKED_FOR = "spielleiter.json"
"""The file beside the start.sh in which ``pack`` says for which games a ZIP was made."""
_JAR = ".jar"
MANUAL = "manual"
_MAX_NAME = 60


class EntrantKind(Enum):
    """What a player was given as; the texts are for people."""

    BUILT_IN = Text("eingebauter Spieler", "built-in player")
    PYTHON_FILE = Text("Python-Datei", "Python file")
    JAR = Text("JAR", "JAR")
    FOLDER = Text("Ordner", "folder")
    ZIP = Text("ZIP", "ZIP")
    COMMAND = Text("Befehl", "command")
    MANUAL = Text("tritt selbst bei", "joins manually")

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player of a game."""

    name: str
    """Different from all others of the match."""
    text: str
    """The text that was given."""
    kind: EntrantKind
    command: tuple[str, ...] = ()
    """The command, relative to its folder; the contest's arguments follow it."""
    files: ProgramFiles | None = None
    arguments: tuple[str, ...] = ()
    """Its own options, behind those of the contest."""
    reservation: str = field(default="", repr=False)
    """The code of a manual player, for all of their games."""
    python: PythonNeed | None = None
    """The Python version chosen by the user; ``None``: the one that its files ask for."""

    @property
    def digest(self) -> str:
        """The same for the same program, another one for a changed program."""
        parts: tuple[str, ...] = (self.text,)
        if self.kind not in (EntrantKind.BUILT_IN, EntrantKind.MANUAL):
            parts = (*self.command, "" if self.files is None else self.files.digest, *self.arguments)
            parts += () if self.python is None else (f"python {self.python}",)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def start_script(self) -> ProgramFile | None:
        """The ``start.sh`` by which it is started, if there is one."""
        last = self.command[-1] if self.command else ""
        if self.files is None or not (last.startswith("./") and last.endswith(f"/{START_SCRIPT}")):
            return None
        return self.files.find(last.removeprefix("./"))

    @property
    def start_problems(self) -> list[tuple[Text, Text]] | None:
        """What is wrong with its ``start.sh``, and the fix for each; ``None`` without a script."""
        script = self.start_script
        if script is None or self.files is None:
            return None
        return lint_start_script(script, {file.path for file in self.files})

    @property
    def is_ours(self) -> bool:
        """Whether it comes with the package, or is a network that one of our players plays."""
        return self.kind is EntrantKind.BUILT_IN or self.text.startswith(f"{players.NETWORK}:")

    def _packed(self, name: str) -> object:
        """What ``pack`` noted under this name in the ZIP, if it made it."""
        if self.kind is not EntrantKind.ZIP or self.files is None or not self.command:
            return None
        folder = self.command[-1].removeprefix("./").rpartition("/")[0]
        note = self.files.find(f"{folder}/{PACKED_FOR}" if folder else PACKED_FOR)
        try:
            noted: object = json.loads(note.data)[name] if note is not None else None
        except (ValueError, LookupError, TypeError, RecursionError):
            return None
        return noted

    @property
    def made_for(self) -> tuple[str, ...]:
        """The keys of the games for which ``pack`` made it; empty if it was made otherwise, or for all."""
        keys, known = self._packed("games"), games.all_games()
        return tuple(key for key in keys if isinstance(key, str) and key in known) if isinstance(keys, list) else ()

    @property
    def python_need(self) -> PythonNeed | None:
        """The Python that it needs: the chosen one, that for which it was packed, or what its files show."""
        if self.python is not None:
            return self.python
        if self.files is None or self.is_ours or self.kind is EntrantKind.JAR:
            return None
        noted = self._packed("target")
        target = TARGETS.get(noted) if isinstance(noted, str) else None
        return runtimes.need_shown_by(self.files) if target is None else target.need

    @property
    def _own_environment(self) -> Runtime | None:
        """The virtual environment of the command's Python, if it is not ours."""
        return runtimes.environment_around(self.command[0]) if self.kind is EntrantKind.COMMAND else None

    @property
    def has_package(self) -> bool:
        """Whether it finds this package, as on the machine of its author.

        A ZIP must be self-contained, and in an environment of its own it finds what is installed there.
        """
        return self.kind not in (EntrantKind.ZIP, EntrantKind.JAR) and self._own_environment is None

    @property
    def python_choice(self) -> PythonChoice:
        """The Python with which it is started on this machine."""
        if (own := self._own_environment) is not None:
            return PythonChoice(runtime=own)
        return runtimes.choose(self.python_need, with_package=self.has_package)

    def check_game(self, game: AnyGame) -> None:
        """Raise ``ProgramError`` if it was packed for other games, ``SettingsError`` for a network that cannot play."""
        made_for = self.made_for
        if made_for and games.package_of(game) not in {games.package_of(games.load(key)) for key in made_for}:
            keys = ", ".join(made_for)
            raise ProgramError(
                f"{self.name}: dieses Programm wurde für {keys} gepackt, gespielt wird {game.key}. Packe es neu: "
                f"spielleiter pack ORDNER --game {game.key}",
                f"{self.name}: this program was packed for {keys}, but the game is {game.key}. Pack it again: "
                f"spielleiter pack FOLDER --game {game.key}",
            )
        if self.text.startswith(f"{players.NETWORK}:"):
            players.OnnxPlayer(_network_file(self.text, None)[0]).check(game)

    def launch_spec(self, arguments: Sequence[str], *, limits: Limits | None = None) -> LaunchSpec:
        """What to start with these arguments, in which ``{host}`` and ``{port}`` will be filled in.

        ``limits`` are given where they need not be those of the game.
        """
        # Other programs know the limit of their season; ours can be asked to keep to another one.
        more: tuple[str, ...] = ()
        if limits is not None and self.is_ours:
            more = ("--limit", limits.written)
        together = (*arguments, *more, *self.arguments)
        runtime = self.python_choice.runtime
        path = package_path(runtime) if self.has_package else None
        return LaunchSpec(self.command, together, self.files, path, runtime)


def game_folder(game: AnyGame) -> str:
    """The name of the folder in which the game lives: what ``pack`` takes along of it."""
    return games.package_of(game).rpartition(".")[2]


_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike: people type it."""


def new_reservation() -> str:
    """A code that cannot be guessed, for all games of a manual player: ``k7qm-x2pd-w3rt``."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(3))


def contest_arguments(reservation: str) -> tuple[str, ...]:
    """The arguments with which the contest starts a program."""
    return ("--host", "{host}", "--port", "{port}", "--reservation", reservation)


# --- several players --------------------------------------------------------------------------------------------------


def resolve_all(texts: Sequence[str], names: Sequence[str] = ()) -> tuple[Entrant, ...]:
    """The players that ``texts`` name, with ``names`` instead of their own where given, and no name twice.

    Raises ``SettingsError`` or ``ProgramError`` with what is wrong and how it should be.
    """
    if len(names) > len(texts):
        raise SettingsError(
            f"{len(names)} Namen für {len(texts)} Spieler sind zu viele.",
            f"there are {len(names)} names for {len(texts)} players",
        )
    entrants = [resolve(text) for text in texts]
    named = [replace(entrant, name=_checked_name(name)) for entrant, name in zip(entrants, names, strict=False)]
    return with_unique_names([*named, *entrants[len(named) :]])


def _checked_name(name: str) -> str:
    if not name.strip() or not name.isprintable() or len(name) > _MAX_NAME:
        raise SettingsError(
            f"{name!r} ist kein Name für einen Spieler: bis zu {_MAX_NAME} druckbare Zeichen.",
            f"{name!r} is not a valid name for a player: up to {_MAX_NAME} printable characters",
        )
    return name.strip()


def with_unique_names(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The same entrants; one with the name of an earlier one gets a number behind."""
    taken: set[str] = set()
    named = []
    for entrant in entrants:
        name, number = entrant.name, 1
        while name in taken:
            number += 1
            name = f"{entrant.name} ({number})"
        taken.add(name)
        named.append(replace(entrant, name=name))
    return tuple(named)


# --- one player -------------------------------------------------------------------------------------------------------


def resolve(text: str) -> Entrant:
    """The player that ``text`` names. Raises ``ProgramError``, or ``UnknownPlayer`` for an option it does not have."""
    if is_manual(text):
        name = _checked_name(text.partition(":")[2] or MANUAL)
        return Entrant(name=name, text=text, kind=EntrantKind.MANUAL)
    source = find_source(text)
    if source.kind is EntrantKind.ZIP:
        return replace(entrant_from_zip(map_zip(source.path, text, MAX_BYTES), source.name, text), text=text)
    paths = source.all_files()
    files = ProgramFiles.read(paths, text) if paths else None
    return Entrant(name=source.name, text=text, kind=source.kind, command=source.command, files=files)


OPTION_FORM = "--set {name}={value}"
"""How a program is given one of its own options, unless it wants it otherwise."""


def with_options(entrant: Entrant, options: Mapping[str, str], form: str = OPTION_FORM) -> Entrant:
    """The same player with options of its own: of a built-in one behind its name, else as arguments in this ``form``.

    Raises ``UnknownPlayer`` for an option that a built-in player does not have. What other programs know shows when
    they are started.
    """
    if not options:
        return entrant
    if entrant.kind is EntrantKind.MANUAL:
        raise SettingsError(
            f"{entrant.name} tritt selbst bei: seine Optionen setzt, wer ihn startet.",
            f"{entrant.name} joins manually: set its options where it is started",
        )
    if entrant.kind is EntrantKind.BUILT_IN:
        written = ",".join(f"{name}={value}" for name, value in options.items())
        text = f"{entrant.text}{',' if ':' in entrant.text else ':'}{written}"
        return replace(resolve(text), name=text if entrant.name == entrant.text else entrant.name)
    more = [word for name, value in options.items() for word in _option_words(form, name, value)]
    return replace(entrant, arguments=(*entrant.arguments, *more))


def with_python(entrant: Entrant, version: str) -> Entrant:
    """The same player with the Python ``version`` chosen by the user; an empty one chooses none.

    Raises ``SettingsError`` for what is not a version.
    """
    return replace(entrant, python=runtimes.wanted(version)) if version else entrant


def with_seed(entrant: Entrant, seed: int) -> Entrant:
    """The same player with its chance decided by ``seed``, if it is ours, has any, and was not given a seed."""
    text = players.seeded(entrant.text, seed) if entrant.is_ours else entrant.text
    if text == entrant.text:
        return entrant
    found = resolve(text)
    return replace(entrant, text=text, command=found.command, files=found.files)


def _option_words(form: str, name: str, value: str) -> list[str]:
    """The arguments of one option; a value with spaces stays one word."""
    return [word.replace("{name}", name).replace("{value}", value) for word in _words(form)]


def is_manual(text: str) -> bool:
    """Whether ``text`` names a manual player, who joins from their own machine."""
    return text.partition(":")[0] == MANUAL


def entrant_from_zip(data: ZipBytes, name: str, what: str = "ZIP") -> Entrant:
    """The player in a ZIP; ``what`` names it in messages. Raises ``ProgramError``."""
    members = [member for member in list_zip(data, what) if "__pycache__" not in member.path.split("/")]
    root, entry = _find_entry({member.path for member in members}, what)
    # Many tools lose the permission to execute when they pack, above all on Windows; the contest gives it back.
    find_programs = not any(member.executable for member in members)
    inside = [
        replace(
            member, path=(path := member.path.removeprefix(root)), executable=member.executable or path == START_SCRIPT
        )
        for member in members
        if member.path.startswith(root)
    ]
    if entry != START_SCRIPT:
        packed = unpack_zip(data, inside, what, find_programs=find_programs)
        return Entrant(name=name, text=name, kind=EntrantKind.ZIP, command=(JAVA, "-jar", entry), files=packed)
    script = unpack_zip(data, [member for member in inside if member.path == START_SCRIPT], what).find(START_SCRIPT)
    assert script is not None
    known = with_folders(member.path for member in inside)
    below = root if root and runs_from_above(script.data, root.rstrip("/"), known.__contains__) else ""
    inside = [replace(member, path=below + member.path) for member in inside]
    packed = unpack_zip(data, inside, what, find_programs=find_programs)
    command = _script_command(script.data, below, executable=True)
    return Entrant(name=name, text=name, kind=EntrantKind.ZIP, command=command, files=packed)


def _find_entry(paths: Collection[str], what: str, at_top: Sequence[str] = ()) -> tuple[str, str]:
    """What a program with these files is started by: its folder, which is empty or ends in a slash, and its name there.

    That is the ``start.sh`` at the top or in the only folder, one of the names ``at_top``, or the JAR at these places.
    """
    roots = _roots(paths)
    for root, name in (*((root, START_SCRIPT) for root in roots), *(("", name) for name in at_top)):
        if root + name in paths:
            return root, name
    for root in roots:
        names = [path.removeprefix(root) for path in paths if path.startswith(root)]
        jars = [name for name in names if name.lower().endswith(_JAR) and "/" not in name and not name.startswith(".")]
        if len(jars) == 1:
            return root, jars[0]
        if jars:
            found = ", ".join(sorted(jars)[:3])
            raise ProgramError(
                f"{what}: darin sind mehrere JARs ({found}): lass nur das mit deinem Spieler oben liegen, die anderen"
                f" in einem Ordner, oder lege ein {START_SCRIPT} dazu.",
                f"{what}: there are several JARs in it ({found}): leave only that of your player at the top and the"
                f" others in a folder, or add a {START_SCRIPT}",
            )
    raise ProgramError(
        f"{what}: darin ist kein {START_SCRIPT} und kein JAR; damit startet der Wettbewerb einen Spieler"
        " („spielleiter pack“ legt ein ZIP damit an).",
        f"{what}: there is no {START_SCRIPT} in it, nor a JAR; the contest starts a player by it"
        " ('spielleiter pack' makes a ZIP with one)",
    )


def _roots(paths: Collection[str]) -> list[str]:
    """Where a program can begin: the top, which is empty, and the only folder there, which ends in a slash."""
    visible = {path.split("/")[0] for path in paths if not path.startswith((".", "__MACOSX"))}
    return ["", *(f"{only}/" for only in visible if len(visible) == 1)]


def _script_command(script: bytes, folder: str, *, executable: bool) -> tuple[str, ...]:
    runs_alone = executable and script.startswith(b"#!")
    path = f"./{folder}{START_SCRIPT}"
    return (path,) if runs_alone else ("/bin/sh", path)


# --- where it is ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ProgramSource:
    """A program that was found, before its files are read."""

    kind: EntrantKind
    name: str
    path: Path = Path()
    """The file or folder that was named; of a folder, the one with the ``start.sh``."""
    command: tuple[str, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that belong to a Python file, a JAR or a command, by their paths in the program's own folder."""
    below: str = ""
    """The name, with a slash, of a folder whose ``start.sh`` is run from the folder above; all its files begin so."""

    def all_files(self) -> Mapping[str, Path]:
        """The program's files by their paths in its own folder. Raises ``ProgramError`` for a link that leads out."""
        if self.kind is not EntrantKind.FOLDER:
            return self.files
        return {self.below + name: path for name, path in files_in(self.path).items()}


def find_source(text: str, base: Path | None = None) -> ProgramSource:
    """The program that ``text`` names; relative paths are also looked up in ``base``. Raises ``ProgramError``."""
    if text.partition(":")[0] in players.BUILT_IN:
        # A file of the same name can be given as ./name.
        players.load(text)  # Wrong options should show now, not when it is started.
        command = (PYTHON, "-m", "spielleiter.players", text)
        return ProgramSource(EntrantKind.BUILT_IN, text, command=command)
    if text.startswith(f"{players.NETWORK}:"):
        return _network(text, base)
    path = _look_up(text, base)
    # A command line may be longer than any name of a file, of which pathlib would complain.
    if os.path.isdir(path):
        return _folder(path.resolve(), text)
    if os.path.isfile(path):
        path = path.resolve()
        if path.suffix == ".py":
            return ProgramSource(EntrantKind.PYTHON_FILE, path.stem, path, (PYTHON, path.name), modules_beside(path))
        if path.suffix.lower() == ".zip":
            return ProgramSource(EntrantKind.ZIP, path.stem, path)
        if path.suffix.lower() == _JAR:
            return ProgramSource(EntrantKind.JAR, path.stem, path, (JAVA, "-jar", path.name), {path.name: path})
        if path.name == START_SCRIPT:
            return _folder(path.parent, text)
    return _command(text, base)


def _network(text: str, base: Path | None) -> ProgramSource:
    """The player from a network, whose file travels with it."""
    path, rest = _network_file(text, base)
    players.load(f"{players.NETWORK}:{path}{rest}")  # A network that fits no game should show now.
    command = (PYTHON, "-m", "spielleiter.players", f"{players.NETWORK}:{path.name}{rest}")
    return ProgramSource(EntrantKind.COMMAND, path.stem, path, command, {path.name: path})


def _network_file(text: str, base: Path | None) -> tuple[Path, str]:
    """The file of a network, and the options behind it with their comma."""
    name, comma, options = text.removeprefix(f"{players.NETWORK}:").partition(",")
    return _look_up(name, base).absolute(), f"{comma}{options}"


def _look_up(text: str, base: Path | None) -> Path:
    path = Path(os.path.expanduser(text))
    return path if base is None or os.path.exists(path) else base / path


def _folder(folder: Path, text: str) -> ProgramSource:
    """A folder with what a program is started by, in it or in the only folder inside, or a Python file in it."""
    inside = list(folder.iterdir())
    for only in _roots([path.name for path in inside])[1:]:
        inside += (folder / only).iterdir() if (folder / only).is_dir() else ()
    paths = {path.relative_to(folder).as_posix() for path in inside if path.is_file()}
    root, entry = _find_entry(paths, text, PYTHON_ENTRIES)
    place = folder / root
    if entry in PYTHON_ENTRIES:
        return ProgramSource(EntrantKind.FOLDER, folder.name, place, (PYTHON, entry))
    if entry != START_SCRIPT:
        return ProgramSource(EntrantKind.FOLDER, folder.name, place, (JAVA, "-jar", entry))
    script = _read(place / START_SCRIPT)
    below = f"{place.name}/" if runs_from_above(script, place.name, lambda path: (place / path).exists()) else ""
    command = _script_command(script, below, executable=os.access(place / START_SCRIPT, os.X_OK))
    return ProgramSource(EntrantKind.FOLDER, folder.name, place, command, below=below)


def _command(text: str, base: Path | None) -> ProgramSource:
    """A command: the files that it names travel with it, the program itself too unless it belongs to the system."""
    words = _words(text)
    found = shutil.which(words[0]) or (None if base is None else shutil.which(base / words[0]))
    if found is None:
        raise _not_startable(text, _look_up(text, base))
    program = Path(found).absolute()
    files: dict[str, Path] = {}
    ours = os.path.realpath(program.parent) == os.path.realpath(Path(sys.executable).parent)
    if not ours and runtimes.environment_around(str(program)) is not None:
        command = [str(program)]  # Elsewhere it would not find its environment.
    elif any(program.is_relative_to(folder) for folder in system_paths.readable()):
        command = [PYTHON if os.path.samefile(program, sys.executable) else str(program)]
    else:
        command = [f"./{program.name}"]
        files[program.name] = program
    for word in words[1:]:
        path = _look_up(word, base)
        command.append(path.name if os.path.isfile(path) else word)
        if os.path.isdir(path):
            raise ProgramError(
                f"{text}: {word} ist ein Ordner, den ein Spieler nicht sieht: nimm einen Ordner mit {START_SCRIPT}.",
                f"{text}: {word} is a folder, which a player will not see: use a folder with {START_SCRIPT}",
            )
        for name, file in _travelling(path).items():
            if files.setdefault(name, file) != file:
                raise ProgramError(
                    f"{text}: zwei Dateien heißen {name}: nimm einen Ordner mit {START_SCRIPT}.",
                    f"{text}: two files are called {name}: use a folder with {START_SCRIPT}",
                )
    return ProgramSource(EntrantKind.COMMAND, Path(words[0]).stem, program, tuple(command), files)


_STARTED_BY = {
    ".js": "node", ".mjs": "node", ".rb": "ruby", ".php": "php", ".pl": "perl", ".sh": "sh",
}  # fmt: skip
_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".xz", ".bz2")
_SOURCE_CODE = (".java", ".kt", ".c", ".cc", ".cpp", ".rs", ".go", ".cs", ".ts", ".hs", ".swift")


def _not_startable(text: str, path: Path) -> ProgramError:
    """Why ``text`` is not a player, and what to do about it if it is a file."""
    known = ", ".join(players.BUILT_IN)
    suffix = path.suffix.lower()
    known_file = suffix in (*_STARTED_BY, *_ARCHIVES, *_SOURCE_CODE, ".exe")
    if not os.path.isfile(path) or not (known_file or _read(path).startswith(PROGRAM_BEGINNINGS)):
        near = get_close_matches(text, players.BUILT_IN, n=1)
        hint = Text("erwartet", "expected")
        if near:
            hint = Text(f"meinst du {near[0]}? Erwartet", f"did you mean {near[0]}? Expected")
        return ProgramError(
            f"Einen Spieler {text!r} gibt es nicht: {hint.de} wird eine Python-Datei, ein JAR, ein Ordner oder"
            f" ZIP mit {START_SCRIPT}, ein Befehl oder einer von {known}.",
            f"there is no player {text!r}: {hint.en} a Python file, a JAR, a folder or ZIP with {START_SCRIPT},"
            f" a command, or one of {known}",
        )
    if suffix in _STARTED_BY:
        command = f'"{_STARTED_BY[suffix]} {shlex.quote(text)}"'
        fix = Text(f"nimm einen Befehl in Anführungszeichen: {command}", f"use a command in quotes: {command}")
    elif suffix in _ARCHIVES:
        fix = Text(f"packe es als ZIP mit {START_SCRIPT}", f"pack it as a ZIP with {START_SCRIPT}")
    elif suffix in _SOURCE_CODE:
        fix = Text(
            f"übersetze den Quelltext, und nimm einen Ordner mit dem Programm und {START_SCRIPT}",
            f"build the source code, and use a folder with the program and {START_SCRIPT}",
        )
    elif suffix == ".exe":
        fix = Text("übersetze es für Linux, dort läuft der Wettbewerb", "build it for Linux, on which the contest runs")
    else:
        fix = Text(f"chmod +x {shlex.quote(text)}", f"chmod +x {shlex.quote(text)}")
    return ProgramError(
        f"{text}: lässt sich so nicht starten: {fix.de}.", f"{text}: cannot be started like this: {fix.en}"
    )


def _travelling(path: Path) -> dict[str, Path]:
    if not os.path.isfile(path):
        return {}
    path = path.absolute()
    return modules_beside(path) if path.suffix == ".py" else {path.name: path}


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise ProgramError(
            f"{text!r} ist keine Befehlszeile: {problem}.", f"{text!r} is not a command line: {problem}"
        ) from None
    if not words:
        raise ProgramError(
            f"Ein Spieler ist eine Python-Datei, ein JAR, ein Ordner oder ZIP mit {START_SCRIPT} oder ein Befehl, nicht"
            " nichts.",
            f"a player is a Python file, a JAR, a folder or ZIP with {START_SCRIPT}, or a command, not nothing",
        )
    return words


def _read(path: Path) -> bytes:
    with refusing(ProgramError, path, READ):
        return path.read_bytes()
