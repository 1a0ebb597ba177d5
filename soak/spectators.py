"""Thousands of spectators of one live game beside a hundred other games: all see every move, and nobody is late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.server import play_all
from bench.web import MOVES, delays, open_table, play, settings_for, spectators
from soak.memory import Records
from soak.scenario import Deadline, Findings
from spielleiter import games
from spielleiter.server import GameMaster
from spielleiter.web.server import serving
from tests.support.scripted import SEASONS, scripts

_SPECTATORS = 2000
_ROOMS = 100
_WATCHED = "ostseeschach-2022"


def run(deadline: Deadline) -> Findings:
    findings = Findings("every spectator sees every move; no other game lost, wrong or late")
    records, waited, rounds = Records(), list[float](), 0
    while not (deadline.is_past and rounds):
        rounds += 1
        with TemporaryDirectory() as folder:
            seen, others, watched = asyncio.run(_round(Path(folder)))
            missed = _SPECTATORS * MOVES - len(seen)
            findings.expect(not missed, f"{missed} times a spectator missed a move")
            waited += seen
            for path in Path(folder).glob(f"*{watched}*"):
                path.unlink()  # It was not played to its end.
            before = records.games
            records.verify(Path(folder))
            findings.expect(records.games - before == others, f"{others} games, {records.games - before} records")
    findings.problems += records.wrong[:3]
    findings.expect(not records.late, f"{records.late} games ended late")
    waited.sort()
    findings.done = (
        f"{rounds} games of {MOVES} moves with {_SPECTATORS} spectators, beside {records.games} others, {_ROOMS} at"
        f" once; a move was seen after {waited[len(waited) // 2]:.1f} s (median), {waited[-1]:.1f} s (the last)"
    )
    return findings


async def _round(folder: Path) -> tuple[list[float], int, str]:
    """How long each spectator waited for each move, how many other games were played, and the room of the watched."""
    async with serving(settings_for(_SPECTATORS + 2 * _ROOMS, folder)) as running:
        table = await open_table(running, _WATCHED)
        assert table.room is not None
        async with spectators(running, table, _SPECTATORS) as seen, _other_games(running.web_app.master) as played:
            made = await play(running, table)
    return delays(seen, made), len(played), table.room.room_id


@asynccontextmanager
async def _other_games(master: GameMaster) -> AsyncIterator[list[str]]:
    """Games of a process of scripted players, always a hundred at once, until the end; their start positions."""
    context, played = get_context("spawn"), list[str]()
    here, there = context.Pipe()
    over = context.Event()
    process = context.Process(target=_players, args=(master.address, there, over), daemon=True)
    process.start()
    there.close()

    async def open_rooms() -> None:
        while (start := await asyncio.to_thread(here.recv)) is not None:
            game, state = games.parse_position(start)
            played.append(start)
            here.send(master.open_room(game, names=("Ada", "Bob"), start=state).codes)

    opening = asyncio.create_task(open_rooms())
    try:
        yield played
    finally:
        over.set()
        await opening
        await asyncio.to_thread(process.join, 30)
        await asyncio.sleep(1)  # The last records are closed in a thread.


def _players(address: tuple[str, int], pipe: Connection, over: Event) -> None:
    mixed = [script for one_each in zip(*(scripts(key, 12) for key in SEASONS), strict=True) for script in one_each]
    plan = list(islice(cycle(mixed), _ROOMS))
    while not over.is_set():
        asyncio.run(play_all(address, pipe, plan, _ROOMS))
    pipe.send(None)
