"""``rate`` of a player's folder: its commits play each other, once, and the curve says how strong each is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.cli.app import app
from spielleiter.lab.commits import find_commit
from tests.lab.test_commits import git, repository
from tests.lab.test_match_ratings import played
from tests.support.players import GAME, program, short_start

pytestmark = pytest.mark.slow


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", "rate", *map(str, words)])


def test_every_commit_of_a_player_is_rated_and_no_game_is_played_twice(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text(short_start()[0])
    good = program(tmp_path, "good").read_text()
    broken = "raise SystemExit('broken')\n"
    repo = repository(tmp_path / "repo", "", good, broken + good, path="hugo/player.py")
    (repo / "README.md").write_text("not the player's")
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "Explain")
    folder, out = repo / "hugo", repo / "hugo-ratings"
    short = ("--game", GAME, "--openings", openings, "--random-moves", "0", "--sandbox", "none", "--games", "2")
    shown = run(folder, *short, "--versions", "2")
    assert shown.exit_code == 0, shown.output
    lines = [line for line in shown.output.splitlines() if "●" in line]
    assert [line.split()[0] for line in lines] == [find_commit(repo, rev).name for rev in ("HEAD~2", "HEAD~1")]
    assert [line.split()[-1] for line in lines] == ["2", "3"], "the subject of each commit"
    assert all("├" in line and "┤" in line for line in lines)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Versions of hugo" in page
    assert "Strength of hugo over time" in page

    results = {path: path.read_bytes() for path in out.rglob("results.jsonl")}
    assert len(results) == 3
    data = json.loads(run(folder, *short, "--versions", "2", "--json").stdout)
    assert {path: path.read_bytes() for path in out.rglob("results.jsonl")} == results
    elo = [version["elo"] for version in data["versions"]]
    assert elo[0] > elo[1], "a player that does not start is weaker"
    assert [version["subject"] for version in data["versions"]] == ["Version 2", "Version 3"]


def test_what_cannot_be_rated_is_refused(tmp_path: Path) -> None:
    assert "not a git repository" in str(run(tmp_path).exception)
    one = repository(tmp_path / "one", "1")
    assert "at least two commits with a player are compared, found: 1" in str(run(one).exception)
    match = played(tmp_path / "a", "ada", "bob", "10")
    assert "--games is for the folder of a player" in str(run(match, "--games", "4").exception)
