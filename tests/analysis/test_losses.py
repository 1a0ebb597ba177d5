"""What moves lose in winning chance and points, by judgements made by hand; and what is at stake."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis import Analyst, Judgement, MoveClass, classify, points_of_a_win
from spielleiter.analysis.losses import Glances, cost_of, glance_at_moves, points_between
from spielleiter.game import AnyGame, Team

BLOKUS = games.load("blokus-2027")
START = BLOKUS.new_state(Random(1))
BEST, OTHER = START.legal_moves()[:2]


class Glancing(Analyst):
    """Knows the chance and the lead after some moves; all others are hopeless."""

    def __init__(self, known: dict[Any, Judgement]) -> None:
        super().__init__()
        self._known = known

    def glance(self, game: AnyGame, state: Any) -> Judgement | None:
        return self._known.get(state.last_move, Judgement(0.0001, lead=-60.0))


def test_throwing_points_away_in_a_lost_position_is_not_a_best_move() -> None:
    analyst = Glancing({BEST: Judgement(0.0001, lead=-30.0), OTHER: Judgement(0.0001, lead=-42.0)})
    found = glance_at_moves(analyst, BLOKUS, START, BEST, OTHER)
    assert found.points == 12
    assert classify(cost_of(BLOKUS, 0.0, found.points), found.stake) is MoveClass.BLUNDER
    assert glance_at_moves(analyst, BLOKUS, START, BEST, BEST).points == 0


def test_points_are_lost_by_the_team_whose_lead_falls() -> None:
    before, after = Judgement(0.5, lead=-30.0), Judgement(0.5, lead=-42.0)
    assert [points_between(team, before, after) for team in Team] == [12, 0]
    assert [points_between(team, after, before) for team in Team] == [0, 12]


def test_where_the_engine_has_seen_the_end_no_points_are_lost() -> None:
    assert points_between(Team.ONE, Judgement(0.001, lead=-30.0), Judgement(0.0)) == 0
    assert points_between(Team.ONE, Judgement(1.0), Judgement(0.7, lead=10.0)) == 0


def test_the_heavier_of_two_losses_decides() -> None:
    assert points_of_a_win(BLOKUS.points_per_log_odds or 0) == 60
    assert classify(cost_of(BLOKUS, 0.22, 1.0)) is MoveClass.BLUNDER
    assert classify(cost_of(BLOKUS, 0.02, 7.0)) is MoveClass.MISTAKE
    assert cost_of(BLOKUS, 0.0, 1000.0) == 1


def test_a_game_without_measured_points_is_judged_by_the_chance() -> None:
    assert cost_of(replace(BLOKUS, points_per_log_odds=None), 0.02, 9.0) == 0.02


def test_what_is_at_stake_is_what_a_move_drawn_by_lot_would_cost() -> None:
    analyst = Glancing({BEST: Judgement(0.0001, lead=-30.0)})
    assert glance_at_moves(analyst, BLOKUS, START, BEST, BEST).stake == pytest.approx(0.5)


def test_where_all_moves_are_equal_nothing_is_at_stake() -> None:
    assert glance_at_moves(Glancing({}), BLOKUS, START, BEST, OTHER) == Glances()


def test_a_move_without_alternatives_has_no_stake() -> None:
    class Forced:
        to_move = Team.ONE

        def legal_moves(self) -> list[str]:
            return ["the only one"]

    assert glance_at_moves(Analyst(), BLOKUS, Forced(), "the only one", "the only one") == Glances()
