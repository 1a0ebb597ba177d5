"""A history: what lines and events fold into, what the rules make of it, and what is known of the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import Cause, Limits, Team, Text, random_game
from spielleiter.records import history as history_module
from spielleiter.records import variations
from spielleiter.records.history import History, RecordedMove
from spielleiter.records.reader import RecordReader, parse_record, read_record
from spielleiter.records.writer import record_lines
from spielleiter.referee import ClockChanged, GameEnded, verdict
from tests.support.histories import history_of
from tests.support.records_stage import Stage

GAME = games.load("piranhas-2026")
STATES = list(random_game(GAME.new_state(Random(1)), Random(1)))


def test_plies_are_the_moves_of_the_record_with_the_states_around_them() -> None:
    history = replace(history_of(STATES))  # Nothing is known but what was written down.
    assert history.states == tuple(STATES)
    for number, (recorded, ply) in enumerate(zip(history.moves, history.plies, strict=True)):
        assert (ply.text, ply.team, ply.timing) == (recorded.text, recorded.team, recorded.timing)
        assert (ply.before, ply.state) == (STATES[number], STATES[number + 1])
        assert ply.before.play(ply.move) == ply.state
    assert history.state == STATES[-1]


def test_every_move_is_read_by_the_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []

    def play_move(game: Any, state: Any, text: str) -> tuple[Any, Any]:
        played.append(text)
        return real(game, state, text)

    real = variations.play_move
    monkeypatch.setattr(history_module, "play_move", play_move)
    followed = history_of(STATES[:6])
    assert len(followed.plies) == 5
    assert not played  # The referee knows the move and the state after it.
    read = replace(followed)
    for _ in range(3):
        assert (len(read.states), read.state) == (6, STATES[5])
    assert played == [move.text for move in followed.moves]


def test_a_line_of_a_record_and_an_event_of_the_referee_let_a_history_grow_alike(tmp_path: Path) -> None:
    stage, reader = Stage(tmp_path, GAME), RecordReader()
    for _ in range(4):
        stage.play(1)
        for line in stage.path.read_bytes().splitlines()[0 if reader.history is None else len(stage.history.moves) :]:
            reader.read_line(line)
        assert reader.history is not None
        assert reader.history.states == stage.history.states
        assert [move.text for move in reader.history.moves] == [move.text for move in stage.history.moves]
    assert not stage.history.is_finished
    stage.end("late")
    assert stage.history.is_finished
    written = "".join(f"{line}\n" for line in record_lines(stage.history)).encode()
    assert parse_record(written) == read_record(stage.path)


def test_a_checked_move_that_the_rules_forbid_changes_nothing() -> None:
    history = history_of(STATES[:3])
    before = replace(history)
    wrong = RecordedMove(2, STATES[2].turn, STATES[2].to_move, "A1-A1")
    with pytest.raises(RecordError, match="ply 2: "):
        history.add(wrong, checked=True)
    assert history == before
    assert history.state == STATES[2]
    history.add(wrong)
    with pytest.raises(RecordError, match="ply 2: "):
        history.replayed()


def test_the_move_that_was_refused_is_known_if_it_was_one(tmp_path: Path) -> None:
    late, silent = Stage(tmp_path / "a", GAME).play(3), Stage(tmp_path / "b", GAME).play(3)
    read, quiet = read_record(late.end("late")), read_record(silent.end("silence"))
    assert read.refused_move == late.state.legal_moves()[0]
    assert read.offender is late.state.to_move
    assert quiet.refused_move is None
    assert quiet.offender is silent.state.to_move


def test_the_time_for_a_move_that_was_late_is_used_too_but_only_at_the_end(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(3)
    late, other = stage.state.to_move, stage.state.to_move.opponent
    before = {team: stage.history.used(team) or 0.0 for team in Team}
    history = read_record(stage.end("late"))
    assert history.used(late) == pytest.approx(before[late] + GAME.limits.soft + 0.001, abs=1e-5)
    assert history.used(late, 2) == pytest.approx(before[late], abs=1e-5)  # a record has whole microseconds
    assert history.used(other) == pytest.approx(before[other], abs=1e-5)


def test_who_resigns_is_no_offender() -> None:
    history = history_of(STATES[:5])
    result = replace(
        verdict.by_fault(history.state, {Team.TWO: Cause.LEFT}, Text("gibt auf", "resigns")),
        resigned=True,
    )
    history.follow(GameEnded("room-1", result, history.state, 9.0))
    assert history.result is not None
    assert history.result.resigned
    assert (history.offender, history.offence, history.result.winner) == (None, None, Team.ONE)


def test_times_are_unknown_where_nobody_measured_and_counted_up_to_a_ply_where_somebody_did() -> None:
    history = history_of(STATES[:5], seconds=0.5)
    assert [history.used(Team.ONE, plies) for plies in (0, 1, 2, 3)] == [0.0, 0.5, 0.5, 1.0]
    assert history.used(Team.TWO) == 1.0
    unmeasured = replace(history, moves=tuple(replace(move, timing=None) for move in history.moves))
    assert unmeasured.used(Team.ONE) is None
    assert replace(history, clock=None, moves=()).used(Team.ONE) is None


def test_the_limits_of_now_are_those_that_were_set_last() -> None:
    history = history_of(STATES[:3])
    history.follow(ClockChanged("room-1", Team.TWO, None))
    assert history.current_limits == (Limits(), None)
    history.follow(ClockChanged("room-1", Team.TWO, Limits(5, 9)))
    assert history.current_limits == (Limits(), Limits(5, 9))
    assert history.limits == (Limits(), Limits())


def test_a_game_that_is_not_installed_is_named_with_the_place_of_its_record() -> None:
    unknown = History(game_key="halma-2030", id="", start="", names=("", ""), place="old.jsonl")
    with pytest.raises(RecordError, match=r"old\.jsonl: there is no game called 'halma-2030'"):
        unknown.replayed()
