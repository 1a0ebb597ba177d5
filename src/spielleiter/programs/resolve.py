"""From what people type to the players of a match: built-in names, files, folders, ZIPs, commands, ``manual``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import spielleiter
from spielleiter import players
from spielleiter.errors import ProgramError, SettingsError, SpielleiterError
from spielleiter.programs.entrants import Entrant, EntrantKind, with_unique_names
from spielleiter.programs.package import beside
from spielleiter.programs.program import START, PlayerProgram, ProgramKind, open_program
from spielleiter.programs.sandbox import bubblewrap, pack, pack_files

_OURS = (("PYTHONPATH", str(Path(spielleiter.__file__).parent.parent)),)
"""Where a Python program finds this package, as on the machine of its author."""


def enter(texts: Sequence[str], names: Sequence[str] = ()) -> tuple[Entrant, ...]:
    """The players that ``texts`` name, with ``names`` instead of their own where given.

    Raises ``SettingsError`` or ``ProgramError`` with what is wrong and how it should be.
    """
    if len(names) > len(texts):
        raise SettingsError(f"there are {len(names)} names for {len(texts)} players")
    entrants = [_entrant(text) for text in texts]
    named = [_named(entrant, name) for entrant, name in zip(entrants, names, strict=False)]
    return with_unique_names([*named, *entrants[len(named) :]])


def _named(entrant: Entrant, name: str) -> Entrant:
    if not name.strip() or not name.isprintable() or len(name) > 60:
        raise SettingsError(f"{name!r} is no name for a player: up to 60 characters that can be printed")
    return Entrant(
        name=name.strip(),
        text=entrant.text,
        kind=entrant.kind,
        command=entrant.command,
        parcel=entrant.parcel,
        environment=entrant.environment,
    )


def _entrant(text: str) -> Entrant:
    if text == "manual":
        return Entrant(name="manual", text=text, kind=EntrantKind.MANUAL)
    builtin = _builtin(text)
    if builtin is not None:
        return builtin
    with open_program(text) as program:
        return _from_program(program, text)


def _builtin(text: str) -> Entrant | None:
    """The built-in player of this name, or ``None``. A file of the same name can be given as ``./name``."""
    if text.partition(":")[0] not in players.BUILT_IN:
        return None
    try:
        players.load(text)
    except SpielleiterError as problem:
        raise SettingsError(str(problem)) from None
    command = ("{python}", "-m", "spielleiter.players", text)
    return Entrant(name=text, text=text, kind=EntrantKind.BUILT_IN, command=command, environment=_OURS)


def _from_program(program: PlayerProgram, text: str) -> Entrant:
    environment: tuple[tuple[str, str], ...] = ()
    match program.kind:
        case ProgramKind.PYTHON_FILE:
            file = Path(program.command[-1])
            parcel = pack_files(beside(file), text)
            command: tuple[str, ...] = ("{python}", file.name)
            environment = _OURS
        case ProgramKind.FOLDER | ProgramKind.ZIP:
            parcel = pack(program.folder)
            command = tuple(f"./{START}" if Path(word).name == START else word for word in program.command)
        case ProgramKind.COMMAND:
            return _from_command(program, text)
    return Entrant(
        name=program.name, text=text, kind=EntrantKind.PROGRAM, command=command, parcel=parcel, environment=environment
    )


def _from_command(program: PlayerProgram, text: str) -> Entrant:
    """A command: the files that it names travel with it, the program itself too unless it belongs to the system."""
    system = [Path(path) for path in bubblewrap.readable()]
    command: list[str] = []
    files: dict[str, Path] = {}
    for place, word in enumerate(program.command):
        path = Path(word)
        if place == 0 and any(path.is_relative_to(folder) for folder in system):
            command.append("{python}" if os.path.samefile(path, sys.executable) else word)
        elif path.is_file():
            if files.setdefault(path.name, path) != path:
                raise ProgramError(f"{text}: two files are called {path.name}: use a folder with {START}")
            command.append(path.name if place else f"./{path.name}")
        elif path.is_dir():
            raise ProgramError(f"{text}: {word} is a folder, which a player will not see: use a folder with {START}")
        else:
            command.append(word)
    return Entrant(
        name=program.name,
        text=text,
        kind=EntrantKind.PROGRAM,
        command=tuple(command),
        parcel=pack_files(files, text) if files else None,
    )
