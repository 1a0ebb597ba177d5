"""From what people type to players: files, folders, ZIPs, commands, and everything that is none."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from spielleiter.errors import ProgramError, SettingsError, SpielleiterError
from spielleiter.programs.entrants import EntrantKind
from spielleiter.programs.resolve import enter
from spielleiter.programs.sandbox import ProgramFiles, pack


def names_in(parcel: ProgramFiles | None, folder: Path) -> set[str]:
    assert parcel is not None
    folder.mkdir()
    parcel.unpack(folder)
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_python_file_brings_the_modules_that_it_imports_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("import deeper\n")
    (tmp_path / "deeper.py").write_text("")
    (tmp_path / "opponent.py").write_text("")
    [entrant] = enter([str(tmp_path / "player.py")])
    assert entrant.name == "player"
    assert entrant.command == ("{python}", "player.py")
    assert names_in(entrant.parcel, tmp_path / "out") == {"player.py", "helper.py", "deeper.py"}
    order = entrant.order("code", 2.0)
    assert order.command[-6:] == ("--host", "{host}", "--port", "{port}", "--reservation", "code")


def test_a_folder_and_its_zip_are_the_same_player(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "start.sh").write_text("#!/bin/sh\necho hello\n")
    (folder / "start.sh").chmod(0o755)
    (folder / "data" / "weights.bin").write_bytes(bytes(1000))
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        archive.write(folder / "start.sh", "start.sh")
        archive.write(folder / "data" / "weights.bin", "data/weights.bin")
    one, two = enter([str(folder), str(tmp_path / "bot.zip")])
    assert (one.name, two.name) == ("bot", "bot (2)")
    assert one.command == two.command == ("./start.sh",)
    assert one.parcel == two.parcel
    assert one.digest == two.digest


def test_the_digest_changes_with_the_program(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text("pass")
    before = enter([str(path)])[0].digest
    path.write_text("pass  # better")
    assert enter([str(path)])[0].digest != before


def test_files_that_a_command_names_travel_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.jar").write_bytes(b"jar")
    monkeypatch.chdir(tmp_path)
    [entrant] = enter([f"{sys.executable} -u bot.jar --level 3"])
    assert entrant.command == ("{python}", "-u", "bot.jar", "--level", "3")
    assert names_in(entrant.parcel, tmp_path / "out") == {"bot.jar"}


def test_somebody_who_joins_by_himself_is_no_program() -> None:
    [entrant] = enter(["manual"], ["Ada"])
    assert (entrant.kind, entrant.name) == (EntrantKind.MANUAL, "Ada")


@pytest.mark.parametrize("text", ["", "no-such-player", "no/such/file.py", "'open quote", "folder"])
def test_what_is_no_player_is_one_clear_line(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SpielleiterError) as problem:
        enter([text])
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside", "a/../../outside"])
def test_a_zip_that_leads_out_is_refused(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("start.sh", "#!/bin/sh\n")
        archive.writestr(name, "gotcha")
    with pytest.raises(ProgramError, match="leads out"):
        enter([str(tmp_path / "evil.zip")])
    assert not (tmp_path / "outside").exists()


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "start.sh").write_text("#!/bin/sh\n")
    (folder / "leak").symlink_to("/etc/hostname")
    with pytest.raises(SettingsError, match="outside of the player's folder"):
        pack(folder)


def test_bad_names_are_refused() -> None:
    for name in ("", "  ", "a\nb", "x" * 61):
        with pytest.raises(SettingsError, match="is no name"):
            enter(["manual", "manual"], [name])
    with pytest.raises(SettingsError, match="3 names for 2 players"):
        enter(["manual", "manual"], ["a", "b", "c"])
