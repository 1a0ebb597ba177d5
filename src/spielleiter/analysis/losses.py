"""What a move gave away, and what was at stake before it: differences between the engine's judgements."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from spielleiter.analysis.analyst import Analyst, Judgement
from spielleiter.analysis.classification import loss_between, points_of_a_win
from spielleiter.game import AnyGame, Team

_DRAWN = 4
"""Moves drawn by lot, for what is at stake."""


@dataclass(frozen=True, slots=True)
class Glances:
    """What short looks at the moves of a position say: all of them equally short, so that they can be compared."""

    points: float = 0.0
    """Points that the move played loses against the best one."""
    stake: float = 0.0
    """What a move drawn by lot costs on average."""


def points_between(team: Team, before: Judgement, after: Judgement) -> float:
    """The expected points that ``team`` lost; nothing if it gained some, or where the engine has seen the end."""
    if before.lead is None or after.lead is None:
        return 0.0
    lost = before.lead - after.lead if team is Team.ONE else after.lead - before.lead
    return max(0.0, round(lost, 1))


def cost_of(game: AnyGame, chance: float, points: float) -> float:
    """The heavier of two losses, as a share of a win, from 0 to 1."""
    share = 0.0 if game.points_per_log_odds is None else points / points_of_a_win(game.points_per_log_odds)
    return min(1.0, max(chance, share))


def glance_at_moves(analyst: Analyst, game: AnyGame, state: Any, best: Any, played: Any) -> Glances:
    """What the move ``played`` loses against ``best``, and what lots would cost; the same lots in the same position."""
    moves, team = state.legal_moves(), state.to_move
    if len(moves) < 2 or (expected := analyst.glance(game, state.play_unchecked(best))) is None:
        return Glances()

    def losses(move: Any) -> tuple[float, float]:
        found = None if move == best else analyst.glance(game, state.play_unchecked(move))
        if found is None:
            return 0.0, 0.0
        return loss_between(expected.chance(team), found.chance(team)), points_between(team, expected, found)

    lots = Random(state.turn).choices(moves, k=_DRAWN)
    return Glances(losses(played)[1], sum(cost_of(game, *losses(move)) for move in lots) / len(lots))
