"""Notes in records: written, read, bounded, and for the people of one side only."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Team, Text
from spielleiter.game.note import MAX_NOTES, MAX_OUTPUT, PlayerNote
from spielleiter.records.history import History, RecordedNotes
from spielleiter.records.reader import parse_record, read_record
from spielleiter.records.replay_xml import parse_replay, replay_bytes
from spielleiter.records.writer import record_lines
from spielleiter.referee import NotesTaken
from tests.support.records_stage import Stage

GAME = games.load("piranhas-2026")
NOTE = PlayerNote(text="ä", squares=("A0",), arrows=(("A0", "B4"),), values=(("B4", 0.83),), table=(("depth", 5),))
PROBLEM = Text("kein Feld", "not a cell")


def noted(folder: Path) -> Path:
    """The record of a game with notes of both sides for their first moves, and of TWO before the end."""
    stage = Stage(folder, GAME)
    for ply, team in enumerate(TEAMS):
        stage.play(1)
        note = replace(NOTE, chance=0.25 + ply / 2)
        stage.follow(NotesTaken("room-1", team, ply, (note,), PROBLEM if ply else None, f"printed by {team.name}"))
    stage.follow(NotesTaken("room-1", Team.TWO, 2, output="last words"))
    return stage.end("left")


def test_notes_and_output_are_read_as_they_were_written(tmp_path: Path) -> None:
    record = read_record(noted(tmp_path))
    assert record.notes == (
        RecordedNotes(0, Team.ONE, (replace(NOTE, chance=0.25),), None, "printed by ONE"),
        RecordedNotes(1, Team.TWO, (replace(NOTE, chance=0.75),), PROBLEM, "printed by TWO"),
        RecordedNotes(2, Team.TWO, output="last words"),
    )
    assert parse_record("".join(f"{line}\n" for line in record_lines(record)).encode()) == record
    assert record.chances_noted(Team.TWO) == [None, 0.75]


def test_the_people_of_a_side_see_its_notes_and_no_others(tmp_path: Path) -> None:
    record = read_record(noted(tmp_path))
    for team in TEAMS:
        seen = record.seen_by({team})
        text = "".join(record_lines(seen))
        assert f"printed by {team.name}" in text
        assert f"printed by {team.opponent.name}" not in text
        assert seen.states == record.states
    public = "".join(record_lines(record.seen_by(())))
    assert "printed by" not in public
    assert "notes" not in public
    assert record.seen_by(TEAMS) is record


def test_notes_of_one_move_that_come_apart_are_shown_together() -> None:
    history = History(game_key=GAME.key, id="x", start="", names=("", ""))
    history.add(RecordedNotes(0, Team.ONE, (NOTE,), output="a"))
    history.add(RecordedNotes(0, Team.ONE, (NOTE,), PROBLEM, "b"))
    history.add(RecordedNotes(0, Team.TWO, (NOTE,)))
    assert history.notes_at(0, Team.ONE) == RecordedNotes(0, Team.ONE, (NOTE, NOTE), PROBLEM, "a\nb")
    assert history.notes_at(1) is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"ply": 9}, "ply must lie between 0 and 2"),
        ({"team": "BOTH"}, "team must be"),
        ({"notes": [1]}, "notes must be a table"),
        ({"notes": [{"values": {"B4": "much"}}]}, "values must be"),
        ({"output": 7}, "output must be a text"),
    ],
)
def test_a_wrong_line_of_notes_is_a_clear_error(line: dict[str, object], problem: str, tmp_path: Path) -> None:
    lines = noted(tmp_path).read_bytes().splitlines()
    lines[4] = json.dumps({"event": "notes", "ply": 1, "team": "TWO", **line}).encode()
    with pytest.raises(RecordError) as raised:
        parse_record(b"\n".join(lines))
    assert problem in raised.value.text.en.replace("'", "")


def test_of_a_long_line_of_notes_only_the_beginning_is_read(tmp_path: Path) -> None:
    lines = noted(tmp_path).read_bytes().splitlines()
    long = {"event": "notes", "ply": 1, "team": "TWO", "notes": [{"text": "x" * 900}] * 300, "output": "y" * 300_000}
    lines[4] = json.dumps(long).encode()
    found = parse_record(b"\n".join(lines)).notes[1]
    assert (len(found.notes), len(found.notes[0].text), len(found.output)) == (MAX_NOTES, 500, MAX_OUTPUT)


def test_a_replay_for_others_has_no_notes_and_notes_in_one_are_private(tmp_path: Path) -> None:
    old = games.load("piranhas-2019-official")
    record = read_record(Stage(tmp_path, old).play(2, hints=lambda _: ("seen by all",)).end("left"))
    record.add(RecordedNotes(0, Team.ONE, (PlayerNote(text="secret"),)))
    data = replay_bytes(record)
    assert b"seen by all" in data
    assert b"secret" not in data
    leaked = parse_replay(data.replace(b"seen by all", b"@note secret"))
    assert [move.hints for move in leaked.moves] == [(), ()]
    assert [each.notes for each in leaked.notes] == [(PlayerNote(text="secret"),)] * 2
