"""Modules as one script, for pages that open without a server."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from spielleiter.pages import scripts
from spielleiter.pages.environment import HERE, STATIC
from spielleiter.pages.scripts import bundle

ENTRIES = ("exported-game.js", "match-report.js")


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_bundle_has_every_module_once_and_before_it_is_needed(entry: str) -> None:
    made = bundle(entry)
    assert re.search(r"^(import|export)\b", made, re.MULTILINE) is None
    order = re.findall(r'^modules\["(.+)"\] = ', made, re.MULTILINE)
    assert sorted(order) == sorted({entry, "elements.js", "motion.js", "replay.js", "volumes.js"})
    for name, body in zip(order, made.split("\nmodules[")[1:], strict=True):
        for needed in re.findall(r'= modules\["(.+)"\];', body):
            assert order.index(needed) < order.index(name)


def test_a_module_sees_what_it_imports_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nconst own = b();\n')
    (tmp_path / "b.js").write_text("const own = 1;\nexport function b() { return own; }\n")
    assert bundle("a.js") == (
        '"use strict";\n(() => {\nconst modules = {};\n'
        'modules["b.js"] = (() => {\nconst own = 1;\nfunction b() { return own; }\nreturn { b };\n})();\n'
        'modules["a.js"] = (() => {\nconst { b } = modules["b.js"];\nconst own = b();\nreturn {  };\n})();\n'
        "})();\n"
    )


@pytest.mark.parametrize("line", ["export default 1;", 'import * as b from "./b.js";', "export let x = 1;"])
def test_another_form_of_import_or_export_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(scripts, "STATIC", tmp_path)
    (tmp_path / "a.js").write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"a\.js"):
        bundle("a.js")


def test_only_pages_without_a_server_load_classic_scripts() -> None:
    loaded = {
        line
        for path in (HERE / "templates").rglob("*.html")
        for line in re.findall(r"<script src=[^>]*>", path.read_text(encoding="utf-8"))
        if 'type="module"' not in line
    }
    assert loaded == {"""<script src="{{ asset('game.js') }}">""", '<script src="{{ assets }}choose.js">'}


def _imports() -> dict[str, dict[str, set[str]]]:
    """The names that each script imports, by the script that has them."""
    found: dict[str, dict[str, set[str]]] = {}
    for path in STATIC.glob("*.js"):
        imports = re.findall(r'^import \{([^}]*)\} from "\./(.+)";$', path.read_text(encoding="utf-8"), re.MULTILINE)
        found[path.name] = {needed: set(re.findall(r"\w+", names)) for names, needed in imports}
    return found


def test_scripts_import_what_others_export_and_nothing_is_exported_in_vain() -> None:
    exports = {
        path.name: set(re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", path.read_text(), re.MULTILINE))
        for path in STATIC.glob("*.js")
    }
    wanted: dict[str, set[str]] = {name: set() for name in exports}
    for imports in _imports().values():
        for needed, names in imports.items():
            wanted[needed] |= names
    tested = {
        "tiles.js": {"Wheel"},  # A test in the browser tries it alone.
        "exported-server.js": wanted["server.js"],  # It is server.js in an exported folder.
        "workshop-worker.js": {"EngineHost"},  # tests/support/engine_host.mjs runs it in Node.
    }
    assert {name: names - tested.get(name, set()) for name, names in exports.items()} == wanted


def test_no_scripts_import_one_another_in_a_circle() -> None:
    TopologicalSorter({name: set(imports) for name, imports in _imports().items()}).prepare()
