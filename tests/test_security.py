"""SECURITY.md says of the sandbox what its levels promise, no more and no less."""

from __future__ import annotations

from pathlib import Path

from spielleiter.programs.sandbox import Level
from spielleiter.programs.sandbox.promises import Attack, Promise, promises

PAGE = Path(__file__).parents[1] / "SECURITY.md"
WORDS = {Promise.REFUSED: "refused", Promise.ENDED: "ended", Promise.OPEN: "open"}


def promised(level: Level, attack: Attack) -> str:
    """The cell of the table: without a control group, and with one where that is better."""
    watched, counted = (WORDS[promises(level, cgroup=cgroup)[attack]] for cgroup in (False, True))
    return watched if watched == counted else f"{watched}, {counted}"


def test_the_table_of_the_sandbox_is_that_of_its_levels() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.count("|") == len(Level) + 3 and not line.startswith("|-")
    ]
    heading, *attacks = rows
    assert heading == ["an attack", *(level.value for level in Level), "isolate"]
    expected = [[attack.value.en, *(promised(level, attack) for level in Level)] for attack in Attack]
    assert [row[:-1] for row in attacks] == expected
