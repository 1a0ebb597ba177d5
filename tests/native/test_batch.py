"""Many games at once are the games of the rules, whatever the number of threads; bad input changes nothing."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from random import Random
from typing import Any

import numpy as np
import pytest

from spielleiter import games, native
from spielleiter.errors import EngineMissing, IllegalMove, SettingsError, UnknownGame
from spielleiter.game import TEAMS
from spielleiter.native import Batch
from spielleiter.native import batch as batch_module
from spielleiter.search import engine
from tests.support.played import needs_engine

pytestmark = needs_engine

each_game = pytest.mark.parametrize("key", [key for key in games.all_games() if key in engine.rule_sets()])
one_of_each = pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])


def assert_shows(batch: Batch, index: int, state: Any) -> None:
    """The arrays show ``state`` as game ``index``, as the encoding in Python says."""
    encoding = batch.game.encoding
    assert batch.turns[index] == state.turn
    legal = [encoding.action(state, move) for move in state.legal_moves()]
    assert np.flatnonzero(batch.masks[index]).tolist() == sorted(legal)
    assert batch.to_move[index] == state.to_move
    assert batch.observations[index].tobytes() == encoding.plane_bytes(state, state.to_move)


@each_game
def test_games_are_played_by_the_rules(key: str) -> None:
    batch = Batch(key, 3, seed=5)
    state = batch.position(1).to_python()
    while True:
        assert_shows(batch, 1, state)
        actions = batch.random_actions()
        state = state.play(batch.game.encoding.move(state, int(actions[1])))
        batch.step(actions)
        if batch.done[1]:
            break
        assert not batch.rewards[1].any()
        assert not batch.points[1].any()
    assert [batch.rewards[1, team] + 1 for team in TEAMS] == [state.outcome.victory_points(team) for team in TEAMS]
    assert [tuple(batch.points[1, team]) for team in TEAMS] == [state.points(team) for team in TEAMS]
    assert_shows(batch, 1, batch.position(1).to_python())
    assert batch.position(1).outcome is None, "the next game has begun"


@one_of_each
def test_the_number_of_threads_changes_nothing(key: str) -> None:
    alone, together = Batch(key, 5, seed=9), Batch(key, 5, seed=9, threads=3)
    for _ in range(120):
        actions = alone.random_actions()
        assert np.array_equal(actions, together.random_actions())
        alone.step(actions)
        together.step(actions)
        for name in ("to_move", "turns", "rewards", "done", "points"):
            assert np.array_equal(getattr(alone, name), getattr(together, name)), name
    assert np.array_equal(alone.observations, together.observations)
    assert np.array_equal(alone.masks, together.masks)
    one, three = alone.search(30), together.search(30)
    assert np.array_equal(one.visits, three.visits)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_goes_on_without_the_threads_of_the_batch() -> None:
    batch, alone = (Batch("ostseeschach-2022", 700, seed=4, threads=threads) for threads in (2, 1))
    for steps in (batch, alone):
        steps.step(steps.random_actions())
    child = os.fork()
    if not child:
        batch.step(batch.random_actions())
        turns = batch.turns.tolist()
        del batch
        os._exit(0 if turns == [2] * 700 else 1)
    alone.step(alone.random_actions())
    batch.step(batch.random_actions())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(batch.observations, alone.observations)


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    first, again, other = (Batch("piranhas-2026", 4, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.observations, again.observations)
    assert not np.array_equal(first.observations, other.observations)
    other.step(other.random_actions())
    other.reset(1)
    assert np.array_equal(first.observations, other.observations)
    assert np.array_equal(first.random_actions(), other.random_actions())


@pytest.mark.parametrize("key", ["blokus-2021", "blokus-2027"])
def test_start_shapes_are_drawn_as_the_rules_say(key: str) -> None:
    batch = Batch(key, 300, seed=3)
    drawn = {batch.position(index).to_python().start for index in range(batch.n)}
    rules: Any = batch.game.new_state(Random(1)).rules
    assert drawn == set(rules.start_kinds)


def test_without_auto_reset_a_game_that_is_over_stays_so() -> None:
    batch = Batch("ostseeschach-2022", 6, seed=2, auto_reset=False)
    ended = np.zeros(6, np.bool_)
    while not ended.all():
        batch.step(batch.random_actions())
        assert not (batch.done & ended).any(), "a game ends once"
        ended |= batch.done
    assert not batch.masks.any()
    assert (batch.random_actions() == native.NO_ACTION).all()
    with pytest.raises(IllegalMove) as error:
        batch.step(np.zeros(6, np.int64))
    assert "game 0 of the batch" in error.value.__notes__[0]


def test_no_action_leaves_a_game_as_it_is() -> None:
    batch = Batch("piranhas-2019", 2, seed=1)
    actions = batch.random_actions().copy()
    actions[0] = native.NO_ACTION
    before = batch.observations.copy()
    batch.step(actions)
    assert np.array_equal(batch.observations[0], before[0])
    assert batch.turns.tolist() == [0, 1]


@one_of_each
def test_an_illegal_action_is_named_and_nothing_is_played(key: str) -> None:
    batch = Batch(key, 3, seed=4)
    before, actions = batch.observations.copy(), batch.random_actions().copy()
    actions[2] = np.flatnonzero(~batch.masks[2])[0]
    batch.masks[2] = True  # what a caller writes there is not believed
    with pytest.raises(IllegalMove) as error:
        batch.step(actions)
    assert f"action {actions[2]} in game 2 of the batch" in error.value.__notes__[0]
    assert np.array_equal(batch.observations, before)
    assert [batch.position(index).turn for index in range(3)] == [0, 0, 0]


def test_the_first_illegal_action_is_named_whatever_the_number_of_threads() -> None:
    batch = Batch("ostseeschach-2022", 1600, seed=4, threads=3)
    actions = batch.random_actions().copy()
    actions[[700, 1500]] = np.argmin(batch.masks[[700, 1500]], axis=1)
    with pytest.raises(IllegalMove) as error:
        batch.step(actions)
    assert "in game 700 of the batch" in error.value.__notes__[0]
    assert not batch.turns.any()


@pytest.mark.parametrize(
    "actions",
    [[1], [[1, 2]], [1.0, 2.0], [True, False], ["a", "b"], [1, 10**6], [1, -7]],
    ids=["too few", "two dimensions", "floats", "truth values", "texts", "too large", "negative"],
)
def test_something_that_is_not_a_list_of_actions_is_refused(actions: Any) -> None:
    batch = Batch("piranhas-2026", 2, seed=1)
    if actions in ([1, 10**6], [1, -7]):
        actions[0] = int(batch.random_actions()[0])
    with pytest.raises(SettingsError, match="expected"):
        batch.step(actions)
    assert not batch.turns.any()


def test_every_integer_type_will_do() -> None:
    batch = Batch("piranhas-2026", 2, seed=1)
    for kind in (np.int64, np.int32, np.uint16):
        batch.step(batch.random_actions().astype(kind))
    assert batch.turns.tolist() == [3, 3]


@pytest.mark.parametrize("n", [0, -1, 1.5, "3", True, None])
def test_a_batch_needs_games(n: Any) -> None:
    with pytest.raises(SettingsError, match="expected n to be a whole number from 1 on"):
        Batch("piranhas-2026", n)


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SettingsError, match="threads"):
        Batch("piranhas-2026", 1, threads=0)
    with pytest.raises(SettingsError, match="seed"):
        Batch("piranhas-2026", 1, seed=-1)
    with pytest.raises(UnknownGame):
        Batch("chess-1972", 1)
    with pytest.raises(SettingsError, match="nodes"):
        Batch("piranhas-2026", 1).search(0)
    with pytest.raises(SettingsError, match="where"):
        Batch("piranhas-2026", 1).search(1, where=np.array([True, False]))


def test_a_batch_larger_than_memory_is_refused_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="GiB of memory"):
        Batch("blokus-2027", 10**9)
    monkeypatch.setattr(batch_module, "_free_memory", lambda: 100_000)
    with pytest.raises(SettingsError, match="at most 1 games"):
        Batch("blokus-2027", 2)


def test_a_game_can_go_on_from_any_position() -> None:
    batch = Batch("ostseeschach-2022", 2, seed=1)
    state = batch.game.notation.parse_state("ostseeschach-2022 8/h1M5/8/8/8/8/8/4r3 1-0 58")
    batch.set_position(1, state)
    assert_shows(batch, 1, state)
    batch.set_position(0, native.position(state))
    assert np.array_equal(batch.observations[0], batch.observations[1])
    with pytest.raises(SettingsError, match="expected a position of ostseeschach-2022"):
        batch.set_position(0, games.load("piranhas-2019").new_state(Random(1)))
    with pytest.raises(IndexError, match="no game 2"):
        batch.set_position(2, state)
    with pytest.raises(IndexError, match="no game 2"):
        batch.position(2)


@one_of_each
def test_a_search_gives_targets_for_the_games_that_are_wanted(key: str) -> None:
    batch = Batch(key, 3, seed=6)
    targets = batch.search(60, where=np.array([True, False, True]))
    assert targets.actions[1] == native.NO_ACTION
    assert np.isnan(targets.win_probabilities[1])
    policies = targets.policies(batch.masks.shape[1])
    assert policies.sum(axis=1) == pytest.approx([1, 0, 1], abs=1e-5)
    assert not policies[~batch.masks].any(), "only legal actions are visited"
    assert all(policies[index, targets.actions[index]] > 0 for index in (0, 2))
    batch.step(targets.actions)
    assert (batch.turns > 0).tolist() == [True, False, True]


def test_without_the_engine_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    with pytest.raises(EngineMissing, match="not built"):
        Batch("piranhas-2019", 1)


def arrays_of(number: int, shape: tuple[int, int], parts: int) -> list[Any]:
    """The seven arrays of a batch, as the engine wants them."""
    observations, masks = np.zeros(number * shape[0], np.uint8), np.zeros(number * shape[1], np.uint8)
    to_move, turns = np.zeros(number, np.uint8), np.zeros(number, np.int32)
    rewards, done = np.zeros(number * 2, np.float32), np.zeros(number, np.uint8)
    return [observations, masks, to_move, turns, rewards, done, np.zeros(number * 2 * parts, np.int32)]


def test_arrays_that_share_memory_are_refused() -> None:
    from spielleiter import _engine

    batch = Batch("ostseeschach-2022", 4)
    shape, parts = (batch.observations[0].size, batch.masks.shape[1]), batch.points.shape[2]
    _engine.Batch("ostseeschach-2022", 4, 1, arrays_of(4, shape, parts), shape=shape, parts=parts)
    both, turns = np.zeros(4 * max(shape), np.uint8), np.zeros(4, np.int32)
    for overlapping in (
        {0: both[: 4 * shape[0]], 1: both[: 4 * shape[1]]},
        {0: both[: 4 * shape[0]], 2: both[7:11]},
        {2: both[:4], 5: both[3:7]},
        {3: turns, 5: turns.view(np.uint8)[12:]},
    ):
        arrays = arrays_of(4, shape, parts)
        for place, array in overlapping.items():
            arrays[place] = array
        with pytest.raises(ValueError, match="do not overlap"):
            _engine.Batch("ostseeschach-2022", 4, 1, arrays, shape=shape, parts=parts)


def test_a_thread_that_writes_into_the_arrays_disturbs_no_game() -> None:
    quiet, noisy = (Batch("ostseeschach-2022", 256, seed=3, threads=2) for _ in range(2))
    stop = threading.Event()

    def scribble() -> None:
        while not stop.is_set():
            noisy.masks[:] = True
            noisy.observations[:] = 255

    scribbler = threading.Thread(target=scribble)
    scribbler.start()
    try:
        for _ in range(40):
            for batch in (quiet, noisy):
                batch.step(batch.random_actions())
    finally:
        stop.set()
        scribbler.join()
    assert all(noisy.position(index).text == quiet.position(index).text for index in range(noisy.n))


@pytest.mark.parametrize(
    ("key", "copied"),
    [
        ("piranhas-2026", copy.copy),
        ("ostseeschach-2022", copy.deepcopy),
        *((key, Batch.clone) for key in ("blokus-2027", "hase-und-igel-2025")),
        *(
            (key, lambda batch: pickle.loads(pickle.dumps(batch)))
            for key in engine.rule_sets()
            if "official" not in key
        ),
    ],
)
def test_a_copy_goes_on_as_its_original_and_neither_changes_the_other(key: str, copied: Any) -> None:
    batch = Batch(key, 3, seed=6, threads=2)
    while not batch.done.any():
        batch.step(batch.random_actions())
    twin = copied(batch)

    def assert_same() -> None:
        for name in ("observations", "masks", "to_move", "turns", "rewards", "done", "points"):
            assert np.array_equal(getattr(batch, name), getattr(twin, name)), name

    assert_same()
    before = twin.observations.copy()
    moved = batch.random_actions().copy()
    batch.step(moved)
    assert np.array_equal(twin.observations, before)
    assert np.array_equal(twin.random_actions(), moved)
    twin.step(moved)
    for _ in range(70):
        assert_same()
        actions = batch.random_actions()
        assert np.array_equal(twin.random_actions(), actions)
        batch.step(actions)
        twin.step(actions)
