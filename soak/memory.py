"""Many games at once on a busy machine beside hostile clients: none lost, none wrong, none late, memory flat.

The server has a process of its own, two more burn the CPU, and three more send nonsense. This process plays all
clients: as they stand for other machines, it goes before the others where the system allows it (root). After each round
all records are verified and deleted.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import linear_regression
from tempfile import TemporaryDirectory

from bench.hostile import attackers
from bench.server import play_all, serve
from soak.scenario import Deadline, Findings
from spielleiter.game import Cause
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from tests.support.burners import burners
from tests.support.scripted import SEASONS, Script, scripts
from tests.support.waiting import wait_until

ATTACKS = ("elements", "nonsense", "guesses")
_PRIORITY_OF_CLIENTS = -10
_ROOMS = 100
_ROUND = 500
"""Games of a round."""
_WHOLE = 20
"""One game of so many is played to its end; a player leaves the others after a few moves."""
_BURNERS = 2
_MAX_GROWTH = 1.1
"""How much more memory the server may have at the end than after the first quarter of the games."""
_WARM_GAMES = 2000
"""Before so many the server still grows, as caches fill and Python's heap finds its size."""


class Records:
    """What the records of all games say."""

    def __init__(self) -> None:
        self.games = self.late = self.saved = 0
        """``saved`` are moves that would have been late by the time of their reading."""
        self.wrong: list[str] = []

    def verify(self, folder: Path) -> None:
        """Verify all records in a folder, and delete them."""
        for path in sorted(folder.glob("*.jsonl")):
            record = open_any(path)
            found = verify_record(record).findings
            causes = {team.cause for team in record.result.teams} if record.result else set()
            self.games += 1
            self.late += bool(causes & {Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT})
            if found or not causes or causes - {Cause.REGULAR, Cause.LEFT}:
                self.wrong.append(f"{path.name}: {', '.join(map(str, found or causes))}")
            for move in record.moves:
                timing = move.timing
                if timing is not None and timing.received is not None:
                    self.saved += timing.read - timing.requested > 2 >= timing.received - timing.requested
            path.unlink()


def plan() -> list[Script]:
    """A round: games of all seasons in turn."""
    rounds = [scripts(key, 12) for key in SEASONS]
    mixed = [script for one_each in zip(*rounds, strict=True) for script in one_each]
    short = [Script(each.start, (each.moves[0][:2], each.moves[1][:2])) for each in mixed]
    whole, left = cycle(mixed), cycle(short)
    return [next(left if number % _WHOLE else whole) for number in range(_ROUND)]


@contextmanager
def running_server(folder: str) -> Iterator[tuple[Connection, tuple[str, int]]]:
    """The server and its hostile clients: the pipe to the server, and its address."""
    context = get_context("spawn")
    here, there = context.Pipe()
    server = context.Process(target=serve, args=(there, folder), daemon=True)
    server.start()
    address = here.recv()
    ready = context.Event()
    enemies = [context.Process(target=attackers, args=(address, name, 1, 0.1, ready), daemon=True) for name in ATTACKS]
    for process in enemies:
        process.start()
    try:
        yield here, address
    finally:
        for process in enemies:
            process.terminate()
        here.send(None)
        server.join(30)


def run(deadline: Deadline) -> Findings:
    findings = Findings(f"every record verified, none lost or late, memory since warm +{_MAX_GROWTH - 1:.0%} at most")
    records, memory, played = Records(), [], 0
    with TemporaryDirectory() as folder, burners(_BURNERS), running_server(folder) as (server, address):
        priority = os.getpriority(os.PRIO_PROCESS, 0)
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _PRIORITY_OF_CLIENTS)  # Not inherited: all others are running.
        try:
            part = plan()
            while not (deadline.is_past and played):
                asyncio.run(play_all(address, server, part, _ROOMS))
                played += len(part)
                wait_until(lambda: len(list(Path(folder).glob("*.jsonl"))) >= len(part))
                time.sleep(1)  # The last records are closed in a thread.
                records.verify(Path(folder))
                server.send("usage")
                _, _, now, _ = server.recv()
                memory.append(now)
        finally:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, 0, priority)
    findings.problems += records.wrong[:3]
    findings.expect(played == records.games, f"{played - records.games} games lost")
    findings.expect(not records.late, f"{records.late} games ended late")
    warm = memory[max(len(memory) // 4, _WARM_GAMES // _ROUND) :]
    slope = "not enough games for a slope"
    if len(warm) > 1:
        findings.expect(warm[-1] <= _MAX_GROWTH * warm[0], f"memory grew from {warm[0]:.1f} to {warm[-1]:.1f} MB")
        per_round = linear_regression(range(len(warm)), warm).slope
        slope = f"slope {per_round / _ROUND * 10_000:+.2f} MB in 10,000 games"
    findings.done = (
        f"{played} games, {_ROOMS} at once, beside {_BURNERS} burners and {len(ATTACKS)} hostile clients; server at"
        f" {memory[0]:.1f} MB, then {memory[-1]:.1f} MB, {slope}; {records.saved} moves saved by the kernel's timestamp"
    )
    return findings
