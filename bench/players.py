"""How strong the built-in players are: paired games in this process, with score, error and time.

A pair is two games from the same start with the sides swapped, so that the luck of the start falls out. Some first
moves are random, because players without chance would play the same game again and again.

    python bench/players.py student solid --game piranhas-2026 --games 40 --seconds 2
    python bench/players.py                 # each level against the one below, on every season
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, log10, sqrt
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from spielleiter import games, players
from spielleiter.game import TEAMS, AnyGame, AnyPlayer, Team

LADDER = ("random", "greedy", "student", "solid")
BESIDE = (("explorer", "student"), ("explorer", "solid"))
console = Console()


@dataclass
class Match:
    """The running result of the first player against the second."""

    pairs: list[float] = field(default_factory=list)
    """The mean score of each pair of games, from 0 to 1."""
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """The time of each move, of the first and of the second player."""

    @property
    def score(self) -> float:
        """The part of the points that the first player won."""
        return sum(self.pairs) / len(self.pairs)

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the score; the pairs are independent, the games of a pair are not."""
        if len(self.pairs) < 2:
            return inf
        spread = sum((pair - self.score) ** 2 for pair in self.pairs) / (len(self.pairs) - 1)
        return 1.96 * sqrt(spread / len(self.pairs))

    @property
    def elo(self) -> str:
        """The score as a difference in rating."""
        if self.score in (0, 1):
            return "-∞" if self.score == 0 else "+∞"
        return f"{-400 * log10(1 / self.score - 1):+.0f}"

    def times(self, player: int) -> str:
        """Mean and longest time of a player's moves."""
        spent = self.seconds[player]
        return f"{1000 * sum(spent) / len(spent):,.0f} / {1000 * max(spent):,.0f}"


def starts(game: AnyGame, seed: int, opening: int) -> Iterator[Any]:
    """Start positions after ``opening`` random moves in which the game still runs."""
    for number in range(seed, seed + 10**9):
        rng = Random(number)
        state = game.new_state(rng)
        for _ in range(opening):
            if moves := state.legal_moves():
                state = state.play_unchecked(rng.choice(moves))
        if state.outcome is None:
            yield state


def play(state: Any, sides: tuple[AnyPlayer, AnyPlayer], seconds: float, spent: Sequence[list[float]]) -> Any:
    """The last position of one game; ``spent`` collects the seconds of each side's moves."""
    while state.outcome is None:
        team = state.to_move
        before = time.perf_counter()
        move = sides[team].choose(state, seconds)
        spent[team].append(time.perf_counter() - before)
        state = state.play(move)
    return state


def run(game: AnyGame, names: tuple[str, str], options: argparse.Namespace) -> Match:
    """Play the match; Ctrl-C ends it after the pairs played so far."""
    match = Match()
    positions = starts(game, options.seed, options.opening)
    with console.status("") as status:
        try:
            while len(match.pairs) < options.games // 2 or len(match.pairs) == 0:
                status.update(f"{game.key}: {names[0]} against {names[1]}, pair {len(match.pairs) + 1}")
                match.pairs.append(play_pair(next(positions), names, options.seconds, match))
        except KeyboardInterrupt:
            if not match.pairs:
                raise
    return match


def play_pair(start: Any, names: tuple[str, str], seconds: float, match: Match) -> float:
    """The mean score of the first player in two games from ``start``."""
    points = 0
    for first in TEAMS:
        one, two = players.load(names[0]), players.load(names[1])
        sides, spent = (
            ((one, two), list(match.seconds)) if first is Team.ONE else ((two, one), list(match.seconds[::-1]))
        )
        points += play(start, sides, seconds, spent).outcome.victory_points(first)
    return points / 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", help="two players; without them each level plays the one below")
    parser.add_argument("--game", action="append", help="a game's key, several times if you like (all seasons)")
    parser.add_argument("--games", type=int, default=20, help="games of a match (20)")
    parser.add_argument("--seconds", type=float, default=2.0, help="time of a move (2)")
    parser.add_argument("--opening", type=int, default=4, help="random moves at the start (4)")
    parser.add_argument("--seed", type=int, default=1, help="the first start (1)")
    options = parser.parse_args()
    if len(options.players) not in (0, 2):
        parser.error(f"two players are needed, or none for all levels, but got {len(options.players)}")
    matches = [tuple(options.players)] if options.players else [*zip(LADDER[1:], LADDER, strict=False), *BESIDE]
    keys = options.game or [key for key, game in games.all_games().items() if not game.official]
    table = Table(title=f"{options.games} games each, {options.seconds:g} s a move; ms: mean / longest")
    for name in ("game", "player", "against", "score %", "Elo", "ms", "opponent's"):
        table.add_column(name, justify="left" if name in ("game", "player", "against") else "right", no_wrap=True)
    for key in keys:
        for names in matches:
            match = run(games.load(key), names, options)
            score = f"{100 * match.score:.1f} ± {100 * match.error:.1f}"
            table.add_row(key, *names, score, match.elo, match.times(0), match.times(1))
            console.print(f"{key}: {names[0]} against {names[1]}: {score} %")
    console.print(table)


if __name__ == "__main__":
    main()
