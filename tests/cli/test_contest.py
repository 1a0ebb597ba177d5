from __future__ import annotations

import csv
import io
import json
import re
import signal
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spielleiter.cli.app import app, load_command
from spielleiter.cli.contest import arguments
from spielleiter.cli.terminal import console
from spielleiter.errors import SpielleiterError
from spielleiter.programs.sandbox import bubblewrap
from tests.support.contest_small_season import TEAMS, season_text

pytestmark = pytest.mark.slow


def spielleiter(folder: Path, *words: str, code: int = 0, lang: str = "en") -> str:
    """What the command prints in that folder, both streams together; 2 is the code of a refusal."""
    with chdir(folder):
        plain = {"COLUMNS": "140", "NO_COLOR": "1"}
        result = CliRunner().invoke(app, ["--lang", lang, "contest", *words], env=plain)
    if isinstance(result.exception, SpielleiterError):
        assert code == 2, result.exception
        return str(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a season that is over."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "season.toml").write_text(season_text(), encoding="utf-8")
    spielleiter(folder, "run")
    return folder


def test_programs_of_teams_are_not_played_below_bubblewrap_unless_the_season_file_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    (tmp_path / "player.py").write_text("raise SystemExit(3)")
    text = season_text(players={"Ada": "player.py"}).replace("in_process = true", "")
    (tmp_path / "season.toml").write_text(text, encoding="utf-8")
    assert "apt install bubblewrap" in spielleiter(tmp_path, "run", code=2)
    named = text.replace("seed = 7", 'seed = 7\nsandbox = "none"')
    (tmp_path / "season.toml").write_text(named, encoding="utf-8")
    assert "Ada" in spielleiter(tmp_path, "run", code=2)  # It was started, and failed its check.


def test_init_writes_a_season_that_can_be_played_and_never_overwrites_one(tmp_path: Path) -> None:
    assert "contest run --season new/season.toml" in spielleiter(tmp_path, "init", "--season", "new/season.toml")
    text = (tmp_path / "new" / "season.toml").read_text(encoding="utf-8")
    assert "is there already" in spielleiter(tmp_path, "init", "--season", "new/season.toml", code=2)
    assert (tmp_path / "new" / "season.toml").read_text(encoding="utf-8") == text
    (tmp_path / "new" / "season.toml").write_text(text.replace("in_process = false", "in_process = true"))
    assert "matchday 1" in spielleiter(tmp_path, "run", "--season", "new/season.toml", "--until", "trial")
    assert "Trial days" in spielleiter(tmp_path, "status", "--season", "new/season.toml")


def test_the_season_and_its_store_can_be_named_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cup.toml").write_text(season_text(), encoding="utf-8")
    monkeypatch.setenv("SPIELLEITER_CONTEST_SEASON", "cup.toml")
    monkeypatch.setenv("SPIELLEITER_CONTEST_STORE", "elsewhere.db")
    spielleiter(tmp_path, "pause")
    assert "paused" in spielleiter(tmp_path, "status")
    assert (tmp_path / "elsewhere.db").exists()
    assert not (tmp_path / "cup.db").exists()


READING = (
    ("status",),
    ("schedule",),
    ("standings",),
    ("bracket",),
    ("encounter", "M1-A1"),
    ("programs", "Ada"),
    ("audit",),
)


@pytest.mark.parametrize("empty", [False, True])
def test_a_command_that_only_shows_something_creates_nothing(tmp_path: Path, empty: bool) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    if empty:
        (tmp_path / "season.db").touch()
    for words in READING:
        spielleiter(tmp_path, *words)
    assert "nothing to prove" in spielleiter(tmp_path, "verify", code=3)
    assert "nichts zu beweisen" in spielleiter(tmp_path, "verify", code=3, lang="de")
    for words in (("export", "pages"), ("backup", "copy.db")):
        assert "there is no season yet" in spielleiter(tmp_path, *words, code=2)
    files = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert files.pop("season.toml")
    assert files == ({"season.db": 0} if empty else {})


def test_before_the_first_game_there_is_nothing_to_prove(tmp_path: Path) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    spielleiter(tmp_path, "pause")
    assert "no game has been played yet" in spielleiter(tmp_path, "verify", code=3)


def test_an_empty_file_named_as_a_store_stays_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    assert "no season" in spielleiter(tmp_path, "verify", "--store", "empty.db", code=3)
    assert "no such store" in spielleiter(tmp_path, "verify", "--store", "none.db", code=3)
    assert [path.stat().st_size for path in tmp_path.iterdir()] == [0]


def test_every_command_takes_the_season_by_the_same_option() -> None:
    for name, command in load_command("contest").commands.items():  # type: ignore[union-attr]
        options = {option.name: option for option in command.params}
        assert options["season"].opts == ["--season"], name
        assert options["season"].default == Path("season.toml"), name


def test_a_whole_season_is_played_shown_and_proved(season: Path) -> None:
    data = json.loads(spielleiter(season, "status", "--json"))
    assert data["state"] == "nothing"
    assert len(data["podium"]) == 4
    assert "The season is over" in spielleiter(season, "status")
    assert "Die Saison ist zu Ende" in spielleiter(season, "status", lang="de")
    assert "Season proved" in spielleiter(season, "verify")
    # Run again: there is nothing to do, and nothing changes.
    spielleiter(season, "run")
    assert json.loads(spielleiter(season, "status", "--json")) == data


def test_standings_are_drawn_and_given_as_json_and_csv(season: Path) -> None:
    rows = json.loads(spielleiter(season, "standings", "--json"))
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert {row["team"] for row in rows} == {"Ada", "Bit & Byte", "<script>alert(1)</script>", "Döner"}
    assert all(row["encounters"] == 3 for row in rows)
    assert sum(row["victory_points"] for row in rows) == 2 * 12
    read = list(csv.DictReader(io.StringIO(spielleiter(season, "standings", "--csv"))))
    assert [row["team"] for row in read] == [row["team"] for row in rows]
    drawn = spielleiter(season, "standings")
    assert "<script>" in drawn
    assert "±" in drawn
    assert "Ranked by wins, then average " in drawn
    assert re.search(r"Team +W +⌀ ", drawn)
    assert {row["ranked_by"] for row in rows} == {row["ranked_by"] for row in read}
    assert all(row["ranked_by"].startswith("Ranked by wins, then average ") for row in rows)
    assert "±" not in spielleiter(season, "standings", "--no-rating")
    assert "has no standings" in spielleiter(season, "standings", "--phase", "final", code=2)
    assert "no group 'Z'" in spielleiter(season, "standings", "--group", "Z", code=2)


def test_schedule_bracket_and_encounter_are_shown(season: Path) -> None:
    everything = json.loads(spielleiter(season, "schedule", "--json"))
    assert len(everything) == 10
    assert len(json.loads(spielleiter(season, "schedule", "championship", "--team", "ada", "--json"))) == 3
    assert "M1-A1" in spielleiter(season, "schedule")
    bracket = json.loads(spielleiter(season, "bracket", "--json"))
    assert [slot["round"] for slot in bracket["encounters"]] == [
        "SEMI_FINAL",
        "SEMI_FINAL",
        "THIRD_PLACE",
        "FINAL",
    ]
    assert len(bracket["places"]) == 4
    assert "Halbfinale" in spielleiter(season, "bracket", lang="de")
    data = json.loads(spielleiter(season, "encounter", "m1-a1", "--json"))
    assert [game["game"] for game in data["games"]] == [1, 2]
    assert data["games"][0]["first_move"] == data["teams"][0]
    assert data["games"][1]["first_move"] == data["teams"][1]
    assert "M1-A1-1" in spielleiter(season, "encounter", "M1-A1")
    assert "there is no encounter" in spielleiter(season, "encounter", "Q7", code=2)


def test_export_writes_pages_records_and_tables_once(season: Path) -> None:
    assert "index.html" in spielleiter(season, "export", "out")
    assert (season / "out" / "site" / "index.html").exists()
    assert len(list((season / "out" / "records").iterdir())) >= 20
    assert "name a new folder" in spielleiter(season, "export", "out", code=2)
    assert "out.zip" in spielleiter(season, "export", "out.zip")


def test_organisers_decide_and_the_log_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    spielleiter(tmp_path, "run", "--until", "championship:1")
    said = spielleiter(tmp_path, "annul", "M1-A1", "--reason", "power cut", "--yes")
    assert "2 games will no longer count" in said
    assert "M1-A1 is annulled" in said
    assert "loses all games" in spielleiter(tmp_path, "disqualify", "Ada", "--reason", "withdrew", "--yes")
    assert "Paused" in spielleiter(tmp_path, "pause")
    assert "The season is paused" in spielleiter(tmp_path, "run")
    spielleiter(tmp_path, "resume")
    spielleiter(tmp_path, "run")
    actions = [entry["action"] for entry in json.loads(spielleiter(tmp_path, "audit", "--json"))]
    assert actions == ["annul", "disqualify", "pause", "resume"]
    assert "power cut" in spielleiter(tmp_path, "audit")
    assert "Season proved" in spielleiter(tmp_path, "verify")


def test_a_ruling_asks_and_can_be_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    spielleiter(tmp_path, "run", "--until", "championship:1")
    before = spielleiter(tmp_path, "encounter", "M1-A1", "--json")
    annul = ("annul", "M1-A1", "--reason", "power cut")
    assert "--yes" in spielleiter(tmp_path, *annul, code=2), "a script that forgot to say that it is sure"
    for answer, code in (("n", 1), ("", 1), ("j", 0)):
        with monkeypatch.context() as patched:
            patched.setattr(console, "input", lambda *_, answer=answer, **__: answer)
            patched.setattr(arguments, "_has_person", lambda: True)
            said = spielleiter(tmp_path, *annul, code=code, lang="de")
        assert "2 Spiele zählen nicht mehr und werden neu gespielt" in said
        assert ("Nichts ist geschehen" in said) is (code == 1)
    assert spielleiter(tmp_path, "encounter", "M1-A1", "--json") != before
    said = spielleiter(tmp_path, "undo", "--yes", "--reason", "it was another hall")
    assert "This will be undone: Annulled: M1-A1." in said
    assert "the old result holds again" in said
    assert spielleiter(tmp_path, "encounter", "M1-A1", "--json") == before
    assert "nothing to undo" in spielleiter(tmp_path, "undo", "--yes", code=2)
    log = spielleiter(tmp_path, "audit")
    assert "power cut (undone)" in log
    assert "Undone: M1-A1 – it was another hall" in log
    assert "Season proved" in spielleiter(tmp_path, "verify")


def test_programs_friendly_games_and_backups(tmp_path: Path) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    assert "greedy" in spielleiter(tmp_path, "submit", "Ada", "greedy", "--activate")
    assert "active" in spielleiter(tmp_path, "programs", "Ada")
    assert "X1-1" in spielleiter(tmp_path, "friendly", "Ada", "Döner")
    assert "saved" in spielleiter(tmp_path, "backup", "copy.db")
    assert "never overwrites" in spielleiter(tmp_path, "backup", "copy.db", code=2)
    (tmp_path / "elsewhere").mkdir()
    # The backup alone tells everything.
    assert json.loads(spielleiter(tmp_path / "elsewhere", "status", "--store", "../copy.db", "--json"))[
        "friendly_games"
    ]


def test_a_difference_is_reported_and_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    spielleiter(tmp_path, "run", "--until", "championship:1")
    import sqlite3

    with sqlite3.connect(tmp_path / "season.db") as connection:
        connection.execute("UPDATE games SET secondary_first = secondary_first + 1")
    assert "stored are" in spielleiter(tmp_path, "verify", code=1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "--season", "nothing.toml"), "there is no such file"),
        (("run", "--until", "easter"), "--until takes one of"),
        (("status", "--store", "nowhere/x.db"), "a folder that exists"),
        (("status", "--store", "mysql://x/y"), "a store is a file"),
        (("activate", "Nobody"), "there is no team 'Nobody'"),
        (("draw-lot", "championship", "A", "--seed", "1"), "not over yet"),
        (("annul", "M1-A1", "--reason", ""), "M1-A1 has not been played yet"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "season.toml").write_text(season_text(), encoding="utf-8")
    printed = spielleiter(tmp_path, *words, code=2)
    assert message in printed
    assert "Traceback" not in printed


def test_a_season_whose_programs_do_not_play_begins_only_without_their_teams(tmp_path: Path) -> None:
    nobody = dict.fromkeys(TEAMS, "")
    text = season_text(players={**nobody, "Ada": "bots/none.zip"}).replace("in_process = true", "")
    (tmp_path / "season.toml").write_text(text, encoding="utf-8")
    refused = spielleiter(tmp_path, "run", code=2)
    assert '(spielleiter contest submit "Ada" FILE --activate)' in refused
    assert refused.endswith('go on without: spielleiter contest run --without "Ada"')
    assert "there is no team 'Adda'" in spielleiter(tmp_path, "run", "--without", "Adda", code=2)
    assert json.loads(spielleiter(tmp_path, "status", "--json"))["phases"][0]["games"] == 0
    spielleiter(tmp_path, "run", "--without", "Ada")
    [decision] = json.loads(spielleiter(tmp_path, "audit", "--json"))
    assert (decision["action"], decision["subject"]) == ("leave out", "Ada")
    assert "Season proved" in spielleiter(tmp_path, "verify")
    spielleiter(tmp_path, "run")  # It stays decided.


def test_an_interrupted_run_says_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "season.toml").write_text(season_text(players={"Ada": "solid"}), encoding="utf-8")
    running = subprocess.Popen(
        [sys.executable, "-m", "spielleiter", "--lang", "en", "contest", "run"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert running.stdout is not None
    assert any("matchday 1" in line for line in running.stdout)
    running.send_signal(signal.SIGINT)
    printed, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "the same command goes on" in printed
    assert "Traceback" not in printed
