"""The command ``bisect``: the commit that made a player weaker is found, and nonsense is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.cli.app import app
from spielleiter.lab.commits import find_commit
from tests.lab.test_commits import repository
from tests.support.players import GAME, program, short_start

pytestmark = pytest.mark.slow


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", "bisect", *words])


def test_the_commit_that_broke_a_player_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("openings.txt").write_text(short_start()[0])
    good = program(tmp_path, "good").read_text()
    broken = "raise SystemExit('broken')\n" + good
    repo = repository(tmp_path / "repo", good, good + "# two\n", broken, broken + "# four\n")
    short = ("--game", GAME, "--openings", "openings.txt", "--random-moves", "0", "--sandbox", "none", "--games", "4")
    found = run(str(repo), "HEAD~3", *short, "--find")
    assert found.exit_code == 1, found.output
    assert f"The first weaker commit is {find_commit(repo, 'HEAD~1').name}: Version 3" in found.output
    # The matches are there: nothing is played again.
    assert run(str(repo), "HEAD~3", *short).exit_code == 1
    assert "nothing can be compared with it" in str(run(str(repo), "HEAD~1", "HEAD~2", *short, "--out", "b").exception)


def test_one_commit_is_not_compared_with_itself(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", "1")
    assert "are the same commit" in str(run(str(repo), "HEAD", "HEAD").exception)
    assert "git knows no commit 'nowhere'" in str(run(str(repo), "nowhere").exception)
