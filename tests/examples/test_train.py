"""The example that trains a network: in short, it plays, learns and writes a network that our player takes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from examples.train import __main__ as train
from examples.train import self_play
from examples.train.network import Network, Samples
from examples.train.tree_search import Forest
from spielleiter import games, native, players
from tests.support.played import needs_engine

pytestmark = needs_engine

KEY = "ostseeschach-2022"
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
    assert set(np.unique(samples.values)) <= {-1, 0, 1}
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


def test_every_tree_gets_a_walk_for_each_simulation_and_finds_the_win() -> None:
    """One move before the end, even an untrained network finds what wins at once."""
    network = Network(games.load(KEY), np.random.default_rng(1))
    chance = Random(2)
    positions: list[native.Position] = []
    while len(positions) < 8:
        state = native.load(KEY).new_state(chance)
        while (before := state).outcome is None:
            state = state.play_unchecked(chance.choice(state.legal_moves()))
            if state.outcome is not None and state.outcome.winner is before.to_move:
                positions.append(before)
    forest = Forest(network, positions, 80)
    for _ in range(80):
        forest.grow()
    assert (forest.visits[:, 0].sum(axis=1) == 80).all()
    best = forest.actions[np.arange(len(positions)), 0, forest.visits[:, 0].argmax(axis=1)]
    for position, action in zip(positions, best, strict=True):
        outcome = position.play_action(int(action)).outcome
        assert outcome is not None
        assert outcome.winner is position.to_move
    sides = np.array([1 - 2 * position.to_move for position in positions])
    assert (sides * forest.root_values() > 0.4).all()


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


def test_the_whole_loop_in_short_form_beats_random(tmp_path: Path) -> None:
    """Started as people start it, for its processes must find their work."""
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    options = {"minutes": 0, "random": 300, "games": 32, "simulations": 8, "processes": 1, "measure": 4, "nodes": 60}
    command = [sys.executable, "-m", "examples.train", *(f"--{name}={value}" for name, value in options.items())]
    command += ["--opponent=random:seed=1", f"--out={tmp_path / 'net.onnx'}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "    32 games" in run.stdout
    score = re.search(r"(\d+)% of the points against random", run.stdout)
    assert score is not None
    assert int(score[1]) > 50
