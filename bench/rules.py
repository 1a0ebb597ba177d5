"""How fast the rules are: legal-move lists and random games a second, beside the reference engines.

CPU time of one thread. The reference figures were measured on the same kind of machine with each season's own server
library; the floors are what this project promises to stay above.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.game import AnyGame, playout, random_game

FLOORS = {"piranhas": (40_000, 500), "ostseeschach": (40_000, 450), "blokus": (10_000, 130)}
USUAL_FLOORS = (50_000, 500)
REFERENCE = {
    "piranhas-2019": ("16,500", "173"),
    "piranhas-2026": ("45,600", "240"),
    "ostseeschach-2022": ("666,000", "11,600"),
    "blokus-2021": ("168", "1.2"),
    "blokus-2027": ("209", "2.8"),
}


def rate(work: Callable[[], int], seconds: float = 2.0) -> float:
    """How many units ``work`` does in a second of CPU time; it returns the units done by one call."""
    work()
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def move_lists(game: AnyGame) -> float:
    """Legal-move lists a second, each of a state that has never listed its moves before."""
    # Positions come back from their notation in each round, outside of the clock, so that nothing is cached.
    texts = [
        game.notation.format_state(state)
        for seed in range(10)
        for state in random_game(game.new_state(Random(seed)), Random(seed))
    ]
    spent, done = 0.0, 0
    while spent < 2.0:
        fresh: list[Any] = [game.notation.parse_state(text) for text in texts]
        start = time.process_time()
        for state in fresh:
            state.legal_moves()
        spent += time.process_time() - start
        done += len(fresh)
    return done / spent


def random_games(game: AnyGame) -> float:
    """Whole random games a second."""
    rng = Random(1)

    def one_game() -> int:
        playout(game.new_state(rng), rng)
        return 1

    return rate(one_game)


def main() -> None:
    table = Table(title="Rules in Python, CPU time, one thread")
    for name in ("game", "move lists/s", "floor", "reference", "random games/s", "floor", "reference"):
        table.add_column(name, justify="left" if name == "game" else "right")
    below = False
    for key, game in games.all_games().items():
        if game.official:
            continue
        list_reference, game_reference = REFERENCE.get(key, ("-", "-"))
        floors = FLOORS.get(game.family, USUAL_FLOORS)
        found = (move_lists(game), random_games(game))
        below |= any(value < floor for value, floor in zip(found, floors, strict=True))
        table.add_row(
            key,
            f"{found[0]:,.0f}",
            f"{floors[0]:,}",
            list_reference,
            f"{found[1]:,.0f}",
            f"{floors[1]:,}",
            game_reference,
        )
    Console(width=110).print(table)
    if below:
        sys.exit("a figure is below its floor (was the machine busy?)")


if __name__ == "__main__":
    main()
