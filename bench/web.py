"""How long a move takes to reach many spectators of one live game, what it weighs, and what they cost the players.

Spectators sit in a process of their own and read compressed streams, as browsers do; the moves are made by hand through
a table, one after the other. The game master's answer is measured separately: from the arrival of a move to the next
request leaving.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.server import MasterSettings
from spielleiter.web.connections import ConnectionLimits
from spielleiter.web.patches import apply_patch
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.play.seating import Table as PlayingTable
from spielleiter.web.server import Running, WebSettings, serving

MOVES = 20
PAUSE = 0.6


@dataclass
class Seen:
    """What the spectators saw."""

    arrivals: list[dict[int, float]] = field(default_factory=list)
    """For each of them when each look arrived, by its number."""
    plies: dict[int, int] = field(default_factory=dict)
    """How many moves each look shows."""
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The bytes of the message with each look, plain and compressed."""


async def one(port: int, path: str, seen: Seen, *, is_reader: bool) -> None:
    """One spectator; one of them reads what it gets, the others note only when it came."""
    arrivals: dict[int, float] = {}
    seen.arrivals.append(arrivals)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    unpacker, moves = zlib.decompressobj(31), ""
    while True:
        size = int(await reader.readline(), 16)
        packed = (await reader.readexactly(size + 2))[:-2]
        text = unpacker.decompress(packed)
        if not text.startswith(b"id: "):
            continue
        number, data = text[4:].split(b"\ndata: ", 1)
        arrivals[int(number)] = time.monotonic()
        if not is_reader:
            continue
        look = json.loads(data)
        moves = look.get("parts", {}).get("moves", moves)
        if (patch := look.get("patches", {}).get("moves")) is not None:
            moves = apply_patch(moves, patch)
        seen.plies[int(number)] = moves.count("<li")
        seen.sizes[int(number)] = (len(text), len(packed))


def watch(port: int, path: str, number: int, pipe: Connection) -> None:
    """The spectators' process."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    seen = Seen()

    async def all_of_them() -> None:
        tasks = []
        for place in range(number):
            tasks.append(asyncio.create_task(one(port, path, seen, is_reader=place == 0)))
            if place % 50 == 49:
                await asyncio.sleep(0.1)
        while sum(map(bool, seen.arrivals)) < number:  # Until all have seen something.
            await asyncio.sleep(0.1)
            for task in tasks:
                if task.done():
                    task.result()  # Nobody stops early but with a fault.
        pipe.send("ready")
        await asyncio.to_thread(pipe.recv)
        await asyncio.sleep(2)
        for task in tasks:
            task.cancel()

    asyncio.run(all_of_them())
    pipe.send(seen)


async def measure(key: str, number: int) -> tuple[Seen, dict[int, float], float, float]:
    """What spectators saw, when moves were made, the mean answer of the master, and seconds of a core for a move."""
    with tempfile.TemporaryDirectory() as records:
        async with serving(settings_for(number, Path(records))) as running:
            table = await open_table(running, key)
            async with spectators(running, table, number) as seen:
                began = time.process_time()
                made = await play(running, table)
                used = (time.process_time() - began) / MOVES
            answers = running.web_app.master.metrics.answer_seconds
            return seen, made, answers.total / max(1, sum(answers.counts)), used


def settings_for(number: int, records: Path) -> WebSettings:
    """Pages at which so many spectators find a place."""
    limits = ConnectionLimits(connections=number + 100, per_address=number + 100)
    return WebSettings(port=0, master=MasterSettings(port=0, records=records), limits=limits)


async def open_table(running: Running, key: str) -> PlayingTable:
    """A table at which the game has begun."""
    game = games.load(key)
    people = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.PERSON, "Grace"))
    table = await running.web_app.tables.open(game, people, game.new_state(Random(1)))
    while table.live is None:
        await table.channel.wait(table.channel.version)
    return table


@asynccontextmanager
async def spectators(running: Running, table: PlayingTable, number: int) -> AsyncIterator[Seen]:
    """So many spectators of the table, who are all there; what they saw is filled in at the end."""
    assert table.room is not None
    here, there = get_context("spawn").Pipe()
    path = f"/watch/{table.room.room_id}/events"
    process = get_context("spawn").Process(target=watch, args=(running.port, path, number, there), daemon=True)
    process.start()
    there.close()  # Then a process that died is noticed.
    assert await asyncio.to_thread(here.recv) == "ready"
    seen = Seen()
    yield seen
    here.send("over")
    found = await asyncio.to_thread(here.recv)
    seen.arrivals, seen.plies, seen.sizes = found.arrivals, found.plies, found.sizes
    process.join(10)


async def play(running: Running, table: PlayingTable) -> dict[int, float]:
    """When each move was made."""
    rng, made = Random(2), {}
    for ply in range(MOVES):
        made[ply + 1] = time.monotonic()
        await running.web_app.tables.move(table, ply, lambda state: rng.choice(state.legal_moves()))
        await asyncio.sleep(PAUSE)
    return made


def delays(seen: Seen, made: dict[int, float]) -> list[float]:
    """For each spectator and move the seconds until it was seen, sorted."""
    found = []
    for arrivals in seen.arrivals:
        for ply, at in made.items():
            later = [when for look, when in arrivals.items() if seen.plies.get(look, -1) >= ply]
            if later:
                found.append(min(later) - at)
    return sorted(found)


def weight(seen: Seen) -> tuple[float, float]:
    """The mean bytes of a move, plain and compressed: of all messages but the first, which has everything."""
    later = [seen.sizes[look] for look in sorted(seen.sizes)[1:]]
    moves = max(seen.plies.values(), default=0) or 1
    return sum(plain for plain, _ in later) / moves, sum(packed for _, packed in later) / moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=["piranhas-2026", "ostseeschach-2022", "blokus-2027"])
    parser.add_argument("--spectators", type=int, default=2000)
    options = parser.parse_args()
    table = Table(title=f"One live game, {options.spectators} spectators")
    names = ("game", "seen after, median", "99 %", "last", "a move, plain", "compressed", "core", "answer", "with one")
    for name in names:
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in options.keys:
        _, _, alone, _ = asyncio.run(measure(key, 1))
        seen, made, answer, used = asyncio.run(measure(key, options.spectators))
        found = delays(seen, made)
        assert len(found) == options.spectators * MOVES, "somebody missed a move"
        at = [f"{1000 * found[min(len(found) - 1, int(share * len(found)))]:.0f} ms" for share in (0.5, 0.99, 1.0)]
        plain, packed = weight(seen)
        ends = (f"{1000 * used:.0f} ms", f"{1000 * answer:.2f} ms", f"{1000 * alone:.2f} ms")
        table.add_row(key, *at, f"{plain:.0f} B", f"{packed:.0f} B", *ends)
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
