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
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.records.reference import read_recorded_games
from spielleiter.server import GameMaster, MasterSettings
from tests.e2e.minimal_client import move_xml

GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "data" / "golden"
REFERENCE = {
    # aim; reference as shipped / with its explicit garbage collection switched off; its answer time in ms, likewise
    "piranhas-2019": (0.06, "1.27 / 0.35"),
    "piranhas-2026": (0.05, "1.48 / 0.26"),
    "ostseeschach-2022": (0.04, "1.19 / 0.13"),
    "blokus-2021": (0.12, "1.51 / 0.45"),
    "blokus-2027": (0.12, "1.97 / 0.80"),
}


def scripts(key: str, number: int) -> list[tuple[str, tuple[list[str], list[str]]]]:
    """Start positions in notation, and the moves of both sides as XML, of whole recorded games."""
    game = games.load(f"{key}-official")
    found = []
    whole = (g.data for g in read_recorded_games(GOLDEN / f"{key}.jsonl.gz") if len(g.data["moves"]) >= 40)
    for data in islice(whole, number):
        state = start = game.recordings.start(data)
        sides: tuple[list[str], list[str]] = ([], [])
        for text in data["moves"]:
            sides[state.to_move].append(move_xml(game.year, text))
            state = state.play(game.recordings.move(state, text))
        found.append((game.notation.format_state(start), sides))
    return found


def serve(pipe: Connection, records: str) -> None:
    """The server process: opens rooms on request, tells what it has used."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        settings = MasterSettings(port=0, official=True, records=Path(records))
        async with GameMaster(settings) as master:
            for game in games.all_games().values():
                game.new_state(Random(0)).legal_moves()
            gc.collect()
            gc.freeze()
            pipe.send(master.address)
            while True:
                order = await loop.run_in_executor(None, pipe.recv)
                if order is None:
                    break
                if order == "usage":
                    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                    pipe.send((time.process_time(), memory, master.metrics.answer_seconds.counts[:]))
                else:
                    game, state = games.parse_position(order)
                    pipe.send(master.open_room(game, names=("Ada", "Bob"), start=state).codes)

    asyncio.run(run())


async def player(address: tuple[str, int], code: str, moves: list[str]) -> None:
    """Answers every request with the next move, at once."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(f'<protocol><joinPrepared reservationCode="{code}"/>'.encode())
    pending, seen, room = iter(moves), b"", ""
    while b"<left " not in seen:
        data = await reader.read(1 << 16)
        if not data:
            raise ConnectionError(seen[-2000:])
        seen = seen[-4096:] + data
        if not room and b"<joined" in seen:
            room = seen.split(b'roomId="', 1)[1].split(b'"', 1)[0].decode()
        if (at := seen.rfind(b"oveRequest")) >= 0:
            seen = seen[at + 10 :]
            writer.write(f'<room roomId="{room}">{next(pending)}</room>'.encode())
    writer.write(b"</protocol>")
    await writer.drain()
    writer.close()


async def play_all(address: tuple[str, int], pipe: Connection, games_: list[Any], at_once: int) -> None:
    limit = asyncio.Semaphore(at_once)

    async def one_game(start: str, sides: tuple[list[str], list[str]]) -> None:
        async with limit:
            pipe.send(start)
            codes = pipe.recv()
            await asyncio.gather(*(player(address, code, moves) for code, moves in zip(codes, sides, strict=True)))

    await asyncio.gather(*(one_game(*game) for game in games_))


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
            before, _, counted = here.recv()
            asyncio.run(play_all(address, here, plan, 1))
            here.send("usage")
            after, _, counts = here.recv()
            asyncio.run(play_all(address, here, (plan * options.rooms)[: options.rooms], options.rooms))
            here.send("usage")
            _, memory, _ = here.recv()
            here.send(None)
            process.join(10)
        spent = [new - old for new, old in zip(counts, counted, strict=True)]
        aim, reference = REFERENCE[key]
        table.add_row(
            key, f"{(after - before) / len(plan):.3f}", f"{aim}", reference,
            quantile(spent, 0.5), quantile(spent, 0.99), f"{memory:.0f}",
        )  # fmt: skip
    Console(width=120).print(table)
    print(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
