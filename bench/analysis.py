"""What many visitors who analyse at once get, and what they cost the games that are refereed beside them.

Every visitor looks at a position of their own, in a process apart. Beside them moves are made by hand at a table, and
two processes do nothing but calculate, as player programs do. All this is measured without visitors, with one, and with
many.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import tempfile
import time
import zlib
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.server import MasterSettings
from spielleiter.web.connections import ConnectionLimits
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.server import WebSettings, serving

PAUSE = 0.05
BUSY = 2
"""Processes that calculate."""


@dataclass
class Visit:
    """What one visitor saw."""

    first_line: float | None = None
    """Seconds until the first line of the engine."""
    depths: list[int] = field(default_factory=list)
    was_queued: bool = False


async def visit(port: int, position: str, found: Visit) -> None:
    """Look at one position."""
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    path = f"/analysis/events?{urlencode({'position': position})}"
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: en\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    unpacker = zlib.decompressobj(31)
    while True:
        size = int(await reader.readline(), 16)
        text = unpacker.decompress((await reader.readexactly(size + 2))[:-2])
        if not text.startswith(b"id: "):
            continue
        look = json.loads(text.split(b"\ndata: ", 1)[1])
        engine = look.get("parts", {}).get("engine", "")
        found.was_queued |= "in the queue" in engine
        if (depth := re.search(r"depth (\d+)", engine)) is not None:
            found.first_line = found.first_line or time.monotonic() - begun
            found.depths.append(int(depth[1]))


def visitors(port: int, positions: list[str], pipe: Connection) -> None:
    """The process of all visitors."""

    async def look() -> list[Visit]:
        found = [Visit() for _ in positions]
        tasks = [
            asyncio.create_task(visit(port, position, each)) for position, each in zip(positions, found, strict=True)
        ]
        pipe.send("ready")
        await asyncio.to_thread(pipe.recv)
        for task in tasks:
            task.cancel()
        return found

    pipe.send(asyncio.run(look()))


def calculate(pipe: Connection) -> None:
    """A process that is busy until it is told to stop; then says how far it came."""
    pipe.send("ready")
    rounds, number = 0, 1
    begun = time.monotonic()
    while not pipe.poll():
        for _ in range(20_000):
            number = number * 69069 % 2147483647
        rounds += 1
    pipe.send(rounds / (time.monotonic() - begun))


def positions_of(key: str, number: int) -> list[str]:
    """Different positions in the middle of games."""
    game, found = games.load(key), []
    for seed in range(number):
        rng = Random(seed)
        state = game.new_state(rng)
        for _ in range(10):
            state = state.play(rng.choice(state.legal_moves()))
        found.append(game.notation.format_state(state))
    return found


async def measure(key: str, number: int, seconds: float) -> tuple[list[Visit], list[float], float]:
    """What the visitors saw, how long each move at the table took, and how fast the busy processes were."""
    context = get_context("spawn")
    with tempfile.TemporaryDirectory() as records:
        limits = ConnectionLimits(connections=number + 100, per_address=number + 100)
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=Path(records)), limits=limits)
        async with serving(settings) as running:
            game, tables, here, there = games.load(key), running.web_app.tables, *context.Pipe()
            arguments = (running.port, positions_of(key, number), there)
            others = [context.Process(target=visitors, args=arguments, daemon=True)] if number else []
            pipes = [context.Pipe() for _ in range(BUSY)]
            others += [context.Process(target=calculate, args=(end,), daemon=True) for _, end in pipes]
            for process in others:
                process.start()
            for pipe in (*(pipe for pipe, _ in pipes), *([here] if number else [])):
                assert await asyncio.to_thread(pipe.recv) == "ready"
            took, ends, rng = [], time.monotonic() + seconds, Random(2)
            while time.monotonic() < ends:
                people = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.PERSON, "Grace"))
                table = await tables.open(game, people, game.new_state(Random(1)))
                while table.live is None:
                    await table.channel.wait(table.channel.version)
                for ply in range(20):
                    begun = time.monotonic()
                    await tables.move(table, ply, lambda state: rng.choice(state.legal_moves()))
                    took.append(time.monotonic() - begun)
                    await asyncio.sleep(PAUSE)
                await tables.close(table)
            for pipe, _ in pipes:
                pipe.send("stop")
            speeds = [await asyncio.to_thread(pipe.recv) for pipe, _ in pipes]
            seen: list[Visit] = []
            if number:
                here.send("stop")
                seen = await asyncio.to_thread(here.recv)
            for process in others:
                process.join(10)
            return seen, sorted(took), sum(speeds)


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("key", nargs="?", default="piranhas-2026")
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    table = Table(title=f"{options.key}, {options.seconds:.0f} s each, beside {BUSY} busy processes")
    for name in ("visitors", "with a line", "first line, median", "last", "queued", "a move, median", "99 %", "speed"):
        table.add_column(name, justify="right")
    alone = 0.0
    for number in (0, 1, options.visitors):
        seen, took, speed = asyncio.run(measure(options.key, number, options.seconds))
        alone = alone or speed
        firsts = sorted(each.first_line for each in seen if each.first_line is not None)
        middle, last = (f"{firsts[at]:.2f} s" if firsts else "-" for at in (len(firsts) // 2, -1))
        moves = [f"{1000 * took[min(len(took) - 1, int(share * len(took)))]:.0f} ms" for share in (0.5, 0.99)]
        queued = str(sum(each.was_queued for each in seen))
        table.add_row(str(number), str(len(firsts)), middle, last, queued, *moves, f"{100 * speed / alone:.0f} %")
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
