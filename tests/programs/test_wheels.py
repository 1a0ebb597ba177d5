from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter.errors import ProgramError, Refused
from spielleiter.programs.entrants import entrant_from_zip, find_source
from spielleiter.programs.package import Package, collect
from spielleiter.programs.targets import Target, load
from spielleiter.programs.wheels import WheelName, newer_than, requirements_of

OLD, NEW = load("contest-python-3.10"), load("contest-python-3.12")
PLAYER = 'from spielleiter.client import play\nplay(lambda state, seconds: None, game="piranhas-2026")\n'


def package_of(folder: Path, target: Target = NEW, *, include: tuple[Path, ...] = ()) -> Package:
    return collect(find_source(str(folder)), include=include, target=target)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "hugo"
    place.mkdir()
    (place / "player.py").write_text(PLAYER)
    return place


def wheel(place: Path, name: str, files: dict[str, str]) -> None:
    package, version = name.split("-")[:2]
    with zipfile.ZipFile(place / name, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
        info = f"{package}-{version}.dist-info"
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All that pip finds in these tests."""
    place = tmp_path / "index"
    place.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(place))
    wheel(place, "tables-1.0-py3-none-any.whl", {
        "tables/__init__.py": "SQUARES = 100\n", "tables-1.0.data/scripts/tables": "#!python\n",
        "tables-1.0.data/purelib/more_tables.py": "",
    })  # fmt: skip
    wheel(place, "fast-2.0-cp312-cp312-manylinux2014_x86_64.whl", {"fast.so": ""})
    return place


@pytest.mark.slow
def test_what_a_player_requires_is_unpacked_into_the_zip_and_found_by_its_script(folder: Path, index: Path) -> None:
    (folder / "requirements.txt").write_text("# numbers\ntables >= 1.0, < 2  # all of them\n\nspielleiter\n")
    (folder / "player.py").write_text(f'# /// script\n# dependencies = ["fast"]\n# ///\nimport tables, fast\n{PLAYER}')
    package = package_of(folder)
    assert package.vendored.packages == ("fast 2.0", "tables 1.0")
    assert package.foreign == ()
    inside = set(package.vendored.files or ())
    assert {"packages/tables/__init__.py", "packages/more_tables.py", "packages/fast.so"} <= inside
    assert not [path for path in inside if "scripts" in path]
    first, second, *_ = package.start.decode().splitlines()
    assert first == "#!/bin/sh"
    assert second == 'PYTHONPATH="$(cd "$(dirname "$0")" && pwd)/packages${PYTHONPATH:+:$PYTHONPATH}"'
    entrant = entrant_from_zip(package.to_bytes(), "hugo")
    assert str(entrant.python_need) == "3.12"
    assert entrant.files is not None
    assert entrant.files.find("packages/tables/__init__.py") is not None


@pytest.mark.slow
def test_what_pip_has_no_wheel_of_for_the_target_is_named(folder: Path, index: Path) -> None:
    (folder / "requirements.txt").write_text("tables\nfast\n")
    with pytest.raises(ProgramError, match=r"no package of fast for contest-python-3\.10") as refused:
        package_of(folder, OLD)
    assert "tables" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("https://example.org/numpy.whl", "is an address"),
        ("numpy @ https://example.org/numpy.whl", "is an address"),
        ("git+ssh://git@example.org/x.git", "is an address"),
        ("-r other.txt", "is an option of pip"),
        ("--proxy=https://example.org", "is an address"),
        ("-e .", "is an option of pip"),
        ("./numpy.whl", "is a path"),
        ("../numpy", "is a path"),
        ("/srv/numpy", "is a path"),
        ("C:\\numpy", "is a path"),
        ("numpy-2.2.6-cp312-cp312-win_amd64.whl", "is a path"),
        ("two words", "is not the name of a package"),
        ("numpy==1;rm", None),
        ("\0", "is not the name of a package"),
    ],
)
def test_a_requirement_that_is_no_package_is_refused_with_its_line(line: str, what: str | None, folder: Path) -> None:
    (folder / "requirements.txt").write_text(f"\n# first\n{line}\n")
    if what is None:
        assert [each.name for each in requirements_of(folder, ())] == ["numpy"]
        return
    with pytest.raises(ProgramError) as refused:
        requirements_of(folder, ())
    assert str(refused.value).startswith("requirements.txt:3: ")
    assert f"{what}; expected a package by name and version, such as numpy==2.2.6" in str(refused.value)


def test_a_block_that_is_no_toml_is_refused(folder: Path) -> None:
    player = folder / "player.py"
    for dependencies in ("[", '"numpy"', "[3]", '["./numpy"]'):
        player.write_text(f"# /// script\n# dependencies = {dependencies}\n# ///\n")
        with pytest.raises(Refused, match=r"player\.py"):
            requirements_of(folder, [player])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("a-1-py3-none-any.whl", None),
        ("a-1-py2.py3-none-any.whl", None),
        ("a-1-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", None),
        ("a-1-cp312-cp312-linux_x86_64.whl", None),
        ("a-1-7-cp39-abi3-manylinux2014_x86_64.whl", None),
        ("a-1-cp313-abi3-manylinux2014_x86_64.whl", "built for cp313-abi3, but Python 3.12 runs there"),
        ("a-1-cp311-cp311-manylinux2014_x86_64.whl", "built for cp311-cp311, but Python 3.12 runs there"),
        ("a-1-cp312-cp312t-manylinux2014_x86_64.whl", "built for cp312-cp312t, but Python 3.12 runs there"),
        ("a-1-py2-none-any.whl", "built for py2-none, but Python 3.12 runs there"),
        ("a-1-cp312-cp312-win_amd64.whl", "built for win_amd64, but Linux on x86_64 runs there"),
        ("a-1-cp312-cp312-macosx_11_0_arm64.whl", "built for macosx_11_0_arm64, but Linux on x86_64 runs there"),
        (
            "a-1-cp312-cp312-manylinux2014_aarch64.whl",
            "built for manylinux2014_aarch64, but Linux on x86_64 runs there",
        ),
    ],
)
def test_a_wheel_says_where_it_runs(name: str, problem: str | None) -> None:
    parsed = WheelName.parse(name)
    assert parsed is not None
    assert (parsed.package, parsed.version) == ("a", "1")
    why = parsed.why_unfit(NEW)
    assert (None if why is None else why.en) == problem


def test_a_wheel_of_the_player_for_another_platform_is_refused(folder: Path) -> None:
    (folder / "dependencies").mkdir()
    wrong = "numpy-2.2.6-cp312-cp312-win_amd64.whl"
    (folder / "dependencies" / wrong).write_bytes(b"")
    with pytest.raises(ProgramError) as refused:
        package_of(folder)
    assert str(refused.value) == (
        f"dependencies/{wrong} does not fit contest-python-3.12: built for win_amd64, but Linux on x86_64 runs there"
    )


def test_a_zip_over_the_limit_names_its_largest_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "book.bin").write_bytes(bytes(range(256)) * 400)
    small = replace(NEW, max_size=50_000)
    with pytest.raises(
        ProgramError, match=r"the ZIP would have 0\.\d MB; contest-python-3\.12 takes 0\.\d MB\. The"
    ) as no:
        package_of(folder, small, include=(tmp_path / "book.bin",)).write(tmp_path / "a.zip")
    assert "The largest file is spielleiter/" in str(no.value)
    assert not (tmp_path / "a.zip").exists()


def test_syntax_that_the_target_does_not_know_is_refused_with_its_line(folder: Path) -> None:
    (folder / "player.py").write_text("try:\n    pass\nexcept* ValueError:\n    pass\n" + PLAYER)
    package_of(folder, NEW)
    with pytest.raises(ProgramError, match=r"player\.py, line \d: .*3\.11"):
        package_of(folder, OLD)


def test_a_player_in_another_language_is_refused(folder: Path) -> None:
    (folder / "player.py").unlink()
    (folder / "start.sh").write_text("#!/bin/sh\n./bot\n")
    with pytest.raises(ProgramError, match=r"no Python file in it, and contest-python-3\.12 is for players in"):
        package_of(folder)


def test_a_wheel_for_a_newer_linux_than_the_target_is_named_and_packed(folder: Path) -> None:
    own = folder / "dependencies"
    own.mkdir()
    tags = (
        "manylinux_2_34_x86_64",
        "manylinux_2_17_x86_64.manylinux2014_x86_64",
        "manylinux2010_x86_64",
        "linux_x86_64",
    )
    for number, tag in enumerate(tags):
        wheel(own, f"fast{number}-1.0-cp312-cp312-{tag}.whl", {})
    package = package_of(folder)
    [line] = package.newer
    assert line.en.startswith("dependencies/fast0-1.0-cp312-cp312-manylinux_2_34_x86_64.whl needs glibc 2.34, but")
    assert "only known to have 2.17 (manylinux2014_x86_64)" in line.en
    assert "dependencies/fast0-1.0-cp312-cp312-manylinux_2_34_x86_64.whl" in package.files
    assert newer_than(package.files, replace(NEW, platforms=("manylinux_2_34_x86_64",))) == ()
