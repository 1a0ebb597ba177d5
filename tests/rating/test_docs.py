"""docs/statistics.md tells the truth: its examples are run, and its tables are computed again."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from spielleiter.rating.elo import expected_score, rule_of_thumb
from spielleiter.rating.optional_stopping import false_alarms

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def row(name: str) -> list[float]:
    """The numbers of the table row that begins with ``name``."""
    line = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {name} |"))
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", line.removeprefix(f"| {name} |"))]


def test_the_examples_give_what_is_written_below_them() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 15
    assert results.failed == 0


def test_the_table_of_expected_scores_is_right() -> None:
    assert row("difference") == [0, 10, 30, 50, 100, 200, 400]
    assert row("expected score") == [round(100 * expected_score(elo), 1) for elo in row("difference")]


def test_the_table_of_margins_is_right() -> None:
    assert row("± Elo") == [round(rule_of_thumb(int(games))) for games in row("games")]


def test_the_table_of_false_alarms_is_right() -> None:
    assert row("wrong in")[1:] == [round(100 * false_alarms(games)) for games in (10, 20, 100, 200, 1000)]
    assert false_alarms(1000, first_look=1000) == pytest.approx(0.05, abs=0.005)
