"""How programs ended, on the disk: written whole, read with care, within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.game import Team
from spielleiter.programs.sandbox import Breach, ExitStatus
from spielleiter.web.replays import exit_statuses


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    record = tmp_path / "20261115-200000_piranhas-2026_x.jsonl"
    end = ExitStatus(None, Breach.MEMORY, b"out", b"err\n\tor", 12345678, 1.5)
    exit_statuses.write(record, {Team.TWO: end})
    assert exit_statuses.read(record) == {Team.TWO: end}
    assert exit_statuses.read(record.with_name(record.name + ".gz")) == {Team.TWO: end}
    end = ExitStatus(-9, None, b"\xff" * 300_000, b"", 0, 0.0)
    exit_statuses.write(record, {Team.ONE: end})
    assert exit_statuses.read(record)[Team.ONE].out == "\ufffd".encode() * 200_000


WHOLE = '{"ONE":{"code":7,"breach":null,"out":"a","err":"b","peak_memory":0,"processor_time":1.5}}'


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    exit_statuses.path_beside(tmp_path / "a.jsonl").write_text(WHOLE)
    assert exit_statuses.read(tmp_path / "a.jsonl") == {Team.ONE: ExitStatus(7, None, b"a", b"b", 0, 1.5)}


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "null", "{", '{"ONE":1}', WHOLE.replace("7", '"x"'), WHOLE.replace("0,", "-1,"),
        WHOLE.replace('"a"', "null"), WHOLE.replace("null", '"HEAT"'), "[" * 100_000, "1" * 300_000,
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_ignored(tmp_path: Path, content: str) -> None:
    record = tmp_path / "a.jsonl"
    exit_statuses.path_beside(record).write_text(content)
    assert exit_statuses.read(record) == {}


def test_nothing_kept_is_nothing_found_and_a_full_disk_is_not_an_error(tmp_path: Path) -> None:
    assert exit_statuses.read(tmp_path / "a.jsonl") == {}
    exit_statuses.write(tmp_path / "missing" / "a.jsonl", {})


def test_only_the_last_words_are_kept_and_none_that_command_a_terminal() -> None:
    assert exit_statuses.last_lines(b"x\n" * 1000).count("x") == 60
    assert len(exit_statuses.last_lines(b"y" * 1_000_000)) == 12_000
    assert exit_statuses.last_lines(b"a\x1b[2Jb\n\n") == "ab"
