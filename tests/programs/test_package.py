from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.errors import ProgramError
from spielleiter.game import AnyGame
from spielleiter.programs.entrants import find_source, game_folder, resolve
from spielleiter.programs.package import Package, collect

pytestmark = pytest.mark.slow

PLAYER = 'from spielleiter.client import play\n\nplay(lambda state, seconds: state.legal_moves()[0], game="{key}")\n'
DOCUMENTED = [key for key, game in games.all_games().items() if not game.official]


def package_of(path: Path, game: AnyGame | None = None, include: Sequence[Path] = ()) -> Package:
    return collect(find_source(str(path)), game, include)


def player(folder: Path, source: str = PLAYER.format(key="piranhas-2026")) -> Path:
    file = folder / "player.py"
    file.write_text(source, encoding="utf-8")
    return file


def names(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_a_file_gets_its_game_and_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    package = package_of(player(tmp_path))
    inside = set(package.files)
    assert "player.py" in inside
    assert "spielleiter/client/sync.py" in inside
    assert "spielleiter/games/piranhas/rules.py" in inside
    for folder in (
        "cli",
        "server",
        "referee",
        "records",
        "programs",
        "matches",
        "search",
        "players",
        "games/blokus",
        "rating",
    ):
        assert not [name for name in inside if name.startswith(f"spielleiter/{folder}/")], folder
    assert package.games == ("piranhas",)
    assert package.foreign == ()
    assert package.start.startswith(b"#!/bin/sh\n")
    assert b'"${PYTHON:-python3}" player.py "$@"' in package.start


def test_the_game_is_given_named_imported_or_all_are_taken(tmp_path: Path) -> None:
    plain = player(tmp_path, "from spielleiter.client import play\n")
    assert package_of(plain).games == tuple(sorted({game_folder(game) for game in games.all_games().values()}))
    assert package_of(plain, games.load("blokus-2027")).games == ("blokus",)
    imported = player(tmp_path, "from spielleiter.games.ostseeschach import Move\n")
    assert package_of(imported).games == ("ostseeschach",)


def test_the_search_goes_along_where_it_is_used(tmp_path: Path) -> None:
    package = package_of(
        player(tmp_path, "from spielleiter.search import AlphaBeta\n" + PLAYER.format(key="piranhas-2026"))
    )
    assert "spielleiter/search/alphabeta.py" in package.files
    assert not [name for name in package.files if name.startswith(("spielleiter/players/", "spielleiter/server/"))]


def test_modules_next_to_a_file_are_packed_and_foreign_ones_are_reported(tmp_path: Path) -> None:
    (tmp_path / "values.py").write_text("import tables.book\n")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "__init__.py").write_text("")
    (tmp_path / "tables" / "book.py").write_text("import numpy, json\nfrom scipy.optimize import minimize\n")
    (tmp_path / "unrelated.py").write_text("")
    (tmp_path / "book.txt").write_text("")
    file = player(tmp_path, "import values\nfrom spielleiter.client import play\n")
    package = package_of(file, include=[tmp_path / "book.txt"])
    own = {name for name in package.files if not name.startswith("spielleiter/")}
    assert own == {"player.py", "values.py", "tables/__init__.py", "tables/book.py", "book.txt"}
    assert package.foreign == ("numpy", "scipy")


def test_a_folder_goes_along_without_tests_caches_texts_and_matches(tmp_path: Path) -> None:
    player(tmp_path)
    played = ("evening/match.json", "evening/records/1.jsonl", "hugo.drill", "hugo.history.jsonl")
    for name in ("book.bin", "test_player.py", "README.md", "old.zip", "run.log", ".hidden", "deep/x.txt", *played):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("__pycache__", ".git", "venv"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "junk.py").write_text("this is (no Python")
    (tmp_path / "start.sh").write_text("#!/bin/sh\necho mine\n")
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    package = package_of(tmp_path)
    own = {name for name in package.files if not name.startswith("spielleiter/")}
    assert own == {"player.py", "book.bin", "deep/x.txt"}
    assert package.start == b"#!/bin/sh\necho mine\n"


def test_a_folder_with_a_start_script_goes_as_it_is(tmp_path: Path) -> None:
    for name in ("README.md", "test_bot.cpp", "old.py", "bot"):
        (tmp_path / name).write_text("this is (no Python")
    (tmp_path / "start.sh").write_text("./bot\n")
    for entry in (None, "main.py"):
        if entry is not None:
            (tmp_path / entry).write_text("print('I do not use the kit')")
            (tmp_path / "old.py").write_text("")
        package = package_of(tmp_path, games.load("blokus-2027"))
        assert set(package.files) == {"README.md", "test_bot.cpp", "old.py", "bot", *filter(None, [entry])}
        assert (package.start, package.games) == (b"#!/bin/sh\n./bot\n", ())


def test_what_windows_does_to_a_script_and_to_programs_is_mended(tmp_path: Path) -> None:
    (tmp_path / "start.sh").write_bytes(b'\xef\xbb\xbf#!/bin/sh\r\nchmod +x bot\r\n./bot "$@"\r\n')
    (tmp_path / "bot").write_bytes(b"\x7fELF")
    package_of(tmp_path).write(tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.read("start.sh") == b'#!/bin/sh\nchmod +x bot\n./bot "$@"\n'
        assert {archive.getinfo(name).external_attr >> 16 & 0o777 for name in ("start.sh", "bot")} == {0o755}


def test_a_command_goes_along_with_a_script_that_runs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    player(tmp_path)
    package = collect(find_source(f"{sys.executable} -u player.py --name 'Ada L'"))
    assert b'exec "${PYTHON:-python3}" -u player.py --name \'Ada L\' "$@"' in package.start
    assert "player.py" in package.files
    assert "spielleiter/client/sync.py" in package.files


def test_a_jar_goes_along_with_a_script_that_starts_it(tmp_path: Path) -> None:
    (tmp_path / "my bot.jar").write_bytes(b"jar")
    package = package_of(tmp_path / "my bot.jar")
    assert set(package.files) == {"my bot.jar"}
    assert b"exec java -jar 'my bot.jar' \"$@\"\n" in package.start


def test_a_script_that_is_run_from_the_folder_above_stays_in_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "my_player"
    folder.mkdir()
    (folder / "start.sh").write_text("#!/bin/sh\npython3 ./my_player/logic.py\n")
    (folder / "logic.py").write_text("")
    package_of(folder).write(tmp_path / "out.zip")
    assert names(tmp_path / "out.zip") == {"my_player/start.sh", "my_player/logic.py"}


def test_something_that_is_not_a_player_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"no start\.sh"):
        package_of(tmp_path)
    with pytest.raises(ProgramError, match="line 2"):
        package_of(player(tmp_path, "x = 1\ndef broken(:\n"))
    with pytest.raises(ProgramError, match="no such file"):
        package_of(player(tmp_path), include=[tmp_path / "nothing"])
    text = tmp_path / "player.txt"
    text.write_text("")
    with pytest.raises(ProgramError, match="expected a Python file"):
        package_of(text)
    with pytest.raises(ProgramError, match="expected a Python file"):
        collect(find_source("random"))


def test_the_same_player_makes_the_same_zip(tmp_path: Path) -> None:
    package = package_of(player(tmp_path))
    package.write(tmp_path / "a.zip")
    os.utime(tmp_path / "player.py", (1, 1))
    package_of(tmp_path / "player.py").write(tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.getinfo("start.sh").external_attr >> 16 & 0o777 == 0o755
    assert names(tmp_path / "a.zip") == {"start.sh", "spielleiter.json", *package.files}


def test_a_zip_that_was_packed_for_another_game_says_so(tmp_path: Path) -> None:
    package_of(player(tmp_path)).write(tmp_path / "a.zip")
    packed = resolve(str(tmp_path / "a.zip"))
    assert packed.made_for == ("piranhas-2026",)
    for key in ("piranhas-2026", "piranhas-2026-official", "piranhas-2019"):
        packed.check_game(games.load(key))
    with pytest.raises(ProgramError) as refused:
        packed.check_game(games.load("blokus-2027"))
    assert str(refused.value) == (
        "a: this program was packed for piranhas-2026, but the game is blokus-2027. Pack it again: "
        "spielleiter pack FOLDER --game blokus-2027"
    )


@pytest.mark.parametrize(
    "note", [b"", b"[", b"[]", b'{"games": 3}', b'{"games": ["chess"]}', b'{"games": [3]}', b"\xff"]
)
def test_a_note_of_the_game_that_makes_no_sense_is_ignored(note: bytes, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("start.sh", "#!/bin/sh\n")
        archive.writestr("spielleiter.json", note)
    packed = resolve(str(tmp_path / "a.zip"))
    assert packed.made_for == ()
    packed.check_game(games.load("blokus-2027"))


def test_a_player_that_may_play_more_games_than_it_names_is_for_all_of_them(tmp_path: Path) -> None:
    source = "from spielleiter.games.blokus import Move\n" + PLAYER.format(key="piranhas-2026")
    assert package_of(player(tmp_path, source)).keys == ()
    assert package_of(player(tmp_path, source), games.load("piranhas-2026")).keys == ("piranhas-2026",)


@pytest.mark.parametrize("key", DOCUMENTED)
def test_the_zip_runs_on_a_bare_python(key: str, tmp_path: Path) -> None:
    source = "from spielleiter.search import AlphaBeta\n" + PLAYER.format(key=key)
    package_of(player(tmp_path, source)).write(tmp_path / "a.zip")
    there = tmp_path / "there"
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(there)
    # -I: no variables, no user's packages; -S: no site-packages at all. Nobody listens on port 1.
    code = f"import sys; sys.path.insert(0, {str(there)!r}); sys.argv = ['player.py', '-p', '1', '-h', '127.0.0.1']"
    code += f"; import runpy; runpy.run_path({str(there / 'player.py')!r}, run_name='__main__')"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], env={}, cwd="/", capture_output=True, text=True, timeout=60
    )
    assert ran.returncode == 3, ran.stderr
    assert "there is no game master at 127.0.0.1:1" in ran.stderr
