"""What a game costs the game master: CPU seconds of its process, answer times, memory; beside the reference server.

The server runs in a process of its own. The players are scripted: they answer each request at once with the next move
of a game recorded from the reference server, over real sockets, so that nothing but the server is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import resource
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.server import GameMaster, MasterSettings
from tests.support.scripted import Script, scripted_player, scripts

REFERENCE = {
    # aim; reference as shipped / with its explicit garbage collection switched off; its answer time in ms, likewise
    "piranhas-2019": (0.06, "1.27 / 0.35"),
    "piranhas-2026": (0.05, "1.48 / 0.26"),
    "ostseeschach-2022": (0.04, "1.19 / 0.13"),
    "blokus-2021": (0.12, "1.51 / 0.45"),
    "blokus-2027": (0.12, "1.97 / 0.80"),
}


def memory() -> tuple[float, float]:
    """The most memory that this process has had, and what it has now, in MB."""
    now = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, now


def serve(pipe: Connection, records: str, *, traced: bool = False) -> None:
    """The server process: opens rooms on request, reports its resource usage, and with ``traced`` Python's memory."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        settings = MasterSettings(port=0, official=True, records=Path(records))
        async with GameMaster(settings) as master:
            for game in games.all_games().values():
                game.new_state(Random(0)).legal_moves()
            gc.collect()
            gc.freeze()
            if traced:
                tracemalloc.start(1)
            pipe.send(master.address)
            while True:
                order = await loop.run_in_executor(None, pipe.recv)
                if order is None:
                    break
                if order == "usage":
                    pipe.send((time.process_time(), *memory(), master.metrics.answer_seconds.counts[:]))
                elif order == "traced":
                    gc.collect()
                    pipe.send(tracemalloc.get_traced_memory()[0] / 2**20)
                else:
                    game, state = games.parse_position(order)
                    pipe.send(master.open_room(game, names=("Ada", "Bob"), start=state).codes)

    asyncio.run(run())


async def play_all(
    address: tuple[str, int],
    pipe: Connection,
    plan: list[Script],
    at_once: int,
    answered: Callable[[float], object] = lambda seconds: None,
) -> None:
    limit = asyncio.Semaphore(at_once)

    async def one_game(script: Script) -> None:
        async with limit:
            pipe.send(script.start)
            codes = pipe.recv()
            players = zip(codes, script.moves, strict=True)
            await asyncio.gather(*(scripted_player(address, code, moves, answered) for code, moves in players))

    await asyncio.gather(*(one_game(script) for script in plan))


def quantile(counts: list[int], share: float) -> str:
    from spielleiter.server.metrics import _BOUNDS

    below = 0
    for bound, count in zip((*_BOUNDS, float("inf")), counts, strict=True):
        below += count
        if below >= share * sum(counts):
            return f"< {bound * 1000:g}"
    return "?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=list(REFERENCE))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rooms", type=int, default=100, help="rooms at once for the memory figure")
    options = parser.parse_args()
    table = Table(title="The game master, CPU time of its process for a whole game with instant players")
    for name in ("game", "CPU s", "aim", "reference", "answer ms, median", "99 %", f"MB with {options.rooms} rooms"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in options.keys:
        context = get_context("spawn")
        here, there = context.Pipe()
        with tempfile.TemporaryDirectory() as records:
            process = context.Process(target=serve, args=(there, records), daemon=True)
            process.start()
            address = here.recv()
            plan = scripts(key, options.games)
            asyncio.run(play_all(address, here, plan[:2], 1))
            here.send("usage")
            before, _, _, counted = here.recv()
            asyncio.run(play_all(address, here, plan, 1))
            here.send("usage")
            after, _, _, counts = here.recv()
            asyncio.run(play_all(address, here, (plan * options.rooms)[: options.rooms], options.rooms))
            here.send("usage")
            _, peak_mib, _, _ = here.recv()
            here.send(None)
            process.join(10)
        spent = [new - old for new, old in zip(counts, counted, strict=True)]
        aim, reference = REFERENCE[key]
        table.add_row(
            key, f"{(after - before) / len(plan):.3f}", f"{aim}", reference,
            quantile(spent, 0.5), quantile(spent, 0.99), f"{peak_mib:.0f}",
        )  # fmt: skip
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
