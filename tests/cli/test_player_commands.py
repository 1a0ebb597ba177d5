"""``new``, ``check`` and ``pack`` as a student uses them."""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from spielleiter import games
from spielleiter.cli.app import app
from spielleiter.game import TEAMS, Team
from tests.cli.test_cli import spielleiter

pytestmark = pytest.mark.slow

DOCUMENTED = [key for key, game in games.all_games().items() if not game.official]


@pytest.mark.parametrize("key", DOCUMENTED)
def test_new_makes_a_player_whose_tests_pass(key: str, tmp_path: Path) -> None:
    folder = tmp_path / "my player"
    result = spielleiter("new", folder, "--game", key)
    assert result.returncode == 0, result.stderr
    assert {path.name for path in folder.iterdir()} == {
        "player.py",
        "test_player.py",
        "README.md",
        "start.sh",
        "start.bat",
    }
    assert f"--game {key}" in (folder / "README.md").read_text(encoding="utf-8")
    assert (folder / "start.sh").stat().st_mode & 0o111
    tested = subprocess.run([sys.executable, "-m", "unittest"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert tested.returncode == 0, tested.stderr
    assert "Ran 2 tests" in tested.stderr
    assert winners_against_chance(folder / "player.py", key) == list(TEAMS)


def winners_against_chance(player: Path, key: str) -> list[Team | None]:
    """Who wins a game of ``player`` as ONE, and one as TWO."""
    winners = []
    for team in TEAMS:
        state, made, chance = games.load(key).new_state(Random(1)), runpy.run_path(str(player))["MyPlayer"](), Random(2)
        while state.outcome is None:
            move = made.choose(state, 1.0) if state.to_move is team else chance.choice(state.legal_moves())
            state = state.play(move)
        winners.append(state.outcome.winner)
    return winners


def test_what_new_prints_can_be_pasted_and_says_which_rules_the_contest_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = spielleiter("--lang", "de", "new", "Jürgen Größe")
    assert made.returncode == 0, made.stderr
    assert "Weiter: spielleiter check 'Jürgen Größe'" in made.stdout
    readme = (tmp_path / "Jürgen Größe" / "README.md").read_text(encoding="utf-8")
    for text in (made.stdout, readme):
        assert "--game blokus-2027-official" in text
    assert "-o 'Jürgen Größe.zip'" in readme
    for command in ("match .", "coach", "web", "docs tutorial"):
        assert f"spielleiter {command}" in readme
    player = (tmp_path / "Jürgen Größe" / "player.py").read_text(encoding="utf-8")
    assert "ist ein Tupel: (Siegpunkte, Punkte)" in player
    official = spielleiter("new", "o", "--game", "blokus-2027-official")
    assert "practise" not in official.stdout


def test_new_overwrites_nothing_and_knows_the_games(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "precious.txt").write_text("")
    again = spielleiter("new", tmp_path / "there")
    assert again.returncode == 2
    assert "already there" in again.stderr
    unknown = spielleiter("new", tmp_path / "x", "--game", "blokus-2028")
    assert unknown.returncode == 2
    assert "did you mean blokus-2027" in unknown.stderr
    assert not (tmp_path / "x").exists()


def test_new_in_another_language_says_what_to_build_and_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "kalle"
    made = spielleiter("new", folder, "--language", "rust", PATH="/nowhere")
    assert made.returncode == 0, made.stderr
    assert f"Next: {folder}/build.sh && spielleiter check {folder}" in made.stdout
    assert "needs rustc, which is not on this machine" in made.stderr
    files = {"client.rs", "player.rs", "build.sh", "start.sh", "README.md"}
    assert {path.name for path in folder.iterdir()} == files
    german = tmp_path / "karla"
    spielleiter("new", german, "--language", "rust", SPIELLEITER_LANG="de")
    assert {path.name for path in german.iterdir()} == files
    assert "Besser wird er" in (german / "README.md").read_text(encoding="utf-8")


def test_from_an_empty_folder_to_a_checked_zip(tmp_path: Path) -> None:
    folder, zipped = tmp_path / "hugo", tmp_path / "hugo.zip"
    assert spielleiter("new", folder, "--game", "ostseeschach-2022").returncode == 0
    result = spielleiter("pack", folder, "-o", zipped)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "games: ostseeschach" in result.stdout
    assert "All is well." in result.stdout
    assert "✗" not in result.stdout
    assert result.stdout.count("✓") == 12


def test_check_speaks_json_and_exits_with_3_for_a_program_that_never_joins(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import sys; sys.exit('out of luck')")
    result = spielleiter("check", file, "--json", "--game", "piranhas-2026")
    assert result.returncode == 3, result.stderr
    report = json.loads(result.stdout)
    assert (report["passed"], report["exit_code"]) == (False, 3)
    assert report["game"] == "piranhas-2026"
    [cross] = [found for found in report["findings"] if found["mark"] == "BAD"]
    assert cross["failure"] == "out of luck"
    assert cross["fix"]
    assert Path(report["trials"][0]["log"]).read_text() == "out of luck\n"


def test_check_speaks_german(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import sys; sys.exit('Pech')")
    result = spielleiter("--lang", "de", "check", file, "--game", "piranhas-2026")
    assert result.returncode == 3
    assert "✗ startet mit den Argumenten des Wettbewerbs: endete, bevor es ins Spiel kam\n  ! Pech\n" in result.stdout
    assert "  → " in result.stdout
    [log] = re.findall("Ausgabe: (.*)", result.stdout)
    assert Path(log).read_text() == "Pech\n"
    assert result.stdout.splitlines()[-1] == "broken ist in kein Spiel gekommen (Exit-Code 3)."


def test_check_notes_what_loses_no_game_and_passes(tmp_path: Path) -> None:
    file = tmp_path / "plain.py"
    file.write_text(
        "import sys\n"
        "sys.argv = [word for word in sys.argv if '=' not in word]\n"
        "from spielleiter.client import play\n"
        "play(lambda state, seconds: state.legal_moves()[0], game='piranhas-2026')\n"
    )
    result = spielleiter("check", file, "--game", "piranhas-2026", "--slowdown", "1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "✗" not in result.stdout
    assert (
        "\n~ understands the start options however they are written: not with: --reservation=R --port=P --host=H."
        in result.stdout
    )
    assert "  → read arguments the GNU way" in result.stdout
    assert result.stdout.splitlines()[-1] == "Passed, with one note (~)."


@pytest.mark.parametrize("player", ["nothing-there", "nothing.zip"])
def test_check_of_nothing_is_wrong_input(player: str, tmp_path: Path) -> None:
    result = spielleiter("check", str(tmp_path / player))
    assert result.returncode == 2
    assert "there is no player" in result.stderr
    assert "Traceback" not in result.stderr


def test_pack_tells_of_packages_that_the_contest_does_not_have(tmp_path: Path) -> None:
    file = tmp_path / "clever.py"
    file.write_text("import numpy\nfrom spielleiter.client import play\n")
    result = spielleiter("pack", file, "-o", tmp_path / "a.zip", "--no-check", "--game", "piranhas-2026")
    assert result.returncode == 0
    assert "Not packed, and not available in the contest: numpy" in result.stderr


def test_pack_writes_over_nothing_but_a_zip(tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text("from spielleiter.client import play\n")
    result = spielleiter("pack", file, "-o", file, "--no-check", "--game", "piranhas-2026")
    assert result.returncode == 2
    assert "has to end with .zip" in result.stderr
    assert file.read_text() == "from spielleiter.client import play\n"


def without_docstrings(source: str) -> str:
    """What a file does, whatever its texts say."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


def test_the_german_template_is_the_english_one_with_german_texts(tmp_path: Path) -> None:
    for code in ("de", "en"):
        assert CliRunner().invoke(app, ["--lang", code, "new", str(tmp_path / code)]).exit_code == 0
    files = {path.name for path in (tmp_path / "en").iterdir()}
    assert {path.name for path in (tmp_path / "de").iterdir()} == files
    for name in ("player.py", "test_player.py"):
        de, en = ((tmp_path / code / name).read_text(encoding="utf-8") for code in ("de", "en"))
        assert without_docstrings(de) == without_docstrings(en)
        assert de != en
    assert "Wie gut die Stellung für mich ist" in (tmp_path / "de" / "player.py").read_text(encoding="utf-8")
    assert "Die Regeln:" in (tmp_path / "de" / "README.md").read_text(encoding="utf-8")
    assert "The rules:" in (tmp_path / "en" / "README.md").read_text(encoding="utf-8")
    assert "Startet den Spieler" in (tmp_path / "de" / "start.bat").read_text(encoding="ascii")
