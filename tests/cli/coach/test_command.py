"""``spielleiter coach`` as a student uses it, on a match that was really played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.analysis import analyst
from spielleiter.cli.app import app
from spielleiter.coach.drill import read_drill, write_drill
from spielleiter.coach.study import Study
from spielleiter.errors import SettingsError
from spielleiter.text import Text
from tests.support.coached_match import GAME, LOSER, played_match, shorten_looks
from tests.support.drills import short_drill
from tests.support.played import needs_engine

pytestmark = needs_engine


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shorten_looks(monkeypatch)
    return played_match(tmp_path / "match")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C.UTF-8"})


def test_the_report_says_what_to_mend_first_and_writes_the_drill(match: Path, tmp_path: Path) -> None:
    drill = tmp_path / "drill.json"
    shown = run("--lang", "de", "coach", match, "--player", LOSER, "--drill", drill)
    assert shown.exit_code == 0, shown.output
    assert f"{LOSER}, Piranhas 2026: 2 Spiele, 0 gewonnen, 0 unentschieden, 2 verloren" in shown.output
    assert "Das zuerst:\n  1. " in shown.output
    assert "Eröffnungen ohne einen Punkt: 1 von 1" in shown.output
    worst = r"^1\. .+ – (grober Fehler|Fehler|Ungenauigkeit), die Gewinnchance fällt von \d+(,\d)? % auf \d+(,\d)? %"
    assert re.search(worst, shown.output, re.MULTILINE)
    assert "besser: " in shown.output
    assert not re.search(r"\b(ONE|TWO)\b", shown.output), "teams are called by their colours"
    number = len(read_drill(drill, GAME).exercises)
    assert f"{number} Stellungen zum Üben" in shown.output


def test_programs_get_json_with_positions_and_better_moves(match: Path) -> None:
    found = json.loads(run("coach", match, "--player", LOSER, "--json").output)
    assert found["game"] == GAME
    assert found["results"] == {"won": 0, "drawn": 0, "lost": 2}
    assert found["times"]["limit"] == 2.0
    assert not found["interrupted"]
    worst = found["costly"][0]
    assert worst["position"].startswith(GAME)
    assert worst["better"]
    assert worst["loss"] >= 0.05


def test_ctrl_c_stops_the_engine_and_the_report_has_what_was_found(
    match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Study.steps

    def interrupted(study: Study) -> Iterator[tuple[int, int]]:
        for done, total in whole(study):
            if done > 20:
                raise KeyboardInterrupt
            yield done, total

    monkeypatch.setattr(Study, "steps", interrupted)
    drill = tmp_path / "drill.json"
    shown = run("--lang", "en", "coach", match, "--player", LOSER, "--no-boards", "--drill", drill)
    assert shown.exit_code == 130
    assert "Analysed in full: 0 of 2 games" in shown.output
    assert "Interrupted." in shown.output
    assert "2 games, 0 won, 0 drawn, 2 lost" in shown.output
    assert "not written, there is no position to learn from" in shown.output
    assert not drill.exists()


def test_an_unknown_player_is_refused_with_those_who_are_there(match: Path) -> None:
    refused = run("coach", match, "--player", "Ada").exception
    assert isinstance(refused, SettingsError)
    assert LOSER in refused.text.de
    assert LOSER in refused.text.en


def test_without_the_engine_the_rest_of_the_report_is_there(match: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyst, "why_unavailable", lambda key=None: Text("keine Engine", "no engine"))
    shown = run("--lang", "en", "coach", match, "--player", LOSER)
    assert shown.exit_code == 0
    assert "need the native engine, which is not built here" in shown.output
    assert "2 games, 0 won, 0 drawn, 2 lost" in shown.output


def test_a_drill_that_cannot_be_written_is_refused_before_the_engine_works(
    match: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_work(study: Study) -> Iterator[tuple[int, int]]:
        raise AssertionError("the engine should not have been asked")

    monkeypatch.setattr(Study, "steps", no_work)
    refused = run("coach", match, "--player", LOSER, "--drill", tmp_path / "nowhere" / "drill.json").exception
    assert isinstance(refused, SettingsError)
    assert "there is no folder" in refused.text.en
    other = tmp_path / "drill.json"
    write_drill(other, short_drill())
    refused = run("coach", match, "--player", LOSER, "--drill", other).exception
    assert isinstance(refused, SettingsError)
    assert "ist die Übung von pupil" in refused.text.de
