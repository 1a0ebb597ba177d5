from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from spielleiter.errors import ProgramError, UnknownPlayer
from spielleiter.programs.program import ProgramKind, open_program


def start_script(folder: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "start.sh"
    script.write_text(text)
    script.chmod(mode)
    return script


def test_a_python_file_runs_with_this_python_and_finds_this_package(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("")
    with open_program(str(file)) as program:
        assert program.command == (sys.executable, str(file))
        assert (program.name, program.kind, program.folder) == ("mine", ProgramKind.PYTHON_FILE, tmp_path)
        assert (Path(program.environment()["PYTHONPATH"].split(":")[0]) / "spielleiter").is_dir()


def test_a_folder_is_started_by_its_script(tmp_path: Path) -> None:
    script = start_script(tmp_path / "me")
    for given in (tmp_path / "me", script):
        with open_program(str(given)) as program:
            assert program.command == (str(script),)
            assert (program.name, program.kind, program.script) == ("me", ProgramKind.FOLDER, script)


def test_a_script_that_cannot_run_alone_is_run_by_a_shell(tmp_path: Path) -> None:
    for number, script in enumerate(
        (start_script(tmp_path / "a", "echo hi\n"), start_script(tmp_path / "b", mode=0o644))
    ):
        with open_program(str(script.parent)) as program:
            assert program.command == ("/bin/sh", str(script)), number


@pytest.mark.parametrize("inside", ["", "me/"])
def test_a_zip_is_unpacked_and_cleaned_up(inside: str, tmp_path: Path) -> None:
    zipped = tmp_path / "me.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr(f"{inside}start.sh", "#!/bin/sh\n")
    with open_program(str(zipped)) as program:
        script = program.script
        assert script is not None
        assert script.is_file()
        assert script.stat().st_mode & 0o111, "the contest gives the permission back"
        assert (program.name, program.kind) == ("me", ProgramKind.ZIP)
        variables = program.environment()
        assert "PYTHONPATH" not in variables
        assert sys.prefix == sys.base_prefix or f"{sys.prefix}/bin" not in variables["PATH"].split(":")
    assert not script.exists()


def test_a_command_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_program("sh -c 'exit 3'") as program:
        assert program.command[1:] == ("-c", "exit 3")
        assert Path(program.command[0]).is_absolute()
        assert program.kind is ProgramKind.COMMAND


def test_a_built_in_player_is_a_program_too() -> None:
    with open_program("student:seed=1") as program:
        assert program.command == (sys.executable, "-m", "spielleiter.players", "student:seed=1")
        assert program.kind is ProgramKind.BUILT_IN
    with pytest.raises(UnknownPlayer, match="no option"), open_program("student:speed=1"):
        pass


@pytest.mark.parametrize("text", ["", "   ", "no-such-program-here", "sh 'unfinished"])
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(ProgramError), open_program(text):
        pass


def test_a_folder_without_a_start_script_is_refused(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("")
    with pytest.raises(ProgramError, match=r"no start\.sh"), open_program(str(tmp_path)):
        pass
