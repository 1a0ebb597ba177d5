"""What a game is worth: by the rules, by faults, or undecided."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.game import TEAMS, AnyGame, Cause, Team, Text, random_game
from spielleiter.referee import verdict
from tests.support.theatre import every_season

WHY = Text("der Grund", "the reason")


@every_season
def test_by_the_rules_both_sides_have_the_points_of_the_last_state(game: AnyGame) -> None:
    *_, last = random_game(game.new_state(Random(5)), Random(5))
    result = verdict.by_the_rules(last, last.outcome)
    assert result.regular
    assert (result.winner, result.reason) == (last.outcome.winner, last.outcome.reason.text)
    assert [team.points for team in result.teams] == [tuple(last.points(team)) for team in TEAMS]
    assert result.offenders() == ()


@every_season
@pytest.mark.parametrize("offender", TEAMS)
def test_the_offender_has_nothing_and_the_other_wins_and_keeps_the_other_scores(game: AnyGame, offender: Team) -> None:
    state = game.new_state(Random(5))
    result = verdict.by_fault(state, {offender: Cause.LEFT}, WHY)
    assert not result.regular
    assert (result.winner, result.offenders()) == (offender.opponent, (offender,))
    assert set(result.teams[offender].points) == {0}
    assert result.teams[offender.opponent].points == (2, *state.points(offender.opponent)[1:])


@every_season
def test_if_both_are_at_fault_nobody_wins(game: AnyGame) -> None:
    result = verdict.by_fault(game.new_state(Random(5)), dict.fromkeys(TEAMS, Cause.LEFT), WHY)
    assert result.winner is None
    assert all(set(team.points) == {0} for team in result.teams)


@every_season
def test_an_undecided_game_has_no_victory_points(game: AnyGame) -> None:
    state = game.new_state(Random(5))
    result = verdict.undecided(state, WHY)
    assert (result.winner, result.regular, result.offenders()) == (None, False, ())
    assert [team.points[0] for team in result.teams] == [0, 0]
    assert [team.points[1:] for team in result.teams] == [tuple(state.points(team))[1:] for team in TEAMS]
