"""Whether a player is ever late: many moves at a limit while other processes burn the CPU.

``python -m bench.punctual [PLAYER] [--moves N] [--limit SECONDS] [--burners N]`` plays games of all rule sets in turn.
Each move is timed from outside, with all that Python does around the search. The exit code is 1 if a move was late.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from spielleiter import games, players


@contextmanager
def burning(number: int) -> Iterator[None]:
    """So many processes that do nothing but use the CPU."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def times(name: str, moves: int, limit: float, seed: int = 1) -> list[float]:
    """The seconds that each move took, in games of all rule sets in turn."""
    rng, player, taken = Random(seed), players.load(name), []
    while True:
        for game in games.all_games().values():
            state = game.new_state(rng)
            while state.outcome is None:
                begun = time.monotonic()
                move = player.choose(state, limit)
                taken.append(time.monotonic() - begun)
                if len(taken) == moves:
                    return taken
                # Now and then any move, so that no two games are alike.
                state = state.play(move if rng.random() < 0.8 else rng.choice(state.legal_moves()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("player", nargs="?", default="expert")
    parser.add_argument("--moves", type=int, default=5000)
    parser.add_argument("--limit", type=float, default=0.2)
    parser.add_argument("--burners", type=int, default=2)
    args = parser.parse_args()
    with burning(args.burners):
        taken = sorted(times(args.player, args.moves, args.limit))
    late = sum(seconds > args.limit for seconds in taken)
    print(
        f"{args.player}: {len(taken)} moves at {args.limit} s, {args.burners} burners: {late} late, "
        f"longest {taken[-1]:.4f} s, 99 % within {taken[len(taken) * 99 // 100]:.4f} s"
    )
    sys.exit(late > 0)


if __name__ == "__main__":
    main()
