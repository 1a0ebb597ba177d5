"""A player as a folder and as a ZIP, and opened again."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random

import pytest

from spielleiter import games
from spielleiter.errors import ProgramError
from spielleiter.programs.entrants import entrant_from_zip
from spielleiter.workshop.files import code_of, contest_zip, file_name, folder_zip
from spielleiter.workshop.program import MAX_CODE
from spielleiter.workshop.starter import first_player

GAME = games.load("ostseeschach-2022")
CODE = first_player(GAME, "de")


def test_both_zips_open_again_as_the_same_code() -> None:
    folder = folder_zip("hugo", GAME, "de", CODE, [])
    assert sorted(zipfile.ZipFile(io.BytesIO(folder)).namelist()) == [
        f"hugo/{name}" for name in ("README.md", "player.py", "start.bat", "start.sh", "test_player.py")
    ]
    assert code_of(folder) == CODE
    assert code_of(contest_zip("hugo", GAME, "de", CODE)) == CODE
    assert code_of(CODE.replace("\n", "\r\n").encode()) == CODE


def test_the_zip_of_the_contest_is_a_program_for_its_game() -> None:
    entrant = entrant_from_zip(contest_zip("hugo", GAME, "de", CODE), "hugo.zip")
    assert entrant.made_for == (GAME.key,)


def test_the_tests_in_the_folder_hold_the_kept_positions(tmp_path: Path) -> None:
    state = GAME.new_state(Random(1))
    kept = (GAME.notation.format_state(state), GAME.notation.format_move(state, state.legal_moves()[0]))
    first = "def choose(state, seconds):\n    return state.legal_moves()[0]\n"
    with zipfile.ZipFile(io.BytesIO(folder_zip("hugo", GAME, "en", first, [kept]))) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-m", "unittest"]
    assert subprocess.run(command, cwd=tmp_path / "hugo", capture_output=True, check=False).returncode == 0
    (tmp_path / "hugo" / "player.py").write_text(first.replace("[0]", "[-1]"))
    failed = subprocess.run(command, cwd=tmp_path / "hugo", capture_output=True, text=True, check=False)
    assert kept[1] in failed.stderr


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\3\4 nothing", "keine lesbare ZIP-Datei"),
        (b"\xff\xfe", "kein Text in UTF-8"),
        (b"x" * (4 * MAX_CODE + 1), "zu groß"),
        (folder_zip("hugo", GAME, "de", "x" * (MAX_CODE + 1), []), "zu groß"),
    ],
)
def test_what_is_no_player_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(ProgramError) as refused:
        code_of(data)
    assert words in refused.value.text.de


def test_a_zip_without_a_player_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("other.py", "x = 1")
    with pytest.raises(ProgramError, match=r"player\.py"):
        code_of(buffer.getvalue())


def test_a_name_becomes_one_of_a_file() -> None:
    assert file_name("Hugo der Große!", "de") == "Hugo-der-Gro-e"
    assert file_name("../..", "en") == "my-player"
