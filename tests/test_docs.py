"""The tutorials and examples, run as they stand: every listing is written to its file, every command is run."""

from __future__ import annotations

import ast
import os
import pickle
import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from release.pages import PAGES, Block, _blocks, blocks, is_runnable
from spielleiter import games
from spielleiter.cli.app import COMMANDS, load_command
from spielleiter.programs.targets import TARGETS
from spielleiter.search import engine
from tests.support.pythons import python
from tests.support.terminal import ROOT, Terminal


def tutorial(language: str) -> list[Block]:
    return blocks(ROOT / "docs" / f"tutorial.{language}.md")


def test_the_tutorial_leads_to_a_zip_that_holds_its_own_against_greedy(terminal: Terminal) -> None:
    printed = []
    for block in tutorial("en"):
        if block.kind == "python":
            (terminal.where / block.name).write_text(block.text, encoding="utf-8")
        elif block.name == "server":
            terminal.serve(block.text)
        else:
            printed.append(terminal.run(block.text))
    [(points, possible)] = re.findall(r"([\d.]+) of (\d+) points", "\n".join(printed))
    assert float(points) >= int(possible) / 2, "it wins three games of four, so six may go wrong now and then"
    if engine.why_unavailable() is None:
        assert (terminal.folder / "hugo" / "hugo.drill").is_file(), "the coach has found something to practise"
    assert "game over" in "".join(printed)
    assert "All is well." in "".join(printed)
    assert (terminal.folder / "hugo" / "hugo.zip").is_file()


def test_the_german_tutorial_differs_from_the_english_in_comments_and_sentences_only() -> None:
    """So that it need not be played too; the trial of ``make dist`` does that."""

    def without_sentences(block: Block) -> tuple[str, str, str]:
        if block.kind != "python":
            return block.kind, block.name, block.text
        tree = ast.parse(block.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                node.value = ""
        return block.kind, block.name, ast.dump(tree)

    english, german = (list(map(without_sentences, tutorial(language))) for language in ("en", "de"))
    assert german == english


def test_the_page_on_the_real_contest_leads_to_a_zip_that_plays_there(terminal: Terminal) -> None:
    python("3.12")
    printed = ""
    for block in blocks(ROOT / "docs" / "real-contest.md"):
        if block.kind == "sh" or (block.not_run or "").startswith("needs Python 3.12"):
            printed += terminal.run(block.text)
    assert printed.count("All is well so far") == 1
    assert printed.count("✓ gets its Python 3.12: packed for contest-python-3.12") == 2
    assert printed.count("All is well.") == 2
    assert "choose the image Python 3.12 and the main file start.sh." in printed


def test_the_pages_on_the_real_contest_know_every_target_and_have_the_same_commands() -> None:
    english, german = (ROOT / "docs" / f"real-contest{suffix}.md" for suffix in ("", ".de"))
    assert [block.text for block in blocks(english)] == [block.text for block in blocks(german)]
    for page in (english, german):
        text = page.read_text(encoding="utf-8")
        listed = re.findall(r"^\| `(contest-\S+)` \| (.+?) \|", text, re.MULTILINE)
        wanted = {(target.name, target.image.de if page is german else target.image.en) for target in TARGETS.values()}
        assert set(listed) == wanted
        assert all(platform in text for target in TARGETS.values() for platform in target.platforms)


@pytest.mark.nightly  # By day the tutorial is followed, and every command is known to exist.
@pytest.mark.skipif(engine.why_unavailable() is not None, reason="opening books are balanced by the native engine")
def test_the_laboratory_can_be_followed(terminal: Terminal) -> None:
    for block in blocks(ROOT / "docs" / "lab.md"):
        if block.name:
            (terminal.where / block.name).write_text(block.text, encoding="utf-8")
        elif block.not_run is None:
            assert block.kind == "console"
            terminal.run(block.text)
    assert len((terminal.folder / "all.txt").read_text().splitlines()) == 9
    assert (terminal.folder / "tuned" / "tuned.json").exists()


def test_the_drawn_pictures_are_what_the_program_draws() -> None:
    folder = ROOT / "docs" / "pictures"
    for name, picture in runpy.run_path(str(folder / "draw.py"))["pictures"]().items():
        assert (folder / name).read_text(encoding="utf-8") == picture, f"run python docs/pictures/draw.py for {name}"


def test_the_page_on_seasons_says_what_every_part_of_a_score_counts() -> None:
    page = (ROOT / "docs" / "protocol" / "seasons.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| ([\d, a-z]+) \| ([^|]+) \| [^|]{20,} \|$", page, re.MULTILINE)
    for game in games.seasons():
        known = {
            part
            for years, parts in explained
            if years == "all" or str(game.year) in years
            for part in parts.split(", ")
        }
        assert {part.name for part in game.scores} <= known, game.key


# --- all pages --------------------------------------------------------------------------------------------------------


def commands_in(text: str) -> Iterator[list[str]]:
    """The words of every ``spielleiter`` command that stands in a line of its own, or in backticks."""
    text = text.replace("\\\n", " ")
    lines = re.findall(r"^(?:    |\$ )?(?:\.venv/bin/)?(spielleiter [a-z].*)$", text, re.MULTILINE)
    for command in lines + re.findall(r"`(spielleiter [a-z][^`]*)`", text.replace("\n  ", " ")):
        yield shlex.split(re.split(r" (?:&&|\||>|;) | &$|\)", command)[0], comments=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_on_a_page_exists_with_its_options(page: Path) -> None:
    for words in commands_in(page.read_text(encoding="utf-8")):
        names = words[1:]
        assert names[0] in COMMANDS, words
        command: Any = load_command(names.pop(0))
        while names and names[0] in getattr(command, "commands", {}):
            command = command.commands[names.pop(0)]
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
        used = {name.partition("=")[0] for name in names if re.match(r"--?[a-z]", name)}
        assert used <= known, words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_commands_can_be_run_or_says_why_not(page: Path) -> None:
    """Those that can be are run by the trial of ``make dist``."""
    missed = [
        line for block in blocks(page) if block.not_run is None for line in block.commands if not is_runnable(line)
    ]
    assert not missed, "fill in what has to be filled in, or write <!-- not run: why --> before the block"


def test_a_block_is_found_with_its_commands_and_its_mark() -> None:
    lines = """
Type

    spielleiter new hugo   # a folder
    spielleiter match \\
        hugo greedy

<!-- not run: any file -->

    spielleiter replay show FILE

```python player.py
print()
```
""".splitlines()
    first, second, third = _blocks(lines)
    assert first.commands == ["spielleiter new hugo", "spielleiter match      hugo greedy"]
    assert (second.commands, second.not_run) == (["spielleiter replay show FILE"], "any file")
    assert (third.kind, third.name, third.text, third.commands, third.not_run) == (
        "python", "player.py", "print()\n", [], None
    )  # fmt: skip
    assert [is_runnable(line) for line in (*first.commands, *second.commands)] == [True, True, False]


def test_commands_are_found_in_lines_and_in_sentences() -> None:
    text = "Type\n\n    spielleiter match a b --games 3  # some\n\nor `spielleiter\n  web`, then `spielleiter new x`."
    assert [" ".join(words) for words in commands_in(text)] == [
        "spielleiter match a b --games 3", "spielleiter web", "spielleiter new x"
    ]  # fmt: skip


def test_the_site_is_made_without_a_warning_or_a_broken_link() -> None:
    build = [sys.executable, "docs/build.py", "-b", "dummy"]  # All but writing HTML, which is half of the time.
    made = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert made.returncode == 0, made.stderr
    environment = pickle.loads((ROOT / "build" / "docs" / ".doctrees" / "environment.pickle").read_bytes())
    described = environment.domaindata["py"]["objects"]
    for name in ("game", "client", "search", "analysis", "rl"):
        exported = set(import_module(f"spielleiter.{name}").__all__)
        here = {full.rpartition(".")[2] for full, found in described.items() if found.docname == f"api/{name}"}
        assert exported - here == set()


def test_every_target_of_make_that_a_page_names_has_a_recipe() -> None:
    recipes = set(
        re.findall(r"^([\w-]+):(?:.*\n\t|.*##)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    for page in [*PAGES, *(ROOT / ".github" / "workflows").iterdir(), ROOT / ".pre-commit-config.yaml"]:
        text = page.read_text(encoding="utf-8")
        for words in re.findall(r"(?:^    |`|run: )make((?: [\w-]+=?\w*)+)", text, re.MULTILINE):
            targets = {word for word in words.split() if "=" not in word and not word.startswith("-")}
            assert targets <= recipes, page


# --- pages in two languages -------------------------------------------------------------------------------------------


TRANSLATED = sorted((ROOT / "docs").glob("*.de.md"))
ORGANISERS_WAY = ("## Without the command line", "## Rulings", "## Proof, export, backup")
"""Sections of the page of the season that there are in German, with what stands before them."""


def english_page(german: Path) -> tuple[Path, str]:
    """The English of a German page, and its text; that of the first minute is a section of the README.

    That of the season is the organisers' way alone.
    """
    name = german.name.removesuffix(".de.md")
    if name == "first-minute":
        readme = ROOT / "README.md"
        [section] = re.findall(
            r"^## The first minute\n.*?(?=^## )", readme.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        return readme, section
    [page] = [path for path in (german.with_name(f"{name}.en.md"), german.with_name(f"{name}.md")) if path.exists()]
    text = page.read_text(encoding="utf-8")
    if name == "contest":
        head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
        text = head + "".join(each for each in sections if each.startswith(ORGANISERS_WAY))
    return page, text


@pytest.mark.parametrize("german", TRANSLATED, ids=lambda page: page.name)
def test_a_german_page_has_the_commands_and_the_numbers_of_the_english_one(german: Path) -> None:
    page, english = english_page(german)
    texts = (english, german.read_text(encoding="utf-8"))
    commands = [
        [
            re.sub(r'--out \S+|--reason ".*?"', "", line)
            for block in _blocks(text.splitlines())
            for line in block.commands
        ]
        for text in texts
    ]
    assert commands[0] == commands[1], page
    sections = [len(re.findall(r"^##+ ", text, re.MULTILINE)) for text in texts]
    assert sections[0] - (page.name == "README.md") == sections[1]
    tables = [
        [re.findall(r"\d+", row) for row in re.findall(r"^\|.*\|$", text, re.MULTILINE) if "---" not in row]
        for text in texts
    ]
    assert tables[0] == tables[1]


@pytest.mark.parametrize("german", TRANSLATED, ids=lambda page: page.name)
def test_pages_in_two_languages_lead_to_each_other(german: Path) -> None:
    page, english = english_page(german)
    assert f"({os.path.relpath(german, page.parent)})" in english
    assert re.search(rf"In English: \[[^]]*\]\((\.\./)?{re.escape(page.name)}\W", german.read_text(encoding="utf-8"))


def test_a_dead_link_of_the_site_is_found(tmp_path: Path) -> None:
    dead_links = runpy.run_path(str(ROOT / "docs" / "links.py"))["dead_links"]
    (tmp_path / "a.html").write_text('<h1 id="top"></h1><a href="b.html#here"></a><a href="https://x.example"></a>')
    (tmp_path / "b.html").write_text('<p id="here"><a href="a.html#bottom"></a><img src="no.png"><a href="#here">')
    assert dead_links(tmp_path) == [
        "b.html links to a.html#bottom, which has no such anchor", "b.html links to no.png, which is not there"
    ]  # fmt: skip


# --- the examples -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_an_example_runs(example: Path, terminal: Terminal) -> None:
    assert terminal.run(f"python3 {example}")
