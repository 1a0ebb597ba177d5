"""What goes out of the house: workflows and deployment files by their schemas, the settings of wheel and sdist."""

from __future__ import annotations

import configparser
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import coverage
from release import check
from spielleiter import __version__

ROOT = Path(__file__).parent.parent
SCHEMAS = {
    "github-workflows": [".github/workflows/ci.yml", ".github/workflows/wheels.yml"],
    "dependabot": [".github/dependabot.yml"],
    "github-issue-forms": [".github/ISSUE_TEMPLATE/bug.yml", ".github/ISSUE_TEMPLATE/wish.yml"],
    "compose-spec": ["deploy/compose.yaml"],
    "citation-file-format": ["CITATION.cff"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_file_for_other_programs_fits_its_schema(schema: str) -> None:
    files = [str(ROOT / name) for name in SCHEMAS[schema]]
    import check_jsonschema  # Half a second.

    checked = CliRunner().invoke(check_jsonschema.main, ["--builtin-schema", f"vendor.{schema}", *files])
    assert checked.exit_code == 0, checked.output


def test_every_workflow_and_form_has_a_schema() -> None:
    found = {str(path.relative_to(ROOT)) for path in (ROOT / ".github").rglob("*.yml")}
    assert found <= {name for names in SCHEMAS.values() for name in names}


def test_every_action_of_a_workflow_is_pinned_by_the_hash_of_its_commit() -> None:
    for workflow in (ROOT / ".github" / "workflows").iterdir():
        used = re.findall(r"uses: (.+)", workflow.read_text(encoding="utf-8"))
        assert used
        assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}  # v[\d.]+", action)] == []


def test_nothing_masks_the_proc_that_the_sandbox_mounts() -> None:
    """The kernel lets nobody mount /proc in a new namespace where parts of the present one are masked."""
    unit = (ROOT / "deploy" / "spielleiter-web.service").read_text()
    masking = {"ProtectKernelLogs", "ProtectKernelTunables", "ProtectControlGroups", "ProtectProc", "PrivateUsers"}
    assert masking & set(re.findall(r"^(\w+)=", unit, re.MULTILINE)) == set()
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    assert "&sandbox [seccomp=unconfined, apparmor=unconfined, systempaths=unconfined]" in compose


def test_the_version_stands_in_one_place_and_has_its_changes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    assert re.search(
        rf"^## {re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )


def test_wheel_engine_and_metadata_agree_on_the_oldest_python() -> None:
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    crate = tomllib.loads((ROOT / "engine" / "Cargo.toml").read_text())
    assert settings["bdist_wheel"]["py_limited_api"] == "cp311"
    assert project["project"]["requires-python"] == ">=3.11"
    assert "abi3-py311" in crate["dependencies"]["pyo3"]["features"]


def test_every_file_of_the_package_is_in_the_wheel() -> None:
    package = ROOT / "src" / "spielleiter"
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["spielleiter"]
    taken = {path for pattern in patterns for path in package.glob(pattern)}
    made = {".py", ".pyc", ".so", ".pyd"}
    listed = subprocess.run(["git", "ls-files", "."], cwd=package, capture_output=True, text=True, check=False).stdout
    files = {package / name for name in listed.splitlines() if (package / name).suffix not in made}
    assert files - taken == set(), "name them in [tool.setuptools.package-data]"


def test_everything_that_is_installed_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [*project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values()]
    wanted = [
        name for group in (project["project"]["dependencies"], *groups) for name in group if isinstance(name, str)
    ]  # The others include a group in a group.
    pinned = {line.split("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().split()}
    names = {re.split(r"[>;\[]", name)[0].lower().replace("_", "-") for name in wanted}
    assert names - {"spielleiter", "spielleiter-workshop"} <= {name.replace("_", "-") for name in pinned}


def test_every_crate_is_pinned() -> None:
    lock = ROOT / "engine" / "Cargo.lock"
    if not lock.exists():
        pytest.skip("the engine was not built here")
    crate = tomllib.loads((ROOT / "engine" / "Cargo.toml").read_text())
    tables = crate["dependencies"], crate["dev-dependencies"], crate["target"]["cfg(any())"]["dependencies"]
    pins = {name: pin["version"] if isinstance(pin, dict) else pin for table in tables for name, pin in table.items()}
    used = {package["name"]: f"={package['version']}" for package in tomllib.loads(lock.read_text())["package"]}
    assert pins == {name: version for name, version in used.items() if name != crate["package"]["name"]}


CHANGED = "# Changelog\n\n## Unreleased\n\n- More.\n\n## 1.2.0 (2027-01-02)\n\n- Some.\n"
RELEASED = CHANGED.replace("- More.\n\n", "")


def _done(folder: Path, changelog: str, *, version: str = "1.2.0", crate: str = "1.2.0", urls: str = "") -> list[bool]:
    (folder / "engine").mkdir()
    (folder / "CHANGELOG.md").write_text(changelog)
    (folder / "engine" / "Cargo.toml").write_text(f'[package]\nversion = "{crate}"\n')
    (folder / "pyproject.toml").write_text(f"[project.urls]\n{urls}\n")
    return [step.is_done for step in check.steps(folder, version)]


@pytest.mark.parametrize(
    ("changelog", "settings", "done"),
    [
        (RELEASED, {"urls": 'Source = "https://sources.example"'}, [True, True, True, True]),
        (CHANGED, {}, [True, False, True, False]),
        (RELEASED, {"version": "1.3.0"}, [False, True, False, False]),
        (RELEASED, {"crate": "0.3.0"}, [True, True, False, False]),
    ],
    ids=["ready", "unreleased-changes", "new-version-without-changes", "old-engine"],
)
def test_a_release_is_checked_step_by_step(
    changelog: str, settings: dict[str, str], done: list[bool], tmp_path: Path
) -> None:
    assert _done(tmp_path, changelog, **settings) == done


SCRIPTS = {
    "src/spielleiter/programs/template/de/player.py.txt": ["spielleiter"],
    "src/spielleiter/programs/template/en/player.py.txt": ["spielleiter"],
    "src/spielleiter/programs/template_clients/python/client.py": [],
    **{f"examples/{path.name}": ["spielleiter"] for path in (ROOT / "examples").glob("[a-z]*.py")},
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_names_what_it_needs_in_its_first_lines(name: str) -> None:
    """As PEP 723 says, so that ``uv run`` works where nothing is installed."""
    text = (ROOT / name).read_text(encoding="utf-8")
    found = re.match(r"# /// script\n((?:# .*\n)+?)# ///\n", text)
    assert found is not None
    needed = tomllib.loads(re.sub(r"^# ", "", found[1], flags=re.MULTILINE))
    oldest = "3.9" if "template_clients" in name else "3.11"
    assert needed == {"requires-python": f">={oldest}", "dependencies": SCRIPTS[name]}


FOUND = {"game/": (90, 100), "web/": (79, 100), "new/": (100, 100)}


def test_a_folder_below_its_floor_of_coverage_or_without_one_is_named() -> None:
    assert coverage.below_floors(FOUND, {"game/": 90, "web/": 80}) == [
        "new/: no floor in bench/coverage.py", "web/: 79.0 % is below its floor of 80 %"
    ]  # fmt: skip


def test_every_folder_has_a_floor_of_coverage() -> None:
    folders = {f"{path.parent.name}/" for path in (ROOT / "src" / "spielleiter").glob("*/__init__.py")}
    assert coverage.FLOORS.keys() == folders | {"."}
