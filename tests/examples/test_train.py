"""The example that trains a network: in short, it plays, learns and writes a network that our player takes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from examples.train import __main__ as train
from examples.train import self_play, tree_search
from examples.train.network import Network, Samples
from examples.train.symmetry import symmetries
from examples.train.tree_search import Forest, halving
from spielleiter import games, native, players
from tests.support.played import needs_engine

pytestmark = needs_engine

KEY = "ostseeschach-2022"
MIRRORED = ("piranhas-2019", "ostseeschach-2022")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def played() -> tuple[Network, Samples]:
    network = Network(games.load(KEY), np.random.default_rng(1))
    return network, self_play.play(network, 4, 4, seed=1)


def test_self_play_gives_targets_for_both_heads(played: tuple[Network, Samples]) -> None:
    _, samples = played
    assert samples.policies.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (samples.policies[samples.actions < 0] == 0).all()
    assert np.abs(samples.values).max() <= 1
    assert samples.values.std() > 0.2
    assert len({len(samples.planes), len(samples.actions), len(samples.values)}) == 1


def test_random_games_end_with_a_result_for_each_position() -> None:
    samples = self_play.random_games(KEY, 40, seed=1)
    assert len(samples.planes) == len(samples.values) > 200
    assert np.abs(samples.values).max() == 1
    # Who has an amber more wins more often.
    ahead = samples.planes[:, 9, 0, 0].astype(int) - samples.planes[:, 10, 0, 0]
    assert samples.values[ahead > 0].mean() > samples.values[ahead < 0].mean() + 0.5


def test_learning_reduces_both_losses(played: tuple[Network, Samples]) -> None:
    network, samples = played
    rng = np.random.default_rng(1)
    first = train.learn(network, samples, 1, 1e-3, rng)
    train.learn(network, samples, 12 * train.BATCH, 1e-3, rng)
    last = train.learn(network, samples, 1, 1e-3, rng)
    assert last[0] < first[0]
    assert last[1] < first[1]


def test_every_tree_gets_a_walk_for_each_simulation_and_finds_the_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """One move before the end, even an untrained network finds what wins at once, if no move is left out."""
    monkeypatch.setattr(tree_search, "CONSIDERED", 40)
    network = Network(games.load(KEY), np.random.default_rng(1))
    chance = Random(2)
    positions: list[native.Position] = []
    while len(positions) < 8:
        state = native.load(KEY).new_state(chance)
        while (before := state).outcome is None:
            state = state.play_unchecked(chance.choice(state.legal_moves()))
            if state.outcome is not None and state.outcome.winner is before.to_move:
                positions.append(before)
    forest = Forest(network, positions, 80, np.random.default_rng(1))
    for simulation in range(80):
        forest.grow(simulation)
    assert (forest.visits().sum(axis=1) == 80).all()
    policies, values = forest.improved()
    places = np.arange(len(positions))
    learned = forest.actions()[places, policies.argmax(axis=1)]
    for actions in (learned, forest.best(np.zeros(len(positions), np.bool_))):
        for position, action in zip(positions, actions, strict=True):
            outcome = position.play_action(int(action)).outcome
            assert outcome is not None
            assert outcome.winner is position.to_move
    assert (values > 0.4).all()


def test_halving_tries_all_moves_equally_often_and_then_the_better_half() -> None:
    assert halving(8, 24) == [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]
    assert halving(1, 3) == [0, 1, 2]
    assert halving(3, 2) == [0, 0]


@pytest.mark.parametrize("key", MIRRORED)
def test_a_game_in_the_mirror_is_a_game(key: str) -> None:
    """Two games from starts that mirror each other, the second by mirrored actions, look alike to the end."""
    game = native.load(key)
    shape = (len(game.encoding.planes), *game.encoding.size)

    def seen(state: native.Position) -> NDArray[np.uint8]:
        return np.frombuffer(state.observe(state.to_move), np.uint8).reshape(shape)

    starts = {seen(start).tobytes(): start for start in (game.new_state(Random(seed)) for seed in range(4000))}
    found = symmetries(games.load(key))
    for symmetry in found:
        rows, columns = (2 in symmetry.axes), (3 in symmetry.axes)
        # In Piranhas the second team sees the board mirrored on the diagonal: rows and columns change places.
        swapped = (columns, rows) if key.startswith("piranhas") else (rows, columns)
        (other,) = (each for each in found if ((2 in each.axes), (3 in each.axes)) == swapped)
        state, twin = next(
            (start, starts[mirror])
            for start in starts.values()
            if (mirror := np.flip(seen(start), tuple(axis - 1 for axis in symmetry.axes)).tobytes()) in starts
        )
        chance = Random(1)
        while state.outcome is None:
            view = other if state.to_move else symmetry
            assert (np.flip(seen(state), tuple(axis - 1 for axis in view.axes)) == seen(twin)).all()
            action = chance.choice(np.frombuffer(state.mask(), np.bool_).nonzero()[0])
            state, twin = state.play_action(int(action)), twin.play_action(int(view.actions[action]))
        assert twin.outcome == state.outcome
    assert found[0].axes == ()
    assert len(found) > 1


def test_the_network_that_is_written_says_the_same(played: tuple[Network, Samples], tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    network, samples = played
    network.save(tmp_path / "net.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    policy, value = session.run(["policy", "value"], {"observation": samples.planes[:5].astype(np.float32)})
    policies, values = network.judge(samples.planes[:5])
    assert policy == pytest.approx(policies, abs=1e-4)
    assert value[:, 0] == pytest.approx(values, abs=1e-4)
    state = games.load(KEY).new_state(Random(1))
    assert players.load(f"onnx:{tmp_path / 'net.onnx'}").choose(state, 1.0) in state.legal_moves()


def test_a_few_rounds_teach_who_wins_and_what_to_play() -> None:
    """Judged on games that it has not seen, the network knows more than nothing about both."""
    rng = np.random.default_rng(1)
    network = Network(games.load(KEY), rng)
    known = self_play.random_games(KEY, 4000, seed=1)
    train.learn(network, known, len(known.values), 2e-3, rng)
    parts: list[Samples] = []
    for seed in range(3):
        parts.append(self_play.play(network, 48, 8, seed))
        train.learn(network, Samples.join(parts), 4 * len(parts[-1].values), 2e-3, rng)

    fresh = self_play.random_games(KEY, 200, seed=2)
    assert np.corrcoef(fresh.values, network.judge(fresh.planes)[1])[0, 1] > 0.3
    fresh = self_play.play(network, 16, 8, seed=9)
    legal = fresh.actions >= 0
    logits = np.take_along_axis(network.judge(fresh.planes)[0], np.maximum(fresh.actions, 0), axis=1)
    chances = tree_search.softmax(np.where(legal, logits, tree_search.NEVER).astype(np.float32))
    surprise = -(fresh.policies * np.log(chances + 1e-9)).sum(axis=1).mean()
    assert surprise < 0.9 * np.log(legal.sum(axis=1)).mean()


def test_the_whole_loop_runs_in_short_form_and_measures_its_network(tmp_path: Path) -> None:
    """Started as people start it, for its processes must find their work. That it learns is what the test above asks:
    with a tree search even an untrained network beats ``random``."""
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    options = {"minutes": 0, "random": 2000, "games": 32, "simulations": 8, "processes": 1, "measure": 6, "nodes": 60}
    command = [sys.executable, "-m", "examples.train", *(f"--{name}={value}" for name, value in options.items())]
    command += ["--opponent=random:seed=1", f"--out={tmp_path / 'net.onnx'}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "    32 games" in run.stdout
    assert re.search(r"\d+% of the points against random", run.stdout)
    assert (tmp_path / "net.onnx").is_file()
