"""The programme of a season: page by page, every encounter of the next day once, with the standings of its group."""

from __future__ import annotations

import pytest

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import Contest
from spielleiter.pages.season import programme
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.programme import Programme, programme_of


def _programme(contest: Contest) -> Programme:
    found = programme_of(Pages(read_snapshot(contest)))
    assert found is not None
    return found


def test_pages_have_the_encounters_of_one_group_each_beside_its_standings(halfway: Contest) -> None:
    shown = _programme(halfway)
    assert [each for page in shown.pages for each in page.encounters] == sorted(
        shown.encounters, key=lambda each: each.group
    )
    assert [page.group.en for page in shown.pages if page.group] == ["Group A", "Group B"]
    for page in shown.pages:
        assert page.standings is not None
        assert {each.group for each in page.encounters} == {page.standings.group}
    assert shown.bracket is None


def test_a_group_with_many_encounters_has_several_pages(halfway: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _programme(halfway)
    monkeypatch.setattr(programme, "MAX_SHOWN", 1)
    assert [page.encounters for page in _programme(halfway).pages] == [
        (each,) for page in whole.pages for each in page.encounters
    ]


def test_a_season_that_is_over_has_its_bracket_and_winners(played: Contest) -> None:
    shown = _programme(played)
    assert shown.bracket is not None
    assert [page.standings for page in shown.pages] == [None]
    assert len(shown.podium) >= 4
    assert shown.final is not None
