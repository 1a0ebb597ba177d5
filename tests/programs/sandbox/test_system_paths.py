"""What programs see of the machine: run-times wherever they are installed, and nothing that is private."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.programs.sandbox import Level, system_paths
from tests.support.hostile import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")


def test_usr_and_opt_are_not_shown_as_a_whole() -> None:
    assert not {"/", "/usr", "/usr/local", "/opt", "/etc", "/var", "/home"} & set(system_paths.readable())


@pytest.fixture
def fresh_paths() -> Iterator[None]:
    system_paths.readable.cache_clear()
    yield
    system_paths.readable.cache_clear()


def test_the_folder_of_a_run_time_is_found_by_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_paths: None
) -> None:
    program = tmp_path / "jdk-99" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "season").mkdir()
    monkeypatch.setattr(system_paths, "_INSTALLED", (str(tmp_path),))
    monkeypatch.setenv("PATH", str(program.parent))
    seen = system_paths.readable()
    assert str(tmp_path / "jdk-99") in seen
    assert str(tmp_path / "season") not in seen


@pytest.fixture
def season(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a season inside of one that every program may read."""
    folder = tmp_path / "contest"
    folder.mkdir()
    (folder / "season.db").write_text("secret")
    (tmp_path / "library").write_text("public")
    paths = (*system_paths.readable(), str(tmp_path))
    monkeypatch.setattr(system_paths, "readable", lambda more=(): paths)
    for path in (tmp_path, *tmp_path.parents):
        if os.stat(path).st_uid == os.geteuid() and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o055)
    return folder


READER = """
    import os, sys
    for path in sys.argv[3:-1]:
        try:
            print(open(path).read())
        except OSError as problem:
            print(problem.strerror)
"""


def test_the_folder_of_the_season_is_not_seen_wherever_it_lies(season: Path) -> None:
    paths = (str(season / "season.db"), str(season.parent / "library"))
    assert run(READER, Level.BUBBLEWRAP, arguments=paths).out == "secret\npublic\n"
    hidden = run(READER, Level.BUBBLEWRAP, arguments=paths, private=(season,))
    assert hidden.out == "No such file or directory\npublic\n"


def test_where_it_cannot_be_hidden_no_program_is_started(season: Path) -> None:
    with pytest.raises(SettingsError, match="move the season to another folder"):
        run(READER, Level.LANDLOCK, private=(season,))
    with pytest.raises(SettingsError, match="every program must be able to read"):
        run(READER, Level.BUBBLEWRAP, private=(season.parent,))
