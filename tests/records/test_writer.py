"""The writer: nothing is lost, nothing overwritten, no stranger chooses a path, no broken disk ends a game."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from datetime import timedelta, timezone
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import Cause, Clock, Element, GameResult, Limits, Team, TeamResult
from spielleiter.records import writer as writer_module
from spielleiter.records.history import History, RecordedOffence, Software
from spielleiter.records.reader import parse_record, read_record
from spielleiter.records.writer import RecordWriter, write_record
from spielleiter.referee import ClockChanged, GameEnded, GameStarted, Offence
from tests.support.records_stage import STARTED, Stage, lines_of

GAME = games.load("piranhas-2026")
_PATHS = {"PYTHONPATH": os.pathsep.join(path for path in (os.getcwd(), *sys.path) if path)}
"""So that a child process finds what this one has found."""


def test_every_event_is_in_the_file_as_soon_as_it_happened(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME)
    assert [line["event"] for line in lines_of(stage.path)] == ["start"]
    for ply in range(5):
        stage.play(1)
        assert [line["ply"] for line in lines_of(stage.path)[1:]] == list(range(ply + 1))
    path = stage.end("left")
    assert lines_of(path)[-1]["event"] == "end"
    assert not stage.writer.is_open


def test_the_first_line_says_what_was_played_by_whom_and_with_which_software(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME, names=("Ada", "Bö"), limits=(Limits(2, 10), None))
    [start] = lines_of(stage.path)
    assert start == {
        "event": "start",
        "format": 1,
        "game": "piranhas-2026",
        "id": "room-1",
        "started": "2026-11-15T20:30:00Z",
        "start": GAME.notation.format_state(stage.state),
        "names": ["Ada", "Bö"],
        "limits": [{"soft": 2, "hard": 10}, None],
        "clock": "kernel",
        "referee": "spielleiter",
        "software": start["software"],
    }
    assert set(start["software"]) == {"spielleiter", "python", "platform"}
    assert all(start["software"].values())


def test_a_move_has_its_times_to_the_microsecond_and_its_hints(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(1, hints=lambda _: ("a < b", "zweite\nZeile"))
    move = lines_of(stage.path)[1]
    assert list(move) == [
        "event", "ply", "turn", "team", "move", "requested", "received", "read", "took", "judged", "hints",
    ]  # fmt: skip
    assert move["took"] == round(move["received"] - move["requested"], 6)
    assert move["requested"] < move["received"] < move["read"]
    assert move["hints"] == ["a < b", "zweite\nZeile"]
    assert re.search(rb'"requested":0\.000100,', stage.path.read_bytes())


def test_the_name_says_when_and_what_in_universal_time(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME, game_id="4f2c-99")
    assert stage.path.name == "20261115-203000_piranhas-2026_4f2c-99.jsonl"
    here = STARTED.astimezone(timezone(timedelta(hours=9)))
    event = GameStarted("x", GAME, ("", ""), stage.state, 0.0, (None, None))
    writer = RecordWriter(tmp_path / "b", History.begin(event, here, Clock.READING))
    writer.close()
    assert writer.path.name == "20261115-203000_piranhas-2026_x.jsonl"


@pytest.mark.parametrize(
    "hostile", ["../../etc/passwd", "..", "", "a/b\\c:d|e", "C:\\x", "\0", "ü" * 3000, "-rf", "nul", "x" * 3000, "\n"]
)
def test_no_stranger_chooses_a_path(tmp_path: Path, hostile: str) -> None:
    folder = tmp_path / "records"
    stage = Stage(folder, GAME, game_id=hostile, names=(hostile, hostile))
    assert stage.path.parent == folder
    assert [*tmp_path.iterdir()] == [folder]
    assert re.fullmatch(r"20261115-203000_piranhas-2026_[A-Za-z0-9][A-Za-z0-9-]{0,63}\.jsonl", stage.path.name)
    record = read_record(stage.path)
    assert record.id == hostile
    assert record.names == (hostile, hostile)


def test_nothing_is_ever_overwritten(tmp_path: Path) -> None:
    stages = [Stage(tmp_path, GAME, seed=seed).play(seed) for seed in range(4)]
    assert len({stage.path for stage in stages}) == 4
    for seed, stage in enumerate(stages):
        assert len(read_record(stage.path).moves) == seed
    record = read_record(stages[0].path)
    with pytest.raises(RecordError, match=r"room-1-2\.jsonl: cannot be written: File exists"):
        write_record(record, stages[1].path)
    assert len(read_record(stages[1].path).moves) == 1


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    link = tmp_path / "20261115-203000_piranhas-2026_room-1.jsonl"
    link.symlink_to(victim)
    stage = Stage(tmp_path, GAME)
    assert stage.path != link
    assert not victim.exists()


def test_half_a_character_in_a_name_or_hint_does_no_harm(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME, names=("a\ud800b", "\udfff")).play(1, hints=lambda _: ("\ud800",))
    record = read_record(stage.path)
    assert record.names == ("a?b", "?")
    assert record.moves[0].hints == ("?",)


def test_a_folder_that_cannot_be_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordError, match=r"file: no record can be written here: File exists"):
        Stage(tmp_path / "file", GAME)
    with pytest.raises(RecordError, match=r"no record can be written here: Not a directory"):
        Stage(tmp_path / "file" / "below", GAME)


class FullDisk(FileIO):
    """Takes so many bytes and no more, the last of them in pieces."""

    room = 0

    def write(self, data: bytes) -> int:  # type: ignore[override]
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = super().write(data[: self.room])
        type(self).room -= taken
        return taken


def test_a_full_disk_is_reported_once_and_leaves_a_whole_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Stage(tmp_path, GAME).play(8).end("left")
    whole = path.read_bytes()
    ends = [found.end() for found in re.finditer(rb"\n", whole)]
    monkeypatch.setattr(writer_module, "FileIO", FullDisk)
    for at, room in enumerate((ends[3], ends[3] + 1, ends[4] - 1, ends[-1] - 5)):
        FullDisk.room = room
        stage = Stage(tmp_path / str(at), GAME)
        with pytest.raises(RecordError, match=r"room-1\.jsonl: the record ends after .* No space left on device") as e:
            stage.play(8).end("left")
        assert "\n" not in str(e.value)
        assert not stage.writer.is_open
        stage.play(2)
        stage.end("left")
        left = stage.path.read_bytes()
        assert left == whole[: max(end for end in ends if end <= room)]
        record = parse_record(left)
        assert not record.is_finished
        assert len(record.moves) == left.count(b"\n") - 1


def test_a_disk_that_is_full_from_the_start_keeps_no_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "FileIO", FullDisk)
    FullDisk.room = 20
    with pytest.raises(RecordError, match="the record ends after 0 plies"):
        Stage(tmp_path, GAME)
    assert [*tmp_path.iterdir()] == []


_CHILD = """
import sys, time
from pathlib import Path
from typing import Any
from spielleiter import games
from tests.support.records_stage import Stage
stage = Stage(Path(sys.argv[1]), games.load("piranhas-2026"))
print(stage.path, flush=True)
for ply in range(60):
    stage.play(1)
    print(ply, flush=True)
time.sleep(60)
"""


def test_a_killed_process_leaves_every_move_that_was_made(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True, env={**os.environ, **_PATHS}
    ) as child:
        assert child.stdout is not None
        path = Path(child.stdout.readline().strip())
        while child.stdout.readline().strip() != "25":
            pass
        child.kill()
    record = read_record(path)
    assert len(record.moves) >= 26
    assert not record.is_finished


def test_a_disk_that_takes_a_line_in_pieces_gets_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(FileIO):
        def write(self, data: bytes) -> int:  # type: ignore[override]
            return super().write(data[:7])

    expected = Stage(tmp_path, GAME).play(3).end("left").read_bytes()
    monkeypatch.setattr(writer_module, "FileIO", Slow)
    assert Stage(tmp_path / "slow", GAME).play(3).end("left").read_bytes() == expected


def test_a_disk_that_fails_at_the_very_end_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    stage = Stage(tmp_path, GAME).play(2)
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(RecordError, match="may not have reached the disk: Input/output error"):
        stage.end("left")
    assert read_record(stage.path).is_finished


def test_closing_is_idempotent_and_nothing_is_written_afterwards(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(2)
    path = stage.end("left")
    before = path.read_bytes()
    stage.writer.close()
    stage.play(3)
    stage.follow(ClockChanged("room-1", Team.ONE, None))
    assert path.read_bytes() == before


def test_a_changed_clock_is_written_between_the_moves(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(2)
    stage.follow(ClockChanged("room-1", Team.TWO, None))
    path = stage.play(1).end("left")
    assert [line["event"] for line in lines_of(path)] == ["start", "move", "move", "clock", "move", "end"]
    assert lines_of(path)[3] == {"event": "clock", "ply": 2, "team": "TWO", "limits": None}
    copy = tmp_path / "copy.jsonl"
    write_record(read_record(path), copy)
    assert copy.read_bytes() == path.read_bytes()


def _recorded(stage: Stage, *, move: Any = None, sent: Element | None = None) -> RecordedOffence:
    """How the record ends when ONE sends what is wrong."""
    result = GameResult((TeamResult(Cause.RULE_VIOLATION, ()), TeamResult(Cause.REGULAR, ())), Team.TWO, GAME.title)
    stage.follow(GameEnded("room-1", result, stage.state, 1.0, Offence(Team.ONE, GAME.title, move, sent=sent)))
    assert stage.history.offence is not None
    return stage.history.offence


def test_what_was_sent_instead_of_a_move_is_kept_but_not_without_end(tmp_path: Path) -> None:
    offence = _recorded(Stage(tmp_path, GAME), sent=Element("data", {"class": "x" * 100_000}))
    assert offence.sent == ('<data class="' + "x" * 2000)[:2000]


def test_the_message_behind_a_wrong_move_is_kept_beside_its_notation(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME)
    move = stage.state.legal_moves()[0]
    offence = _recorded(stage, move=move, sent=Element("data", {"class": "x" * 3000}))
    assert offence.sent == GAME.notation.format_move(stage.state, move)
    assert offence.xml == ('<data class="' + "x" * 3000)[:2000]
    stage.writer.close()
    record = read_record(stage.writer.path)
    assert record.result is not None
    assert record.result.offence == offence
    copy = tmp_path / "copy.jsonl"
    write_record(record, copy)
    assert copy.read_bytes() == stage.writer.path.read_bytes()


def test_a_packed_record_is_the_same_record(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(6).end("late")
    record = read_record(path)
    packed = tmp_path / "packed.jsonl.gz"
    write_record(record, packed)
    assert packed.read_bytes()[:2] == b"\x1f\x8b"
    assert read_record(packed) == record
    again = tmp_path / "again.jsonl.gz"
    write_record(record, again)
    assert again.read_bytes() == packed.read_bytes()


def test_the_running_software_names_itself() -> None:
    running = Software.running()
    assert re.fullmatch(r"\d+\.\d+\.\d+", running.python)
    assert json.dumps(running.platform)
