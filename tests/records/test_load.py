"""Any file that tells a game can be opened, and gone on from at any turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import AnyGame
from spielleiter.records.load import is_record_name, open_any, state_at
from spielleiter.records.reader import read_record
from spielleiter.records.replay_xml import replay_bytes
from spielleiter.records.writer import write_new_file, write_record
from tests.support.records_stage import Stage
from tests.support.rule_sets import each_game

GAME = games.load("blokus-2027")


@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".xml", ".xml.gz", ""])
def test_the_content_decides_what_a_file_is(ending: str, tmp_path: Path) -> None:
    record = read_record(Stage(tmp_path, GAME).play(6).end("left"))
    path = tmp_path / f"game{ending}"
    if "xml" in ending:
        write_new_file(path, replay_bytes(record))
    else:
        write_record(record, path)
    opened = open_any(path, official=False)
    assert opened.game_key == GAME.key
    assert opened.states == record.states
    assert opened.place == str(path)


def test_a_byte_order_mark_and_blanks_before_a_replay_do_not_matter(tmp_path: Path) -> None:
    record = read_record(Stage(tmp_path, GAME).play(3).end("left"))
    for start in (b"\xef\xbb\xbf", b"\n  ", b'<?xml version="1.0"?>\n'):
        path = tmp_path / "game.xml"
        path.write_bytes(start + replay_bytes(record))
        assert len(open_any(path).moves) == 3


def test_a_replay_that_names_no_rule_set_is_read_by_that_of_its_server_by_default(tmp_path: Path) -> None:
    path = tmp_path / "game.xml"
    replay = replay_bytes(read_record(Stage(tmp_path, GAME).play(3).end("left")))
    path.write_bytes(replay.replace(b"<!-- rule set: blokus-2027 -->\n", b""))
    assert open_any(path).game_key == "blokus-2027-official"
    assert open_any(path, official=False).game_key == "blokus-2027"


@pytest.mark.parametrize("content", [b"hello", b"\x00\x01", b"{}", b"[]\n", b"\x1f\x8b", b"<", b"\xef", b"PK\x03\x04"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"/file"):
        open_any(path)


@each_game
def test_a_game_can_be_gone_on_with_from_any_turn(game: AnyGame, tmp_path: Path) -> None:
    record = read_record(Stage(tmp_path, game, seed=8).end())
    *running, final = record.states
    for turn in range(running[-1].turn + 1):
        state = state_at(record, turn)
        assert state == next(state for state in running if state.turn >= turn)
        assert state.legal_moves()
    with pytest.raises(RecordError, match=rf"at turn {final.turn} the game is over"):
        state_at(record, running[-1].turn + 1)
    with pytest.raises(
        RecordError, match=rf"there is no turn {final.turn + 1}, the record ends with turn {final.turn}"
    ):
        state_at(record, final.turn + 1)


def test_the_names_of_records_are_known() -> None:
    assert all(map(is_record_name, ("a.jsonl", "a.jsonl.gz", "a.xml", "a.xml.gz")))
    assert not any(map(is_record_name, ("a.json", "a.gz", "jsonl", "a.txt")))
