"""``spielleiter drill`` as a student uses it each evening: a program is drilled, mended, drilled again, and broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.cli.app import app
from spielleiter.coach.drill import history_path, write_drill
from spielleiter.errors import SettingsError
from tests.support.drills import short_drill, wrong_move
from tests.support.players import program


@pytest.fixture
def drill(tmp_path: Path) -> Path:
    path = tmp_path / "drill.json"
    write_drill(path, short_drill())
    return path


def run(*arguments: str | Path, language: str = "en") -> Result:
    return CliRunner().invoke(
        app, ["--lang", language, "drill", *map(str, arguments)], env={"NO_COLOR": "1", "COLUMNS": "160"}
    )


def test_a_mended_program_has_newly_solved_what_it_failed_before(tmp_path: Path, drill: Path) -> None:
    pupil = program(tmp_path, "pupil", asked=wrong_move())
    first = run(pupil, drill, "--sandbox", "none")
    assert first.exit_code == 1, first.output
    assert "pupil: 1 of 2 solved." in first.output
    assert f"(acceptable: {short_drill().exercises[0].acceptable[0]})" in first.output

    program(tmp_path, "pupil")
    second = run(pupil, drill, "--sandbox", "none", language="de")
    assert second.exit_code == 0, second.output
    assert "– neu gelöst" in second.output
    assert "pupil: 2 von 2 gelöst; seit " in second.output
    assert "neu gelöst: 1, nicht mehr gelöst: 0." in second.output

    program(tmp_path, "pupil", asked="raise IndexError('nothing there')")
    third = json.loads(run(pupil, drill, "--sandbox", "none", "--json").stdout)
    assert (third["solved"], third["total"], third["exit_code"]) == (0, 2, 1)
    assert sorted(third["broken"]) == sorted(each.id for each in short_drill().exercises)
    assert third["newly_solved"] == []
    assert "IndexError: nothing there" in third["answers"][0]["why"]
    assert len(history_path(drill).read_text().splitlines()) == 3


def test_a_program_that_never_joins_has_its_own_exit_code(tmp_path: Path, drill: Path) -> None:
    path = tmp_path / "never.py"
    path.write_text("raise SystemExit('out of luck')")
    shown = run(path, drill, "--sandbox", "none")
    assert shown.exit_code == 3
    assert "out of luck" in shown.output


def test_a_built_in_player_is_drilled_too(drill: Path) -> None:
    found = json.loads(run("random:seed=1", drill, "--json").stdout)
    assert found["total"] == 2
    assert found["last_run"] is None


def test_a_drill_of_another_game_is_refused(drill: Path) -> None:
    refused = run("random", drill, "--game", "blokus-2027").exception
    assert isinstance(refused, SettingsError)
    assert "nicht für blokus-2027" in refused.text.de
    assert not history_path(drill).exists()


def test_an_older_version_is_refused(drill: Path) -> None:
    drill.write_text(json.dumps({**json.loads(drill.read_text()), "version": 0}))
    refused = run("random", drill).exception
    assert isinstance(refused, SettingsError)
    assert "has version 0" in refused.text.en


def test_an_interrupted_drill_leaves_the_history_alone(drill: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("spielleiter.cli.coach.drill.ask_built_in", interrupted)
    shown = run("random", drill, language="de")
    assert shown.exit_code == 130
    assert "Unterbrochen." in shown.output
    assert not history_path(drill).exists()
