"""The table of commands: what it says is true of the modules, and none of them is imported too early."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperOption
from typer.testing import CliRunner

import spielleiter as spielleiter_package
from spielleiter.cli.app import COMMANDS, app, load_command
from spielleiter.cli.terminal import BETWEEN_LANGUAGES, set_language
from spielleiter.errors import SettingsError, SpielleiterError
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
def test_a_command_has_the_name_and_the_help_of_the_overview(name: str) -> None:
    set_language("en")
    command = load_command(name)
    assert command.name == name
    assert command.help == COMMANDS[name].help.partition(BETWEEN_LANGUAGES)[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_its_own_name_in_the_environment(name: str) -> None:
    shared = {"season": "SPIELLEITER_CONTEST_SEASON", "store": "SPIELLEITER_CONTEST_STORE"} if name == "contest" else {}
    for expected, option in options(load_command(name), (name,)):
        assert option.envvar == shared.get(option.name or "", expected)


@pytest.mark.slow
def test_a_setting_from_the_environment_is_used() -> None:
    result = spielleiter("engine", SPIELLEITER_ENGINE_JSON="1", SPIELLEITER_ENGINE_SPEED="0")
    assert '"speed": []' in result.stdout
    assert "Rot" in spielleiter("show", "piranhas-2019", SPIELLEITER_LANG="de").stdout


@pytest.mark.slow
def test_version_and_help_in_the_environment_break_nothing() -> None:
    result = spielleiter("games", SPIELLEITER_VERSION="1.2.3", SPIELLEITER_HELP="1", SPIELLEITER_GAMES_HELP="1")
    assert result.returncode == 0
    assert "blokus-2027" in result.stdout


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_no_command_is_imported_for_the_overview(argument: str) -> None:
    script = (
        "import sys; from spielleiter.cli.app import app\n"
        f"try: app(['{argument}'])\n"
        "except SystemExit: pass\n"
        "print(*sorted(name for name in sys.modules if name.startswith('spielleiter')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1].split() == [
        "spielleiter", "spielleiter.cli", "spielleiter.cli.app", "spielleiter.cli.help_language",
        "spielleiter.cli.narrow_help", "spielleiter.cli.terminal", "spielleiter.errors", "spielleiter.text",
    ]  # fmt: skip


def test_a_wrong_name_suggests_the_right_one() -> None:
    result = CliRunner().invoke(app, ["replya"])
    assert result.exit_code == 2
    assert "Did you mean 'replay'" in result.output


@pytest.mark.slow
def test_the_shell_completes_commands_options_and_games() -> None:
    def completed(words: str) -> str:
        environment = {"_SPIELLEITER_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": "2"}
        return spielleiter(**environment).stdout

    assert "verify" in completed("spielleiter replay ver")
    assert "piranhas-2026" in completed("spielleiter show piranhas-2026")
    assert "--concurrency" in completed("spielleiter match --conc")
    assert "student" in completed("spielleiter match stud")


@pytest.mark.slow
def test_a_command_whose_packages_are_missing_says_what_to_install() -> None:
    without = "import sys; sys.modules['sqlalchemy'] = None; from spielleiter.cli import main; main()"
    command = [sys.executable, "-c", without, "--lang", "en", "contest", "status"]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60).stderr
    assert "sqlalchemy is missing, the installation is incomplete" in printed
    assert printed.rstrip().endswith("pip install --force-reinstall spielleiter")


@pytest.mark.slow
def test_ctrl_c_while_a_command_starts_ends_it_without_a_traceback() -> None:
    # Typer is interrupted while it is imported, then its help in German, and then the rules while the command runs.
    for module, lang in (("typer", "en"), ("typer.rich_utils", "de"), ("spielleiter.cli.positions", "en")):
        interrupted = (
            "import sys, signal\n"
            "class Key:\n"
            "    def find_spec(self, name, *_):\n"
            f"        if name == {module!r}: signal.raise_signal(signal.SIGINT)\n"
            "sys.meta_path.insert(0, Key())\n"
            "from spielleiter.cli import main; main()"
        )
        command = [sys.executable, "-c", interrupted, "--lang", lang, "games"]
        english = {**os.environ, "SPIELLEITER_LANG": "en"}
        done = subprocess.run(command, env=english, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.slow
def test_an_error_is_one_line_in_the_chosen_language() -> None:
    result = spielleiter("--lang", "de", "serve", "--soft", "2", "--hard", "1")
    assert result.returncode == 2
    assert "Das harte Zeitlimit (1 s) darf nicht unter dem weichen (2 s) liegen" in result.stderr
    assert len(result.stderr.splitlines()) == 1


# --- installations that are not as they should be ---------------------------------------------------------------------


OLD_PYTHONS = [
    str(path)
    for folder in (Path("/usr"), *Path.home().glob(".pyenv/versions/*"))
    for path in folder.glob("bin/python3.[0-9]*")
    if re.fullmatch(r"python3\.(\d|10)", path.name)
]


@pytest.mark.skipif(not OLD_PYTHONS, reason="there is no old Python on this machine")
def test_a_python_that_is_too_old_is_reported_in_one_sentence() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(spielleiter_package.__file__).parent.parent)}
    for python in OLD_PYTHONS:
        command = [python, "-m", "spielleiter", "--help"]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        version = python.rpartition("python")[2]
        assert ran.returncode == 1
        assert ran.stderr == (
            f"spielleiter needs Python 3.11 or newer (a packed player: 3.10), this is {version}: start it with a newer"
            " one, as python3.12\n"
        )


@pytest.mark.parametrize(
    ("module", "extra", "use"),
    [
        ("distributed", "cluster", lambda: import_module("spielleiter.matches.cluster").DaskExecutor("local:1")),
        ("psycopg", "postgresql", lambda: import_module("spielleiter.contest.store").Store.open("postgresql://x/y")),
        ("pettingzoo", "rl", lambda: import_module("spielleiter.rl")),
    ],
)
def test_a_missing_extra_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, module: str, extra: str, use: Callable[[], object]
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == module or name == "spielleiter.rl"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises((SpielleiterError, ModuleNotFoundError), match=re.escape(f"pip install 'spielleiter[{extra}]'")):
        use()


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("rich.table", "rich.table is missing, the installation is incomplete: "),
        ("spielleiter.cli.positions", "spielleiter.cli.positions is missing, the installation is incomplete: "),
    ],
)
def test_a_broken_install_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch, module: str, said: str) -> None:
    for name in ("spielleiter.cli.positions", module):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(module), *sys.meta_path])
    with pytest.raises(SettingsError, match=re.escape(said) + ".* -m pip install --force-reinstall spielleiter$"):
        load_command("games")


class Missing:
    """Finds nothing of this name."""

    def __init__(self, module: str) -> None:
        self._module = module

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == self._module:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_a_package_of_another_version_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "spielleiter.cli.positions", raising=False)
    monkeypatch.delattr("rich.table.Table")
    with pytest.raises(SettingsError, match=r"does not fit together \(cannot import name 'Table'"):
        load_command("games")


def test_another_version_on_the_path_is_named(tmp_path: Path) -> None:
    other = tmp_path / ("spielleiter.bat" if os.name == "nt" else "spielleiter")
    other.write_text("")
    other.chmod(0o755)
    alone = spielleiter("--version")
    assert alone.stdout.startswith(f"spielleiter {spielleiter_package.__version__} (Python 3.")
    assert str(other) in spielleiter("--version", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}").stderr


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 80])
def test_options_are_readable_in_a_narrow_terminal(columns: int) -> None:
    printed = spielleiter("--lang", "en", "serve", "--help", COLUMNS=str(columns)).stdout.splitlines()
    at = printed.index("  --request-gap <float> [0<=x<=1]")
    assert printed[at + 1].startswith("      Seconds between ")
    assert len(printed[at + 1].rstrip()) > columns / 2, "the text has the width of the terminal"
    assert max(map(len, printed)) <= columns
    assert "  --official / --no-official" in printed


@pytest.mark.slow
def test_options_are_a_table_in_a_wide_terminal() -> None:
    assert "│ --request-gap" in spielleiter("--lang", "en", "serve", "--help", COLUMNS="140").stdout


def test_without_a_screen_play_says_where_one_can_play_oneself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.cli.play.has_browser", lambda: False)
    played = CliRunner().invoke(app, ["play", "--quiet", "--one", "random", "--two", "random"])
    assert played.exit_code == 0, played.output
    assert played.output.startswith("There is no screen here")
    assert "spielleiter web" in played.output
