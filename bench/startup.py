"""How long the command takes to say anything: CPU time of ``--version`` and ``--help``, the best of ten runs each.

A student types it hundreds of times a day, and a script thousands of times. Exit code 1 above the limit.
"""

from __future__ import annotations

import os
import subprocess
import sys

LIMIT = 0.25
RUNS = 10


def cpu_seconds(*arguments: str) -> float:
    """CPU time of one run, with the start of Python."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "spielleiter", *arguments]
    before = os.times()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> int:
    """Print the numbers."""
    cpu_seconds("--help")  # the first run writes the bytecode
    slow = False
    for argument in ("--version", "--help"):
        best = min(cpu_seconds(argument) for _ in range(RUNS))
        slow = slow or best > LIMIT
        print(f"spielleiter {argument}: {best:.2f} s of CPU time (limit {LIMIT} s)")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
