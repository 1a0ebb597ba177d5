"""The commands ``openings`` and ``rate``: what they print, and how they refuse what makes no sense."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter import games
from spielleiter.cli.app import app
from spielleiter.matches.openings import read_positions
from tests.lab.test_match_ratings import played


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", *map(str, words)])


def test_a_book_is_a_file_that_a_match_reads(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    made = run("openings", path, "--game", "piranhas-2026", "--number", "3", "--balance", "0.5")
    assert made.exit_code == 0, made.output
    assert len(read_positions(path, games.load("piranhas-2026"))) == 3
    assert "cannot be written: File exists" in str(run("openings", path, "--number", "1", "--balance", "0.5").exception)


def test_the_list_shows_ratings_and_who_beats_whom(tmp_path: Path) -> None:
    first, second = played(tmp_path / "a", "ada", "bob", "1110" * 5), played(tmp_path / "b", "bob", "cem", "11=0" * 5)
    shown = run("rate", first, second, "--anchor", "bob=1000")
    assert shown.exit_code == 0, shown.output
    assert "15/20" in shown.output
    assert "12.5/20" in shown.output
    assert json.loads(run("rate", first, second, "--json").stdout)["players"][0]["name"] == "ada"


@pytest.mark.parametrize("anchor", ["bob", "bob=strong", "=3"])
def test_an_anchor_is_a_name_and_a_number(tmp_path: Path, anchor: str) -> None:
    match = played(tmp_path / "a", "ada", "bob", "10")
    assert "--anchor takes name and Elo, as in expert=2000" in str(run("rate", match, "--anchor", anchor).exception)
