"""The example that trains a network: in short, it plays, learns and writes a network that our player takes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from examples.train import __main__ as train
from examples.train import self_play
from examples.train.network import Network, Samples
from examples.train.opponents import score_against
from spielleiter import games, players
from spielleiter.search import native as native_search

pytestmark = pytest.mark.skipif(native_search.why_unavailable() is not None, reason="the native engine is not built")


@pytest.fixture(scope="module")
def played() -> tuple[Network, Samples]:
    network = Network(games.load("ostseeschach-2022"), np.random.default_rng(1))
    return network, self_play.play(network, 3, seed=1)


def test_self_play_gives_targets_for_both_heads(played: tuple[Network, Samples]) -> None:
    _, samples = played
    assert samples.policies.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (samples.policies[samples.actions < 0] == 0).all()
    assert np.abs(samples.values).max() <= 1
    assert len({len(samples.planes), len(samples.actions), len(samples.values)}) == 1


def test_learning_reduces_both_losses(played: tuple[Network, Samples]) -> None:
    network, samples = played
    rng = np.random.default_rng(1)
    first = train.learn(network, samples, rng)
    last = [train.learn(network, samples, rng) for _ in range(12)][-1]
    assert last[0] < first[0]
    assert last[1] < first[1]


def test_it_is_measured_against_a_player(played: tuple[Network, Samples]) -> None:
    assert 0.0 <= score_against(played[0], "random:seed=1", pairs=1, nodes=8, seed=1) <= 1.0


def test_the_network_that_is_written_says_the_same(played: tuple[Network, Samples], tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    network, samples = played
    network.save(tmp_path / "net.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    (values,) = session.run(["value"], {"observation": samples.planes[:5].astype(np.float32)})
    assert values[:, 0] == pytest.approx(network.values(samples.planes[:5]), abs=1e-4)
    state = games.load("ostseeschach-2022").new_state(Random(1))
    assert players.load(f"onnx:{tmp_path / 'net.onnx'}").choose(state, 1.0) in state.legal_moves()


@pytest.mark.slow
def test_the_whole_loop_runs_in_short_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"minutes": 0, "games": 2, "processes": 1, "measure": 1, "nodes": 4, "opponent": "random"}
    arguments = [f"--{name}={value}" for name, value in options.items()]
    score = train.main([*arguments, f"--out={tmp_path / 'net.onnx'}"])
    assert 0.0 <= score <= 1.0
    assert "2 games" in capsys.readouterr().out
    assert (tmp_path / "net.onnx").stat().st_size > 100_000
