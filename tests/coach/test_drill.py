"""The file of a drill and its history: what is read, what is refused, and what changed since the last run."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.coach.drill import (
    VERSION,
    Drill,
    DrillRun,
    Exercise,
    add_run,
    history_path,
    last_run,
    read_drill,
    write_drill,
)
from spielleiter.errors import RecordError, SettingsError

GAME = games.load("piranhas-2026")


def exercise(seed: int = 0) -> Exercise:
    state = GAME.new_state(Random(seed))
    texts = [GAME.notation.format_move(state, move) for move in state.legal_moves()[:3]]
    return Exercise(
        position=GAME.notation.format_state(state),
        acceptable=tuple(texts[:2]),
        source="a.jsonl",
        ply=1,
        played=texts[2],
        loss=0.25,
    )


def drill(*seeds: int, player: str = "Ada") -> Drill:
    return Drill(game=GAME.key, player=player, exercises=tuple(exercise(seed) for seed in seeds))


def refused(path: Path, game: str | None = None) -> SettingsError:
    with pytest.raises(SettingsError) as problem:
        read_drill(path, game)
    return problem.value


def test_a_drill_is_read_as_it_was_written_and_grows(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    write_drill(path, drill(0, 1))
    assert read_drill(path) == drill(0, 1)
    assert write_drill(path, drill(1, 2)) == drill(0, 1, 2)
    assert read_drill(path, GAME.key) == drill(0, 1, 2)


def test_a_drill_of_another_game_or_player_is_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    write_drill(path, drill(0))
    problem = refused(path, "blokus-2027")
    assert "Übung für piranhas-2026, nicht für blokus-2027" in problem.text.de
    assert "drill for piranhas-2026, not for blokus-2027" in problem.text.en
    with pytest.raises(SettingsError, match="is the drill of Ada, not of Bö"):
        write_drill(path, drill(1, player="Bö"))
    with pytest.raises(SettingsError, match="not for blokus-2027"):
        write_drill(path, Drill(game="blokus-2027", player="Ada", exercises=()))


@pytest.mark.parametrize("version", [0, VERSION + 1, "1", None])
def test_another_version_is_refused_with_what_to_do(tmp_path: Path, version: Any) -> None:
    path = tmp_path / "drill.json"
    path.write_text(json.dumps({**drill(0).to_json(), "version": version}))
    problem = refused(path)
    assert f"hat die Version {version!r}" in problem.text.de
    assert "write it anew with 'spielleiter coach'" in problem.text.en


@pytest.mark.parametrize(
    "content", ["[]", "{", "{}", '{"kind": "other"}', "7", '"drill"', "\xff", '[["kind", 1]]', "[" * 9999]
)
def test_something_that_is_not_a_drill_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "drill.json"
    path.write_bytes(content.encode("latin-1"))
    assert "ist keine Übungsdatei" in refused(path).text.de


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"exercises": []}, "there are no positions in it"),
        ({"exercises": [{}]}, "'position' is missing in [exercises]"),
        ({"exercises": 3}, "exercises must be a list, not 3"),
        ({"game": "chess-2026"}, "chess-2026"),
        ({"max_loss": "much"}, "max_loss must be a number, not 'much'"),
        ({"max_loss": float("nan")}, "not a drill"),
        ({"player": "\ud800"}, "player must be a text in quotes"),
        ({"exercises": [{**drill(0).to_json()["exercises"][0], "ply": True}]}, "ply must be a whole number"),
    ],
)
def test_a_damaged_drill_is_refused(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    path = tmp_path / "drill.json"
    path.write_text(json.dumps({**drill(0).to_json(), **change}))
    assert expected in refused(path).text.en


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"position": "nonsense"}, "position 1: "),
        ({"acceptable": []}, "no move is acceptable"),
        ({"acceptable": ["A0-A1"]}, "position 1: "),
    ],
)
def test_positions_and_moves_are_checked_by_the_rules(tmp_path: Path, change: dict[str, Any], expected: str) -> None:
    path, data = tmp_path / "drill.json", drill(0).to_json()
    data["exercises"][0].update(change)
    path.write_text(json.dumps(data))
    assert expected in refused(path).text.en


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_drill(tmp_path / "drill.json")


def run(player: str, solved: set[str], failed: set[str]) -> DrillRun:
    return DrillRun(datetime(2026, 11, 16, tzinfo=UTC), player, frozenset(solved), frozenset(failed))


def test_a_run_is_compared_with_the_last_one_of_the_same_player(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    assert last_run(path, "Ada") is None
    add_run(path, run("Ada", set(), {"a", "b", "c"}))
    add_run(path, run("Ada", {"a", "b"}, {"c"}))
    add_run(path, run("Bö", {"c"}, set()))
    last, now = last_run(path, "Ada"), run("Ada", {"b", "c", "new"}, {"a"})
    assert last is not None
    assert now.newly_solved(last) == {"c"}
    assert now.broken(last) == {"a"}


def test_a_line_that_was_cut_does_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "drill.json"
    add_run(path, run("Ada", {"a"}, set()))
    with history_path(path).open("a") as file:
        file.write('{"at": "2026-')
    assert last_run(path, "Ada") == run("Ada", {"a"}, set())
