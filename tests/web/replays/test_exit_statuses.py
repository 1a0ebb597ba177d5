"""How programs ended, on the disk: written whole, read with care, within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.game import Team
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.exit_statuses import ExitStatusView


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    record = tmp_path / "20261115-200000_piranhas-2026_x.jsonl"
    end = ExitStatusView(-9, 12345678, "out", "err\n\tor", was_killed=True)
    exit_statuses.write(record, {Team.TWO: end})
    assert exit_statuses.read(record) == {Team.TWO: end}
    assert exit_statuses.read(record.with_name(record.name + ".gz")) == {Team.TWO: end}
    assert end.signal_name == "SIGKILL"
    assert ExitStatusView(-999, 0, "", "").signal_name == "999"


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "null", "{", '{"ONE":1}', '{"ONE":{"exit_code":"x","peak_memory":0,"output":"","errors":""}}',
        '{"ONE":{"exit_code":1,"peak_memory":-1,"output":"","errors":""}}',
        '{"ONE":{"exit_code":1,"peak_memory":1,"output":null,"errors":""}}', "[" * 100_000, "1" * 300_000,
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_passed_over(tmp_path: Path, content: str) -> None:
    record = tmp_path / "a.jsonl"
    exit_statuses.path_beside(record).write_text(content)
    assert exit_statuses.read(record) == {}


def test_nothing_kept_is_nothing_found_and_a_full_disk_is_no_error(tmp_path: Path) -> None:
    assert exit_statuses.read(tmp_path / "a.jsonl") == {}
    exit_statuses.write(tmp_path / "missing" / "a.jsonl", {})


def test_only_the_last_words_are_kept_and_none_that_command_a_terminal() -> None:
    assert exit_statuses.last_lines("x\n" * 1000).count("x") == 60
    assert len(exit_statuses.last_lines("y" * 1_000_000)) == 12_000
    assert exit_statuses.last_lines("a\x1b[2Jb\n\n") == "ab"
