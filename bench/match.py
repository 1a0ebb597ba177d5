"""What a match costs above the players' own thinking time: starting, ending, and the way of each move.

    python -m bench.match [--games 4] [--sandbox bubblewrap] [--seconds 0.05]

The players sleep for a fixed time in each move, so the pure thinking time is known. What is left is ours: the
sandboxes, the start of two Python programs, the wire, the referee, the record on the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor, available_cores
from spielleiter.matches.match import Match, MatchEnd
from spielleiter.matches.plan import MatchPlan
from spielleiter.programs.entrants import resolve_all
from spielleiter.programs.sandbox import Choice, choose

PLAYER = """
import time
from random import Random
from spielleiter.client import play

rng = Random({seed})

def choose(state, seconds):
    time.sleep({seconds})
    return rng.choice(state.legal_moves())

play(choose)
"""


async def _match(plan: MatchPlan, folder: Path, sandbox: str, concurrency: int) -> tuple[MatchEnd, Choice, float]:
    choice = await choose(sandbox)
    async with LocalExecutor(ArenaSettings(level=choice.level), concurrency=concurrency) as executor:
        began = time.perf_counter()
        end = await Match(plan, folder, executor).run()
        return end, choice, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="piranhas-2026")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = []
        for seed in (1, 2):
            files.append(folder / f"sleeper{seed}.py")
            files[-1].write_text(PLAYER.format(seed=seed, seconds=options.seconds))
        plan = MatchPlan(game=options.game, entrants=resolve_all([str(file) for file in files]), games=options.games)
        for concurrency in sorted({1, max(1, len(available_cores()) // 2), len(available_cores())}):
            out = folder / f"out{concurrency}"
            out.mkdir()
            end, choice, wall = asyncio.run(_match(plan, out, options.sandbox, concurrency))
            _tell(end, choice, wall, concurrency, options.seconds)


def _tell(end: MatchEnd, choice: Choice, wall: float, concurrency: int, seconds: float) -> None:
    games = len(end.rows)
    moves = sum(row.plies for row in end.rows)
    way = sum(took - seconds for row in end.rows for side in row.sides for took in side.move_times) / moves
    whole = sum(row.seconds for row in end.rows)
    around = (whole - sum(took for row in end.rows for side in row.sides for took in side.move_times)) / games
    print(f"\nsandbox {choice.level.value}, {concurrency} at once: {games} games, {moves} moves in {wall:.1f} s")
    print(f"  start and end of a game: {around:.2f} s; a move's way there and back: {1000 * way:.2f} ms")
    for thought in (0.1, 0.5, 2.0):
        pure = thought * moves / games
        share = (around + way * moves / games) / pure
        print(f"  at {thought:g} s a move: {pure:.0f} s of thinking a game, overhead {share:.1%}")
    busy = wall * concurrency
    print(f"  the slots were busy with games for {whole / busy:.1%} of the time")
    for notice in end.notices:
        print(f"  {notice.en}")


if __name__ == "__main__":
    main()
