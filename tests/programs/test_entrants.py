"""From what people type to players: files, folders, ZIPs, commands, and everything that is none."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import spielleiter
from spielleiter.errors import ProgramError, SettingsError, SpielleiterError, UnknownPlayer
from spielleiter.game import Limits
from spielleiter.programs.entrants import (
    Entrant,
    EntrantKind,
    contest_arguments,
    entrant_from_zip,
    find_source,
    resolve,
    resolve_all,
)
from spielleiter.programs.sandbox import PYTHON, ResourceLimits


def start_script(folder: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "start.sh"
    script.write_text(text)
    script.chmod(mode)
    return script


def make_zip(**files: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def names_in(entrant: Entrant) -> set[str]:
    assert entrant.files is not None
    return {file.path for file in entrant.files}


def environment(entrant: Entrant) -> dict[str, str]:
    return entrant.launch_spec(()).environment("/home", "/tmp", ResourceLimits())


# --- what to start ----------------------------------------------------------------------------------------------------


def test_a_python_file_brings_the_modules_that_it_imports_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("import deeper\n")
    (tmp_path / "deeper.py").write_text("")
    (tmp_path / "opponent.py").write_text("")
    entrant = resolve(str(tmp_path / "player.py"))
    assert (entrant.name, entrant.kind) == ("player", EntrantKind.PYTHON_FILE)
    assert entrant.command == (PYTHON, "player.py")
    assert names_in(entrant) == {"player.py", "helper.py", "deeper.py"}
    words = entrant.launch_spec(contest_arguments("code")).words("127.0.0.1", 13050)
    assert words == [
        sys.executable, "player.py", "--host", "127.0.0.1", "--port", "13050", "--reservation", "code"
    ]  # fmt: skip


def test_a_folder_is_started_by_its_script(tmp_path: Path) -> None:
    script = start_script(tmp_path / "me")
    for given in (tmp_path / "me", script):
        entrant = resolve(str(given))
        assert (entrant.name, entrant.kind, entrant.command) == ("me", EntrantKind.FOLDER, ("./start.sh",))
        assert entrant.start_script is not None
        assert entrant.start_script.data == b"#!/bin/sh\n"


def test_a_script_that_cannot_run_alone_is_run_by_a_shell(tmp_path: Path) -> None:
    for script in (start_script(tmp_path / "a", "echo hi\n"), start_script(tmp_path / "b", mode=0o644)):
        assert resolve(str(script.parent)).command == ("/bin/sh", "./start.sh")


def test_a_folder_without_a_script_is_started_by_its_python_file(tmp_path: Path) -> None:
    for name in ("main.py", "player.py"):
        (tmp_path / name).write_text("")
        entrant = resolve(str(tmp_path))
        assert (entrant.kind, entrant.command, entrant.start_script) == (EntrantKind.FOLDER, (PYTHON, name), None)


def test_a_folder_with_nothing_to_start_is_refused(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("")
    with pytest.raises(ProgramError, match=r"no start\.sh"):
        resolve(str(tmp_path))


@pytest.mark.parametrize("inside", ["", "me/"])
def test_a_zip_may_have_its_files_in_one_folder(inside: str, tmp_path: Path) -> None:
    zipped = tmp_path / "me.zip"
    zipped.write_bytes(make_zip(**{f"{inside}start.sh": "#!/bin/sh\n", f"{inside}data/x": "", "__MACOSX/x": ""}))
    entrant = resolve(str(zipped))
    assert (entrant.name, entrant.kind, entrant.command) == ("me", EntrantKind.ZIP, ("./start.sh",))
    assert names_in(entrant) >= {"start.sh", "data/x"}
    assert entrant.start_script is not None
    assert entrant.start_script.executable, "the contest gives the permission back"


@pytest.mark.parametrize("lost", [True, False], ids=["lost", "kept"])
def test_where_a_zip_has_lost_all_permissions_its_programs_get_theirs_back(lost: bool) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {"start.sh": b"#!/bin/sh\n", "bot": b"\x7fELF", "tool": b"#!x", "weights": b"ELF"}.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = 0 if lost or name != "start.sh" else 0o100755 << 16
            archive.writestr(member, data)
    entrant = entrant_from_zip(buffer.getvalue(), "Ada")
    assert entrant.files is not None
    executable = {file.path for file in entrant.files if file.executable}
    assert executable == ({"start.sh", "bot", "tool"} if lost else {"start.sh"})


def test_an_upload_is_a_player_without_ever_being_a_file() -> None:
    entrant = entrant_from_zip(make_zip(**{"start.sh": "#!/bin/sh\n"}), "Ada")
    assert (entrant.name, entrant.kind) == ("Ada", EntrantKind.ZIP)
    with pytest.raises(ProgramError, match=r"upload\.zip: there is no start\.sh"):
        entrant_from_zip(make_zip(readme=""), "Ada", "upload.zip")
    with pytest.raises(ProgramError, match=r"no start\.sh"):
        entrant_from_zip(make_zip(), "Ada")


def test_a_folder_and_its_zip_are_the_same_player(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    start_script(folder, "#!/bin/sh\necho hello\n")
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").write_bytes(bytes(1000))
    with zipfile.ZipFile(tmp_path / "bot.zip", "w") as archive:
        archive.write(folder / "start.sh", "start.sh")
        archive.write(folder / "data" / "weights.bin", "data/weights.bin")
    one, two = resolve_all([str(folder), str(tmp_path / "bot.zip")])
    assert (one.name, two.name) == ("bot", "bot (2)")
    assert one.command == two.command == ("./start.sh",)
    assert one.files == two.files
    assert one.digest == two.digest


KIT = {"my_player/start.sh": "#!/bin/sh\nexec python3 ./my_player/logic.py\n", "my_player/logic.py": ""}
"""As the organisers' Python kit writes it: paths from the top of the ZIP."""


@pytest.mark.parametrize("given", ["kit.zip", "kit", "kit/my_player", "kit/my_player/start.sh"])
def test_a_script_with_paths_from_the_folder_above_is_run_there(given: str, tmp_path: Path) -> None:
    start_script(tmp_path / "kit" / "my_player", KIT["my_player/start.sh"])
    (tmp_path / "kit" / "my_player" / "logic.py").touch()
    (tmp_path / "kit.zip").write_bytes(make_zip(**KIT))
    entrant = resolve(str(tmp_path / given))
    assert entrant.command == ("./my_player/start.sh",)
    assert names_in(entrant) == set(KIT)
    assert entrant.start_script is not None
    assert entrant.start_script.path == "my_player/start.sh"
    assert entrant.start_script.executable
    assert entrant.start_problems == []


def test_a_script_in_a_folder_that_starts_nothing_in_it_is_reported() -> None:
    entrant = entrant_from_zip(make_zip(**{"start.sh": KIT["my_player/start.sh"], "logic.py": ""}), "Ada")
    [(what, fix)] = entrant.start_problems or []
    assert "./my_player/logic.py" in what.en
    assert "pack the whole folder" in fix.en


@pytest.mark.parametrize("prefix", ["", "bot/"])
def test_a_jar_is_a_player_by_itself_and_as_the_only_one_of_a_folder_or_zip(prefix: str, tmp_path: Path) -> None:
    files = {f"{prefix}My Bot.jar": "jar", f"{prefix}lib/other.jar": "", f"{prefix}._x.jar": "", "__MACOSX/a.jar": ""}
    (tmp_path / "kit.zip").write_bytes(make_zip(**files))
    for name, text in files.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    jar = tmp_path / "folder" / prefix / "My Bot.jar"
    for given, kind in ((tmp_path / "kit.zip", "ZIP"), (tmp_path / "folder", "FOLDER"), (jar, "JAR")):
        entrant = resolve(str(given))
        assert (entrant.kind.name, entrant.start_script) == (kind, None)
        words = entrant.launch_spec(contest_arguments("code")).words("h", 1)
        assert words[0].endswith("java")
        assert words[1:] == ["-jar", "My Bot.jar", "--host", "h", "--port", "1", "--reservation", "code"]
        assert "My Bot.jar" in names_in(entrant)
    assert resolve(str(jar)).name == "My Bot"
    assert "PYTHONPATH" not in environment(resolve(str(jar))), "as in the contest"


def test_a_command_that_names_a_script_is_not_a_folder_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_script(tmp_path, mode=0o644)
    monkeypatch.chdir(tmp_path)
    assert resolve("sh start.sh").start_problems is None


def test_a_folder_is_not_a_script_or_a_jar_by_its_name(tmp_path: Path) -> None:
    for name in ("start.sh", "main.py", "bot.jar"):
        (tmp_path / "program" / name).mkdir(parents=True)
    with pytest.raises(ProgramError, match=r"no start\.sh"):
        resolve(str(tmp_path / "program"))


def test_a_script_goes_before_a_jar() -> None:
    assert entrant_from_zip(make_zip(**{"start.sh": "#!/bin/sh\n", "a.jar": "", "b.jar": ""}), "Ada").start_script


def test_several_jars_without_a_script_are_refused_with_the_fix() -> None:
    with pytest.raises(ProgramError, match=r"several JARs in it \(a\.jar, b\.JAR\): .* add a start\.sh"):
        entrant_from_zip(make_zip(**{"b.JAR": "", "a.jar": ""}), "Ada")


def test_the_digest_changes_with_the_program(tmp_path: Path) -> None:
    path = tmp_path / "player.py"
    path.write_text("pass")
    before = resolve(str(path)).digest
    path.write_text("pass  # better")
    assert resolve(str(path)).digest != before


def test_a_slip_in_the_name_of_a_player_is_met_with_the_nearest_one() -> None:
    with pytest.raises(ProgramError, match=r"no player 'gredy': did you mean greedy\? Expected a Python file"):
        resolve("gredy")


def test_a_command_is_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entrant = resolve("sh -c 'exit 3'")
    assert entrant.command[1:] == ("-c", "exit 3")
    assert Path(entrant.command[0]).is_absolute()
    assert (entrant.kind, entrant.files) == (EntrantKind.COMMAND, None)


def test_files_that_a_command_names_travel_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.jar").write_bytes(b"jar")
    (tmp_path / "bot.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("")
    monkeypatch.chdir(tmp_path)
    entrant = resolve(f"{sys.executable} -u bot.jar --level 3")
    assert entrant.command == (PYTHON, "-u", "bot.jar", "--level", "3")
    assert names_in(entrant) == {"bot.jar"}
    assert names_in(resolve(f"{sys.executable} bot.py")) == {"bot.py", "helper.py"}


def test_paths_of_a_season_file_are_looked_up_beside_it(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text("")
    assert find_source("player.py", tmp_path).kind is EntrantKind.PYTHON_FILE
    assert find_source(f"{sys.executable} player.py", tmp_path).files == {"player.py": tmp_path / "player.py"}


def test_a_built_in_player_is_a_program_too() -> None:
    entrant = resolve("student:seed=1")
    assert entrant.command == (PYTHON, "-m", "spielleiter.players", "student:seed=1")
    assert entrant.kind is EntrantKind.BUILT_IN
    assert entrant.launch_spec(("--host", "{host}"), limits=Limits(0.5)).words("h", 1)[-4:] == [
        "--host",
        "h",
        "--limit",
        "0.5",
    ]
    with pytest.raises(UnknownPlayer, match="no option"):
        resolve("student:speed=1")


def test_all_but_a_zip_find_this_python_and_this_package(tmp_path: Path) -> None:
    start_script(tmp_path / "bot")
    (tmp_path / "player.py").write_text("")
    ask = [sys.executable, "-c", "import spielleiter; print(spielleiter.__file__)"]
    for text in (str(tmp_path / "bot"), str(tmp_path / "player.py"), "sh -c true", "random"):
        variables = environment(resolve(text))
        assert variables["PATH"].startswith(str(Path(sys.executable).parent))
        found = subprocess.run(ask, env=variables, cwd=tmp_path, capture_output=True, check=True, text=True)
        assert found.stdout.strip() == spielleiter.__file__
    bare = environment(entrant_from_zip(make_zip(**{"start.sh": ""}), "bot"))
    assert "PYTHONPATH" not in bare
    assert str(Path(sys.prefix)) not in bare["PATH"]


def test_no_variable_of_the_caller_reaches_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    before = environment(resolve("random"))
    for name in ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "VIRTUAL_ENV", "LD_PRELOAD", "SECRET"):
        monkeypatch.setenv(name, "/elsewhere")
    assert environment(resolve("random")) == before


def test_the_python_of_another_environment_finds_what_is_installed_there(tmp_path: Path) -> None:
    """Two builds of this package can play each other: a command starts the other one, or a start.sh does."""
    python = tmp_path / "old" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(os.path.realpath(sys.executable))
    (tmp_path / "old" / "pyvenv.cfg").write_text(f"home = {Path(os.path.realpath(sys.executable)).parent}\n")
    packages = tmp_path / "old" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    sources = tmp_path / "checkout" / "src"
    for folder in (packages, sources / "spielleiter"):
        folder.mkdir(parents=True)
    (packages / "__editable__.spielleiter.pth").write_text(f"{sources}\n")
    (sources / "spielleiter" / "__init__.py").write_text("")
    (tmp_path / "bot.py").write_text("import spielleiter\nprint(spielleiter.__file__)\n")
    start_script(tmp_path / "bot", f"#!/bin/sh\nexec {python} ../bot.py\n")

    command = resolve(f"{python} {tmp_path / 'bot.py'}").launch_spec(())
    script = resolve(str(tmp_path / "bot")).launch_spec(())
    assert command.words("h", 1) == [str(python), "bot.py"]
    assert {str(tmp_path / "old"), str(sources)} <= {*command.readable}
    for spec, folder in ((command, tmp_path), (script, tmp_path / "bot")):
        variables = spec.environment(str(folder), str(folder), ResourceLimits())
        ran = subprocess.run(spec.words("h", 1), env=variables, cwd=folder, capture_output=True, check=True, text=True)
        assert ran.stdout.strip() == str(sources / "spielleiter" / "__init__.py")


def test_a_manual_player_is_not_a_program() -> None:
    [entrant] = resolve_all(["manual"], ["Ada"])
    assert (entrant.kind, entrant.name) == (EntrantKind.MANUAL, "Ada")


# --- what is none -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "   ", "no-such-player", "no/such/file.py", "sh 'unfinished", "folder", "x" * 5000]
)
def test_something_that_is_not_a_player_is_refused_in_one_clear_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SpielleiterError) as problem:
        resolve(text)
    assert "\n" not in str(problem.value)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("my bot.js", "\"node 'my bot.js'\""),
        ("bot.tar.gz", "as a ZIP"),
        ("Bot.java", "build the source code"),
        ("bot.exe", "for Linux"),
        ("bot", "chmod +x bot"),
    ],
)
def test_a_file_that_cannot_be_started_is_refused_with_the_fix(
    name: str, fix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("#!/bin/sh\n")
    with pytest.raises(ProgramError) as problem:
        resolve(name)
    assert fix in problem.value.text.en


@pytest.mark.parametrize("name", ["/etc/passwd", "../outside", "a/../../outside"])
def test_a_zip_that_leads_out_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "evil.zip").write_bytes(make_zip(**{"start.sh": "#!/bin/sh\n", name: "gotcha"}))
    with pytest.raises(ProgramError, match="leads out"):
        resolve(str(tmp_path / "evil.zip"))
    assert not (tmp_path / "outside").exists()


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    start_script(tmp_path / "bot")
    (tmp_path / "bot" / "leak").symlink_to("/etc/hostname")
    with pytest.raises(ProgramError, match="outside of the player's folder"):
        resolve(str(tmp_path / "bot"))


def test_bad_names_are_refused() -> None:
    for name in ("", "  ", "a\nb", "x" * 61):
        with pytest.raises(SettingsError, match="is not a valid name"):
            resolve_all(["manual", "manual"], [name])
    with pytest.raises(SettingsError, match="3 names for 2 players"):
        resolve_all(["manual", "manual"], ["a", "b", "c"])
