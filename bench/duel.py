"""Two builds of the engine against each other: pairs of games, a sequential test, Elo with error bars.

``python -m bench.duel OLD NEW RULE-SET [--limit N] [--pairs N] [--bounds LOW HIGH]`` where OLD and NEW are builds of
``engine/src/bin/workbench.rs``: their ``serve`` command plays, with the arguments that follow the program's name. Both
games of a pair start from the same position with sides swapped. The SPRT tests Elo LOW against Elo HIGH. CPU seconds
make a fair duel of builds of different speed on a busy machine.
"""

from __future__ import annotations

import argparse
import subprocess

from spielleiter import games
from spielleiter.game import AnyGame, Team
from spielleiter.matches.openings import Openings
from spielleiter.rating.elo import estimate
from spielleiter.rating.pairs import PlayedGame, tally
from spielleiter.rating.sprt import Sprt, Verdict

WINNERS = {"Win(One)": Team.ONE, "Win(Two)": Team.TWO, "Draw": None}


class Engine:
    """A workbench that answers positions with moves, each within its limit (see ``--limit``)."""

    def __init__(self, program: str, limit: str) -> None:
        path, *arguments = program.split()
        self._limit = limit
        self._process = subprocess.Popen(
            [path, "serve", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def answer(self, position: str) -> tuple[str, str, int]:
        """The position after the engine's move, the verdict there (``-`` while the game runs), and who is to move."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{self._limit} {position}\n")
        self._process.stdin.flush()
        fields = self._process.stdout.readline().rstrip("\n").split("\t")
        if len(fields) < 4:
            raise RuntimeError(f"no answer to {position}: {fields}")
        return fields[1], fields[2], int(fields[3])

    def close(self) -> None:
        """End the program."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def play(game: AnyGame, position: str, sides: tuple[Engine, Engine]) -> Team | None:
    """The winner of one game between the engines for ONE and TWO."""
    team, verdict = int(game.notation.parse_state(position).to_move), "-"
    while verdict == "-":
        position, verdict, team = sides[team].answer(position)
    return WINNERS[verdict]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("key", metavar="rule-set")
    parser.add_argument(
        "--limit", default="2000", help="for each move: nodes (2000), seconds (0.05), CPU seconds (0.05cpu)"
    )
    parser.add_argument("--new-limit", help="another limit for NEW")
    parser.add_argument("--pairs", type=int, default=200, help="maximum number of pairs (200)")
    parser.add_argument("--bounds", type=float, nargs=2, default=(0.0, 20.0), help="the hypotheses in Elo (0 20)")
    parser.add_argument("--opening", type=int, default=6, help="random opening moves (6)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings (1)")
    args = parser.parse_args()
    game = games.load(args.key)
    openings = Openings(seed=args.seed, random_moves=args.opening)
    old, new = Engine(args.old, args.limit), Engine(args.new, args.new_limit or args.limit)
    test, played = Sprt(*args.bounds), list[PlayedGame]()
    for number in range(args.pairs):
        position = openings.position(game, number)
        played.append(PlayedGame("NEW", "OLD", play(game, position, (new, old)), str(number)))
        played.append(PlayedGame("OLD", "NEW", play(game, position, (old, new)), str(number)))
        if test.state(tally(played, "NEW", "OLD").pairs).verdict is not Verdict.CONTINUE:
            break
    result = tally(played, "NEW", "OLD")
    print(f"{args.key}: {result.pairs.pairs} pairs at {args.limit}, NEW scores {float(result.score):.1%}")
    print(estimate(result).explain("NEW", "OLD"))
    print(test.state(result.pairs).explain("NEW", "OLD"))
    old.close()
    new.close()


if __name__ == "__main__":
    main()
