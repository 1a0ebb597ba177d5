"""Commits as players: what git has of them, not what lies in the working tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.lab.commits import check_out, commits_between, find_commit


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *settings, *words], check=True, capture_output=True)


def repository(folder: Path, *versions: str, path: str = "player.py") -> Path:
    """A repository with a commit for each version of a player."""
    folder.mkdir()
    git(folder, "init", "-q")
    for number, text in enumerate(versions, 1):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"Version {number}")
    return folder


def test_a_commit_is_written_into_a_folder_of_its_own(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "one = 1", "two = 2", path="bot/player.py")
    (repo / "bot" / "player.py").write_text("not committed")
    old, new = find_commit(repo, "HEAD~1"), find_commit(repo, "HEAD")
    assert [commit.subject for commit in (old, new)] == ["Version 1", "Version 2"]
    first, second = (check_out(repo, commit, tmp_path / "players", "bot") for commit in (old, new))
    assert (first.name, second.name) == (old.name, new.name)
    assert first.digest != second.digest == check_out(repo, new, tmp_path / "players", "bot").digest
    assert (tmp_path / "players" / new.name / "bot" / "player.py").read_text() == "two = 2"


def test_the_commits_in_between_are_listed_from_the_oldest(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "1", "2", "3", "4")
    between = commits_between(repo, find_commit(repo, "HEAD~3"), find_commit(repo, "HEAD"))
    assert [commit.subject for commit in between] == ["Version 2", "Version 3", "Version 4"]


def test_what_git_does_not_know_is_named(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "1")
    for name in ("nowhere", "--all", "HEAD:bot.py", ""):
        with pytest.raises(SettingsError, match=rf"repo: git knows no commit '{name}'"):
            find_commit(repo, name)
    with pytest.raises(SettingsError, match="not a git repository"):
        find_commit(tmp_path, "HEAD")
