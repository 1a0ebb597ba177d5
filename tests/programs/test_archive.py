from __future__ import annotations

import io
import stat
import tracemalloc
import zipfile
from contextlib import suppress

import pytest

from spielleiter.errors import ProgramError
from spielleiter.programs.archive import ArchiveLimits, list_zip, unpack_zip
from spielleiter.programs.sandbox import ProgramFile, ProgramFiles


def read_zip(data: bytes, what: str, limits: ArchiveLimits | None = None) -> list[ProgramFile]:
    return list(unpack_zip(data, list_zip(data, what, limits), what))


def pack(*entries: tuple[str, bytes], mode: int = 0o100644) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def test_files_come_out_as_they_went_in() -> None:
    zipped = pack(("start.sh", b"#!/bin/sh\n"), ("data/", b""), ("data/book.txt", b"x"), mode=0o100755)
    assert read_zip(zipped, "a.zip") == [
        ProgramFile("data/book.txt", b"x", True),
        ProgramFile("start.sh", b"#!/bin/sh\n", True),
    ]


@pytest.mark.parametrize("mode", [0, 0o644, 0o104755, 0o102755])
def test_odd_permissions_do_not_get_in(mode: int) -> None:
    packed = ProgramFiles.of(read_zip(pack(("x", b""), mode=mode), "a.zip"), "a.zip")
    assert packed.data in (b"644 0 x\n", b"755 0 x\n")


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/evil", "..\\evil", "C:\\evil", "C:/evil", "a/b/../../../evil", "x/" * 40]
)
def test_names_that_lead_out_are_refused(name: str) -> None:
    with pytest.raises(ProgramError, match=r"a\.zip: the name .* leads out of the ZIP"):
        read_zip(pack((name, b"boo")), "a.zip")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 256, "too long"),
        ("ä" * 130, "too long"),
        ("/".join(["y" * 200] * 6), "too long"),
        ("a\nb", "control characters"),
        ("a\x7f", "control characters"),
        ("a\x9bb", "control characters"),
        ("src/AUX.c", "a device in Windows"),
        ("nul", "a device in Windows"),
        ("com1/x", "a device in Windows"),
    ],
)
def test_names_that_cannot_be_unpacked_everywhere_are_refused(name: str, why: str) -> None:
    with pytest.raises(ProgramError, match=rf"a\.zip: the file name .{{1,100}} .*{why}"):
        read_zip(pack((name, b"boo")), "a.zip")
    with pytest.raises(ProgramError, match=why):
        ProgramFiles.of([ProgramFile(name, b"boo")], "a")


def test_long_names_and_names_like_those_of_devices_are_taken() -> None:
    names = ["Console.java", "a" * 255, "auxiliary/con1", "lpt", "nul_"]
    assert [file.path for file in read_zip(pack(*((name, b"x") for name in names)), "a.zip")] == sorted(names)


@pytest.mark.parametrize("mode", [stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600, stat.S_IFIFO | 0o600])
def test_links_and_devices_are_refused(mode: int) -> None:
    with pytest.raises(ProgramError, match="link or a device"):
        read_zip(pack(("link", b"/etc/passwd"), mode=mode), "a.zip")


def test_a_bomb_is_stopped_by_what_its_directory_says() -> None:
    zipped = pack(("a", bytes(600_000)), ("b", bytes(600_000)))
    assert len(zipped) < 10_000
    with pytest.raises(ProgramError, match="more than 1 MB"):
        list_zip(zipped, "a.zip", ArchiveLimits(size=1_000_000))


@pytest.mark.parametrize("said", [10, 2_000_000])
def test_a_directory_that_lies_about_a_size_is_found_out(said: int) -> None:
    zipped = pack(("a", bytes(600_000)))
    entry = zipped.rindex(b"PK\1\2")
    lie = zipped[: entry + 24] + said.to_bytes(4, "little") + zipped[entry + 28 :]
    with pytest.raises(ProgramError, match=r"not a readable ZIP|does not have the size"):
        read_zip(lie, "a.zip")


def test_a_large_program_is_unpacked_without_holding_it_in_memory() -> None:
    zipped = pack(("a", bytes(30_000_000)), ("b", bytes(30_000_000)))
    tracemalloc.start()
    try:
        packed = unpack_zip(zipped, list_zip(zipped, "a.zip"), "a.zip")
        assert tracemalloc.get_traced_memory()[1] < 40_000_000
    finally:
        tracemalloc.stop()
    assert len(packed.data) > 60_000_000
    assert [file.path for file in packed] == ["a", "b"]


def test_a_directory_with_very_many_entries_is_refused_before_it_is_read() -> None:
    zipped = pack(*((f"{number:0300d}", b"") for number in range(300)))
    end = zipped.rindex(b"PK\5\6")
    start = zipped.index(b"PK\1\2")
    directory = zipped[start:end] * 20
    size = len(directory).to_bytes(4, "little")
    large = zipped[:start] + directory + zipped[end : end + 12] + size + zipped[end + 16 :]
    with pytest.raises(ProgramError, match="more than 1000 files"):
        list_zip(large, "a.zip", ArchiveLimits(files=1000))


def test_too_many_files_are_refused() -> None:
    zipped = pack(*((f"f{number}", b"") for number in range(30)))
    with pytest.raises(ProgramError, match="more than 20 files"):
        read_zip(zipped, "a.zip", ArchiveLimits(files=20))


def test_a_name_that_comes_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        zipped = pack(("a", b"1"), ("a", b"2"))
    with pytest.raises(ProgramError, match="cannot be unpacked: 'a' is there twice"):
        read_zip(zipped, "a.zip")


def test_a_file_that_is_a_folder_too_is_refused() -> None:
    with pytest.raises(ProgramError, match="cannot be unpacked: 'a' is there twice"):
        read_zip(pack(("a/b", b"1"), ("a", b"2")), "a.zip")


def test_something_that_is_not_a_zip_is_refused() -> None:
    whole = pack(("a", bytes(range(256)) * 100))
    for data in (b"", b"PK", b"hello", whole[:50] + b"garbage!" + whole[58:], whole[: len(whole) // 2]):
        with pytest.raises(ProgramError, match=r"ZIP|unpacked"):
            read_zip(data, "a.zip")


def test_whatever_byte_is_broken_a_zip_is_read_or_refused() -> None:
    whole = pack(("start.sh", b"#!/bin/sh\n"))
    for place in range(len(whole)):
        broken = bytes([*whole[:place], whole[place] ^ 0xFF, *whole[place + 1 :]])
        with suppress(ProgramError):
            read_zip(broken, "a.zip")
