"""Compares the pinned versions with the known advisories; called by ``make audit``.

Where the advisories cannot be reached, this says so and fails nothing: an audit that did not take place is no finding.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def advisories(report: str) -> list[str] | None:
    """A line for each advisory in what pip-audit has printed, or ``None`` if it could not look."""
    try:
        packages = json.loads(report)["dependencies"]
    except ValueError:
        return None
    return [
        f"{package['name']} {package['version']}: {found['id']}, fixed in {', '.join(found['fix_versions']) or '-'}"
        for package in packages
        for found in package.get("vulns", ())
    ]


def main() -> None:
    command = [sys.executable, "-m", "uv", "tool", "run", "pip-audit", "--requirement", str(ROOT / "constraints.txt"),
               "--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = advisories(done.stdout)
    if found is None:
        reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
        print(f"Not audited, the advisories cannot be reached: {reason}")
    elif found:
        sys.exit("\n".join(["Known advisories:", *found]))
    else:
        print("No known advisories.")


if __name__ == "__main__":
    main()
