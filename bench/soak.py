"""Many games at once while the machine is busy: none lost, none wrong, none late that was in time, memory flat.

    python -m bench.soak --rooms 500 --games 2000

All seasons are mixed. The server has a process of its own, two more burn the CPU. Afterwards every game is verified
from its record.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

from bench.server import play_all, serve
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from tests.support.scripted import SEASONS, Script, scripts


def burn() -> None:
    """Keep a core busy until somebody ends this process."""
    while True:
        pass


def plan(number: int) -> list[Script]:
    """Scripts of all seasons in turn."""
    rounds = [scripts(key, 12) for key in SEASONS]
    return list(islice(cycle([script for mixed in zip(*rounds, strict=True) for script in mixed]), number))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=500, help="games at once")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--burners", type=int, default=2)
    options = parser.parse_args()
    context = get_context("spawn")
    here, there = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        server = context.Process(target=serve, args=(there, folder), daemon=True)
        burners = [context.Process(target=burn, daemon=True) for _ in range(options.burners)]
        for process in (server, *burners):
            process.start()
        address = here.recv()
        start = time.monotonic()
        part = max(1, options.games // 4)
        for number in range(4):
            asyncio.run(play_all(address, here, plan(part), options.rooms))
            here.send("usage")
            cpu, _, now, _ = here.recv()
            seconds = time.monotonic() - start
            print(f"{(number + 1) * part} games after {seconds:.0f} s, server CPU {cpu:.1f} s, memory now {now:.1f} MB")
        here.send(None)
        server.join(30)
        for process in burners:
            process.terminate()
        sys.exit(report(Path(folder), 4 * part))


def report(folder: Path, expected: int) -> int:
    """Verify all records and print the findings; returns their number."""
    causes: Counter[str] = Counter()
    clocks: Counter[str] = Counter()
    wrong, lag, saved = 0, 0.0, 0
    paths = sorted(folder.glob("*.jsonl"))
    for path in paths:
        record = open_any(path)
        findings = verify_record(record).findings
        wrong += bool(findings)
        for finding in findings[:1]:
            print(f"{path.name}: {finding}")
        causes.update({team.cause.value for team in record.result.teams} if record.result else {"UNFINISHED"})
        for move in record.moves:
            if move.timing is not None:
                clocks[move.timing.judged_by.value] += 1
                if move.timing.received is not None:
                    lag = max(lag, move.timing.read - move.timing.received)
                    saved += (
                        move.timing.read - move.timing.requested > 2 >= move.timing.received - move.timing.requested
                    )
    print(f"{len(paths)} records of {expected} games, {wrong} with findings, ends: {dict(causes)}")
    print(f"judged by {dict(clocks)}; worst delay from arrival to reading {lag * 1000:.1f} ms")
    print(f"moves that would have been late by reading time: {saved}")
    return wrong + abs(expected - len(paths)) + causes.total() - causes["REGULAR"]


if __name__ == "__main__":
    main()
