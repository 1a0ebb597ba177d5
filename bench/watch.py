"""How soon a student sees the first move after a save: ``python -m bench.watch [--game blokus-2027]``.

Measured is the time from the write of ``player.py`` to the line of the first move, of a player as ``new`` makes it
against ``greedy``, through a pipe. Exit code 1 if the median is above the limit, which is for an idle machine.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

LIMIT = 1.5
SAVES = 10


def main() -> int:
    """Print the median and the slowest of ten saves."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="blokus-2027")
    game = parser.parse_args().game
    command = [sys.executable, "-m", "spielleiter", "--lang", "en"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "hugo"
        subprocess.run([*command, "new", str(folder), "--game", game], stdout=subprocess.DEVNULL, check=True)
        player = folder / "player.py"
        source = player.read_text(encoding="utf-8")
        with subprocess.Popen([*command, "watch", str(folder)], stdout=subprocess.PIPE, text=True) as watch:
            assert watch.stdout is not None
            lines = iter(watch.stdout.readline, "")
            _first_move(lines)
            times = []
            for number in range(SAVES):
                began = time.perf_counter()
                player.write_text(f"{source}# {number}\n", encoding="utf-8")
                next(line for line in lines if line.startswith("hugo, version "))
                _first_move(lines)
                times.append(time.perf_counter() - began)
            watch.send_signal(signal.SIGINT)
    median = statistics.median(times)
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{game}: first move {median:.2f} s after a save, slowest {max(times):.2f} s (limit {LIMIT} s, load {load})")
    return int(median > LIMIT)


def _first_move(lines: Iterator[str]) -> None:
    next(line for line in lines if line.startswith("  0 "))


if __name__ == "__main__":
    sys.exit(main())
