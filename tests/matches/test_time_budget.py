"""A match that fits into a lesson: never longer than there is time, and as much of it as possible."""

from __future__ import annotations

import pytest

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.matches.pairings import Format
from spielleiter.matches.time_budget import fit_match, usual_plies

LESSON = 20 * 60.0


@pytest.mark.parametrize("players", [2, 3, 4, 5, 10, 17, 30, 60])
@pytest.mark.parametrize("minutes", [10, 20, 90])
@pytest.mark.parametrize("slots", [1, 2, 8])
def test_what_is_planned_ends_in_time_if_it_can_be_planned(players: int, minutes: int, slots: int) -> None:
    try:
        found = fit_match(players, 60.0 * minutes, slots, plies=60, usual=2.0)
    except SettingsError:
        assert (players, minutes) >= (30, 10)
        return
    assert found.duration <= 60 * minutes
    assert 0.05 <= found.seconds <= 2.0
    assert found.games % 2 == 0
    assert (found.rounds is not None) == (found.format is Format.SWISS)


def test_thirty_teams_play_a_swiss_match_of_five_rounds_in_twenty_minutes_on_four_cores() -> None:
    found = fit_match(30, LESSON, slots=2, plies=60, usual=2.0)
    assert (found.format, found.rounds, found.total) == (Format.SWISS, 5, 150)
    assert found.seconds >= 0.2


def test_few_players_meet_all_others_with_the_time_of_the_contest() -> None:
    found = fit_match(4, 2 * LESSON, slots=2, plies=60, usual=2.0)
    assert (found.format, found.seconds) == (Format.ROUND_ROBIN, 2.0)
    assert found.games > 2, "and more than once, as there is time"
    assert fit_match(2, LESSON, slots=2, plies=60, usual=2.0).format is Format.DUEL


def test_too_little_time_is_refused_with_how_much_it_takes() -> None:
    with pytest.raises(SettingsError, match=r"30 players need at least \d+ minutes"):
        fit_match(30, 60.0, slots=1, plies=60, usual=2.0)


@pytest.mark.parametrize("key", games.all_games())
def test_every_game_has_a_usual_length(key: str) -> None:
    assert 5 < usual_plies(games.load(key)) < 200
