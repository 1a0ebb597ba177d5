"""A file that is replaced is the old one or the new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.atomic_files import atomic_write


def write(path: Path, text: str, problem: str = "") -> None:
    with atomic_write(path) as draft:
        draft.write_text(text)
        if problem:
            raise OSError(problem)


def test_what_fails_halfway_leaves_the_file_as_it_was_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    write(path, "old")
    with pytest.raises(OSError, match="full"):
        write(path, "ne", "full")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
