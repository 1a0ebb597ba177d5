"""Commits of a repository as players: what git has of them, written into folders that a match can start."""

from __future__ import annotations

import io
import subprocess
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.errors import SettingsError
from spielleiter.programs.entrants import Entrant, resolve

_SHORT = 10


@dataclass(frozen=True, slots=True)
class Commit:
    """One state of a repository."""

    hash: str
    subject: str

    @property
    def name(self) -> str:
        """The name of the player that is played from it."""
        return self.hash[:_SHORT]


def find_commit(repository: Path, revision: str) -> Commit:
    """The commit that ``revision`` names (a hash, a tag, HEAD~3). Raises ``SettingsError``."""
    words = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    try:
        hash_ = _git(repository, *words).decode("ascii").strip()
    except SettingsError:
        _git(repository, "rev-parse", "--git-dir")  # Where there is no repository, this is what to say.
        raise SettingsError(
            f"{repository}: Git kennt hier keinen Commit „{revision}“.",
            f"{repository}: git knows no commit {revision!r}",
        ) from None
    line = _git(repository, "log", "-1", "--format=%H %s", hash_, "--")
    return _commit(line.decode("utf-8", "replace").strip())


def commits_between(repository: Path, old: Commit, new: Commit) -> list[Commit]:
    """The commits after ``old`` up to ``new``, the oldest first, along the first parents. Raises ``SettingsError``."""
    listed = _git(repository, "log", "--first-parent", "--reverse", "--format=%H %s", f"{old.hash}..{new.hash}", "--")
    return [_commit(line) for line in listed.decode("utf-8", "replace").splitlines()]


def commits_of(folder: Path, number: int) -> list[Commit]:
    """The last ``number`` commits that changed something in this folder, the oldest first. Raises ``SettingsError``."""
    words = ("log", "--first-parent", "--reverse", f"--max-count={number}", "--format=%H %s", "--", ".")
    return [_commit(line) for line in _git(folder, *words).decode("utf-8", "replace").splitlines()]


def _commit(line: str) -> Commit:
    hash_, _, subject = line.partition(" ")
    return Commit(hash_, subject)


def check_out(repository: Path, commit: Commit, folder: Path, path: str = "") -> Entrant:
    """The player of a commit, written into a folder of its own below ``folder``; ``path`` names it in the repository.

    Of a folder in a repository it is what the commit has in that folder.
    The repository itself is left alone. Raises ``SettingsError`` or ``ProgramError``.
    """
    target = folder / commit.name
    if not target.exists():
        archive = _git(repository, "archive", "--format=tar", commit.hash)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(target, filter="data")
    return replace(resolve(str(target / path)), name=commit.name)


def _git(repository: Path, *words: str) -> bytes:
    try:
        ran = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=False)  # noqa: S603, S607
    except FileNotFoundError:
        raise SettingsError("git ist nicht installiert.", "git is not installed") from None
    if ran.returncode:
        why = (ran.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {ran.returncode}"])[-1]
        raise SettingsError(f"{repository}: {why}", f"{repository}: {why}")
    return ran.stdout
