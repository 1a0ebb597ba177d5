from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from spielleiter.errors import ProgramError
from spielleiter.programs.archive import ArchiveLimits, unpack


def pack(path: Path, *entries: tuple[str, bytes], mode: int = 0o100644) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def everything(tmp_path: Path) -> set[str]:
    return {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}


def test_files_come_out_as_they_went_in(tmp_path: Path, folder: Path) -> None:
    zipped = pack(tmp_path / "a.zip", ("start.sh", b"#!/bin/sh\n"), ("data/book.txt", b"x"), mode=0o100755)
    unpack(zipped, folder)
    assert (folder / "start.sh").read_bytes() == b"#!/bin/sh\n"
    assert (folder / "start.sh").stat().st_mode & 0o111
    assert (folder / "data" / "book.txt").read_bytes() == b"x"


@pytest.mark.parametrize("mode", [0, 0o644, 0o104755, 0o102755])
def test_odd_permissions_do_not_get_in(mode: int, tmp_path: Path, folder: Path) -> None:
    unpack(pack(tmp_path / "a.zip", ("x", b""), mode=mode), folder)
    assert stat.S_IMODE((folder / "x").stat().st_mode) in (0o644, 0o755)


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/evil", "..\\evil", "C:\\evil", "C:/evil", "a/b/../../../evil", "x/" * 40]
)
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path, folder: Path) -> None:
    zipped = pack(tmp_path / "a.zip", (name, b"boo"))
    with pytest.raises(ProgramError, match="leads out of the ZIP"):
        unpack(zipped, folder)
    assert everything(tmp_path) == {"a.zip"}


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600, stat.S_IFIFO | 0o600])
def test_links_and_devices_are_refused(mode: int, tmp_path: Path, folder: Path) -> None:
    zipped = pack(tmp_path / "a.zip", ("link", b"/etc/passwd"), mode=mode)
    with pytest.raises(ProgramError, match="link or a device"):
        unpack(zipped, folder)


def test_a_bomb_is_stopped_by_what_comes_out_of_it(tmp_path: Path, folder: Path) -> None:
    zipped = pack(tmp_path / "a.zip", ("a", bytes(600_000)), ("b", bytes(600_000)))
    assert zipped.stat().st_size < 10_000
    with pytest.raises(ProgramError, match="more than 1000000 bytes"):
        unpack(zipped, folder, ArchiveLimits(size=1_000_000))
    assert sum(path.stat().st_size for path in folder.rglob("*")) <= 1_000_000


def test_too_many_files_are_refused(tmp_path: Path, folder: Path) -> None:
    zipped = pack(tmp_path / "a.zip", *((f"f{number}", b"") for number in range(30)))
    with pytest.raises(ProgramError, match="more than 20 files"):
        unpack(zipped, folder, ArchiveLimits(files=20))


def test_a_name_that_comes_twice_is_refused(tmp_path: Path, folder: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        zipped = pack(tmp_path / "a.zip", ("a", b"1"), ("a", b"2"))
    with pytest.raises(ProgramError, match="cannot be unpacked"):
        unpack(zipped, folder)


def test_what_is_no_zip_is_refused(tmp_path: Path, folder: Path) -> None:
    whole = pack(tmp_path / "whole.zip", ("a", bytes(range(256)) * 100)).read_bytes()
    for data in (b"", b"PK", b"hello", whole[:50] + b"garbage!" + whole[58:], whole[: len(whole) // 2]):
        broken = tmp_path / "broken.zip"
        broken.write_bytes(data)
        with pytest.raises(ProgramError, match=r"ZIP|unpacked"):
            unpack(broken, folder)
