"""Two builds of the engine against each other: paired games, a sequential test, Elo with error bars.

``python bench/duel.py OLD NEW RULE-SET [--limit N] [--pairs N] [--bounds LOW HIGH]`` where OLD and NEW are programs of
``engine/src/bin/workbench.rs`` (their ``serve`` plays, with the words that follow the program's name). Both games of a
pair start from the same position, with sides swapped. Scores of pairs (0 to 2 in halves) feed a generalised sequential
probability ratio test of Elo LOW against Elo HIGH.
"""

from __future__ import annotations

import argparse
import math
import subprocess
from collections.abc import Sequence
from random import Random

from spielleiter import games
from spielleiter.game import AnyGame


class Engine:
    """One program that answers positions with moves."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen(
            [program.split()[0], "serve", *program.split()[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self, position: str, limit: str) -> tuple[str, str, int]:
        """The position after the engine's move, the verdict there (``-`` while the game runs), and who is to move."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{limit} {position}\n")
        self._process.stdin.flush()
        words = self._process.stdout.readline().rstrip("\n").split("\t")
        if len(words) < 4:
            raise RuntimeError(f"no answer to {position}: {words}")
        return words[1], words[2], int(words[3])

    def close(self) -> None:
        """End the program."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def opening(game: AnyGame, rng: Random, plies: int) -> tuple[str, int]:
    """A start position and some random moves; who is to move there."""
    while True:
        state = game.new_state(rng)
        for _ in range(plies):
            if not state.legal_moves():
                break
            state = state.play_unchecked(rng.choice(state.legal_moves()))
        if state.outcome is None:
            return game.notation.format_state(state), int(state.to_move)


def play(position: str, team: int, sides: Sequence[Engine], limits: Sequence[str]) -> float:
    """The result of one game for the first of ``sides``, which is ONE."""
    verdict = "-"
    while verdict == "-":
        position, verdict, team = sides[team].answer(position, limits[team])
    return {"Win(One)": 1.0, "Win(Two)": 0.0, "Draw": 0.5}[verdict]


def llr(scores: Sequence[float], low: float, high: float) -> float:
    """The log-likelihood ratio of Elo ``high`` against ``low``, by the mean and variance of the pairs."""
    n = len(scores)
    if n < 4:
        return 0.0
    mean = sum(scores) / n / 2
    variance = max(sum((s / 2 - mean) ** 2 for s in scores) / n, 1e-3)
    p0, p1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (low, high))
    return n * (p1 - p0) * (2 * mean - p0 - p1) / (2 * variance)


def elo(scores: Sequence[float]) -> tuple[float, float]:
    """Elo of the new build and its 95 % half width."""
    n = len(scores)
    mean = min(max(sum(scores) / n / 2, 0.01), 0.99)
    deviation = math.sqrt(sum((s / 2 - mean) ** 2 for s in scores) / n / n)
    slope = 400 / math.log(10) / (mean * (1 - mean))
    return -400 * math.log10(1 / mean - 1), 1.96 * deviation * slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("key")
    parser.add_argument("--limit", default="2000", help="nodes, or seconds with a point, for a move")
    parser.add_argument("--new-limit", help="another limit for NEW")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 20.0))
    parser.add_argument("--opening", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    game, rng = games.load(args.key), Random(args.seed)
    old, new = Engine(args.old), Engine(args.new)
    limits = (args.new_limit or args.limit, args.limit)
    scores: list[float] = []
    verdict = "undecided"
    while len(scores) < args.pairs:
        position, team = opening(game, rng, args.opening)
        first = play(position, team, (new, old), limits)
        scores.append(first + 1 - play(position, team, (old, new), limits[::-1]))
        ratio = llr(scores, *args.bounds)
        if abs(ratio) >= math.log(19):  # 5 % for errors of both kinds
            verdict = "accepted" if ratio > 0 else "rejected"
            break
    rating, half = elo(scores)
    print(
        f"{args.key}: {len(scores)} pairs at {args.limit}, NEW scores {sum(scores) / len(scores) / 2:.1%}, "
        f"{rating:+.0f} ± {half:.0f} Elo, LLR {llr(scores, *args.bounds):+.2f} for {args.bounds}: {verdict}"
    )
    old.close()
    new.close()


if __name__ == "__main__":
    main()
