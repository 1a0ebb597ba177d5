"""``spielleiter new-game``: what it writes keeps all laws at once, as a package of its own and in the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_cli import spielleiter
from tests.support.terminal import ROOT


def run(*command: str | Path, at: Path, path: Path) -> str:
    """What a Python program prints that finds our package, and what lies in ``path``."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(path), str(ROOT / "src"))), "MYPYPATH": str(path)}
    ran = subprocess.run(
        [sys.executable, *map(str, command)], cwd=at, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.mark.slow
def test_a_package_of_its_own_passes_its_own_tests_and_checks_of_types(tmp_path: Path) -> None:
    project = tmp_path / "wolf-und-schafe"
    made = spielleiter("new-game", project)
    assert made.returncode == 0, made.stderr
    assert f"{project} is a package with the game wolf-und-schafe-2028." in made.stdout
    assert sorted(path.name for path in project.iterdir()) == [
        "README.md",
        "pyproject.toml",
        "tests",
        "wolf_und_schafe",
    ]
    assert "RULES.md" in [path.name for path in (project / "wolf_und_schafe").iterdir()]
    assert " passed" in run("-m", "pytest", "-q", "-p", "no:cacheprovider", project, at=tmp_path, path=project)
    checked = run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", project, at=tmp_path, path=project)
    assert checked.startswith("Success: no issues found in 11 source files")


@pytest.mark.slow
def test_the_folder_of_a_season_is_as_tidy_as_the_others(tmp_path: Path) -> None:
    for place in ("src/spielleiter/games", "tests/games"):
        (tmp_path / place).mkdir(parents=True)
    made = spielleiter("new-game", "zebras", "--checkout", tmp_path, "--year", "2030", "--title", "Zebras am Fluss")
    assert made.returncode == 0, made.stderr
    folder, tests = tmp_path / "src" / "spielleiter" / "games" / "zebras", tmp_path / "tests" / "games" / "zebras"
    assert sorted(path.name for path in tests.iterdir()) == ["__init__.py", "test_rules.py"]
    assert 'Rules("zebras-2030", "swc_2030_zebras", 2030)' in (folder / "rules.py").read_text(encoding="utf-8")
    assert "Zebras am Fluss" in (folder / "__init__.py").read_text(encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ours = 'lint.isort.known-first-party = ["spielleiter"]'  # of which most is not in this clone
    for check in (("check", "--config", ours), ("format", "--check")):
        run("-m", "ruff", *check, "--no-cache", at=tmp_path, path=ROOT)


def test_the_readme_is_in_the_language_of_the_reader(tmp_path: Path) -> None:
    made = spielleiter("new-game", tmp_path / "wolf", SPIELLEITER_LANG="de")
    assert "ist ein Paket mit dem Spiel wolf-2028. Weiter: pip install -e" in made.stdout
    assert "Fang mit `wolf/RULES.md` an" in (tmp_path / "wolf" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["Wolf"], "'Wolf': the name of a game is small letters, digits and single hyphens, as my-game"),
        (["wolf--schaf"], "small letters, digits and single hyphens"),
        (["2wolf"], "small letters, digits and single hyphens"),
        (["blokus"], "there is a game blokus already; another season of it belongs into its folder"),
        (["random"], "there is a Python package random already; choose another name"),
        (["class"], "there is a Python package class already; choose another name"),
        (["pytest"], "there is a Python package pytest already; choose another name"),
        (["full"], "full is already there; choose another name"),
        (["wolf", "--title", 'Der "Wolf"'], "the title must not contain quotation marks"),
        (["wolf", "--checkout", "full"], "full is not a clone of spielleiter: "),
        (["wolf", "--year", "28"], "greater than or equal to 2000"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_name_that_cannot_be_is_refused_with_a_reason(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    refused = spielleiter("new-game", *arguments)
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
