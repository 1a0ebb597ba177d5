"""The command ``tune``: a small run with a built-in player, its report and its test, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.cli.app import app
from tests.support.players import GAME, short_start

pytestmark = pytest.mark.slow

PARAMS = "[depth]\nstart = 2\nmin = 1\nmax = 3\nstep = 0.5\nwhole = true\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", "tune", *words])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("params.toml").write_text(PARAMS)
    Path("openings.txt").write_text(short_start()[0])


SHORT = ("--game", GAME, "--openings", "openings.txt", "--random-moves", "0", "--in-process", "--pairs", "10")


def test_a_run_ends_with_values_a_report_and_a_test(tmp_path: Path) -> None:
    result = run("student", "--params", "params.toml", *SHORT, "--test-games", "4", "--out", "out")
    assert "depth: 2 → " in result.output, result.output
    assert "10 / 10" in Path("out/report.html").read_text()
    assert Path("out/report.html").read_text().count("<figure") == 1
    assert json.loads(Path("out/tuned.json").read_text()).keys() == {"depth"}
    assert len(Path("out/pairs.jsonl").read_text().splitlines()) == 10
    assert len(Path("out/test/results.jsonl").read_text().splitlines()) == 4
    # Equal players: four games prove nothing.
    assert result.exit_code == 1
    assert run("--resume", "out", "--test", "").exit_code == 0


def test_what_cannot_be_tuned_is_refused_before_anything_starts() -> None:
    for words, expected in (
        (("student",), "name a player and --params FILE"),
        (("student", "--params", "params.toml", "--test", "much"), "--sprt takes two numbers"),
        (("greedy", "--params", "params.toml", "--out", "out"), "params.toml, line 1: greedy has no option 'depth'"),
    ):
        assert expected in str(run(*words).exception)
    assert not Path("out").exists()
