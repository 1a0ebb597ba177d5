"""The table of commands: what it says is true of the modules, and none of them is imported too early."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.core import TyperOption
from typer.testing import CliRunner

from spielleiter.cli import app
from spielleiter.cli.app import COMMANDS, load_command
from tests.cli.test_cli import spielleiter


def options(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, TyperOption]]:
    """Every option of a command and of the commands below it, with its name in the environment."""
    for parameter in command.params:
        if isinstance(parameter, TyperOption):
            long = next(text for text in parameter.opts if text.startswith("--"))
            yield "_".join(("SPIELLEITER", *path, long[2:])).upper().replace("-", "_"), parameter
    for name, below in getattr(command, "commands", {}).items():
        yield from options(below, (*path, name))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_overview_opens_the_help_of_the_command(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert (command.help or "").split("\n\n")[0].replace("\n", " ") == COMMANDS[name].help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_its_own_name_in_the_environment(name: str) -> None:
    shared = {"season": "SPIELLEITER_CONTEST_SEASON", "store": "SPIELLEITER_CONTEST_STORE"} if name == "contest" else {}
    for expected, option in options(load_command(name), (name,)):
        assert option.envvar == shared.get(option.name or "", expected)


def test_a_setting_from_the_environment_is_used() -> None:
    result = spielleiter("engine", SPIELLEITER_ENGINE_JSON="1", SPIELLEITER_ENGINE_SPEED="0")
    assert '"speed": []' in result.stdout
    assert "Rot" in spielleiter("show", "piranhas-2019", SPIELLEITER_LANG="de").stdout


def test_version_and_help_in_the_environment_break_nothing() -> None:
    result = spielleiter("games", SPIELLEITER_VERSION="1.2.3", SPIELLEITER_HELP="1", SPIELLEITER_GAMES_HELP="1")
    assert result.returncode == 0
    assert "blokus-2027" in result.stdout


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_no_command_is_imported_for_the_overview(argument: str) -> None:
    script = (
        "import sys; from spielleiter.cli import app\n"
        f"try: app(['{argument}'])\n"
        "except SystemExit: pass\n"
        "print(*sorted(name for name in sys.modules if name.startswith('spielleiter')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1].split() == [
        "spielleiter", "spielleiter.cli", "spielleiter.cli.app", "spielleiter.cli.terminal", "spielleiter.errors",
        "spielleiter.text",
    ]  # fmt: skip


def test_a_wrong_name_suggests_the_right_one() -> None:
    result = CliRunner().invoke(app, ["replya"])
    assert result.exit_code == 2
    assert "Did you mean 'replay'" in result.output


def test_the_shell_completes_commands_options_and_games() -> None:
    def completed(words: str) -> str:
        environment = {"_SPIELLEITER_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "2"}
        return spielleiter(**environment).stdout

    assert "verify" in completed("spielleiter replay ver")
    assert "piranhas-2026" in completed("spielleiter show piranhas-2026")
    assert "--concurrency" in completed("spielleiter match --conc")


def test_a_command_whose_packages_are_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("spielleiter.cli.contest")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    problem = CliRunner().invoke(app, ["contest", "status"]).exception
    assert "sqlalchemy is missing, the installation is incomplete" in str(problem)
    assert str(problem).endswith("pip install --force-reinstall spielleiter")


def test_an_error_is_one_line_in_the_chosen_language() -> None:
    result = spielleiter("--lang", "de", "serve", "--soft", "2", "--hard", "1")
    assert result.returncode == 2
    assert "Das harte Zeitlimit (1 s) darf nicht unter dem weichen (2 s) liegen" in result.stderr
    assert len(result.stderr.splitlines()) == 1
