"""Verification: a true record passes, and every kind of lie is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import AnyGame, Clock, Team
from spielleiter.records.reader import parse_record, read_record
from spielleiter.records.verify import Flaw, VerificationSummary, record_files, verify_file, verify_record
from spielleiter.referee import GameEnded, MoveMade
from tests.support.records_stage import ENDINGS, Stage, lines_of, moves_in, write_lines
from tests.support.rule_sets import each_game

GAME = games.load("piranhas-2026")
Lie = Callable[[list[dict[str, Any]], AnyGame, Any], None]


def kinds(path: Path) -> list[Flaw]:
    return [finding.kind for finding in verify_file(path).findings]


@each_game
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("clock", Clock)
def test_a_true_record_is_sound(game: AnyGame, ending: str, clock: Clock, tmp_path: Path) -> None:
    path = Stage(tmp_path, game, seed=3, clock=clock).play(7).end(ending)
    verification = verify_file(path)
    assert [finding.sentence.en for finding in verification.findings] == []
    assert verification.is_sound
    assert (verification.game, verification.place) == (game.key, str(path))
    assert verification.plies == len(lines_of(path)) - 2


# --- lies about the moves ---------------------------------------------------------------------------------------------


def _other_move(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    """Another legal move at ply 4."""
    text = lines[5]["move"]
    others = (game.notation.format_move(state, move) for move in state.legal_moves())
    lines[5]["move"] = next(other for other in others if other != text)


def _illegal_move(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    # The first move again, from a place that has been left or is taken.
    lines[5]["move"] = lines[1]["move"]


def _missing_move(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    del lines[5]
    for ply, move in enumerate(moves_in(lines)):
        move["ply"] = ply


def _other_start(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    other = (game.notation.format_state(game.new_state(Random(seed))) for seed in range(100))
    if (text := next((text for text in other if text != lines[0]["start"]), None)) is None:
        pytest.skip("the game has only one start")
    lines[0]["start"] = text


@each_game
@pytest.mark.parametrize("lie", [_other_move, _illegal_move, _missing_move, _other_start])
def test_a_lie_about_the_moves_is_found(game: AnyGame, lie: Lie, tmp_path: Path) -> None:
    path = Stage(tmp_path, game, seed=5).play(12).end("left")
    state = read_record(path).states[4]
    lines = lines_of(path)
    lie(lines, game, state)
    found = kinds(write_lines(path, lines))
    expected = {Flaw.ILLEGAL_MOVE, Flaw.WRONG_FINAL_POSITION, Flaw.WRONG_POINTS, Flaw.WRONG_TURN, Flaw.WRONG_TEAM}
    assert found
    assert set(found) <= expected
    assert {Flaw.ILLEGAL_MOVE, Flaw.WRONG_FINAL_POSITION} & set(found)


def test_an_illegal_move_is_named_with_its_ply_and_the_rule(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(4).end("left")
    lines = lines_of(path)
    lines[3]["move"] = lines[1]["move"].replace("-", " ")[:2] + " UP"
    [finding] = verify_file(write_lines(path, lines)).findings
    assert finding.kind is Flaw.ILLEGAL_MOVE
    assert finding.ply == 2
    assert "There is no fish" in finding.sentence.en
    assert "kein Fisch" in finding.sentence.de


# --- lies about turns, teams, times and clocks ------------------------------------------------------------------------


def _move(ply: int, **values: Any) -> Lie:
    """Other values in a move; a number is added to what is there."""

    def lie(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
        move = lines[ply + 1]
        for key, value in values.items():
            move[key] = round(move[key] + value, 6) if isinstance(value, float) else value
        if "requested" in move:
            end = move["received"] if move["judged"] == "kernel" and move["received"] is not None else move["read"]
            move["took"] = round(end - move["requested"], 6)

    return lie


def _all_later(ply: int, seconds: float) -> Lie:
    """The move takes longer, and all that follows comes later."""

    def lie(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
        for number in range(ply, len(lines) - 2):
            shift = {"received": seconds, "read": seconds}
            _move(number, **shift, **({} if number == ply else {"requested": seconds}))(lines, game, state)
        lines[-1]["finished"] += seconds

    return lie


def _end(**values: Any) -> Lie:
    return lambda lines, game, state: lines[-1].update(values)


def _start(**values: Any) -> Lie:
    return lambda lines, game, state: lines[0].update(values)


def _without_times(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    for key in ("requested", "received", "read", "took", "judged"):
        del lines[3][key]


@pytest.mark.parametrize(
    ("lie", "expected", "ply"),
    [
        (_move(2, turn=3), Flaw.WRONG_TURN, 2),
        (_move(2, team="TWO"), Flaw.WRONG_TEAM, 2),
        (_all_later(2, 2.0), Flaw.LATE_MOVE, 2),
        (_all_later(3, 100.0), Flaw.LATE_MOVE, 3),
        (_move(2, requested=-0.3), Flaw.IMPOSSIBLE_TIME, 2),
        (_move(0, requested=-0.3), Flaw.IMPOSSIBLE_TIME, 0),
        (_move(2, read=-60.0, judged="reading", received=None), Flaw.IMPOSSIBLE_TIME, 2),
        (_without_times, Flaw.IMPOSSIBLE_TIME, 2),
        (_end(finished=0.5), Flaw.IMPOSSIBLE_TIME, None),
        (_move(2, judged="reading"), Flaw.WRONG_CLOCK, 2),
        (_move(2, received=None), Flaw.WRONG_CLOCK, 2),
        (_move(2, received=0.1), Flaw.WRONG_CLOCK, 2),
        (_move(2, received=-9.0), Flaw.WRONG_CLOCK, 2),
        (_start(clock="reading"), Flaw.WRONG_CLOCK, 0),
        (_start(clock=None), Flaw.WRONG_CLOCK, 0),
        (_start(referee="reference"), Flaw.WRONG_CLOCK, None),
    ],
)
def test_a_lie_about_turns_times_and_clocks_is_found(lie: Lie, expected: Flaw, ply: int | None, tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME, seed=2).play(6).end("left")
    lines = lines_of(path)
    lie(lines, GAME, None)
    findings = verify_file(write_lines(path, lines)).findings
    assert {finding.kind for finding in findings} == {expected}
    assert findings[0].ply == ply


def test_a_late_move_cannot_come_after_the_end(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(2).end("late")
    lines = lines_of(path)
    lines[-1]["finished"] -= 0.5
    assert kinds(write_lines(path, lines)) == [Flaw.IMPOSSIBLE_TIME]


def test_without_times_there_must_be_neither_clock_nor_limits(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(2).end("left")
    lines = lines_of(path)
    for move in moves_in(lines):
        for key in ("requested", "received", "read", "took", "judged"):
            del move[key]
    lines[0]["clock"] = None
    assert kinds(write_lines(path, lines)) == [Flaw.IMPOSSIBLE_TIME] * 2
    lines[0]["limits"] = [None, None]
    assert kinds(write_lines(path, lines)) == []


def test_a_stamp_that_cannot_be_true_rightly_does_not_judge(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME, seed=2).play(6).end("left")
    lines = lines_of(path)
    _move(2, received=-9.0, judged="reading")(lines, GAME, None)
    assert kinds(write_lines(path, lines)) == []


def test_a_player_without_limits_may_think(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME, seed=2).play(6).end("left")
    lines = lines_of(path)
    _all_later(2, 100.0)(lines, GAME, None)
    assert kinds(write_lines(path, lines)) == [Flaw.LATE_MOVE]
    lines[0]["limits"] = [None, {"soft": 2, "hard": 10}]
    assert kinds(write_lines(path, lines)) == []
    lines[0]["limits"] = [{"soft": 2, "hard": 10}, {"soft": 2, "hard": 10}]
    lines.insert(2, {"event": "clock", "ply": 1, "team": "ONE", "limits": None})
    assert kinds(write_lines(path, lines)) == []


def test_a_move_at_the_very_limit_is_in_time(tmp_path: Path) -> None:
    for took, expected in ((2.0, []), (2.000_001, []), (2.000_02, [Flaw.LATE_MOVE])):
        stage = Stage(tmp_path / str(took), GAME)
        move = stage.state.legal_moves()[0]
        team, stage.state = stage.state.to_move, stage.state.play(move)
        stage.follow(MoveMade("room-1", team, move, stage.state, (), stage.times(took)))
        assert kinds(stage.end("left")) == expected


# --- lies about the end -----------------------------------------------------------------------------------------------


def _other_winner(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    lines[-1]["winner"] = {"ONE": "TWO", "TWO": None, None: "ONE"}[lines[-1]["winner"]]


def _more_points(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    lines[-1]["teams"][1]["points"][-1] += 1


def _final_is_start(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    lines[-1]["final"] = lines[0]["start"]


@each_game
@pytest.mark.parametrize("ending", ["regular", "left", "late", "cancelled"])
@pytest.mark.parametrize(
    ("lie", "expected"),
    [
        (_other_winner, Flaw.WRONG_WINNER),
        (_more_points, Flaw.WRONG_POINTS),
        (_final_is_start, Flaw.WRONG_FINAL_POSITION),
        (_end(final="nonsense"), Flaw.WRONG_FINAL_POSITION),
        (_end(end="BY_MAGIC"), Flaw.WRONG_END),
    ],
)
def test_a_lie_about_the_result_is_found(game: AnyGame, ending: str, lie: Lie, expected: Flaw, tmp_path: Path) -> None:
    path = Stage(tmp_path, game, seed=4).play(6).end(ending)
    lines = lines_of(path)
    lie(lines, game, None)
    assert kinds(write_lines(path, lines)) == [expected]


def test_a_game_cannot_end_by_the_rules_before_it_does(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).end()
    lines = lines_of(path)
    cut = [*lines[:20], lines[-1]]
    assert Flaw.WRONG_END in kinds(write_lines(path, cut))


def test_nobody_can_be_at_fault_after_the_end(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play()
    assert kinds(stage.end("left")) == [Flaw.WRONG_END]


def _offence(**values: Any) -> Lie:
    def lie(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
        offence = lines[-1]["offence"]
        offence.update(values)
        if values.get("requested", 0) is None:
            offence.pop("took")

    return lie


def _quicker(seconds: float) -> Lie:
    def lie(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
        offence = lines[-1]["offence"]
        for key in ("received", "read", "took"):
            offence[key] = round(offence[key] - seconds, 6)
        lines[-1]["finished"] -= min(seconds, 0)

    return lie


def _legal_after_all(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
    lines[-1]["offence"]["sent"] = game.notation.format_move(state, state.legal_moves()[0])


def _cause(cause: str) -> Lie:
    def lie(lines: list[dict[str, Any]], game: AnyGame, state: Any) -> None:
        for team in lines[-1]["teams"]:
            if team["cause"] != "REGULAR":
                team["cause"] = cause

    return lie


@pytest.mark.parametrize(
    ("ending", "lie"),
    [
        ("illegal", _legal_after_all),
        ("illegal", _offence(team="TWO")),
        ("illegal", _quicker(-2.0)),
        ("illegal", _cause("SOFT_TIMEOUT")),
        ("late", _quicker(0.002)),
        ("late", _offence(requested=None)),
        ("late", _cause("HARD_TIMEOUT")),
        ("late", _start(limits=[None, None])),
        ("very late", _cause("SOFT_TIMEOUT")),
        ("very late", _quicker(0.002)),
        ("silence", _cause("SOFT_TIMEOUT")),
        ("other left", _cause("HARD_TIMEOUT")),
        ("left", _cause("HARD_TIMEOUT")),
    ],
)
def test_an_offence_that_was_none_is_found(ending: str, lie: Lie, tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME, seed=6).play(6)
    path = stage.end(ending)
    lines = lines_of(path)
    lie(lines, GAME, stage.state)
    assert set(kinds(write_lines(path, lines))) == {Flaw.WRONG_OFFENCE}


def test_silence_that_was_too_short_is_found(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME, seed=6).play(6).end("silence")
    lines = lines_of(path)
    lines[-1]["finished"] -= 0.1
    assert kinds(write_lines(path, lines)) == [Flaw.WRONG_OFFENCE]


def test_an_absent_player_has_lost_without_a_reason_of_its_own(tmp_path: Path) -> None:
    from spielleiter.game import Cause, Text
    from spielleiter.referee import verdict

    for number, missing in enumerate(([Team.ONE], [Team.TWO], [Team.ONE, Team.TWO])):
        stage = Stage(tmp_path / str(number), GAME)
        result = verdict.by_fault(stage.state, dict.fromkeys(missing, Cause.LEFT), Text("", ""))
        stage.follow(GameEnded("room-1", result, stage.state, 3.0))
        assert kinds(stage.path) == []


# --- unfinished and unreadable records, folders -----------------------------------------------------------------------


def test_an_unfinished_record_is_a_finding_and_its_moves_are_checked(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(5)
    assert kinds(stage.path) == [Flaw.UNFINISHED]
    lines = lines_of(stage.path)
    lines[3]["turn"] = 9
    assert kinds(write_lines(stage.path, lines)) == [Flaw.WRONG_TURN, Flaw.UNFINISHED]


@each_game
def test_a_record_cut_anywhere_has_no_other_finding(game: AnyGame, tmp_path: Path) -> None:
    data = Stage(tmp_path, game).play(8).end("left").read_bytes()
    for cut in range(data.index(b"\n") + 1, len(data) - 1, 97):
        found = [finding.kind for finding in verify_record(parse_record(data[:cut])).findings]
        assert found == [Flaw.UNFINISHED]


def test_what_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("{}\n")
    [finding] = verify_file(path).findings
    assert finding.kind is Flaw.UNREADABLE
    assert "x.jsonl:1" in finding.sentence.en
    assert kinds(tmp_path / "nowhere.jsonl") == [Flaw.UNREADABLE]


def test_a_start_of_another_game_is_a_finding(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(2).end("left")
    lines = lines_of(path)
    lines[0]["game"] = "blokus-2027"
    assert kinds(write_lines(path, lines)) == [Flaw.UNREADABLE]


def test_folders_are_searched_to_the_bottom(tmp_path: Path) -> None:
    deep = tmp_path / "b" / "c"
    paths = [Stage(folder, GAME).play(2).end("left") for folder in (tmp_path / "a", deep)]
    (deep / "notes.txt").write_text("no record")
    (deep / "loop").symlink_to(tmp_path)
    assert list(record_files([tmp_path])) == paths
    assert list(record_files([paths[1], tmp_path / "a"])) == paths[::-1]
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordError, match=r"empty: no record in this folder"):
        list(record_files([tmp_path / "empty"]))


def test_the_summary_counts_records_and_findings(tmp_path: Path) -> None:
    summary = VerificationSummary()
    for number, (plies, ending) in enumerate([(3, "left"), (4, "regular"), (5, "")]):
        stage = Stage(tmp_path / str(number), GAME).play(plies)
        summary.add(verify_file(stage.end(ending) if ending else stage.path))
    assert (summary.records, summary.sound) == (3, 2)
    assert summary.games == {"piranhas-2026": 3}
    assert summary.findings == {Flaw.UNFINISHED: 1}
    assert summary.plies > 12
