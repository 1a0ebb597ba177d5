"""The recipes of docs/recipes.md: each listing plays some moves, and the German ones are the same."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from release.pages import Block, blocks
from tests.support.terminal import ROOT

TRY_OUT = """
import sys
from pathlib import Path
from random import Random

from spielleiter import games
from spielleiter.cli.own_player import load_player

import learn, make_book

book = make_book.make_book(0.01, starts=1)
assert len(book) == 4
Path("moves.py").write_text(f"BOOK = {book!r}")
weights = learn.learn(sys.argv[1], rounds=20)
assert set(weights) == set(learn.NAMES) and weights["points"] > 0, weights
Path("weights.py").write_text(f"WEIGHTS = {weights!r}")
for name in sys.argv[2:]:
    player, chance = load_player(name), Random(1)
    state = games.load("blokus-2027").new_state(Random(0))
    while state.outcome is None:
        asked = state.turn in (0, 1, 20, 41, 70)
        state = state.play(player.choose(state, 0.02) if asked else chance.choice(state.legal_moves()))
    print(name)
"""


def listings(page: str) -> list[Block]:
    return [block for block in blocks(ROOT / "docs" / page) if block.kind == "python"]


@pytest.mark.slow
def test_every_recipe_plays(tmp_path: Path) -> None:
    found = listings("recipes.md")
    for block in found:
        (tmp_path / block.name).write_text(block.text, encoding="utf-8")
    played = tmp_path / "lesson"
    words = ["match", "greedy", "random", "--in-process", "--games", "4", "--no-report", "--out", str(played)]
    subprocess.run([sys.executable, "-m", "spielleiter", *words], check=True, capture_output=True, timeout=120)
    (tmp_path / "try_out.py").write_text(TRY_OUT)
    players = [block.name for block in found if "play(" in block.text.splitlines()[-1]]
    assert len(players) == 7
    command = [sys.executable, "try_out.py", str(played / "records"), *players]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == players


def test_the_german_recipes_differ_in_comments_and_sentences_only() -> None:
    def without_sentences(block: Block) -> tuple[str, str]:
        tree = ast.parse(block.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith("."):
                node.value = ""
        return block.name, ast.dump(tree)

    english, german = (list(map(without_sentences, listings(page))) for page in ("recipes.md", "recipes.de.md"))
    assert german == english
