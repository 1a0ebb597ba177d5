"""The expert against the strongest players in Python: paired games, sides swapped, the same time for both.

``python -m bench.strength [--pairs N] [--limit SECONDS] [--player NAME] [--against NAME ...] [KEY ...]``. Both games of
a pair begin with the same start position, as in the contest; ``--opening N`` plays N random moves first. (In Blokus
2027 these can decide the game: after four of them one opening in five is won for one side, whoever plays it.)
"""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random
from typing import Any

from spielleiter import games, players
from spielleiter.game import AnyGame, Team

KEYS = ("piranhas-2019", "piranhas-2026", "ostseeschach-2022", "blokus-2021", "blokus-2027")


def opening(game: AnyGame, rng: Random, plies: int) -> Any:
    """A running game, some random moves after its start."""
    while True:
        state = game.new_state(rng)
        for _ in range(plies):
            if state.outcome is None:
                state = state.play_unchecked(rng.choice(state.legal_moves()))
        if state.outcome is None:
            return state


def play(state: Any, one: str, two: str, limit: float) -> float:
    """The result for ``one``, which plays ONE: 1, 0.5 or 0."""
    sides = {Team.ONE: players.load(one), Team.TWO: players.load(two)}
    while state.outcome is None:
        state = state.play(sides[state.to_move].choose(state, limit))
    return {Team.ONE: 1.0, Team.TWO: 0.0, None: 0.5}[state.outcome.winner]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="*", default=KEYS)
    parser.add_argument("--player", default="expert:hash=64")
    parser.add_argument("--against", nargs="+", default=["solid", "explorer"])
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--limit", type=float, default=0.2)
    parser.add_argument("--opening", type=int, default=0)
    args = parser.parse_args()
    for key in args.keys:
        game = games.load(key)
        for other in args.against:
            rng, scores = Random(key), Counter[float]()
            for _ in range(args.pairs):
                state = opening(game, rng, args.opening)
                as_one = play(state, args.player, other, args.limit)
                scores[as_one + 1 - play(state, other, args.player, args.limit)] += 1
            won = sum(score * number for score, number in scores.items())
            pairs = ", ".join(f"{number} x {score:g}" for score, number in sorted(scores.items(), reverse=True))
            print(
                f"{key}: {args.player} against {other} at {args.limit} s: {won:g} of {2 * args.pairs}"
                f" ({won / (2 * args.pairs):.1%}); pairs: {pairs}",
                flush=True,
            )


if __name__ == "__main__":
    main()
