"""The style sheets can be reviewed: a change of one declaration is a change of one line."""

from __future__ import annotations

import re

import pytest

from spielleiter.pages.environment import STATIC

MAX_COLUMNS = 100


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.glob("*.css")))
def test_every_declaration_and_every_brace_has_a_line_of_its_own(name: str) -> None:
    text = (STATIC / name).read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", text, flags=re.DOTALL)
    crowded = [line for line in code.splitlines() if re.search(r"[;{}]\s*\S", line)]
    assert crowded == []
    assert [line for line in text.splitlines() if len(line) > MAX_COLUMNS] == []
