"""Many games at once on a busy machine beside hostile clients: none lost, none wrong, none late, memory flat.

    python -m bench.soak --games 20000                         # whole games of all seasons, about 50 minutes on 2 cores
    python -m bench.soak --games 100000 --plies 4 --rooms 50   # for memory: short games, about 40 minutes

The server has a process of its own, two more burn the CPU, and one more sends nonsense. This process plays all clients:
as they stand for other machines, it goes before the others where the system allows it (root). At each checkpoint all
records are verified and deleted; the exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.hostile import attackers
from bench.punctual import burning
from bench.server import play_all, serve
from spielleiter.game import Cause
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from tests.support.scripted import SEASONS, Script, scripts

ATTACKS = ("elements", "nonsense", "guesses")
_PRIORITY_OF_CLIENTS = -10
MAX_GROWTH = 1.1
"""How much more memory the server may have at the end than after the first quarter."""


@dataclass
class Findings:
    """What the records of all games say."""

    games: int = 0
    wrong: int = 0
    late: int = 0
    saved: int = 0
    """Moves that would have been late by the time of their reading."""
    delay: float = 0.0
    """The longest time between the arrival of a move and its reading."""
    clocks: Counter[str] = field(default_factory=Counter)

    def verify(self, folder: Path, allowed: set[Cause]) -> None:
        """Verify all records in a folder, and delete them."""
        for path in sorted(folder.glob("*.jsonl")):
            record = open_any(path)
            findings = verify_record(record).findings
            causes = {team.cause for team in record.result.teams} if record.result else set()
            self.games += 1
            self.late += bool(causes & {Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT})
            self.wrong += bool(findings or not causes or causes - allowed)
            for finding in findings[:1]:
                print(f"{path.name}: {finding}")
            for move in record.moves:
                if (timing := move.timing) is not None:
                    self.clocks[timing.judged_by.value] += 1
                    if timing.received is not None:
                        self.delay = max(self.delay, timing.read - timing.received)
                        self.saved += timing.read - timing.requested > 2 >= timing.received - timing.requested
            path.unlink()


def plan(number: int, plies: int | None) -> list[Script]:
    """Scripts of all seasons in turn; with ``plies`` only their beginnings, after which a player leaves."""
    rounds = [scripts(key, 12) for key in SEASONS]
    mixed = [script for one_each in zip(*rounds, strict=True) for script in one_each]
    if plies is not None:
        mixed = [Script(s.start, (s.moves[0][: plies // 2], s.moves[1][: plies // 2])) for s in mixed]
    return list(islice(cycle(mixed), number))


@contextmanager
def running_server(folder: str, *, traced: bool, hostile: int) -> Iterator[tuple[Connection, tuple[str, int]]]:
    """The server and its hostile clients: the pipe to the server, and its address."""
    context = get_context("spawn")
    here, there = context.Pipe()
    server = context.Process(target=partial(serve, traced=traced), args=(there, folder), daemon=True)
    server.start()
    address = here.recv()
    ready = context.Event()
    enemies = [
        context.Process(target=attackers, args=(address, name, hostile, 0.1, ready), daemon=True)
        for name in (ATTACKS if hostile else ())
    ]
    for process in enemies:
        process.start()
    try:
        yield here, address
    finally:
        for process in enemies:
            process.terminate()
        here.send(None)
        server.join(30)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=100, help="games at once")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--plies", type=int, help="moves until a player leaves; default: whole games")
    parser.add_argument("--burners", type=int, default=2)
    parser.add_argument("--hostile", type=int, default=1, help=f"clients of each kind: {', '.join(ATTACKS)}")
    parser.add_argument("--checkpoints", type=int, default=8)
    parser.add_argument("--trace", action="store_true", help="Python's own memory, too; takes three times as long")
    options = parser.parse_args()
    allowed = {Cause.REGULAR} if options.plies is None else {Cause.REGULAR, Cause.LEFT}
    table = Table(title=f"{options.games} games, {options.burners} burners, {3 * options.hostile} hostile clients")
    for column in ("games", "seconds", "server CPU s", "RSS MB", "traced MB", "lost", "wrong", "late"):
        table.add_column(column, justify="right")
    found, memory = Findings(), []
    with (
        tempfile.TemporaryDirectory() as folder,
        burning(options.burners),
        running_server(folder, traced=options.trace, hostile=options.hostile) as (server, address),
    ):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _PRIORITY_OF_CLIENTS)  # Not inherited: all others are running.
        start, played = time.monotonic(), 0
        part = plan(max(1, options.games // options.checkpoints), options.plies)
        for _ in range(options.checkpoints):
            asyncio.run(play_all(address, server, part, options.rooms))
            played += len(part)
            seconds = time.monotonic() - start
            time.sleep(1)  # The last records are closed in a thread.
            found.verify(Path(folder), allowed)
            server.send("usage")
            cpu, _, now, _ = server.recv()
            memory.append(now)
            traced = "-"
            if options.trace:
                server.send("traced")
                traced = f"{server.recv():.2f}"
            row = (str(played), f"{seconds:.0f}", f"{cpu:.1f}", f"{now:.1f}", traced)
            table.add_row(*row, str(played - found.games), str(found.wrong), str(found.late))
            print(f"{played} games after {seconds:.0f} s", file=sys.stderr)
    growth = memory[-1] / memory[len(memory) // 4]
    Console(width=110).print(table)
    print(f"memory of the server since the first quarter: {growth - 1:+.1%}; judged by {dict(found.clocks)}")
    print(f"longest delay from arrival to reading: {found.delay * 1000:.0f} ms; by that {found.saved} moves were late")
    sys.exit(bool(played - found.games or found.wrong or found.late or growth > MAX_GROWTH))


if __name__ == "__main__":
    main()
