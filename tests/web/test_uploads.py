"""Files that are uploaded: up to the limit of a ZIP for the contest, and never in memory as a whole."""

from __future__ import annotations

import asyncio
import tracemalloc
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

import pytest
from starlette.datastructures import UploadFile

from spielleiter.errors import ProgramError
from spielleiter.programs import targets
from spielleiter.programs.archive import map_zip
from spielleiter.web.guard import MAX_UPLOAD
from spielleiter.web.uploads import store_upload


def test_what_pack_makes_can_be_uploaded() -> None:
    assert max(target.max_size for target in targets.TARGETS.values()) <= MAX_UPLOAD


def test_a_file_of_the_largest_size_goes_to_the_disk_piece_by_piece(tmp_path: Path) -> None:
    stored = tmp_path / "new" / "player.zip"
    with TemporaryFile() as sent:
        sent.truncate(MAX_UPLOAD)
        tracemalloc.start()
        try:
            asyncio.run(store_upload(UploadFile(cast("BinaryIO", sent)), stored))
            assert len(map_zip(stored, "player.zip")) == MAX_UPLOAD
            assert tracemalloc.get_traced_memory()[1] < 2_000_000
        finally:
            tracemalloc.stop()


def test_one_byte_more_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    stored = tmp_path / "player.zip"
    with TemporaryFile() as sent:
        sent.truncate(MAX_UPLOAD + 1)
        with pytest.raises(ProgramError, match=r"The file is larger than 100 MB\."):
            asyncio.run(store_upload(UploadFile(cast("BinaryIO", sent)), stored))
    assert not stored.exists()
    with stored.open("wb") as file:
        file.truncate(MAX_UPLOAD + 1)
    with pytest.raises(ProgramError, match=r"player\.zip: larger than 100 MB: it has 100\.000001 MB"):
        map_zip(stored, "player.zip")
