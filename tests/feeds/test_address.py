"""The small file that says where a match can be followed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spielleiter.errors import SettingsError
from spielleiter.feeds import FeedAddress


def test_the_address_stands_in_a_private_file_while_the_match_is_played(tmp_path: Path) -> None:
    address, path = FeedAddress("127.0.0.1", 4711, "key"), tmp_path / "live.json"
    path.write_text("left by a match that was killed")
    with address.written_to(path):
        assert FeedAddress.read(path) == address
        if sys.platform != "win32":
            assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"host": 1, "port": 2, "key": "k"}', '{"host": "h", "port": 70000, "key": "k"}', "\x00"]
)
def test_anything_else_in_the_file_is_not_an_address(tmp_path: Path, text: str) -> None:
    path = tmp_path / "live.json"
    path.write_text(text)
    assert FeedAddress.read(path) is None
    assert FeedAddress.read(tmp_path / "missing") is None


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with (
        pytest.raises(SettingsError, match="cannot be written"),
        FeedAddress("127.0.0.1", 1, "k").written_to(tmp_path / "missing" / "live.json"),
    ):
        pass
