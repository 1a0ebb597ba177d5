"""What docs/stability.md promises: nothing public is gone, and files of an earlier 1.x can still be read.

``tests/data/public.txt`` has the promise, a line for each name; ``python -m tests.test_stability`` writes what there is
now, and belongs to a release (``make release-check`` asks for it). ``tests/data/formats`` has files that 1.0 wrote:
they are never changed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from spielleiter import games
from spielleiter.cli.app import COMMANDS, app, load_command
from spielleiter.coach.drill import read_drill
from spielleiter.contest.season.file import parse_season, read_text
from spielleiter.lab.parameter_file import read_parameters
from spielleiter.matches.openings import read_positions
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.records.game_list import read_games
from spielleiter.records.load import open_any
from spielleiter.web.app import PAGES

ROOT = Path(__file__).parent.parent
PROMISE = ROOT / "tests" / "data" / "public.txt"
FORMATS = ROOT / "tests" / "data" / "formats"
PAGE = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
MODULES = re.findall(r"^\| `(spielleiter[\w.]*)` \|", PAGE, re.MULTILINE)
_FOR_SCRIPTS = re.compile(r"/(events|try|look|trace|ply|solution)\b|{line}")
"""What only our own pages ask for."""


def public() -> Iterator[str]:
    """Everything that is public now: names of Python, commands with their options, addresses of pages."""
    for module in MODULES:
        yield from (f"python {module}.{name}" for name in sorted(_names(module)))
    for name in sorted(COMMANDS):
        yield from _options(f"command spielleiter {name}", load_command(name))
    addresses = sorted(page.path for page in PAGES if page.method == "GET" and not _FOR_SCRIPTS.search(page.path))
    yield from (f"page {re.sub(r':int', '', address)}" for address in addresses)


def _names(module: str) -> set[str]:
    """What a module exports, or else defines."""
    found = import_module(module)
    if exported := getattr(found, "__all__", None):
        return set(exported)
    body = ast.parse(Path(found.__file__ or "").read_text(encoding="utf-8")).body
    defined = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assigned = {ast.unparse(target) for node in body if isinstance(node, ast.Assign) for target in node.targets}
    return {name for name in defined | assigned if not name.startswith("_")}


def _options(path: str, command: Any) -> Iterator[str]:
    yield path
    for name in sorted({name for option in command.params for name in (*option.opts, *option.secondary_opts)}):
        if name.startswith("-"):
            yield f"{path} {name}"
    for name, below in sorted(getattr(command, "commands", {}).items()):
        yield from _options(f"{path} {name}", below)


def test_nothing_that_was_promised_is_gone() -> None:
    promised = PROMISE.read_text(encoding="utf-8").splitlines()
    assert len(promised) > 400
    gone = set(promised) - set(public())
    assert gone == set(), "keep it until the season ends, as docs/stability.md says"


def test_the_page_names_modules_that_exist_and_says_what_is_not_public() -> None:
    assert "spielleiter.client" in MODULES
    assert all(import_module(module) for module in MODULES)
    assert "spielleiter.web" not in MODULES


def test_a_record_of_1_0_is_read_and_verified() -> None:
    assert open_any(FORMATS / "record.jsonl").game.key == "piranhas-2026"
    assert CliRunner().invoke(app, ["replay", "verify", str(FORMATS / "record.jsonl")]).exit_code == 0


def test_a_list_of_games_of_1_0_is_read() -> None:
    assert len(list(read_games(FORMATS / "games.txt"))) == 2


def test_a_match_folder_of_1_0_is_rated() -> None:
    rated = CliRunner().invoke(app, ["rate", str(FORMATS / "match"), "--json"])
    assert rated.exit_code == 0, rated.output
    assert "greedy" in rated.output


def test_an_opening_book_of_1_0_is_read() -> None:
    assert len(read_positions(FORMATS / "openings.txt", games.load("piranhas-2026"))) == 2


def test_a_drill_of_1_0_is_read() -> None:
    assert len(read_drill(FORMATS / "drill.json").exercises) == 2


def test_a_season_file_of_1_0_is_read() -> None:
    assert parse_season(read_text(FORMATS / "season.toml")).game == "blokus-2027"


def test_a_parameter_file_of_1_0_is_read() -> None:
    hugo = Entrant(name="hugo", text="hugo", kind=EntrantKind.COMMAND, command=("hugo",))
    parameters, _ = read_parameters(FORMATS / "parameters.toml", hugo)
    assert {parameter.name for parameter in parameters} == {"depth", "mobility"}


def test_a_position_of_1_0_is_read() -> None:
    [line, *_] = read_positions(FORMATS / "openings.txt", games.load("piranhas-2026"))
    game, state = games.parse_position(line)
    assert game.notation.format_state(state) == line


if __name__ == "__main__":
    PROMISE.write_text("".join(f"{line}\n" for line in public()), encoding="utf-8")
    sys.stdout.write(f"{PROMISE.relative_to(ROOT)} is written.\n")
