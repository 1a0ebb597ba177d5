"""Compares the pinned versions with the known advisories; called by ``make audit``.

Where the advisories cannot be reached, this says so and fails nothing: an audit that did not take place is no finding.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit has found out."""

    advisories: tuple[str, ...]
    """A line for each."""
    audited: int
    """The number of packages whose advisories were seen."""
    skipped: tuple[str, ...]
    """The packages of which nothing was found out."""
    reason: str
    """Why that is so, of the first of them."""


def read_report(report: str) -> Audit:
    """What pip-audit has printed: where it cannot look, it calls a package skipped, and succeeds."""
    try:
        packages = json.loads(report)["dependencies"]
    except ValueError:
        packages = []
    skipped = [package for package in packages if "skip_reason" in package]
    found = [
        f"{package['name']} {package['version']}: {found['id']}, fixed in {', '.join(found['fix_versions']) or '-'}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    names = tuple(package["name"] for package in skipped)
    return Audit(tuple(found), len(packages) - len(skipped), names, skipped[0]["skip_reason"] if skipped else "")


def main() -> None:
    command = [sys.executable, "-m", "uv", "tool", "run", "pip-audit", "--requirement", str(ROOT / "constraints.txt"),
               "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    audit = read_report(done.stdout)
    if audit.advisories:
        sys.exit("\n".join(["Known advisories:", *audit.advisories]))
    if not audit.audited:
        reason = audit.reason or (done.stderr.strip().splitlines() or ["no output"])[-1]
        print(f"Not audited, the advisories cannot be reached: {reason}")
        return
    print(f"No known advisories of {audit.audited} packages.")
    if audit.skipped:
        print(f"Not audited: {', '.join(audit.skipped)} ({audit.reason})")


if __name__ == "__main__":
    main()
