"""How much hostile clients slow down the answers to others, measured in turn with and without them in one run.

    python -m bench.hostile [ATTACK ...] [--clients 20] [--rounds 6] [--games 10]

The server has a process of its own, and so have the hostile clients, at the lowest priority: they stand for other
machines, and have another address. Whoever is cut off comes back after ``--back`` seconds. An honest player's answer is
what the server says to its move; the table has the quiet rounds beside those under attack. The last column is what the
attack alone takes of one core, which is the share by which answers get slower; it is true on a busy machine, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from contextlib import suppress
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from statistics import mean, median

from rich.console import Console
from rich.table import Table

from bench.server import play_all, serve
from tests.support.scripted import SEASONS, scripts

ELSEWHERE = "127.0.0.2"
"""Where the hostile clients come from: the game master counts by address."""
ATTACKS = {
    # message, messages a second
    "elements": (b"<room><data>" + b"<e/>" * 15_000 + b"</data></room>", 100.0),
    "allowed elements": (b"<room><data>" + b"<e/>" * 240 + b"</data></room>", 4.0),
    "attributes": (b"<room>" + b"".join(b"<e a='' b='' c='' d=''/>" for _ in range(2500)) + b"</room>", 100.0),
    "large": (b"<room a='" + b"x" * 60_000 + b"'/>", 100.0),
    "allowed large": (b"<room a='" + b"x" * 60_000 + b"'/>", 1.3),
    "nonsense": (b"<a/>", 100.0),
    "allowed nonsense": (b"<a/>", 9.0),
    "guesses": (b"<authenticate password='1234'/>", 100.0),
    "games": (b"<join/>", 90.0),
}


async def attack(address: tuple[str, int], name: str, back: float) -> None:
    """One hostile client, forever."""
    message, rate = ATTACKS[name]
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection(*address, local_addr=(ELSEWHERE, 0))
            writer.write(b"<protocol>")
            drain = asyncio.create_task(_read_all(reader))
            while not drain.done():
                writer.write(message)
                await writer.drain()
                await asyncio.sleep(1 / rate)
            writer.close()
        await asyncio.sleep(back)


async def _read_all(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


def attackers(address: tuple[str, int], name: str, clients: int, back: float, ready: Event) -> None:
    """The process of the hostile clients."""

    async def run() -> None:
        asyncio.get_running_loop().call_later(0.5, ready.set)
        await asyncio.gather(*(attack(address, name, back) for _ in range(clients)))

    os.nice(19)
    asyncio.run(run())


def cpu_share(server: Connection, seconds: float = 2.0) -> float:
    """The share of a core that the server uses now, without any honest player."""
    used = []
    for _ in range(2):
        server.send("usage")
        used.append((time.monotonic(), server.recv()[0]))
        time.sleep(seconds if len(used) == 1 else 0)
    (begin, before), (end, after) = used
    return float((after - before) / (end - begin))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", default=list(ATTACKS), metavar="ATTACK", help=", ".join(ATTACKS))
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=6, help="with and without hostile clients in turn")
    parser.add_argument("--games", type=int, default=10, help="in each round")
    parser.add_argument("--back", type=float, default=0.1, help="seconds until who was cut off comes back")
    options = parser.parse_args()
    context = get_context("spawn")
    here, there = context.Pipe()
    plan = list(islice(cycle([script for key in SEASONS for script in scripts(key, 2)]), options.games))
    table = Table(title=f"Answers to players beside {options.clients} hostile clients, milliseconds")
    for column in (
        "attack",
        "quiet: mean",
        "median",
        "attacked: mean",
        "median",
        "slower: mean",
        "median",
        "server CPU",
    ):
        table.add_column(column, justify="left" if column == "attack" else "right")
    with tempfile.TemporaryDirectory() as records:
        server = context.Process(target=serve, args=(there, records), daemon=True)
        server.start()
        address = here.recv()
        asyncio.run(play_all(address, here, plan, 2))
        for name in options.attacks:
            times: tuple[list[float], list[float]] = ([], [])
            share: list[float] = []
            for number in range(options.rounds):
                hostile = number % 2
                ready = context.Event()
                args = (address, name, options.clients, options.back, ready)
                process = context.Process(target=attackers, args=args, daemon=True)
                if hostile:
                    process.start()
                    ready.wait()
                    share.append(cpu_share(here))
                asyncio.run(play_all(address, here, plan, 2, times[hostile].append))
                if hostile:
                    process.terminate()
                    process.join()
            quiet, attacked = ((mean(t) * 1000, median(t) * 1000) for t in times)
            slower = (f"{a / q - 1:+.0%}" for q, a in zip(quiet, attacked, strict=True))
            table.add_row(name, *(f"{t:.2f}" for t in (*quiet, *attacked)), *slower, f"{median(share):.1%}")
        here.send(None)
        server.join(10)
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
