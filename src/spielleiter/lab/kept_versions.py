"""Versions of players as they were when a test was submitted: kept by what is in them, so that no edit changes a test.

A version is named ``PLAYER@COMMIT``, or ``PLAYER@DIGEST`` of a folder, file or ZIP; built-in players are their own.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter import players
from spielleiter.atomic_files import atomic_write
from spielleiter.errors import WRITE, ProgramError, SettingsError, refusing
from spielleiter.lab.commits import check_out, find_commit
from spielleiter.programs.archive import map_zip
from spielleiter.programs.entrants import Entrant, EntrantKind, entrant_from_zip, is_manual, resolve

_MAX_PLAYER = 40
_MAX_SUBJECT = 200
_DIGEST = 8
_UNSAFE = re.compile(r"[^\w.+ -]+")
_COPIED = (EntrantKind.FOLDER, EntrantKind.PYTHON_FILE, EntrantKind.JAR)


@dataclass(frozen=True, slots=True)
class UploadedZip:
    """A ZIP that came with a form, as it lies on the disk meanwhile."""

    name: str
    """The file name that its author gave it."""
    path: Path


@dataclass(frozen=True, slots=True)
class KeptVersion:
    """A version that a test can play."""

    player: str
    """Whose version it is: what its history is found by."""
    entrant: Entrant
    subject: str = ""
    """What its commit says, in one line."""


def keep_version(folder: Path, source: str | UploadedZip) -> KeptVersion:
    """The version that ``source`` names, kept in ``folder``: a player as for ``match``, or ``FOLDER@COMMIT`` of git.

    Raises ``SettingsError`` or ``ProgramError``.
    """
    if isinstance(source, UploadedZip):
        return _keep_zip(folder, source)
    text = source.strip()
    if is_manual(text):
        raise SettingsError(
            "Wer selbst beitritt („manual“), kann nicht in einer Warteschlange spielen.",
            "a manual player cannot play in a queue of tests",
        )
    repository, at, revision = text.rpartition("@")
    if at and text.partition(":")[0] not in players.BUILT_IN and not os.path.exists(_path(text)):
        return _keep_commit(folder, _path(repository), revision.strip())
    entrant = resolve(text)
    if entrant.kind is EntrantKind.ZIP:
        return _keep_zip(folder, UploadedZip(_path(text).name, _path(text)))
    if entrant.kind is EntrantKind.BUILT_IN:
        return KeptVersion(text.partition(":")[0], entrant)
    player = _plain(_path(text).resolve().name if entrant.kind is EntrantKind.FOLDER else entrant.name)
    return KeptVersion(player, _keep(folder, entrant, player, ""))


def _keep_commit(folder: Path, repository: Path, revision: str) -> KeptVersion:
    if not repository.is_dir():
        raise SettingsError(
            f"{repository} ist kein Ordner mit einem Spieler in Git; erwartet wird ORDNER@COMMIT.",
            f"{repository} is not the folder of a player in git; expected FOLDER@COMMIT",
        )
    commit = find_commit(repository, revision or "HEAD")
    player = _plain(repository.resolve().name)
    draft = folder / f".{secrets.token_hex(6)}"
    try:
        with refusing(SettingsError, folder, WRITE):
            draft.mkdir(parents=True)
            entrant = check_out(repository, commit, draft)
        return KeptVersion(player, _keep(folder, entrant, player, commit.name), commit.subject[:_MAX_SUBJECT])
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _keep_zip(folder: Path, zip_: UploadedZip) -> KeptVersion:
    player = _plain(Path(zip_.name.replace("\\", "/")).name.removesuffix(".zip"))
    what = zip_.name[-60:] or "ZIP"
    entrant = entrant_from_zip(map_zip(zip_.path, what), player, what)
    digest = entrant.digest[:_DIGEST]
    path = folder / f"{player}-{digest}.zip"
    if not path.exists():
        with refusing(ProgramError, path, WRITE):
            folder.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as draft:
                shutil.copyfile(zip_.path, draft)
    return KeptVersion(player, replace(entrant, name=f"{player}@{digest}", text=str(path)))


def _keep(folder: Path, entrant: Entrant, player: str, commit: str) -> Entrant:
    """The same player from a copy of its files; a command stays as it is, and a test refuses it once it has changed."""
    name = f"{player}@{commit or entrant.digest[:_DIGEST]}"
    if entrant.kind not in _COPIED or entrant.files is None:
        return replace(entrant, name=name)
    home = folder / f"{player}-{entrant.digest[:_DIGEST]}"
    if not home.exists():
        draft = folder / f".{secrets.token_hex(6)}"
        with refusing(ProgramError, home, WRITE):
            try:
                draft.mkdir(parents=True)
                entrant.files.unpack(draft)
                if not home.exists():
                    draft.replace(home)
            finally:
                shutil.rmtree(draft, ignore_errors=True)
    is_folder = entrant.kind is EntrantKind.FOLDER
    return replace(resolve(str(home if is_folder else home / entrant.command[-1])), name=name)


def _path(text: str) -> Path:
    return Path(os.path.expanduser(text))


def _plain(name: str) -> str:
    """The name of a player that can stand in an address and in a path."""
    return _UNSAFE.sub("_", name).strip(" .-")[:_MAX_PLAYER] or "player"
