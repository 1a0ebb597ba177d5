from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from spielleiter.cli.match.config import players_with_options
from spielleiter.errors import SettingsError
from spielleiter.matches.plan import entrant_json, started_with, stored_entrants
from spielleiter.programs import runtimes
from spielleiter.programs.entrants import resolve, with_python
from spielleiter.programs.runtimes import PythonVersion, choose, find, need_shown_by, parse_version, wanted
from spielleiter.programs.sandbox import ProgramFile, ProgramFiles


def files(*paths: str, text: str = "") -> ProgramFiles:
    return ProgramFiles.of([ProgramFile(path, text.encode()) for path in paths], "test")


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("kit/dependencies/numpy-2.2.6-cp312-cp312-manylinux2014_x86_64.whl", "", "3.12"),
        ("packages/numpy/_core/_multiarray.cpython-310-x86_64-linux-gnu.so", "", "3.10"),
        ("kit/venv/lib/python3.10/site-packages/socha/__init__.py", "", "3.10"),
        ("player.py", '# /// script\n# requires-python = ">=3.12"\n# ///\n', "3.12+"),
        ("kit/player.py", '# /// script\r\n# requires-python = "==3.10.*"\r\n# ///\r\n', "3.10"),
        ("kit/pyproject.toml", '[project]\nrequires-python = ">=3.11,<4"\n', "3.11+"),
        ("player.py", 'requires-python = ">=3.12"', None),
        ("deep/in/it/pyproject.toml", 'requires-python = ">=3.12"', None),
        ("kit/dependencies/tables-1.0-py3-none-any.whl", "", None),
        ("kit/dependencies/fast-1.0-cp39-abi3-manylinux2014_x86_64.whl", "", None),
        ("kit/dependencies/x-cp312-cp310-any.whl", "", None),
    ],
)
def test_the_files_of_a_program_show_which_python_it_needs(path: str, text: str, expected: str | None) -> None:
    need = need_shown_by(files(path, text=text))
    assert (None if need is None else str(need)) == expected
    if need is not None:
        assert path.rpartition("/")[2] in need.reason.en or "site-packages" in need.reason.en


def test_wheels_count_more_than_a_lower_bound() -> None:
    shown = need_shown_by(
        ProgramFiles.of(
            [
                ProgramFile("a/numpy-2-cp310-cp310-manylinux2014_x86_64.whl", b""),
                ProgramFile("pyproject.toml", b'requires-python = ">=3.12"'),
            ],
            "test",
        )
    )
    assert str(shown) == "3.10"


def test_the_search_for_the_python_of_a_hostile_program_ends() -> None:
    # Each of them would take minutes if every file were read, or every beginning of a block tried in a large one.
    block = b"# /// script\n" * 100_000
    many = [ProgramFile(f"{number:05}.py", block[:2000]) for number in range(5000)]
    names = [ProgramFile(f"{number:05}{'-cp3' * 50}.whl", b"") for number in range(5000)]
    assert need_shown_by(ProgramFiles.of([*many, *names, ProgramFile("0.py", block)], "test")) is None


@pytest.mark.parametrize("text", ["3", "2.7", "3.", "3.x", "3.12.1", " 3.12", "3.123", "python3.12", ""])
def test_a_version_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"is not a version of Python: expected one such as 3\.12"):
        parse_version(text)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a Python 3.41 of pyenv, a 3.42 of uv and a 3.43 in the system's path, and some that are broken."""
    system = tmp_path / "bin"
    places = {
        41: tmp_path / "pyenv/versions/3.41.2/bin",
        42: tmp_path / "uv/cpython-3.42.0-linux-x86_64-gnu/bin",
        43: system,
    }
    for minor, folder in places.items():
        folder.mkdir(parents=True)
        file = folder / f"python3.{minor}"
        said = json.dumps([3, minor, str(file), str(folder.parent), str(folder.parent / "packages")])
        file.write_text(f"#!/bin/sh\necho '{said}'\n")
        file.chmod(0o755)
    for name, said in (("python3.44", "echo hello"), ("python3.45", "exit 1"), ("python3.46", "echo '[3, 43]'")):
        (system / name).write_text(f"#!/bin/sh\n{said}\n")
        (system / name).chmod(0o755)
    (system / "python3.47").write_text("not executable")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("UV_PYTHON_INSTALL_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("PATH", f"{system}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_pythons_are_found_where_pyenv_uv_and_the_system_keep_them(machine: Path) -> None:
    for minor in (41, 42, 43):
        found = find(wanted(f"3.{minor}"))
        assert found is not None
        assert found.version == PythonVersion(3, minor)
        assert Path(found.path).is_relative_to(machine)
    for minor in (40, 44, 45, 46, 47, 99):
        assert find(wanted(f"3.{minor}")) is None


def test_a_lower_bound_takes_the_usual_python_where_that_will_do_and_else_the_oldest(machine: Path) -> None:
    usual = choose(need_shown_by(files("pyproject.toml", text='requires-python = ">=3.11"')), with_package=True)
    assert usual.version is not None
    assert (usual.runtime, usual.problem) == (None, None)
    newer = choose(need_shown_by(files("pyproject.toml", text='requires-python = ">=3.40"')), with_package=True)
    assert newer.version == (3, 41)
    assert newer.runtime is not None
    assert Path(newer.runtime.python).resolve().name == "python3.41"
    assert (Path(newer.runtime.python).parents[1] / "lib/python3.41/site-packages/spielleiter/client").is_dir()


def test_a_python_that_is_missing_is_named_with_the_reason_and_how_it_is_installed(tmp_path: Path) -> None:
    choice = choose(wanted("3.99"), with_package=True)
    assert choice.runtime is None
    assert choice.problem is not None
    assert choice.problem.en == (
        "Python 3.99 (as asked for) is not on this machine; install it, e.g.: uv python install 3.99"
    )
    assert choose(None, with_package=True).problem is None


def test_a_chosen_python_makes_another_program(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    entrant = resolve(str(tmp_path / "a.py"))
    assert with_python(entrant, "").digest == entrant.digest
    assert with_python(entrant, "3.12").digest != with_python(entrant, "3.13").digest != entrant.digest
    assert runtimes.find(wanted("3.0")) is None


def test_a_match_starts_a_player_with_the_python_of_its_place_and_resumes_with_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    entrants = players_with_options([str(tmp_path / "a.py"), "random"], (), (), ("1:3.12",))
    assert [str(entrant.python) for entrant in entrants] == ["3.12", "None"]
    again = stored_entrants({"players": [entrant_json(entrant) for entrant in entrants]})
    assert [entrant.digest for entrant in again] == [entrant.digest for entrant in entrants]
    assert started_with({"players": [entrant_json(entrant) for entrant in entrants]}).endswith(
        "a.py (Python 3.12), random"
    )
    older = [{**entrant_json(entrant)} for entrant in entrants]
    for player in older:
        del player["python"]
    assert [entrant.python for entrant in stored_entrants({"players": older})] == [None, None]
    for wrong in ("3.12", "3:3.12", "0:3.12", "x:3.12", "1:3"):
        with pytest.raises(SettingsError, match=r"as in 1:3\.12|not a version of Python"):
            players_with_options([str(tmp_path / "a.py"), "random"], (), (), (wrong,))
