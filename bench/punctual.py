"""Whether a player is ever late: real processes play over the network, beside processes that burn the CPU.

``python -m bench.punctual [PLAYER] [--moves N] [--limit SECONDS] [--plies N] [--burners N]`` plays games of all rule
sets in turn: the player, the name of a built-in one or a Python file, against itself, both as programs that the game
master asks for moves. A move counts from its request to the kernel's timestamp of the answer, as in the contest, with
all that the kit does around ``choose``; the CPU time is that of the player's process in between. Nobody loses by being
late here. The first move of a program is shown by itself: whatever was not made ready before is missing there. What
``expert:nodes=1`` needs is what ``expert`` does beside searching. The exit code is 1 if a move was late. What was
measured is in docs/engine-log.md.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from spielleiter import games
from spielleiter.game import TEAMS, AnyGame, Limits, Team
from spielleiter.matches.openings import Openings
from spielleiter.referee import GameEvent, MoveMade
from spielleiter.server import GameMaster, MasterSettings, RoomHooks
from tests.support.burners import burners

PATIENCE = Limits(60.0, 60.0)
"""Of the game master, so that a late move is measured and does not end the game."""
_RANDOM_MOVES = 4
"""Before each game, so that no two are alike; in Blokus every colour then has a piece on the board and may lay any."""


@dataclass(frozen=True, slots=True)
class TimedMove:
    """One move of a program, in seconds."""

    game: str
    first: bool
    """Whether it is the program's first move."""
    seconds: float
    """From the request to the answer."""
    cpu: float
    """Processor time of the program meanwhile."""


class _Program:
    """The player as a process, in one game."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.moves = 0
        self._cpu = 0.0

    def cpu(self) -> float:
        """Processor time so far: Linux has a clock for every process, whose number is made of its id."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def asked(self) -> None:
        self._cpu = self.cpu()

    def answered(self, game: AnyGame, seconds: float) -> TimedMove:
        self.moves += 1
        return TimedMove(game.key, self.moves == 1, seconds, self.cpu() - self._cpu)


async def play_game(
    master: GameMaster, game: AnyGame, player: str, limit: float, plies: int, opening: int
) -> list[TimedMove]:
    """The first ``plies`` moves of a game of the player against itself, by the clock of the game master."""
    programs: list[_Program] = []
    played: list[TimedMove] = []
    enough = asyncio.Event()

    def listen(event: GameEvent) -> None:
        if isinstance(event, MoveMade) and event.room_id == room.room_id:
            played.append(programs[event.team].answered(game, event.timing.elapsed))
            if len(played) == plies:
                enough.set()

    def asked(team: Team) -> None:
        programs[team].asked()

    start = game.notation.parse_state(Openings(random_moves=_RANDOM_MOVES).position(game, opening))
    room = master.open_room(game, start=start, limits=PATIENCE, hooks=RoomHooks(before_request=asked))
    unsubscribe = master.subscribe(listen)
    command = [player] if player.endswith(".py") else ["-m", "spielleiter.players", player]
    host, port = master.address
    try:
        for team in TEAMS:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, "--host", host, "--port", str(port), "--limit", f"{limit:g}",
                "--reservation", room.codes[team], stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            programs.append(_Program(process))
        over: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(waiting)
            for waiting in (enough.wait(), *(program.process.wait() for program in programs))
        ]
        await asyncio.wait((room.ended, *over), return_when=asyncio.FIRST_COMPLETED)
        for future in over:
            future.cancel()
        if not played:
            sys.exit(f"{player} does not play {game}")
    finally:
        unsubscribe()
        for program in programs:
            if program.process.returncode is None:
                program.process.kill()
            await program.process.wait()
        master.cancel_room(room.room_id)
    return played


async def timed_moves(player: str, keys: Sequence[str], moves: int, limit: float, plies: int = 1000) -> list[TimedMove]:
    """So many moves at least, in games of these rule sets in turn, of each of which ``plies`` are played."""
    played: list[TimedMove] = []
    async with GameMaster(MasterSettings(port=0, reserved_only=True)) as master:
        for opening, key in enumerate(cycle(keys)):
            if len(played) >= moves and opening % len(keys) == 0:
                return played
            played += await play_game(master, games.load(key), player, limit, plies, opening // len(keys))
    raise AssertionError("games have no end")


def _row(what: str, moves: Iterable[TimedMove], limit: float) -> str:
    timed = list(moves)
    seconds, cpu = sorted(move.seconds for move in timed), sorted(move.cpu for move in timed)
    late = sum(one > limit for one in seconds)
    return (
        f"{what:<32}{len(timed):>6}{late:>6}{seconds[-1]:>10.3f}{seconds[len(timed) * 99 // 100]:>10.3f}"
        f"{cpu[-1]:>10.3f}{cpu[len(timed) // 2]:>10.3f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", nargs="?", default="expert")
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--plies", type=int, default=1000, help="moves of each game; default: all")
    parser.add_argument("--game", action="append", choices=games.all_games(), help="can be repeated; default: all")
    parser.add_argument("--burners", type=int, default=2)
    args = parser.parse_args()
    keys = args.game or [game.key for game in games.seasons()]
    with burners(args.burners):
        played = asyncio.run(timed_moves(args.player, keys, args.moves, args.limit, args.plies))
    print(f"{args.player} at {args.limit:g} s, {args.burners} burners")
    print(f"{'':<32}{'moves':>6}{'late':>6}{'longest':>10}{'99 %':>10}{'most CPU':>10}{'median':>10}")
    for key in keys:
        print(_row(f"{key}, first", (move for move in played if move.game == key and move.first), args.limit))
        later = [move for move in played if move.game == key and not move.first]
        if later:
            print(_row(f"{key}, later", later, args.limit))
    sys.exit(any(move.seconds > args.limit for move in played))


if __name__ == "__main__":
    main()
