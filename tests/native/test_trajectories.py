"""Self-play gives whole games that can be replayed, by chance or by the engine, and files that come back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spielleiter import games, native
from spielleiter.errors import SettingsError
from spielleiter.game import TEAMS
from tests.support.played import needs_engine

pytestmark = needs_engine


def assert_replays(played: native.Trajectories, number: int) -> None:
    """Game ``number`` leads by the rules in Python to the result that it says, over the observations that it says."""
    game = games.load(played.key)
    state: Any = game.notation.parse_state(str(played.starts[number]))
    observations = played.observations(number, number + 1)
    moves = np.flatnonzero(played.games == number)
    for row, index in enumerate(moves):
        assert (played.turns[index], played.to_move[index]) == (state.turn, state.to_move)
        assert observations[row].tobytes() == game.encoding.plane_bytes(state, state.to_move)
        state = state.play(game.encoding.move(state, int(played.actions[index])))
    assert state.outcome is not None
    assert [result + 1 for result in played.results[number]] == [state.outcome.victory_points(team) for team in TEAMS]
    assert played.points[number].tolist() == [list(state.points(team)) for team in TEAMS]
    assert (played.values[moves] == played.results[number, played.to_move[moves]]).all()


@pytest.mark.parametrize("key", ["blokus-2021", "ostseeschach-2022", "piranhas-2026-official"])
def test_random_games_are_whole_and_replay(key: str) -> None:
    played = native.self_play(key, 5, seed=3)
    assert sorted(set(played.games)) == list(range(5))
    assert_replays(played, 4)
    assert np.isnan(played.win_probabilities).all()
    policies = played.policies(slice(3))
    assert policies.argmax(axis=1).tolist() == played.actions[:3].tolist()


def test_every_game_that_began_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.native.trajectories.MAX_GAMES_AT_ONCE", 3)
    played = native.self_play("ostseeschach-2022", 8, seed=1)
    for number in range(8):
        assert_replays(played, number)
    assert len(played.observations()) == len(played)
    assert len(played.observations(8)) == 0


def test_games_of_the_engine_have_targets_and_are_repeatable(tmp_path: Path) -> None:
    played = native.self_play("ostseeschach-2022", 3, seed=5, nodes=20)
    again = native.self_play("ostseeschach-2022", 3, seed=5, nodes=20, threads=2)
    assert np.array_equal(played.actions, again.actions)
    assert_replays(played, 2)
    policies = played.policies(np.arange(len(played)))
    assert policies.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert all(policies[move, played.actions[move]] > 0 for move in range(len(played)))
    assert ((played.win_probabilities >= 0) & (played.win_probabilities <= 1)).all()


def test_a_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    played = native.self_play("piranhas-2019", 2, seed=5, nodes=5)
    played.save(tmp_path / "games.npz")
    again = native.read(tmp_path / "games.npz")
    assert again.key == played.key
    for name in ("starts", "results", "points", "games", "actions", "to_move", "turns", "offsets", "visited", "visits"):
        assert np.array_equal(getattr(again, name), getattr(played, name)), name
    (tmp_path / "other.npz").write_bytes(b"nonsense")
    np.savez(tmp_path / "foreign.npz", actions=np.zeros(3))
    for name in ("other.npz", "foreign.npz", "missing.npz"):
        with pytest.raises(SettingsError, match="not a file of trajectories"):
            native.read(tmp_path / name)


def test_parquet_has_a_row_for_each_move(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    played = native.self_play("ostseeschach-2022", 2, seed=5, nodes=5)
    played.save_parquet(tmp_path / "games.parquet")
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.num_rows == len(played)
    assert table["actions"].to_pylist() == played.actions.tolist()
    assert table["visits"].to_pylist()[0] == played.visits[: played.offsets[1]].tolist()
    assert table["value"].to_pylist() == played.values.tolist()


def test_no_games_are_refused() -> None:
    with pytest.raises(SettingsError, match="expected number"):
        native.self_play("piranhas-2019", 0)
