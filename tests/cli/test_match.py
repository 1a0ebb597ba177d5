"""The command ``match``: what it prints, and how it refuses what makes no sense."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter.cli.app import app
from spielleiter.cli.match.manual import announce_arrivals
from spielleiter.cli.terminal import set_language
from spielleiter.errors import SpielleiterError
from spielleiter.programs.entrants import resolve
from spielleiter.programs.sandbox import bubblewrap
from tests.support.players import GAME, program, short_start

pytestmark = pytest.mark.slow


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["--lang", "en", "match", *words])


def refusal(*words: str) -> str:
    result = run(*words)
    assert isinstance(result.exception, SpielleiterError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openings.txt").write_text(short_start()[0])
    return str(program(tmp_path, "ada")), str(program(tmp_path, "bob"))


SHORT = ("--game", GAME, "--openings", "openings.txt", "--sandbox", "none")


def test_a_match_prints_each_game_and_the_table(pair: tuple[str, str], tmp_path: Path) -> None:
    result = run(*pair, *SHORT, "--games", "4", "--out", "out")
    assert result.exit_code == 0, result.output
    assert result.output.count("1v2-0000") == 4
    assert re.search(r"Who is stronger remains open|is stronger than", result.output)
    assert not re.search(r"LOS|\[0, |± ", result.output), "plain words, unless --stats is given"
    assert "What to improve: spielleiter coach out --player ada" in result.output
    stats = run(*pair, *SHORT, "--games", "2", "--stats", "--out", "stats")
    assert "LOS" in stats.output
    assert "report.html" in result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "match.json", "results.jsonl", "results.csv", "report.html", "records"
    }  # fmt: skip


def test_json_is_for_programs(pair: tuple[str, str]) -> None:
    result = run(*pair, *SHORT, "--games", "2", "--out", "out", "--json", "--no-report", "--name", "Ada")
    data = json.loads(result.stdout)
    assert data["stop"] == "COMPLETE"
    assert data["played"] == data["total"] == 2
    assert {player["name"] for player in data["players"]} == {"Ada", "bob"}
    assert sum(data["duel"]["pentanomial"]) == 1


def test_zips_of_several_people_are_not_played_below_bubblewrap_unless_that_is_asked_for(
    pair: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    zips = [str(path.with_suffix(".zip")) for path in map(Path, pair)]
    for path, zipped in zip(map(Path, pair), zips, strict=True):
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("start.sh", f'#!/bin/sh\nexec {sys.executable} {path.name} "$@"\n')
            archive.write(path, path.name)
    assert "apt install bubblewrap" in refusal(*zips, *SHORT[:-2], "--games", "2", "--out", "out")
    asked = run(*zips, *SHORT, "--games", "2", "--out", "weaker", "--no-report", "--no-ponder")
    assert asked.exit_code == 0, asked.output
    assert json.loads((tmp_path / "weaker" / "match.json").read_text())["ponder"] is False


def test_three_players_play_a_round_robin(pair: tuple[str, str], tmp_path: Path) -> None:
    third = str(program(tmp_path, "cyd"))
    data = json.loads(run(*pair, third, *SHORT, "--games", "2", "--out", "out", "--json", "--no-report").stdout)
    assert data["played"] == 6
    assert data["duel"] is None


def test_a_player_that_does_not_start_ends_the_match_with_the_reason(pair: tuple[str, str], tmp_path: Path) -> None:
    broken = str(program(tmp_path, "broken", before="sys.exit('my config is missing')"))
    result = run(pair[0], broken, *SHORT, "--games", "50", "--out", "out", "--concurrency", "1", "--no-report")
    assert result.exit_code == 3
    assert "broken did not start 3 times in a row: my config is missing" in result.output.replace("\n", " ")
    assert "\n  ! my config is missing\n    log: out/logs/1v2-00001a-two.log\n" in result.output
    assert result.output.splitlines()[-1] == "Never started: broken (exit code 3)."


def test_a_player_that_crashes_in_every_game_has_an_exit_code_of_its_own(pair: tuple[str, str], tmp_path: Path) -> None:
    broken = str(program(tmp_path, "broken", asked="1 / 0"))
    result = run(pair[0], broken, *SHORT, "--games", "2", "--out", "out", "--no-report")
    assert result.exit_code == 4, result.output
    assert re.search(r"! ZeroDivisionError: .* \(broken.py, line \d+\)\n    log: out/logs/", result.output)
    assert result.output.splitlines()[-1] == "Crashed in every game: broken (exit code 4)."
    assert "More games" not in result.output, "they would crash, too"


def test_resume_plays_nothing_that_is_there(pair: tuple[str, str]) -> None:
    run(*pair, *SHORT, "--games", "2", "--out", "out", "--no-report")
    result = run("--resume", "out", "--no-report")
    assert result.exit_code == 0, result.output
    assert "1v2-" not in result.output


def test_contradictions_and_nonsense_are_one_clear_line(pair: tuple[str, str], tmp_path: Path) -> None:
    ada, bob = pair
    assert "name at least two players" in refusal()
    assert "at least two players" in refusal(ada)
    assert "even number" in refusal(ada, bob, "--games", "3")
    for sprt in ("many", "0", "0,30,40", "0,30,alpha=much", "0,30,model=chess", "0,30,gamma=1"):
        assert "two numbers of Elo" in refusal(ada, bob, "--sprt", sprt)
    assert "make no test" in refusal(ada, bob, "--sprt", "0,30,alpha=0.7,beta=0.3")
    assert "no game" in refusal(ada, bob, "--game", "chess").lower()
    assert "a duel has two players" in refusal(ada, bob, ada, "--format", "duel")
    assert "--sprt compares two" in refusal(ada, bob, ada, "--sprt", "0,30")
    assert "between 0.01 and 3600" in refusal(ada, bob, "--seconds", "0")
    assert "there is no player" in refusal(ada, "no-such-player")
    assert "cannot be read" in refusal(ada, bob, "--openings", "missing.txt")
    assert "not a match folder" in refusal("--resume", str(tmp_path))
    assert "built-in players only" in refusal(ada, bob, "--in-process")
    assert "cannot join a game on a cluster" in refusal(ada, "manual", "--cluster", "local:2")
    assert not (tmp_path / "out").exists()
    assert not list(tmp_path.glob("match-*"))


def test_the_folder_of_another_match_is_left_alone(pair: tuple[str, str], tmp_path: Path) -> None:
    run(*pair, *SHORT, "--games", "2", "--out", "out", "--no-report")
    before = (tmp_path / "out" / "results.jsonl").read_bytes()
    assert "belongs to another match" in refusal(*pair, *SHORT, "--games", "4", "--out", "out")
    assert "go on with --resume out" in refusal(*pair, *SHORT, "--games", "2", "--out", "out")
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == before


def test_an_unknown_format_is_refused(pair: tuple[str, str]) -> None:
    assert run(*pair, "--format", "lottery").exit_code == 2


def test_the_arrival_of_each_manual_player_is_printed_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_language("en")
    arrived = announce_arrivals([resolve("manual:Ada"), resolve("random"), resolve("manual:Ben")])
    for name in ("Ben", "Ben", "Ada", "Ben"):
        arrived(name)
    assert capsys.readouterr().err.splitlines() == [
        "Ben is here (1/2), still missing: Ada", "Ada is here (2/2): all are here."
    ]  # fmt: skip


CONFIG = """game = "piranhas-2026"
games = 2
in-process = true
report = false

[[player]]
player = "greedy"
name = "ada"

[[player]]
player = "student"
options = { depth = 1, seed = 3 }
"""


def test_a_file_says_everything_and_the_command_line_goes_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lab.toml").write_text(CONFIG)
    result = run("--config", "lab.toml", "--out", "out", "--games", "4", "--report")
    assert result.exit_code == 0, result.output
    plan = json.loads(Path("out/match.json").read_text())
    assert plan["games"] == 4
    assert [player["player"] for player in plan["players"]] == ["greedy", "student:depth=1,seed=3"]
    assert plan["players"][0]["name"] == "ada"
    assert len(Path("out/games.txt").read_text().splitlines()) == 5
    assert "leave out --config. " in refusal("--resume", "out", "--config", "lab.toml")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("games = 2", "gmes = 2", "lab.toml, line 2: 'gmes' is unknown here: did you mean games?"),
        ("games = 2", 'games = "two"', "lab.toml, line 2: games = 'two': Input should be a valid integer"),
        ("games = 2", "player = 2", "lab.toml"),
        ('name = "ada"', 'nam = "ada"', "lab.toml, line 8: 'nam' is unknown in [player]: did you mean name?"),
        ('name = "ada"', "name = 3", "lab.toml, line 8: name must be a text in quotes, not 3"),
        ('player = "student"', "", "lab.toml, line 10: 'player' is missing in [player]"),
        ('"student"', '"nobody"', "lab.toml, line 11: there is no player 'nobody'"),
        ("depth = 1", "dpth = 1", "lab.toml, line 11: student has no option 'dpth': did you mean depth?"),
        ("options = {", 'arguments = "\'"\noptions = {', "lab.toml, line 12: arguments: No closing quotation"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lab.toml").write_text(CONFIG.replace(before, after))
    assert refusal("--config", "lab.toml", "--out", "out").startswith(expected)
    assert not Path("out").exists()


def test_options_reach_the_program_behind_those_of_the_contest(pair: tuple[str, str], tmp_path: Path) -> None:
    result = run(*pair, *SHORT, "--games", "2", "--out", "out", "--set", "1:depth=3", "--set", "1:name=a b")
    assert result.exit_code == 0, result.output
    plan = json.loads((tmp_path / "out" / "match.json").read_text())
    assert plan["players"][0]["arguments"] == ["--set", "depth=3", "--set", "name=a b"]
    assert plan["players"][1]["arguments"] == []
    assert run("--resume", "out").exit_code == 0
    for wrong in ("depth=3", "3:depth=3", "1:depth"):
        assert "--set takes place, name and value, as in 1:depth=3" in refusal(*pair, *SHORT, "--set", wrong)


def test_nodes_are_an_option_of_every_player_and_never_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "greedy has no option 'nodes'" in refusal("solid", "greedy", "--nodes", "50", "--out", "out")
    assert run("solid", "solid", "--nodes", "0", "--out", "out").exit_code == 2
    assert "between 0.01 and 3600 seconds, not 0" in refusal("solid", "solid", "--seconds", "0", "--out", "out")
    assert not Path("out").exists()


def test_a_match_recovers_from_a_player_that_never_starts(pair: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit(7)")
    result = run(str(tmp_path / "broken.py"), pair[0], *SHORT, "--games", "8", "--out", "out", "--recover", "--json")
    assert json.loads(result.stdout)["played"] == 8
    assert result.exit_code == 3
