"""How long a move takes to reach many spectators of one live game, and what they cost the game master.

Spectators sit in a process of their own; the moves are made by hand through a table, one after the other. The game
master's answer is measured separately: from the arrival of a move to the next request leaving.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.server import MasterSettings
from spielleiter.web.play.tables import Kind, Seating
from spielleiter.web.server import WebSettings, serving

MOVES = 20
PAUSE = 0.4


def watch(port: int, path: str, number: int, pipe: Connection) -> None:
    """The spectators' process: for each of them when each move arrived."""

    async def one() -> dict[int, float]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        seen: dict[int, float] = {}
        while len(seen) < MOVES:
            line = await reader.readline()
            if not line:
                break
            if line.startswith(b"data:"):
                ply = line.count(b'<span class=\\"move\\">')
                now = time.monotonic()
                for number in range(1, ply + 1):
                    seen.setdefault(number, now)
        writer.close()
        return seen

    async def all_of_them() -> list[dict[int, float]]:
        tasks = [asyncio.create_task(one()) for _ in range(number)]
        await asyncio.sleep(2)
        pipe.send("ready")
        return await asyncio.wait_for(asyncio.gather(*tasks), 120)

    pipe.send(asyncio.run(all_of_them()))


async def measure(key: str, number: int) -> tuple[list[float], float]:
    """The delays of all moves at all spectators in seconds, and the mean answer time of the game master."""
    with tempfile.TemporaryDirectory() as records:
        settings = WebSettings(port=0, master=MasterSettings(port=0, records=Path(records)))
        async with serving(settings) as running:
            game, tables = games.load(key), running.web_app.tables
            people = (Seating(Kind.PERSON, "Ada"), Seating(Kind.PERSON, "Grace"))
            table = await tables.open(game, people, game.new_state(Random(1)))
            while tables.live(table) is None:
                await table.channel.wait(table.channel.version)
            assert table.room is not None
            here, there = get_context("spawn").Pipe()
            path = f"/watch/{table.room.room_id}/events"
            process = get_context("spawn").Process(target=watch, args=(running.port, path, number, there), daemon=True)
            process.start()
            assert await asyncio.to_thread(here.recv) == "ready"
            rng, made = Random(2), {}
            for ply in range(MOVES):
                made[ply + 1] = time.monotonic()
                await tables.move(table, ply, lambda state: rng.choice(state.legal_moves()))
                await asyncio.sleep(PAUSE)
            seen = await asyncio.to_thread(here.recv) if number else []
            process.join(10)
            answers = running.web_app.master.metrics.answer_seconds
            delays = [at - made[ply] for one in seen for ply, at in one.items()]
            return delays, answers.total / max(1, sum(answers.counts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=["piranhas-2026", "blokus-2027"])
    parser.add_argument("--spectators", type=int, default=200)
    options = parser.parse_args()
    table = Table(title=f"One live game, {options.spectators} spectators")
    for name in ("game", "seen after, median", "99 %", "last", "answer of the master", "without spectators"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in options.keys:
        _, alone = asyncio.run(measure(key, 0))
        delays, answer = asyncio.run(measure(key, options.spectators))
        delays.sort()
        at = [f"{1000 * delays[min(len(delays) - 1, int(share * len(delays)))]:.0f} ms" for share in (0.5, 0.99, 1.0)]
        table.add_row(key, *at, f"{1000 * answer:.2f} ms", f"{1000 * alone:.2f} ms")
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
