"""The command line as a person or a script uses it, in real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parent.parent / "data" / "golden"


def spielleiter(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    plain = {"NO_COLOR": "1", "COLUMNS": "120", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, "-m", "spielleiter", *map(str, arguments)],
        env={**os.environ, **plain, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_games_lists_the_current_season() -> None:
    result = spielleiter("games")
    assert result.returncode == 0
    assert "blokus-2027" in result.stdout
    assert "current season" in result.stdout


def test_games_speaks_json() -> None:
    rows = json.loads(spielleiter("games", "--json").stdout)
    assert [row["key"] for row in rows if row["current"]] == ["blokus-2027"]


def test_show_draws_plays_and_writes_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    result = spielleiter("show", "piranhas-2026", "--seed", "3", "-m", "A4-C4", "--moves", "--svg", picture)
    assert result.returncode == 0, result.stderr
    assert "Blue to move" in result.stdout
    assert result.stdout.rstrip().splitlines()[-1].startswith("piranhas-2026 ")
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_show_speaks_german() -> None:
    assert "Rot" in spielleiter("--lang", "de", "show", "piranhas-2019").stdout
    assert "Rot" in spielleiter("show", "piranhas-2019", LC_ALL="de_DE.UTF-8").stdout


def test_rules_explains_a_game_in_both_languages_on_a_narrow_terminal() -> None:
    german = spielleiter("--lang", "de", "rules", "piranhas-2026", COLUMNS="60")
    assert german.returncode == 0, german.stderr
    assert "WIE WEIT EIN FISCH SCHWIMMT" in german.stdout
    assert "A B C D E F G H I J" in german.stdout
    assert max(map(len, german.stdout.splitlines())) <= 60
    english = spielleiter("rules", "--short").stdout
    assert english.startswith("Blokus 2027")
    assert "First piece: the given shape, on the border." in english


def test_perft_counts_and_divides() -> None:
    result = spielleiter("perft", "piranhas-2019", "2", "--divide")
    lines = result.stdout.split("\n")
    counts = [int(line.split(": ")[1]) for line in lines if ": " in line]
    assert len(counts) > 40
    assert lines[-2] == str(sum(counts))


def test_perft_compares_with_known_counts(tmp_path: Path) -> None:
    known = GOLDEN / "perft" / "piranhas-2026.json"
    assert spielleiter("perft", "--check", known).returncode == 0
    cases = json.loads(known.read_text())[:1]
    cases[0]["perft"] = [1]
    wrong = tmp_path / "piranhas-2026.json"
    wrong.write_text(json.dumps(cases))
    result = spielleiter("perft", "--check", wrong)
    assert result.returncode == 1
    assert "known (1,)" in result.stdout


def test_conform_prints_the_first_difference_and_fails(tmp_path: Path) -> None:
    import gzip

    with gzip.open(GOLDEN / "piranhas-2019.jsonl.gz", "rt") as file:
        game = json.loads(file.readline())
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(game))
    good = spielleiter("conform", path)
    assert good.returncode == 0
    assert "1 games, 60 plies: 1 no difference" in good.stdout
    game["legal"][3][0] += 1
    path.write_text(json.dumps(game))
    bad = spielleiter("conform", path)
    assert bad.returncode == 1
    assert "ply 3, turn 3: legal moves" in bad.stdout
    assert "piranhas-2019-official " in bad.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "blokus-2072"), "did you mean blokus-2027?"),
        (("show", "piranhas-2019 1/2 0"), "expected ten rows"),
        (("show", "piranhas-2019", "-m", "Z9-A1"), "expected a move like A4-C4"),
        (("show", "piranhas-2019", "-m", "B0 UP"), "belongs to the opponent"),
        (("conform", GOLDEN / "perft" / "piranhas-2019.json"), "expected a JSON object"),
        (("perft", "--check", GOLDEN / "piranhas-2019.jsonl.gz"), "not a file of perft positions"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_two(arguments: tuple[str | Path, ...], message: str) -> None:
    result = spielleiter(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_a_missing_file_or_command_is_explained() -> None:
    explained = {("conform", "nowhere.jsonl"): "Usage", ("fly",): "Usage", ("perft",): "give a position or the key"}
    for arguments, message in explained.items():
        result = spielleiter(*arguments)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr
        assert message in result.stderr


def test_a_reader_that_stops_reading_is_not_an_error() -> None:
    command = f"{sys.executable} -m spielleiter show piranhas-2019 --moves | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in result.stderr
