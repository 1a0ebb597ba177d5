"""The face of the native engine: searches, budget, bad input."""

from __future__ import annotations

import importlib.util
import signal
import sys
import threading
import tomllib
from math import exp
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import spielleiter
from spielleiter import games
from spielleiter.errors import EngineMissing, GameIsOver
from spielleiter.game import AnyGame, Team
from spielleiter.search import Budget, engine
from tests.support.played import needs_engine

KEYS = ["piranhas-2019", "piranhas-2026-official", "ostseeschach-2022", "blokus-2021", "blokus-2027-official"]


def start(key: str, seed: int = 1, plies: int = 0) -> tuple[AnyGame, Any]:
    game = games.load(key)
    rng = Random(seed)
    state = game.new_state(rng)
    for _ in range(plies):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return game, state


def finished(key: str) -> tuple[AnyGame, Any]:
    game, state = start(key)
    rng = Random(2)
    while moves := state.legal_moves():
        state = state.play_unchecked(rng.choice(moves))
    return game, state


def test_package_and_engine_have_one_version() -> None:
    cargo = Path(__file__).parents[2] / "engine" / "Cargo.toml"
    assert tomllib.loads(cargo.read_text(encoding="utf-8"))["package"]["version"] == spielleiter.__version__


def test_an_engine_of_another_version_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spielleiter, "_engine", SimpleNamespace(VERSION="0.0.1"), raising=False)
    spec = importlib.util.spec_from_file_location("another_native", engine.__file__)
    assert spec is not None
    assert spec.loader is not None
    another = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "another_native", another)
    spec.loader.exec_module(another)
    assert "found 0.0.1, needed" in another.why_unavailable().en
    with pytest.raises(another.EngineMissing, match=r"found 0\.0\.1"):
        another.EngineSearch(games.load("piranhas-2019"))


def test_without_the_engine_making_a_search_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    assert engine.version() is None
    assert engine.rule_sets() == ()
    with pytest.raises(EngineMissing, match="not built"):
        engine.EngineSearch(games.load("piranhas-2019"))


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_a_line_is_a_sequence_of_legal_moves(key: str) -> None:
    game, state = start(key, plies=6)
    search = engine.EngineSearch(game, table_mib=1)
    result = search.search(state, Budget(nodes=3000), lines=3)
    assert len(result.lines) == 3
    assert len({line.moves[0] for line in result.lines}) == 3
    assert result.lines[0].score >= result.lines[1].score >= result.lines[2].score
    assert result.win_probability is not None
    assert 0.0 <= result.win_probability <= 1.0
    odds = result.lines[0].log_odds
    assert odds is not None
    assert 1 / (1 + exp(-odds)) == pytest.approx(result.win_probability)
    assert 0 < result.nodes <= 3001
    for line in result.lines:
        at = state
        for move in line.moves:
            at = at.play(move)
    assert result.move == result.lines[0].moves[0]


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_a_search_with_fixed_nodes_is_deterministic(key: str) -> None:
    game, state = start(key, plies=5)
    budget = Budget(nodes=4000)
    first, second = (engine.EngineSearch(game, table_mib=1).search(state, budget) for _ in range(2))
    assert (first.lines, first.depth, first.nodes) == (second.lines, second.depth, second.nodes)


@needs_engine
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("budget", [Budget(seconds=0), Budget(nodes=0), Budget(depth=0), Budget(seconds=-1)])
def test_a_limit_of_zero_gives_a_legal_move_at_once(key: str, budget: Budget) -> None:
    game, state = start(key)
    result = engine.EngineSearch(game, table_mib=1).search(state, budget)
    assert state.violation(result.move) is None
    assert result.nodes < 1000


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_a_search_that_ends_before_its_first_look_has_no_value(key: str) -> None:
    game, state = start(key)
    result = engine.EngineSearch(game, table_mib=1).search(state, Budget(nodes=1), lines=3)
    assert not result.has_value
    assert result.win_probability is None


@needs_engine
def test_overwhelming_odds_are_not_a_certainty() -> None:
    game, state = start("blokus-2027")
    odds, sure = (engine.EngineSearch(game, table_mib=1)._line(state, [], score, 1.0) for score in (8000, 29_990))
    assert 0.999 < odds.win_probability < 1
    assert odds.log_odds == pytest.approx(44, abs=0.1)
    assert (sure.win_probability, sure.log_odds) == (1.0, None)


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_tree_search_is_deterministic_and_finds_legal_moves(key: str) -> None:
    game, state = start(key, plies=5)
    first, second = (engine.EngineSearch(game, table_mib=1, tree=True).search(state, Budget(nodes=800)) for _ in "ab")
    assert first.lines == second.lines
    assert 0 < first.nodes <= 801
    for move in first.lines[0].moves:
        state = state.play(move)
    at_once = engine.EngineSearch(game, table_mib=1, tree=True).search(start(key)[1], Budget(seconds=0))
    assert start(key)[1].violation(at_once.move) is None


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_a_tree_search_goes_on_where_the_game_went(key: str) -> None:
    game, state = start(key, plies=5)
    search = engine.EngineSearch(game, table_mib=16, tree=True)
    line = search.search(state, Budget(nodes=4000)).line
    assert len(line) > 2
    later = state.play(line[0]).play(line[1])
    # Without a simulation of its own the search can know this only from the one before.
    assert search.search(later, Budget(nodes=0)).line == line[2:]
    # A position that the tree does not lead to begins a new one.
    fresh = engine.EngineSearch(game, table_mib=16, tree=True)
    assert search.search(state, Budget(nodes=500)).lines == fresh.search(state, Budget(nodes=500)).lines


def play_to_the_end(game: AnyGame, state: Any, points: bool) -> Any:
    """The end of a game whose side to move now searches with or without points, and the other one without."""
    team = state.to_move
    own, other = (engine.EngineSearch(game, table_mib=4, tree=True, points=flag) for flag in (points, False))
    while state.outcome is None:
        search = own if state.to_move is team else other
        state = state.play(search.search(state, Budget(nodes=1500)).move)
    return state


@needs_engine
def test_with_points_a_tree_search_gets_more_of_them_for_the_same_result() -> None:
    gained = 0
    for seed in range(4):
        game, state = start("blokus-2027", seed=seed, plies=44)
        team = state.to_move
        without, with_points = (play_to_the_end(game, state, points) for points in (False, True))
        assert with_points.outcome.winner is without.outcome.winner
        gained += with_points.points(team)[1] - without.points(team)[1]
    assert gained > 0


@needs_engine
@pytest.mark.parametrize("tree", [False, True], ids=["alpha-beta", "tree"])
@pytest.mark.parametrize("key", KEYS)
def test_a_finished_game_has_no_move_to_find(key: str, tree: bool) -> None:
    game, state = finished(key)
    search = engine.EngineSearch(game, table_mib=1, tree=tree)
    with pytest.raises(GameIsOver):
        search.search(state, Budget(nodes=100))
    assert search.legal_moves(state) == ()
    assert search.perft(state, 3) == 0
    assert search.perft(state, 0) == 1
    winner, one, two = search.playout(state, 1)
    assert winner == state.outcome.winner
    assert (one, two) == (state.points(Team.ONE), state.points(Team.TWO))


@needs_engine
def test_threads_find_a_legal_move() -> None:
    game, state = start("ostseeschach-2022")
    result = engine.EngineSearch(game, table_mib=1, threads=2).search(state, Budget(nodes=5000))
    assert state.violation(result.move) is None


@needs_engine
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")
def test_an_interrupt_ends_a_search() -> None:
    game, state = start("piranhas-2019")
    search = engine.EngineSearch(game, table_mib=1)
    assert threading.current_thread() is threading.main_thread()
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            search.search(state, Budget(seconds=1e9))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            search.perft(state, 12)
    finally:
        signal.signal(signal.SIGALRM, old)
    assert search.search(state, Budget(nodes=500)).move in state.legal_moves()


@needs_engine
@pytest.mark.parametrize(
    "text",
    [
        "",
        "chess",
        "piranhas-2019",
        "piranhas-2019 9/9 0",
        "piranhas-2019 1BBBBBBBB1/R8R/R8R/R8R/R8R/R8R/R8R/R8R/R8R/1BBBBBBBB1 99",
        "piranhas-2019 1BBBBBBBB1/R8R/R8R/R8R/Ré7R/R8R/R8R/R8R/R8R/1BBBBBBBB1 0",
        "ostseeschach-2022 8/8/8/8/8/8/8/8 0-0",
        "ostseeschach-2022 H7/8/8/8/8/8/8/8 0-0 0",
        "ostseeschach-2022 8/8/8/8/8/8/8/99999999999999999999 0-0 0",
        "blokus-2021 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/BB18B 0 PENTO_V BYRG -",
        "blokus-2021 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/BBBBBB14 4 PENTO_V BYRG -",
        "blokus-2021 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 0 MONO BYRG -",
        "blokus-2021 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20 300 PENTO_V BYRG -",
    ],
)
def test_text_that_is_not_a_position_is_refused(text: str) -> None:
    from spielleiter import _engine

    with pytest.raises(ValueError, match=r"expected|impossible|nothing|only|leaves|no piece"):
        _engine.describe(text)


@needs_engine
def test_memory_that_cannot_be_had_is_an_error() -> None:
    with pytest.raises(MemoryError):
        engine.EngineSearch(games.load("piranhas-2019"), table_mib=1 << 40)


@needs_engine
def test_nan_is_not_a_time() -> None:
    game, state = start("piranhas-2019")
    with pytest.raises(ValueError, match="NaN"):
        engine.EngineSearch(game, table_mib=1).search(state, Budget(seconds=float("nan")))


@needs_engine
def test_a_watched_search_shows_its_depth_and_can_be_stopped() -> None:
    game, state = start("piranhas-2026", plies=6)
    seen: list[engine.Analysis[Any]] = []

    def watch(news: engine.Analysis[Any] | None) -> bool:
        if news is not None:
            seen.append(news)
        return len(seen) >= 3

    found = engine.EngineSearch(game, table_mib=4).search(state, Budget(seconds=60), lines=3, watch=watch)
    assert found.seconds < 50
    depths = [news.depth for news in seen]
    assert depths == sorted(set(depths))
    assert found.depth >= depths[-1]
    assert all(len(news.lines) == 3 for news in seen)


@needs_engine
def test_what_goes_wrong_while_watching_is_raised() -> None:
    game, state = start("piranhas-2026")

    def watch(news: object) -> bool:
        raise LookupError("nobody is there")

    with pytest.raises(LookupError, match="nobody is there"):
        engine.EngineSearch(game, table_mib=4).search(state, Budget(seconds=60), watch=watch)


@needs_engine
@pytest.mark.parametrize("key", KEYS)
def test_a_tree_finds_several_lines_and_plays_the_best_of_them(key: str) -> None:
    game, state = start(key, plies=5)
    result = engine.EngineSearch(game, table_mib=1, tree=True).search(state, Budget(nodes=2000), lines=3)
    firsts = [line.moves[0] for line in result.lines]
    assert len(firsts) == len(set(firsts)) == min(3, len(state.legal_moves()))
    assert result.move == firsts[0]
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)


@needs_engine
def test_a_limit_of_depth_is_one_of_alpha_beta_also_where_a_tree_plays() -> None:
    game, state = start("blokus-2027", plies=8)
    by_tree, by_depth = (engine.EngineSearch(game, table_mib=1, tree=tree) for tree in (True, False))
    assert by_tree.search(state, Budget(depth=2)).lines == by_depth.search(state, Budget(depth=2)).lines
