"""Pictures for shared links: what is written on them fits."""

from __future__ import annotations

import re

import pytest

from spielleiter.pages.season import cards


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Bitschubser des Gymnasiums Kronshagen und Umgebung",
        "Die langen Softwareingenieurinnen vom Nordostseekanal e. V.",
        "W" * 60,
    ],
)
def test_the_longest_name_of_a_team_stands_whole_on_the_card_of_a_game(name: str) -> None:
    lines = cards._lines(name, 54, 2, 630, spare=1, bold=True)
    written = re.findall(r">([^<]+)</text>", "".join(line for _, line in lines))
    assert "".join(written).replace(" ", "") == name.replace(" ", "")
    assert sum(height for height, _ in lines) <= 150


def test_a_gap_is_a_space_and_nothing_else() -> None:
    [line] = cards._lines("Ada", 54, 2, 630)
    assert cards._stacked([line, cards._GAP, line], 630).count("<text") == 2
    assert cards._stacked([cards._GAP], 630) == ""
