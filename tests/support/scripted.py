"""Players that answer each request at once with the next move of a recorded game: to load a server and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from spielleiter import games
from spielleiter.records.reference import read_recorded_games
from tests.support.minimal_client import move_xml

GOLDEN = Path(__file__).resolve().parent.parent / "data" / "golden"
SEASONS = ("piranhas-2019", "piranhas-2026", "ostseeschach-2022", "blokus-2021", "blokus-2027")


@dataclass(frozen=True)
class Script:
    """The start position of a recorded game in notation, and the moves of both sides as XML."""

    start: str
    moves: tuple[list[str], list[str]]


def scripts(key: str, number: int, *, plies: int = 40) -> list[Script]:
    """The first recorded games of a season with at least so many plies."""
    game = games.load(f"{key}-official")
    found = []
    whole = (g.data for g in read_recorded_games(GOLDEN / f"{key}.jsonl.gz") if len(g.data["moves"]) >= plies)
    for data in islice(whole, number):
        state = start = game.recordings.start(data)
        sides: tuple[list[str], list[str]] = ([], [])
        for text in data["moves"]:
            sides[state.to_move].append(move_xml(game.year, text))
            state = state.play(game.recordings.move(state, text))
        found.append(Script(game.notation.format_state(start), sides))
    return found


async def scripted_player(
    address: tuple[str, int], code: str, moves: list[str], answered: Callable[[float], object] = lambda seconds: None
) -> None:
    """Plays one game with its reservation and says goodbye, also if it has no move left.

    Raises ``ConnectionError`` if it is cut off. ``answered`` gets the seconds between each move and what the server
    says to it.
    """
    reader, writer = await asyncio.open_connection(*address)
    writer.write(f'<protocol><joinPrepared reservationCode="{code}"/>'.encode())
    pending, seen, room, moved = iter(moves), b"", "", 0.0
    while b"<left " not in seen:
        data = await reader.read(1 << 16)
        if moved:
            answered(time.perf_counter() - moved)
            moved = 0.0
        if not data:
            raise ConnectionError(f"cut off after {seen[-500:]!r}")
        seen = seen[-4096:] + data
        if not room and b"<joined" in seen:
            room = seen.split(b'roomId="', 1)[1].split(b'"', 1)[0].decode()
        if (at := seen.rfind(b"oveRequest")) >= 0:
            seen = seen[at + 10 :]
            if (move := next(pending, None)) is None:
                break
            moved = time.perf_counter()
            writer.write(f'<room roomId="{room}">{move}</room>'.encode())
    writer.write(b"</protocol>")
    await writer.drain()
    writer.close()
    await writer.wait_closed()
