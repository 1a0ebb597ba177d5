"""The players on the native engine: there or visibly absent, obedient to their options, never late."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest

from spielleiter import games, players
from spielleiter.errors import UnknownPlayer
from spielleiter.game import AnyGame
from spielleiter.players import Limit, LimitedPlayer
from spielleiter.players.builtin import RESERVE
from spielleiter.players.engine import Reserve
from spielleiter.search import Budget, engine
from tests.support.played import needs_engine

NAMES = ("novice", "club", "expert")
NO_HURRY = 3600.0


def _limit(limit: Limit, game: AnyGame) -> Limit:
    return limit


def start(key: str, plies: int = 0) -> Any:
    rng = Random(key)
    state = games.load(key).new_state(rng)
    for _ in range(plies):
        state = state.play_unchecked(rng.choice(state.legal_moves()))
    return state


@pytest.mark.parametrize("name", [*NAMES, "level1", "level8"])
def test_without_the_engine_its_players_search_in_python_and_say_why(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    game = games.load("ostseeschach-2022")
    why = players.BUILT_IN[name].why_weaker(game)
    assert why is not None
    assert "nicht gebaut (no such module); die Suche in Python springt ein" in why.de
    assert players.BUILT_IN["solid"].why_weaker(game) is None
    state = start(game.key)
    assert state.violation(players.load(name).choose(state, 0.3)) is None


def test_in_python_a_limit_holds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    state = start("ostseeschach-2022", plies=6)
    for depth in (1, 2):
        player = LimitedPlayer(partial(_limit, Limit(depth)), seed=1)
        player.choose(state, NO_HURRY)
        assert player.last is not None
        assert player.last.depth == depth
    found = []
    for choice in (1, 40):
        player = LimitedPlayer(partial(_limit, Limit(1, temperature=100.0, choice=choice)), seed=1)
        found.append(len({player.choose(state, NO_HURRY) for _ in range(30)}))
    assert found[0] < 5 < 10 < found[1], "only moves of the same value, or nearly any"


def test_a_wrong_option_is_refused_also_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    with pytest.raises(UnknownPlayer, match="expert has no option 'depht'"):
        players.load("expert:depht=3")


@needs_engine
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("key", list(games.all_games()))
def test_a_player_on_the_engine_plays_every_rule_set(name: str, key: str) -> None:
    state = start(key, plies=3)
    move = players.load(f"{name}:hash=1,nodes=300").choose(state, 2.0)
    assert state.violation(move) is None


@needs_engine
def test_fixed_nodes_make_an_expert_repeat_itself() -> None:
    state = start("ostseeschach-2022")
    first: Any
    second: Any
    first, second = (players.load("expert:nodes=3000,hash=2") for _ in range(2))
    assert first.choose(state, 1e6) == second.choose(state, 1e6)
    assert first.last.nodes <= 3001
    assert first.last.line == second.last.line


@needs_engine
def test_a_seed_makes_a_novice_repeat_itself_and_another_seed_does_not() -> None:
    state = start("piranhas-2026", plies=4)

    def choices(seed: int) -> list[Any]:
        player = LimitedPlayer(lambda game: Limit(2, temperature=0.04), seed=seed, table_mib=1)
        return [player.choose(state, 2.0) for _ in range(12)]

    assert choices(1) == choices(1)
    assert len({tuple(map(str, choices(seed))) for seed in range(4)}) > 1


@needs_engine
def test_a_club_player_thinks_a_tenth_as_long_as_an_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    state = start("piranhas-2019", plies=2)
    budgets: list[float] = []
    search = engine.EngineSearch.search

    def spy(self: Any, state: Any, budget: Budget, *, lines: int) -> Any:
        budgets.append(budget.seconds)
        return search(self, state, replace(budget, nodes=100), lines=lines)

    monkeypatch.setattr(engine.EngineSearch, "search", spy)
    for name in ("club", "expert"):
        players.load(f"{name}:hash=1").choose(state, 100.0)
    assert budgets == pytest.approx([9.98, 99.8], abs=2.0), "all but the reserve, whatever the first look took"


@needs_engine
@pytest.mark.parametrize(
    ("name", "key", "tree"),
    [
        ("expert:hash=1", "blokus-2027", True),
        ("novice", "blokus-2027", False),
        ("expert:hash=1", "piranhas-2026", False),
    ],
)
def test_an_expert_searches_a_tree_in_blokus(name: str, key: str, tree: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Any] = []
    search = engine.EngineSearch.search

    def spy(self: Any, state: Any, budget: Budget, *, lines: int) -> Any:
        searches.append(search(self, state, replace(budget, nodes=300), lines=lines))
        return searches[-1]

    monkeypatch.setattr(engine.EngineSearch, "search", spy)
    state = start(key, plies=8)
    players.load(name).choose(state, 100.0)
    by_tree = search(engine.EngineSearch(games.load(key), table_mib=1, tree=True), state, Budget(nodes=300))
    assert (searches[0].lines == by_tree.lines) is tree


@needs_engine
def test_an_expert_keeps_its_tree_from_move_to_move_in_blokus() -> None:
    state = start("blokus-2027", plies=8)
    keeper: Any = players.load("expert:nodes=2000,hash=2")
    keeper.choose(state, 1e6)
    line = keeper.last.line
    later = state.play(line[0]).play(line[1])
    # Without a simulation of its own it can know this only from the search before.
    keeper._nodes = 0
    assert later.violation(keeper.choose(later, 1e6)) is None
    assert keeper.last.line == line[2:]


@needs_engine
def test_fixed_nodes_make_an_expert_repeat_a_whole_game() -> None:
    def game() -> list[Any]:
        state, player, moves = start("blokus-2027", plies=20), players.load("expert:nodes=100,hash=1"), []
        while state.outcome is None:
            moves.append(player.choose(state, 1e6))
            state = state.play(moves[-1])
        return moves

    assert game() == game()


@needs_engine
def test_the_first_move_has_a_table_already() -> None:
    with pytest.raises(MemoryError):
        players.load(f"expert:hash={1 << 40}")


@needs_engine
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seconds", [0.0, -1.0, 0.001])
def test_hardly_any_time_gives_a_legal_move_at_once(name: str, seconds: float) -> None:
    for key in ("piranhas-2026", "ostseeschach-2022", "blokus-2027"):
        state = start(key, plies=8)
        assert state.violation(players.load(f"{name}:hash=1").choose(state, seconds)) is None


def test_the_reserve_shrinks_on_a_punctual_machine_and_is_back_after_one_late_answer() -> None:
    reserve = Reserve()
    assert reserve.seconds == RESERVE
    for _ in range(20):
        reserve.record(0.003)
    assert 0.02 < reserve.seconds < 0.04
    reserve.record(0.06)
    assert reserve.seconds == pytest.approx(RESERVE)
    # A search that found the end before its time says nothing about the machine.
    reserve.record(-1.5)
    assert reserve.seconds > 0.15


@needs_engine
def test_experts_finish_games_of_all_kinds_by_legal_moves() -> None:
    for key in ("piranhas-2026-official", "ostseeschach-2022-official", "blokus-2027-official"):
        state, player = start(key), players.load("expert:nodes=50,hash=1")
        while state.outcome is None:
            state = state.play(player.choose(state, 10.0))
        assert state.legal_moves() in ((), [])
