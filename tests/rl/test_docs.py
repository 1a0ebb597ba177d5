"""The page on learning says what is so."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

import pytest

from spielleiter import games

PAGE = Path(__file__).parents[2] / "docs" / "rl.md"


def test_the_examples_run_as_printed() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 8
    assert not failed


def test_the_page_of_planes_shows_every_plane() -> None:
    made = runpy.run_path(str(PAGE.parent / "planes.py"))["planes_page"]()
    assert (PAGE.parent / "planes.md").read_text(encoding="utf-8") == made, "run python docs/planes.py"


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ("Piranhas 2019", "piranhas-2019"),
        ("Piranhas 2026", "piranhas-2026"),
        ("Ostseeschach", "ostseeschach-2022"),
        ("Blokus", "blokus-2021"),
        ("Blokus", "blokus-2027"),
    ],
)
@pytest.mark.parametrize("rules", ["", "-official"])
def test_the_table_tells_the_true_sizes(row: str, key: str, rules: str) -> None:
    encoding = games.load(key + rules).encoding
    shape = (len(encoding.planes), *encoding.size)
    assert f"| {row} | {shape} | {encoding.actions} |" in PAGE.read_text(encoding="utf-8")
