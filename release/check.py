"""The steps of a release that can be checked in a second; ``make release-check`` runs them before the long ones.

Version, changelog and engine agree, everything public is promised, nothing is left to commit, and the tag is free.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spielleiter import __version__
from tests.test_stability import PROMISE, public

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a release: whether it is done, and what to do if it is not."""

    name: str
    is_done: bool
    advice: str


def steps(root: Path, version: str) -> Iterator[Step]:
    """The steps that can be seen in the files of the repository."""
    changes = _sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    dated = re.compile(rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)")
    yield Step(
        f"CHANGELOG.md has {version} with its date", any(map(dated.fullmatch, changes)),
        f'write "## {version} (year-month-day)" above the changes',
    )  # fmt: skip
    yield Step(
        'nothing is "Unreleased"', not changes.get("Unreleased"),
        f'move what is below "## Unreleased" to {version}, or set a new version in src/spielleiter/__init__.py',
    )  # fmt: skip
    crate = tomllib.loads((root / "engine" / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
    yield Step("the engine has the same version", crate == version, f"engine/Cargo.toml says {crate}")
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"].get("urls", {})
    yield Step("pyproject.toml says where the sources are", "Source" in urls, "add Source to [project.urls]")


def _sections(changelog: str) -> dict[str, str]:
    """The text below each heading of the second level."""
    _, *parts = re.split(r"^## (.+)$", changelog, flags=re.MULTILINE)
    return {title: text.strip() for title, text in zip(parts[::2], parts[1::2], strict=True)}


def _promise() -> Step:
    missing = set(public()) - set(PROMISE.read_text(encoding="utf-8").splitlines())
    example = f" (it lacks {min(missing)})" if missing else ""
    return Step("tests/data/public.txt has all that is public", not missing, f"python -m tests.test_stability{example}")


def _git() -> Iterator[Step]:
    changed = _ask_git("status", "--porcelain")
    yield Step("everything is committed", not changed, "commit, or remove:\n" + changed)
    tagged = _ask_git("rev-list", "-n", "1", f"v{__version__}")
    here = _ask_git("rev-parse", "HEAD")
    yield Step(
        f"the tag v{__version__} is free, or on this commit", tagged in ("", here),
        "a released version is never changed: set a new one in src/spielleiter/__init__.py",
    )  # fmt: skip


def _ask_git(*words: str) -> str:
    answer = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else ""


def main() -> None:
    found = [*steps(ROOT, __version__), _promise(), *_git()]
    for step in found:
        print(f"✓ {step.name}" if step.is_done else f"✗ {step.name}: {step.advice}")
    sys.exit(not all(step.is_done for step in found))


if __name__ == "__main__":
    main()
