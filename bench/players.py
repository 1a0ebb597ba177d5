"""How strong the built-in players are: pairs of games in this process, with score, Elo and time per move.

A pair is two games from the same start with sides swapped, so that the luck of the start cancels out. Some opening
moves are random, because deterministic players would play the same game again and again. (In Blokus 2027 they can
decide the game: after four of them one opening in five is won for one side, whoever plays it. ``--opening 0`` starts
as the contest does.)

``newcomer`` is somebody who has just read the rules: of two random moves it takes the one that brings more points at
once. The first level is to be beaten by people, so it should not be much better. Every player has a seed of its own in
each game, so matches without a clock can be repeated.

    python -m bench.players student solid --game piranhas-2026 --games 40 --seconds 2
    python -m bench.players level1 newcomer --games 60
    python -m bench.players                 # each level against the one below, on every season
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from spielleiter import games, players
from spielleiter.game import AnyGame, AnyPlayer, GameState, Team
from spielleiter.matches.openings import Openings
from spielleiter.rating.elo import estimate
from spielleiter.rating.pairs import PlayedGame, tally

LEVELS = ("random", "greedy", "student", "solid")
OTHERS = (("explorer", "student"), ("explorer", "solid"))
NEWCOMER = "newcomer"
console = Console()


class Newcomer:
    """Of two random moves the one after which it has more points, in the order in which points decide."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, state: GameState[Any], seconds: float) -> Any:
        """One of two random moves."""
        team, moves = state.to_move, state.legal_moves()
        drawn = self._rng.choice(moves), self._rng.choice(moves)
        return max(drawn, key=lambda move: state.play_unchecked(move).points(team))


def load(name: str, seed: int) -> AnyPlayer:
    """The player of this name, with ``seed`` if it draws and has none."""
    base, _, options = name.partition(":")
    if base == NEWCOMER:
        return Newcomer(seed)
    if base not in players.BUILT_IN or "seed" not in players.BUILT_IN[base].options or "seed=" in options:
        return players.load(name)
    return players.load(f"{base}:{','.join(filter(None, (options, f'seed={seed}')))}")


@dataclass
class Match:
    """The games of the first player against the second, and how long each of them took for its moves."""

    names: tuple[str, str]
    games: list[PlayedGame] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def play_pair(self, game: AnyGame, position: str, number: int, limit: float) -> None:
        """Play two games from ``position``, the second one with sides swapped."""
        for swapped, (one, two) in enumerate((self.names, self.names[::-1])):
            sides = {Team.ONE: load(one, 4 * number + 2 * swapped), Team.TWO: load(two, 4 * number + 2 * swapped + 1)}
            state = game.notation.parse_state(position)
            while state.outcome is None:
                team = state.to_move
                before = time.perf_counter()
                move = sides[team].choose(state, limit)
                spent = time.perf_counter() - before
                self.seconds.setdefault((one, two)[team], []).append(spent)
                state = state.play(move)
            self.games.append(PlayedGame(one, two, state.outcome.winner, str(number)))

    def row(self) -> tuple[str, str, str, str]:
        """Score, Elo and both players' times, for people."""
        result = tally(self.games, *self.names)
        elo = estimate(result)
        if elo.margin is not None:
            shown = f"{elo.elo:+.0f} ± {elo.margin:.0f}"
        else:
            shown = f"> {elo.low:+.0f}" if elo.low is not None else f"< {elo.high:+.0f}"
        one, two = self.names
        return f"{100 * float(result.score):.1f}", shown, self._times(one), self._times(two)

    def _times(self, name: str) -> str:
        spent = self.seconds[name]
        return f"{1000 * sum(spent) / len(spent):,.0f} / {1000 * max(spent):,.0f}"


def run(game: AnyGame, names: tuple[str, str], options: argparse.Namespace) -> Match:
    """Play the match; Ctrl-C ends it after the pairs played so far."""
    match, openings = Match(names), Openings(seed=options.seed, random_moves=options.opening)
    with console.status("") as status:
        try:
            for number in range(max(1, options.games // 2)):
                status.update(f"{game.key}: {names[0]} against {names[1]}, pair {number + 1}")
                match.play_pair(game, openings.position(game, number), number, options.seconds)
        except KeyboardInterrupt:
            if not match.games:
                raise
    return match


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", help="two players; without them each level plays the one below")
    parser.add_argument("--game", action="append", help="key of a game, repeatable (all seasons)")
    parser.add_argument("--games", type=int, default=20, help="games per match (20)")
    parser.add_argument("--seconds", type=float, default=2.0, help="time per move (2)")
    parser.add_argument("--opening", type=int, default=4, help="random opening moves (4)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the openings (1)")
    options = parser.parse_args()
    if len(options.players) not in (0, 2):
        parser.error(f"two players are needed, or none for all levels, but got {len(options.players)}")
    matches = [tuple(options.players)] if options.players else [*zip(LEVELS[1:], LEVELS, strict=False), *OTHERS]
    keys = options.game or [key for key, game in games.all_games().items() if not game.official]
    table = Table(title=f"{options.games} games each, {options.seconds:g} s per move; ms: mean / longest")
    for name in ("game", "player", "against", "score %", "Elo", "ms", "opponent's"):
        table.add_column(name, justify="left" if name in ("game", "player", "against") else "right", no_wrap=True)
    for key in keys:
        for names in matches:
            match = run(games.load(key), names, options)
            table.add_row(key, *names, *match.row())
            result = tally(match.games, *names)
            counts = ", ".join(f"{count} x {half / 2:g}" for half, count in enumerate(result.pairs.counts) if count)
            console.print(f"{key}: {names[0]} against {names[1]}: {float(result.score):.1%}; pairs by points: {counts}")
    console.print(table)


if __name__ == "__main__":
    main()
