"""A player from a network: alone, in a tree search, and refused where it fits no game or another one."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from examples.train.network import Network
from examples.train.onnx_file import Model
from spielleiter import games, players
from spielleiter.errors import SettingsError, UnknownPlayer
from spielleiter.game import Limits
from spielleiter.programs.entrants import EntrantKind, find_source, resolve
from spielleiter.search import engine

pytestmark = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the extra onnx is not installed")


@pytest.fixture(scope="module")
def network() -> Network:
    """A network that likes some actions more than others, and thinks nothing of any position."""
    made = Network(games.load("ostseeschach-2022"), np.random.default_rng(1))
    made.weights["policy_b"] += np.random.default_rng(2).normal(size=1024).astype(np.float32)
    return made


@pytest.fixture(scope="module")
def file(network: Network, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("networks") / "net.onnx"
    network.save(path)
    return path


def start(key: str = "ostseeschach-2022") -> Any:
    return games.load(key).new_state(Random(1))


def test_alone_the_policy_decides(file: Path, network: Network) -> None:
    state: Any = start()
    encoding = games.load("ostseeschach-2022").encoding
    best = max(state.legal_moves(), key=lambda move: network.weights["policy_b"][encoding.action(state, move)])
    assert players.load(f"onnx:{file}").choose(state, 1.0) == best


def test_without_the_engine_it_chooses_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast = players.load(f"onnx:{file},nodes=20,seed=1").choose(start(), 5.0)
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    assert players.load(f"onnx:{file},nodes=20,seed=1").choose(start(), 5.0) == fast


def test_with_a_tree_search_it_takes_what_wins(file: Path) -> None:
    state = games.load("ostseeschach-2022").notation.parse_state("ostseeschach-2022 8/2M5/8/8/8/8/8/4r3 0-0 58")
    move = players.load(f"onnx:{file},nodes=60").choose(state, 10.0)
    assert str(move) == "c7-c8"


def test_it_plays_both_rule_sets_of_its_season(file: Path) -> None:
    state = start("ostseeschach-2022-official")
    assert players.load(f"onnx:{file}").choose(state, 1.0) in state.legal_moves()


def test_another_game_is_refused(file: Path) -> None:
    with pytest.raises(SettingsError, match=r"does not fit piranhas-2026: expected \(11, 10, 10\) and 800 actions"):
        players.load(f"onnx:{file}").choose(start("piranhas-2026"), 1.0)


def test_another_season_with_the_same_planes_is_refused(tmp_path: Path) -> None:
    model = Model("observation", (102, 20, 20), {"spielleiter.game": "blokus-2021"})
    flat = model.node("Flatten", "observation")
    for name, size in (("policy", 36401), ("value", 1)):
        weights = model.tensor(f"{name}_w", np.zeros((40800, 1), np.float32))
        model.node(
            "Mul",
            model.node("MatMul", flat, weights),
            model.tensor(name[0], np.ones((1, size), np.float32)),
            output=name,
        )
        model.output(name, size)
    (tmp_path / "blokus.onnx").write_bytes(model.to_bytes())
    player = players.load(f"onnx:{tmp_path / 'blokus.onnx'}")
    assert player.choose(start("blokus-2021"), 1.0) in start("blokus-2021").legal_moves()
    with pytest.raises(SettingsError, match="was trained for blokus-2021, not for blokus-2027"):
        player.choose(start("blokus-2027"), 1.0)


def test_a_network_of_the_wrong_shape_is_refused_at_once(tmp_path: Path) -> None:
    model = Model("observation", (3, 8, 8), {})
    for name in ("policy", "value"):
        model.node("Flatten", "observation", output=name)
        model.output(name, 192)
    (tmp_path / "wrong.onnx").write_bytes(model.to_bytes())
    with pytest.raises(SettingsError, match=r"expected one input float32 .* found observation"):
        players.load(f"onnx:{tmp_path / 'wrong.onnx'}")


def test_a_network_without_both_heads_is_refused_at_once(tmp_path: Path) -> None:
    model = Model("observation", (13, 8, 8), {})
    model.node("Flatten", "observation", output="q")
    model.output("q", 832)
    (tmp_path / "heads.onnx").write_bytes(model.to_bytes())
    with pytest.raises(SettingsError, match="expected the outputs policy and value, found q"):
        players.load(f"onnx:{tmp_path / 'heads.onnx'}")


def test_something_that_is_not_a_network_is_refused(tmp_path: Path, file: Path) -> None:
    (tmp_path / "text.onnx").write_text("nonsense")
    with pytest.raises(SettingsError, match="is not an ONNX network"):
        players.load(f"onnx:{tmp_path / 'text.onnx'}")
    with pytest.raises(SettingsError, match="there is no file"):
        players.load("onnx:missing.onnx")
    with pytest.raises(UnknownPlayer, match="did you mean nodes"):
        players.load(f"onnx:{file},node=3")


def test_its_file_travels_with_it(file: Path) -> None:
    source = find_source("onnx:net.onnx,nodes=5", base=file.parent)
    assert source.kind is EntrantKind.COMMAND
    assert source.command[1:] == ("-m", "spielleiter.players", "onnx:net.onnx,nodes=5")
    assert source.files == {"net.onnx": file}


def test_a_match_asks_whether_it_plays_the_game_before_anything_starts(file: Path) -> None:
    entrant = resolve(f"onnx:{file},nodes=20")
    entrant.check_game(games.load("ostseeschach-2022"))
    with pytest.raises(SettingsError, match=r"does not fit piranhas-2026: expected \(11, 10, 10\)"):
        entrant.check_game(games.load("piranhas-2026"))
    assert entrant.launch_spec((), limits=Limits(0.5)).arguments == ("--limit", "0.5")
