"""The players by strength: eight levels with measured ratings, and the players in Python, each better than the last.

All is deterministic: seeds, and a number of nodes instead of seconds. ``bench/levels.py`` plays the tournament of the
levels, ``bench/players.py`` measures the others at full time.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bench.players import NEWCOMER, Match
from spielleiter import games, players
from spielleiter.game import TEAMS, AnyGame, Team
from spielleiter.games import all_games
from spielleiter.matches.openings import Openings
from spielleiter.players import BUILT_IN, LEVELS, Limit, LimitedPlayer
from spielleiter.rating.pairs import tally
from tests.support.night import by_day
from tests.support.played import needs_engine

DOCUMENT = Path(__file__).parents[2] / "docs" / "players.md"
MAX_GAP = 250
STEP_ERROR = 66
"""How far a measured step may be off (docs/players.md)."""

NO_HURRY = 3600.0
NEWEST = {game.family: game for game in all_games().values() if not game.official}
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


def limited(limit: Limit) -> LimitedPlayer:
    return LimitedPlayer(lambda game: limit, seed=1)


# --- the eight levels -------------------------------------------------------------------------------------------------


def test_there_are_eight_levels_with_names_and_sentences_of_their_own() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 9))
    for language in ("de", "en"):
        assert len({level.title.to(language) for level in LEVELS}) == 8
        assert len({level.text.to(language) for level in LEVELS}) == 8
    assert [BUILT_IN[level.name].level for level in LEVELS] == list(LEVELS)


@pytest.mark.parametrize("game", [game for game in all_games().values() if game.level_ratings], ids=str)
def test_no_level_is_out_of_order_or_too_far_from_the_one_below(game: AnyGame) -> None:
    gaps = [stronger - weaker for weaker, stronger in pairwise(game.level_ratings)]
    assert len(gaps) == len(LEVELS) - 1
    assert min(gaps) > 0
    assert max(gaps) <= MAX_GAP + STEP_ERROR
    assert game.level_ratings[-1] == 2000


@pytest.mark.parametrize("game", all_games().values(), ids=str)
def test_each_game_limits_each_level(game: AnyGame) -> None:
    assert [level.limit(game) for level in LEVELS] == list(game.level_limits)


def test_the_document_states_the_rating_of_each_level_with_its_error() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").splitlines()
    table = [line.split("|")[1:-1] for line in text if line.startswith(("| name | called |", "| `level"))]
    (*_, families), *stated = [[*row[:3], row[3:]] for row in ([cell.strip() for cell in row] for row in table)]
    assert [row[0] for row in stated] == [f"`{level.name}`" for level in LEVELS]
    rated = {game.title.de.removesuffix(f" {game.year}"): game for game in NEWEST.values() if game.level_ratings}
    assert set(families) == set(rated)
    for level, row in zip(LEVELS, stated, strict=True):
        ratings = {family: int(cell.split("±")[0]) for family, cell in zip(families, row[3], strict=True)}
        assert ratings == {family: level.elo(game) for family, game in rated.items()}
        assert level.title.en in row[1]
        assert level.title.de in row[1]


@needs_engine
def test_a_level_plays_the_same_however_much_time_it_has() -> None:
    state = games.load("ostseeschach-2022").new_state(Random(5))
    for level in LEVELS[:6]:
        assert level.make(seed=3).choose(state, 1e6) == level.make(seed=3).choose(state, 30.0)


@needs_engine
def test_a_game_may_have_a_limit_of_its_own() -> None:
    player = LimitedPlayer(lambda game: Limit(2 if game.family == "piranhas" else 1), seed=1)
    for key, depth in (("piranhas-2026", 2), ("ostseeschach-2022", 1)):
        player.choose(games.load(key).new_state(Random(1)), 100.0)
        assert player.last is not None
        assert player.last.depth == depth


@needs_engine
def test_a_limit_says_among_how_many_moves_chance_decides() -> None:
    state = games.load("blokus-2027").new_state(Random(1))
    for choice in (1, 3):
        player = limited(Limit(1, temperature=10.0, choice=choice))
        assert len({player.choose(state, 100.0) for _ in range(30)}) == choice


@needs_engine
def test_part_of_a_move_is_looked_ahead_in_part_of_the_moves() -> None:
    player, state = limited(Limit(1.5)), games.load("ostseeschach-2022").new_state(Random(1))
    depths = []
    for _ in range(40):
        player.choose(state, 100.0)
        assert player.last is not None
        depths.append(player.last.depth)
    assert 10 < depths.count(2) < 30
    assert depths.count(1) + depths.count(2) == 40


@needs_engine
def test_a_limit_says_how_many_moves_are_drawn_from_all_legal_ones() -> None:
    player, state = limited(Limit(1, blunders=0.3)), games.load("ostseeschach-2022").new_state(Random(1))
    best = limited(Limit(1)).choose(state, 100.0)
    moves = [player.choose(state, 100.0) for _ in range(200)]
    assert 30 < sum(move != best for move in moves) < 90
    assert len(set(moves)) > 10


@pytest.mark.slow
@needs_engine
@pytest.mark.parametrize("game", NEWEST.values(), ids=str)
def test_somebody_who_has_just_read_the_rules_can_win_against_the_first_level(game: AnyGame) -> None:
    match = Match(("level1", NEWCOMER))
    greedy = Match(("greedy", "level1"))
    openings = Openings(seed=1, random_moves=0 if game.family == "blokus" else 4)
    for number in range(6):
        match.play_pair(game, openings.position(game, number), number, NO_HURRY)
        greedy.play_pair(game, openings.position(game, number), number, NO_HURRY)
    assert 0.2 <= tally(match.games, *match.names).score <= 0.85
    assert tally(greedy.games, *greedy.names).score >= 0.8


# --- the players in Python --------------------------------------------------------------------------------------------


RUNGS = [
    ("greedy:seed=1", "random:seed=1", 3, 0.9),
    ("student:seed=1", "greedy:seed=1", 12, 0.65),
    ("solid:depth=3,nodes=1500,seed=1", "student:seed=1", 3, 0.65),
    ("explorer:nodes=200,seed=1", "greedy:seed=1", 3, 0.8),
]
LADDERS = [
    (game, *rung)
    for rung in RUNGS
    for game in NEWEST.values()
    # The race of hares is won by those who look far ahead: these two are no better than greedy (docs/players.md).
    if (game.family, rung[1:2]) != ("hase-und-igel", ("greedy:seed=1",))
]
BY_DAY = [ladder for ladder in LADDERS if ladder[0] is NEWEST["ostseeschach"] or ladder[1:] == RUNGS[0]]
"""The first rung of each game, and all rungs of the quickest game."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "better", "worse", "pairs", "at_least"), by_day(LADDERS, BY_DAY), ids=str)
def test_each_player_beats_the_one_below(game: AnyGame, better: str, worse: str, pairs: int, at_least: float) -> None:
    assert score(game, better, worse, pairs) >= at_least
