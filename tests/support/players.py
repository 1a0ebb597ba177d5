"""Player programs for tests: a few lines without our package, so that a whole game takes a tenth of a second.

The games are cut short: they start two moves before their end, and each program knows both moves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent, indent
from typing import Any

from spielleiter import games
from spielleiter.game import Limits, random_game
from spielleiter.matches.tasks import GameTask
from spielleiter.programs.entrants import Entrant, resolve_all

GAME = "piranhas-2026"

_PROGRAM = """
import os, re, socket, sys, time
{before}
args = dict(zip(sys.argv[1::2], sys.argv[2::2]))
sock = socket.create_connection((args["--host"], int(args["--port"])))
sock.sendall(('<protocol><joinPrepared reservationCode="%s"/>' % args["--reservation"]).encode())
{joined}
MOVES = {moves!r}
seen = b""
while b"<left" not in seen:
    data = sock.recv(1 << 16)
    if not data:
        break
    seen += data
    if b"oveRequest" in seen:
        room = re.search(rb'roomId="([^"]+)"', seen).group(1).decode()
        turn = int(re.findall(rb'turn="([0-9]+)"', seen)[-1])
        move = MOVES[turn]
        seen = b""
{asked}
        sock.sendall(('<room roomId="%s">%s</room>' % (room, move)).encode())
sock.sendall(b"</protocol>")
{after}
"""


@cache
def short_start(seed: int = 0) -> tuple[str, dict[int, str]]:
    """A position two moves before the end, and the moves that lead there, by turn, as XML."""
    game = games.load(GAME)
    states = list(random_game(game.new_state(Random(seed)), Random(seed)))
    assert len(states) > 3
    moves = {
        state.turn: game.codec.write_move(after.last_move)
        for state, after in zip(states[-3:-1], states[-2:], strict=True)
    }
    return game.notation.format_state(states[-3]), moves


@cache
def late_start() -> Any:
    """A state four moves of each side before the end: for what does not need a long game to show."""
    return list(random_game(games.load(GAME).new_state(Random(0)), Random(0)))[-9]


def program(
    folder: Path, name: str, *, before: str = "", joined: str = "", asked: str = "", after: str = "", seed: int = 0
) -> Path:
    """A player program that does something odd at one of these moments, or nothing odd at all."""
    path = folder / f"{name}.py"
    path.write_text(
        _PROGRAM.format(
            before=dedent(before),
            joined=dedent(joined),
            asked=indent(dedent(asked), " " * 8),
            after=dedent(after),
            moves=short_start(seed)[1],
        )
    )
    return path


def entrants(*paths: Path) -> tuple[Entrant, ...]:
    return resolve_all([str(path) for path in paths])


def task(one: Entrant, two: Entrant, *, limits: Limits | None = None, number: int = 1) -> GameTask:
    return GameTask(
        id=f"1v2-{number:05d}a",
        game=GAME,
        start=short_start()[0],
        entrants=(one, two),
        limits=limits or Limits(2.0, 10.0),
    )
