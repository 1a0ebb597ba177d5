"""Who is waited for, and how busy the machine is."""

from __future__ import annotations

import pytest

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.web.season.organisers.overview import machine_load, waiting


def _what(blocker: Blocker, *missing: str, is_running: bool = False) -> list[str]:
    found = waiting(SeasonState(blocker, Stage.CHAMPIONSHIP, 1), missing, is_running=is_running)
    return [f"{each.who.en}: {each.what.en}" for each in found]


def test_organisers_are_named_where_only_they_can_go_on() -> None:
    assert _what(Blocker.GAMES) == ["the organisers: run the season"]
    assert _what(Blocker.GAMES, is_running=True) == []
    assert _what(Blocker.LOT, is_running=True) == ["the organisers: draw the lot"]
    assert _what(Blocker.PAUSE) == ["the organisers: end the pause"]


def test_teams_without_a_program_are_named_until_the_season_is_over() -> None:
    teams = [f"Team {number}" for number in range(8)]
    assert _what(Blocker.DATE, *teams, is_running=True) == [
        "Team 0, Team 1, Team 2, Team 3, Team 4, Team 5 and 2 more: upload and activate a program"
    ]
    assert _what(Blocker.NOTHING, *teams) == []


def test_the_load_is_shown_where_the_system_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (1.0, 0.0, 0.0))
    assert machine_load().de.startswith("1,0 rechnende Prozesse auf ")

    def unknown() -> None:
        raise OSError

    monkeypatch.setattr("os.getloadavg", unknown)
    assert machine_load().en.endswith("cores")
