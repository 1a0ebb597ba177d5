"""A store with flipped bits: a clear sentence in all cases, and never a traceback."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import chdir, closing
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from spielleiter.cli.app import app
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import Store
from spielleiter.contest.store.damage import find_damage
from spielleiter.errors import SpielleiterError, StoreError
from tests.support.contest_small_season import season_text

FLIPS = 15
"""Places; each is tried with three commands."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a season that is over; its store is one file."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "season.toml").write_text(season_text(), encoding="utf-8")
    with chdir(folder):
        assert CliRunner().invoke(app, ["contest", "run"]).exit_code == 0
    with closing(sqlite3.connect(folder / "season.db")) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return folder


@pytest.fixture
def damage(played: Path, tmp_path: Path) -> Callable[[str], Store]:
    def after(statement: str) -> Store:
        path = tmp_path / "season.db"
        path.write_bytes((played / "season.db").read_bytes())
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(statement)
            connection.commit()
        return Store.open(str(path))

    return after


@pytest.mark.slow
@pytest.mark.parametrize("command", ["status", "standings", "verify"])
def test_a_flipped_bit_never_ends_in_a_traceback(played: Path, tmp_path: Path, command: str) -> None:
    whole = (played / "season.db").read_bytes()
    chance = Random(command)
    used = [at for at in range(len(whole)) if whole[at]]
    refused = 0
    for _ in range(FLIPS):
        bytes_ = bytearray(whole)
        at = chance.choice(used)
        bytes_[at] ^= 1 << chance.randrange(8)
        store = tmp_path / "flipped.db"
        store.write_bytes(bytes_)
        result = CliRunner().invoke(
            app, ["contest", command, "--store", str(store), "--season", str(played / "season.toml")]
        )
        if isinstance(result.exception, SpielleiterError):
            refused += 1
        else:
            assert result.exception is None or isinstance(result.exception, SystemExit), (at, result.exception)
            assert result.exit_code in (0, 1), at
    assert refused < FLIPS


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("UPDATE games SET points_first = 'x' WHERE id = 3", "games 3: points_first is 'x'"),
        ("UPDATE encounters SET stage = 'championshiq' WHERE id = 1", "encounters 1: stage is 'championshiq'"),
        ("UPDATE games SET started = '2026-13-45 00:00:00' WHERE id = 2", "games: "),
        ("UPDATE games SET details = '{' WHERE id = 2", "games: "),
        ("UPDATE teams SET name = x'ff41' WHERE id = 1", "teams 1: name is b'"),
        ("UPDATE encounters SET first_id = 99 WHERE id = 2", "encounters 2: belongs to nothing"),
    ],
)
def test_damage_is_found_and_says_where(damage: Callable[[str], Store], statement: str, where: str) -> None:
    with damage(statement) as store:
        assert where in (find_damage(store) or "nothing found")


def test_a_whole_store_is_not_called_damaged(damage: Callable[[str], Store]) -> None:
    with damage("SELECT 1") as store:
        assert find_damage(store) is None


def test_a_bug_of_ours_is_not_called_damage(played: Path) -> None:
    with pytest.raises(KeyError), Contest.open(played / "season.toml"):
        raise KeyError("a bug")


def test_what_a_strange_value_leads_to_is_called_damage(
    damage: Callable[[str], Store], played: Path, tmp_path: Path
) -> None:
    damage("UPDATE games SET points_first = 'x' WHERE id = 3").close()
    contest = Contest.open(played / "season.toml", str(tmp_path / "season.db"))
    with pytest.raises(StoreError, match="go back to the last backup"), contest:
        raise TypeError("'x' + 1")
