"""Builds the site of the documentation in build/docs, without the network; a warning or a broken link is an error.

    python docs/build.py

The Markdown files are written for readers on GitHub. Here they are gathered in build/docs-source with what lies
elsewhere: the rules of each game, architecture, changelog. Links between them are led to the new places, the index gets
its contents, a page for each game is made from its lesson, and one for each package from docstrings. The finished site
is searched for dead links, and gets a list of its pages for programs that read (llms.txt).
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from functools import cache
from importlib import import_module
from inspect import getdoc, isclass, isroutine
from pathlib import Path
from pkgutil import iter_modules

from links import dead_links
from sphinx.cmd.build import build_main

from spielleiter import games
from spielleiter.game import AnyGame, Language
from spielleiter.programs.entrants import game_folder

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
SOURCE, TARGET = ROOT / "build" / "docs-source", ROOT / "build" / "docs"
SEASONS = games.seasons()

CONTENTS = {
    "Learn": ["first-minute.en", "tutorial.en", "recipes", "workshop", "classroom.en", "puzzles",
              *(f"learn/{game.key}.en" for game in SEASONS)],
    "Auf Deutsch": [
        "first-minute.de", "tutorial.de", "recipes.de", "workshop.de", "classroom.de",
        *(f"learn/{game.key}.de" for game in SEASONS),
        "puzzles.de", "install.de", "match.de", "real-contest.de", "coach.de", "players.de", "faq.de", "contest.de",
    ],
    "Do": ["howto", "install", "match", "real-contest", "coach", "lab", "cluster", "contest", "hall", "rl", "plugins"],
    "Look up": ["faq", "players", "server", "engine-protocol", "planes", "stability", "changelog"],
    "Protocol": [
        "protocol/README", "protocol/messages", "protocol/administration", "protocol/seasons",
        *(f"protocol/{page}" for game in SEASONS for page in (game.key, f"conversation-{game.year}")),
        "protocol/examples",
    ],
    "Rules": sorted({f"rules/{game_folder(game)}" for game in games.all_games().values()}),
    "Reference": [f"api/{name}" for name in
                  ("game", "games", "client", "search", "search.engine", "rating", "records", "analysis", "players",
                   "rl", "native")],
    "Understand": ["statistics", "engine", "engine-log", "architecture", "security", "contributing"],
}  # fmt: skip
CONTENTS["Do"] += sorted(
    {path.stem for path in DOCS.glob("*.md")} - {"README"} - {name for names in CONTENTS.values() for name in names}
)
ELSEWHERE = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "first-minute.en.md",
    "SECURITY.md": "security.md",
    "docs/README.md": "index.md",
    "src/spielleiter/programs/template_clients/README.md": "protocol/examples.md",
    **{f"src/spielleiter/games/{name}/RULES.md": f"rules/{name}.md"
       for name in {game_folder(game) for game in games.all_games().values()}},
}  # fmt: skip
"""Files that have another place on the site, by their place in the repository."""


def gather() -> None:
    """Copy every page to its place on the site, with its links."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    for path in DOCS.rglob("*"):
        if path.suffix in {".svg", ".png"}:
            target = SOURCE / path.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    pages = [*DOCS.rglob("*.md"), *(ROOT / name for name in ELSEWHERE)]
    for path in set(pages):
        target = SOURCE / _place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        if path == ROOT / "README.md":
            text = _first_minute(text)
        target.write_text(_led(text, path, target), encoding="utf-8")
    with (SOURCE / "index.md").open("a", encoding="utf-8") as index:
        for caption, names in CONTENTS.items():
            listed = "\n".join(names)
            index.write(f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n\n{listed}\n```\n")
    for game in SEASONS:
        _write_lesson(game)
    for name in CONTENTS["Reference"]:
        _write_reference(SOURCE / f"{name}.md", f"spielleiter.{name.removeprefix('api/')}")


def _place(path: Path) -> str:
    """Where a file of the repository lies on the site, or an empty text if it does not."""
    name = path.relative_to(ROOT).as_posix()
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    return path.relative_to(DOCS).as_posix() if path.is_relative_to(DOCS) and path.suffix != ".py" else ""


def _first_minute(readme: str) -> str:
    """The section of the README that is a page of its own here: the text stands in one place."""
    found = re.search(r"^## (The first minute\n.*?)(?=^## )", readme, re.MULTILINE | re.DOTALL)
    assert found is not None
    return f"# {found[1]}"


def _led(text: str, path: Path, target: Path) -> str:
    """``text`` with links that are right from the page's new place; links to sources become the names of the files."""

    def lead(found: re.Match[str]) -> str:
        label, link, anchor = found[1], found[2], found[3] or ""
        linked = (path.parent / link).resolve()
        if not linked.exists():
            raise FileNotFoundError(f"{path.relative_to(ROOT)} links to {link}, which is not there")
        if place := _place(linked):
            return f"[{label}]({os.path.relpath(SOURCE / place, target.parent)}{anchor})"
        name = linked.relative_to(ROOT).as_posix()
        return f"`{name}`" if label.strip("`") in (name, linked.name) else f"{label} (`{name}`)"

    return re.sub(r"\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)", lead, text)


# --- the rules for people ---------------------------------------------------------------------------------------------


def _write_lesson(game: AnyGame) -> None:
    """The lesson of a game in each language, with its pictures: what the pages and ``spielleiter rules`` show, too."""
    folder = SOURCE / "learn"
    folder.mkdir(exist_ok=True)
    assert game.lesson is not None
    texts: dict[Language, list[str]] = {
        "de": [f"# {game.title.de}: die Regeln"],
        "en": [f"# {game.title.en}: the rules"],
    }
    for number, section in enumerate(game.lesson().sections):
        for language, parts in texts.items():
            parts += [f"## {section.title.to(language)}", section.text.to(language)]
        for index, shown in enumerate(section.illustrations):
            name = f"{game.key}-{number}-{index}.svg"
            (folder / name).write_text((shown.draw or game.draw)(shown.state, shown.look), encoding="utf-8")
            for language, parts in texts.items():
                caption = shown.caption.to(language)
                parts += [f"![{caption}]({name})", f"*{caption}*"]
    for language, parts in texts.items():
        (folder / f"{game.key}.{language}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


# --- the reference ----------------------------------------------------------------------------------------------------


def _write_reference(target: Path, package: str) -> None:
    """A page with every public name of a package: those that it exports, or else those of its modules."""
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = [f"# {package}\n"]
    for module in _modules(package):
        title = f"## {module}\n\n" if module != package else ""
        described = f".. automodule:: {module}\n   :members:\n   :undoc-members:\n"
        borrowed, constants = _borrowed(module), _constants(module)
        if borrowed:
            described += f"   :exclude-members: {', '.join(borrowed)}\n"
        named = {constant.rpartition(".")[2] for constant in constants}
        names = [name for name in getattr(import_module(module), "__all__", ()) if name not in {*borrowed, *named}]
        listed = "".join(f"   {name}\n" for name in sorted(names, key=str.lower))
        directives = [f"{getdoc(import_module(module))}\n", described]
        if listed:
            directives.insert(1, f".. currentmodule:: {module}\n\n.. autosummary::\n   :nosignatures:\n\n{listed}")
        directives += [f".. autodata:: {constant}\n   :no-value:\n" for constant in _constants(module)]
        parts.append(f"{title}```{{eval-rst}}\n" + "\n".join(directives) + "```\n")
    target.write_text("\n".join(parts), encoding="utf-8")


def _modules(package: str) -> list[str]:
    """The modules that say all that is public: the package alone, if it exports its names."""
    module = import_module(package)
    if hasattr(module, "__all__"):
        for name in module.__all__:
            setattr(module, name, getattr(module, name))  # Sphinx does not see what is imported when it is asked for.
        return [package]
    folders = getattr(module, "__path__", ())
    below = [found.name for found in iter_modules(folders, f"{package}.") if "._" not in found.name]
    return [package, *below]


def _borrowed(package: str) -> list[str]:
    """Exported names that another page of the reference explains: a class is described once, where it belongs."""
    module = import_module(package)
    others = [f"spielleiter.{name.removeprefix('api/')}" for name in CONTENTS["Reference"]]
    homes = {name: getattr(getattr(module, name), "__module__", "") for name in getattr(module, "__all__", ())}
    return [
        name
        for name, home in homes.items()
        if not f"{home}.".startswith(f"{package}.") and any(f"{home}.".startswith(f"{other}.") for other in others)
    ]


def _constants(package: str) -> list[str]:
    """Exported names that are neither classes nor functions, where they are assigned: only there is their docstring."""
    module = import_module(package)
    names = [name for name in getattr(module, "__all__", ()) if _is_constant(getattr(module, name))]
    modules = [name for name in sys.modules if name.startswith("spielleiter.") and name != package]
    modules.sort(key=lambda name: not name.startswith(package))
    return [
        next(f"{home}.{name}" for home in modules if name in _assigned(home))
        for name in names
        if name not in _assigned(package)
    ]


def _is_constant(value: object) -> bool:
    is_alias = hasattr(value, "__origin__")  # tuple[int, int] is also a class to inspect
    return is_alias or not (isclass(value) or isroutine(value))


@cache
def _assigned(module: str) -> set[str]:
    """What a module assigns at its top level."""
    source = sys.modules[module].__file__ or ""
    if not source.endswith(".py"):
        return set()
    statements = ast.parse(Path(source).read_text(encoding="utf-8")).body
    targets = [node.targets[0] for node in statements if isinstance(node, ast.Assign)]
    targets += [node.target for node in statements if isinstance(node, ast.AnnAssign)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


# --- for programs that read -------------------------------------------------------------------------------------------


def list_for_programs() -> str:
    """The Markdown of every page with its title: https://llmstxt.org."""
    lines = [
        "# Spielleiter",
        "",
        "> The whole Software-Challenge in one Python package: games with exact rules, a game",
    ]
    lines += ["> master, a kit for players, matches with statistics, the contest, and web pages.", ""]
    for caption, names in CONTENTS.items():
        lines += [f"## {caption}", ""]
        for name in names:
            text = (SOURCE / f"{name}.md").read_text(encoding="utf-8")
            title = next(line[2:] for line in text.splitlines() if line.startswith("# "))
            lines.append(f"- [{title}](_sources/{name}.md)")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Build the site; the exit code."""
    gather()
    arguments = ["-W", "--keep-going", "-q", "-b", "html", "-c", str(DOCS), str(SOURCE), str(TARGET)]
    if failed := build_main([*arguments, *sys.argv[1:]]):
        return failed
    if sys.argv[1:]:  # Another builder, which writes no pages.
        return 0
    (TARGET / "llms.txt").write_text(list_for_programs(), encoding="utf-8")
    dead = dead_links(TARGET)
    sys.stderr.writelines(f"{line}\n" for line in dead)
    return int(bool(dead))


if __name__ == "__main__":
    sys.exit(main())
