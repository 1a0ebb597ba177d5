"""The shape of the house, read from its source: no import cycles, one tree of errors, true maps."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from spielleiter import errors

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "spielleiter"


def _module_name(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def _trees() -> dict[str, ast.Module]:
    """All modules. Not read at the import: every process of the tests imports this file."""
    return {_module_name(file): ast.parse(file.read_text(encoding="utf-8")) for file in sorted(SOURCE.rglob("*.py"))}


PACKAGES = sorted(folder.name for folder in SOURCE.iterdir() if (folder / "__init__.py").exists())


def _imported(tree: ast.Module) -> Iterator[str]:
    """The modules of the house that a module imports, at its top or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in _trees())
        elif isinstance(node, ast.ImportFrom) and node.module in _trees():
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from names & _trees().keys()
            if names - _trees().keys():
                yield node.module


def test_no_modules_import_one_another_in_a_circle() -> None:
    imports = {name: set(_imported(tree)) - {name} for name, tree in _trees().items()}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as cycle:
        pytest.fail(" -> ".join(reversed(cycle.args[1])))


def test_imports_are_absolute() -> None:
    relative = [
        name
        for name, tree in _trees().items()
        if any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
    ]
    assert relative == []


def _bases(tree: ast.Module) -> dict[str, set[str]]:
    """The classes of a module with the names of their bases."""
    return {
        node.name: {base.id if isinstance(base, ast.Name) else ast.unparse(base) for base in node.bases}
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def test_every_class_has_a_name_of_its_own() -> None:
    rooms: dict[str, set[str]] = {}
    for module, tree in _trees().items():
        for name in _bases(tree):
            if not name.startswith("_"):
                # Games have the names of the contract (State, Move, Rules), each its own: they count as one.
                rooms.setdefault(name, set()).add("games" if module.startswith("spielleiter.games.") else module)
    assert {name: found for name, found in rooms.items() if len(found) > 1} == {}


def test_every_error_is_in_errors_py() -> None:
    raised = {
        name for name, found in vars(builtins).items() if isinstance(found, type) and issubclass(found, BaseException)
    }
    raised |= {name for name in _bases(_trees()["spielleiter.errors"]) if issubclass(getattr(errors, name), Exception)}
    elsewhere = [
        f"{module}.{name}"
        for module, tree in _trees().items()
        if module != "spielleiter.errors"
        for name, bases in _bases(tree).items()
        # A private exception is control flow inside its module: nobody else sees it.
        if bases & raised and not name.startswith("_")
    ]
    assert elsewhere == []


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn: list[tuple[str, str]] = []
    above: dict[int, str] = {}
    for indent, name in re.findall(r"^( *)\* (\w+)", errors.__doc__ or "", re.MULTILINE):
        above[len(indent)] = name
        drawn.append((name, above.get(len(indent) - 4, "Exception")))
    defined = _bases(_trees()["spielleiter.errors"])
    assert sorted(name for name, _ in drawn) == sorted(defined)
    assert [name for name, parent in drawn if parent not in defined[name]] == []


def test_every_folder_has_its_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [layers] = [each["layers"] for each in settings["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    named = re.findall(r"\w+", " ".join(layers))
    assert [package for package in PACKAGES if package not in named] == []


def test_the_architecture_shows_every_folder() -> None:
    map_of_the_house = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert [package for package in PACKAGES if f"`{package}/`" not in map_of_the_house] == []


def _texts_outside_of_docstrings(tree: ast.Module) -> Iterator[str]:
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.value


def test_no_game_is_named_outside_of_its_folder() -> None:
    games = [folder.name for folder in (SOURCE / "games").iterdir() if (folder / "__init__.py").is_file()]
    assert len(games) >= 3
    a_game = re.compile("|".join((*games, *(name.replace("_", "-") for name in games))), re.IGNORECASE)
    only_place = "spielleiter.games.current_season"
    code = {
        name
        for name, tree in _trees().items()
        if not name.startswith(tuple(f"spielleiter.games.{game}" for game in games))
        and any(map(a_game.search, _texts_outside_of_docstrings(tree)))
    }
    assert code == {only_place}
    data = [path for path in SOURCE.rglob("*") if path.suffix in (".css", ".html", ".js", ".mako", ".toml", ".txt")]
    assert len(data) > 50
    own = [SOURCE / "games" / game for game in games]
    outside = [path for path in data if not any(path.is_relative_to(folder) for folder in own)]
    assert [path for path in outside if a_game.search(path.read_text(encoding="utf-8"))] == []
