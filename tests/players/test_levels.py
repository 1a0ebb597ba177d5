"""Each level of the built-in players beats the one below on every game, and so does the explorer, who stands beside.

All is deterministic: seeds, and a number of nodes instead of seconds. ``bench/players.py`` measures it at full time.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from spielleiter import players
from spielleiter.game import TEAMS, AnyGame, Team
from spielleiter.games import all_games

pytestmark = pytest.mark.slow

NO_HURRY = 3600.0
NEWEST = {game.key.split("-")[0]: game for game in all_games().values() if not game.official}
"""One rule set of each game: the newest season's, as its keys are in order."""


def play(start: Any, one: str, two: str) -> Any:
    sides = players.load(one), players.load(two)
    state = start
    while state.outcome is None:
        state = state.play(sides[state.to_move].choose(state, NO_HURRY))
    return state.outcome


def score(game: AnyGame, better: str, worse: str, pairs: int) -> float:
    """The part of the points that ``better`` wins: pairs of games from the same start, with sides swapped."""
    points = 0
    for seed in range(pairs):
        rng = Random(seed)
        start = game.new_state(rng)
        for _ in range(4):  # Some first moves by chance, so that no two pairs are alike.
            start = start.play(rng.choice(start.legal_moves()))
        for team in TEAMS:
            outcome = play(start, better, worse) if team is Team.ONE else play(start, worse, better)
            points += outcome.victory_points(team)
    return points / (4 * pairs)


@pytest.mark.parametrize("game", NEWEST.values(), ids=lambda game: game.key)
@pytest.mark.parametrize(
    ("better", "worse", "pairs", "at_least"),
    [
        ("greedy:seed=1", "random:seed=1", 3, 0.9),
        ("student:seed=1", "greedy:seed=1", 12, 0.65),
        ("solid:depth=3,nodes=1500,seed=1", "student:seed=1", 3, 0.65),
        ("explorer:nodes=200,seed=1", "greedy:seed=1", 3, 0.8),
    ],
)
def test_each_level_beats_the_one_below(game: AnyGame, better: str, worse: str, pairs: int, at_least: float) -> None:
    assert score(game, better, worse, pairs) >= at_least
