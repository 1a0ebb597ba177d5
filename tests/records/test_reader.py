"""The reader: what was written comes back, what is cut is said to be, what is damaged is refused with its place."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import AnyGame, Cause, Clock, Limits, Team
from spielleiter.records import reader
from spielleiter.records.history import Referee
from spielleiter.records.reader import parse_record, read_record
from spielleiter.records.writer import record_lines
from spielleiter.referee import ClockChanged
from tests.support.records_stage import ENDINGS, REASON, STARTED, Stage, lines_of, write_lines
from tests.support.rule_sets import each_game

GAME = games.load("piranhas-2019")
Line = dict[str, Any]


@each_game
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_record_is_read_as_it_was_written(game: AnyGame, ending: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path, game, seed=7).play(9, hints=lambda ply: (f"hint {ply}",) if ply % 2 else ())
    path = stage.end(ending)
    record = read_record(path)
    assert [f"{line}\n" for line in record_lines(record)] == path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert (record.game_key, record.id, record.names) == (game.key, "room-1", ("Ada", "Bö"))
    assert (record.started, record.clock, record.referee) == (STARTED, Clock.KERNEL, Referee.SPIELLEITER)
    assert record.limits == (game.limits, game.limits)
    assert record.is_finished
    states = record.states
    assert len(states) == len(record.moves) + 1
    assert states[-1] == stage.state
    assert [move.turn for move in record.moves] == [state.turn for state in states[:-1]]
    assert [move.hints for move in record.moves[:2]] == [(), ("hint 1",)]


def test_the_result_tells_winner_causes_points_offence_and_times(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(6)
    result = read_record(stage.end("late")).result
    assert result is not None
    assert result.winner is Team.TWO
    assert [team.cause for team in result.teams] == [Cause.SOFT_TIMEOUT, Cause.REGULAR]
    assert result.teams[0].points == (0, 0)
    assert result.teams[1].points == (2, stage.state.points(Team.TWO)[1])
    assert (result.reason, result.end) == (REASON, None)
    assert result.final == GAME.notation.format_state(stage.state)
    assert result.offence is not None
    assert (result.offence.team, result.offence.text) == (Team.ONE, REASON)
    assert result.offence.sent == GAME.notation.format_move(stage.state, stage.state.legal_moves()[0])
    assert result.offence.timing is not None
    assert result.offence.timing.elapsed == pytest.approx(GAME.limits.soft + 0.001)
    assert result.finished is not None
    assert result.finished > result.offence.timing.read


def test_a_regular_end_is_named(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME)
    result = read_record(stage.end()).result
    assert result is not None
    assert result.end == stage.state.outcome.reason.name
    assert result.reason == stage.state.outcome.reason.text


def test_a_record_that_is_cut_anywhere_is_an_unfinished_game(tmp_path: Path) -> None:
    data = Stage(tmp_path, GAME, names=("Ä", "ß")).play(4, hints=lambda _: ("ü",)).end("late").read_bytes()
    whole = parse_record(data)
    first = data.index(b"\n")
    for cut in range(len(data) - 1):
        if cut < first:
            with pytest.raises(RecordError, match=r"record:1: the record breaks off in its first line"):
                parse_record(data[:cut])
            continue
        record = parse_record(data[:cut])
        assert not record.is_finished
        # A line counts from its closing brace on, with or without the newline.
        assert record.moves == whole.moves[: (data[:cut] + b"\n").count(b"}\n") - 1]
    assert parse_record(data[:-1]) == parse_record(data) == whole


def test_zeros_after_a_crash_are_a_cut_line(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(3)
    record = parse_record(stage.path.read_bytes() + b"\0" * 500)
    assert len(record.moves) == 3
    assert not record.is_finished


# --- damage -----------------------------------------------------------------------------------------------------------


def _drop(number: int) -> Callable[[list[Line]], None]:
    return lambda lines: lines.__delitem__(number)


def _set(number: int, **values: Any) -> Callable[[list[Line]], None]:
    return lambda lines: lines[number].update(values)


@pytest.mark.parametrize(
    ("damage", "line", "message"),
    [
        (_drop(0), 1, 'expected the "event" start'),
        (_drop(2), 3, "expected the move of ply 1, found ply 2: a line is missing"),
        (lambda lines: lines.insert(2, lines[1]), 3, "expected the move of ply 1, found ply 0"),
        (lambda lines: lines.append(lines[1]), 7, "nothing may follow the end"),
        (lambda lines: lines.insert(1, lines[0]), 2, 'expected the "event" move, notes, clock or end'),
        (_set(0, format=2), 1, "the record has the format 2; this program knows 1"),
        (_set(0, names=["a"]), 1, "names must be a list with two entries"),
        (_set(0, started="yesterday"), 1, "expected a time like"),
        (_set(0, started="2026-11-15T20:30:00"), 1, "expected a time like"),
        (_set(0, limits=[{"soft": "2", "hard": 10}, None]), 1, "soft must be a number, not '2'"),
        (_set(0, clock="sundial"), 1, 'clock must be "kernel" or "reading" or "processor"'),
        (_set(1, team=0), 2, 'team must be "ONE" or "TWO", not 0'),
        (_set(1, ply=True), 2, "ply must be a whole number, not True"),
        (_set(1, turn=-1), 2, "turn must lie between 0 and 999999, not -1"),
        (_set(1, move=None), 2, "move must be a text in quotes, not None"),
        (_set(1, took=0.5), 2, '"took" is not the time'),
        (_set(1, read=10**400), 2, "read must lie between -1e+09 and 1e+09"),
        (_set(1, hints=["a", 1]), 2, "hints must be a list of texts"),
        (_set(1, move="\ud800"), 2, "move must be a text in quotes"),
        (_set(5, winner="RED"), 6, 'winner must be "ONE" or "TWO"'),
        (_set(5, teams=[]), 6, "teams must be a list with two entries"),
        (_set(5, offence=[]), 6, "offence must be a table, not []"),
        (_set(5, event="fin"), 6, 'expected the "event" move, notes, clock or end'),
        (_set(5, event="clock", ply=2, team="ONE"), 6, "expected a change of the clock at ply 4, found 2"),
    ],
)
def test_damage_is_refused_with_file_and_line(
    damage: Callable[[list[Line]], None], line: int, message: str, tmp_path: Path
) -> None:
    path = Stage(tmp_path, GAME).play(4).end("late")
    lines = lines_of(path)
    damage(lines)
    with pytest.raises(RecordError) as refused:
        read_record(write_lines(path, lines))
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("found", "instead", "message"),
    [
        (b'{"event":"move","ply":1', b'"event":"move","ply":1', "3: damaged"),
        (b'"ply":1,', b'"ply":1,"ply":1,', "3: damaged: a key appears twice"),
        (
            b'"judged":"kernel"}\n{"event":"move","ply":2',
            b'"judged":"kernel"}\n\n{"event":"move","ply":2',
            "4: damaged",
        ),
        (b'"ply":1,"turn":1', b'"ply":1,"turn":NaN', "3: damaged: NaN is not a number"),
        (b'"ply":1,"turn":1', b'"ply":1,"turn":1e999', "3: turn must be a whole number"),
        (b'"ply":1,"turn":1', b'"ply":1,"turn":' + b"9" * 5000, "3: damaged"),
        (b'"ply":1,', b'"ply":1,"x":' + b"[" * 100_000 + b"]" * 100_000 + b",", "3: damaged"),
        (b'"ply":1,', b'"ply":1,"x":"' + b"a" * (1 << 20) + b'",', "3: more than"),
        (b'"names":["Ada"', b'"names":["\xff"', "1: damaged"),
        (b'{"event":"move","ply":1', b'[]\n{"event":"move","ply":1', "3: damaged: expected a JSON object, found list"),
    ],
)
def test_lines_that_are_not_json_of_ours_are_refused(
    found: bytes, instead: bytes, message: str, tmp_path: Path
) -> None:
    data = Stage(tmp_path, GAME).play(4).end("late").read_bytes()
    assert found in data
    with pytest.raises(RecordError, match=f"^record:{message[:60]}"):
        parse_record(data.replace(found, instead, 1))


JUNK = [None, True, -1, 0, 1.5, 10**30, "", "x", "ONE", [], [1], [None, None], {}, {"a": 1}, "\ud800", 1e308]


def test_any_value_of_any_key_may_be_junk(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(2).end("late")
    lines = lines_of(path)
    refused = 0
    for number, line in enumerate(lines):
        for where in (line, line.get("offence") or {}, line.get("software") or {}, line.get("reason") or {}):
            for key, value in [*where.items()]:
                for junk in JUNK:
                    where[key] = junk
                    refused += _is_refused("".join(json.dumps(line) + "\n" for line in lines).encode(), number + 1)
                where[key] = value
    assert refused > 400
    assert read_record(write_lines(path, lines)).is_finished


def _is_refused(data: bytes, line: int) -> bool:
    try:
        parse_record(data)
    except RecordError as problem:
        return str(problem).startswith(f"record:{line}")
    return False


@given(seed=st.integers(0, 2**32))
def test_flipped_bytes_are_read_or_refused_but_never_more(seed: int) -> None:
    rng = Random(seed)
    data = bytearray(_one_record())
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data))
        match rng.randrange(3):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randrange(40)]
            case 2:
                data[at:at] = rng.choice([b"\n", b'"', b"{", b"}", b"\\", b"0", b"null", b"\xc3", b"1e9"])
    with suppress(RecordError):
        list(parse_record(bytes(data)).states)


def _one_record(cache: list[bytes] = []) -> bytes:  # noqa: B006
    if not cache:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            cache.append(Stage(Path(folder), GAME).play(5).end("late").read_bytes())
    return cache[0]


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_files_that_are_too_large_empty_or_missing_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read_record(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(RecordError, match="not a regular file"):
            read_record(path)
    (tmp_path / "empty").write_bytes(b" \n")
    with pytest.raises(RecordError, match="the file is empty"):
        read_record(tmp_path / "empty")
    monkeypatch.setattr(reader, "MAX_FILE_SIZE", 1 << 20)
    (tmp_path / "large").write_bytes(b"\n" * (2 << 20))
    with pytest.raises(RecordError, match="larger than 1 MiB"):
        read_record(tmp_path / "large")


def test_a_packed_bomb_is_not_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.jsonl.gz"
    with gzip.open(bomb, "wb", compresslevel=9) as file:
        for _ in range(48):
            file.write(b" " * (1 << 20))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(RecordError, match="larger than 32 MiB"):
        read_record(bomb)


def test_packed_nothing_in_masses_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_FILE_SIZE", 1 << 20)
    (tmp_path / "nothing").write_bytes(gzip.compress(b"") * 60_000)
    with pytest.raises(RecordError, match="larger than 1 MiB"):
        read_record(tmp_path / "nothing")


def test_a_packed_record_that_is_damaged_is_refused(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(4).end("late")
    packed = gzip.compress(path.read_bytes())
    for damaged in (packed[:-9], packed[:40], packed[:-3] + b"xyz", packed[:60] + b"\0\0\0\0" + packed[64:]):
        path.write_bytes(damaged)
        with pytest.raises(RecordError, match="cannot be read"):
            read_record(path)


def test_too_many_lines_are_refused(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME)
    change = b'{"event":"clock","ply":0,"team":"ONE","limits":null}\n'
    with pytest.raises(RecordError, match=r"record:10001: more than 10000 lines"):
        parse_record(stage.path.read_bytes() + change * 11_000)


# --- what a record knows ----------------------------------------------------------------------------------------------


def test_an_illegal_move_stops_the_states_with_its_ply(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(4).end("late")
    lines = lines_of(path)
    lines[3]["move"] = lines[1]["move"]
    record = read_record(write_lines(path, lines))
    assert len(record.moves) == 4
    with pytest.raises(RecordError, match=r"\.jsonl: ply 2: "):
        record.replayed()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("game", "halma-2030", "there is no game called 'halma-2030'"), ("start", "piranhas-2019 x 0", "the start: ")],
)
def test_an_unknown_game_or_an_impossible_start_is_refused(key: str, value: str, message: str, tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(1).end("late")
    lines = lines_of(path)
    lines[0][key] = value
    record = read_record(write_lines(path, lines))
    with pytest.raises(RecordError, match=message):
        record.replayed()


def test_limits_follow_the_changes_of_the_clock(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(3)
    stage.follow(ClockChanged("room-1", Team.TWO, None))
    stage.play(2)
    stage.follow(ClockChanged("room-1", Team.TWO, Limits(1, 5)))
    record = read_record(stage.play(2).end("left"))
    normal = GAME.limits
    assert [record.limits_at(ply, Team.TWO) for ply in range(2, 8)] == [
        (normal,), (normal, None), (None,), (None, Limits(1, 5)), (Limits(1, 5),), (Limits(1, 5),),
    ]  # fmt: skip
    assert {record.limits_at(ply, Team.ONE) for ply in range(8)} == {(normal,)}
