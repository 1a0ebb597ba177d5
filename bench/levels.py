"""The tournament of the eight levels: every level against the two above it, rated together, one game after the other.

A pair is two games from the same start with sides swapped, after four random moves (none in Blokus, where they can
decide the game); seeds make every game repeatable on any machine. The referee is that of all matches. Each finished
game is a line of ``--results``: interrupted, the tournament goes on there. Level 8 has 2000 Elo by definition; only
differences mean something.

    nice python -m bench.levels --results levels.jsonl            # one rule set of each game
    python -m bench.levels --results levels.jsonl --pairs 0       # only rate what was played
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from spielleiter import games
from spielleiter.game import AnyGame, Limits, Team
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.openings import Openings
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.players import LEVELS
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.rating.bradley_terry import Ratings, rate
from spielleiter.rating.pairs import PlayedGame, cross_table

RULE_SETS = tuple({game.family: game.key for game in games.all_games().values() if not game.official}.values())
"""The newest rule set of each game."""
NAMES = tuple(level.name for level in LEVELS)
ANCHORS = {NAMES[-1]: 2000.0}
MAX_GAP = 250
NO_HURRY = Limits(soft=3600.0, hard=7200.0)
RANDOM_MOVES = {"blokus": 0}
"""Random moves of the opening where they are not four."""
console = Console()


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game of the tournament."""

    game: str
    one: str
    two: str
    pair: int

    def play(self, rules: AnyGame) -> FinishedGame:
        """The game."""
        one, two = (
            Entrant(name=name, text=f"{name}:seed={2 * self.pair + side}", kind=EntrantKind.BUILT_IN)
            for side, name in enumerate((self.one, self.two))
        )
        start = Openings(seed=1, random_moves=RANDOM_MOVES.get(rules.family, 4)).position(rules, self.pair)
        task = GameTask(id=str(self), game=self.game, start=start, entrants=(one, two), limits=NO_HURRY)
        return play_in_process(task)


def schedule(game: str, pairs: range) -> Iterator[Meeting]:
    """The games of one rule set: all pairs with the next level, every second one with the level after it."""
    for pair in pairs:
        neighbours = [*pairwise(NAMES), *(zip(NAMES, NAMES[2:], strict=False) if pair % 2 == 0 else ())]
        for lower, higher in neighbours:
            yield Meeting(game, lower, higher, pair)
            yield Meeting(game, higher, lower, pair)


def read(path: Path) -> dict[Meeting, Team | None]:
    """The games that were played before."""
    played: dict[Meeting, Team | None] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        *meeting, winner = json.loads(line)
        played[Meeting(*meeting)] = None if winner is None else Team(winner)
    return played


def play(game: str, pairs: range, path: Path) -> None:
    """Play what is missing of the tournament of one rule set."""
    played, meetings, rules = read(path), list(schedule(game, pairs)), games.load(game)
    with console.status(game) as status, path.open("a", encoding="utf-8") as results:
        for number, meeting in enumerate(meetings, 1):
            status.update(f"{game}: game {number} of {len(meetings)}, {meeting.one} against {meeting.two}")
            if meeting not in played:
                row = meeting.play(rules).row
                if faults := [side.fault for side in row.sides if side.fault is not None]:
                    raise SystemExit(f"{meeting}: {faults[0].text.en}; such a game says nothing of strength")
                winner = row.winner
                result = [game, meeting.one, meeting.two, meeting.pair, None if winner is None else int(winner)]
                results.write(json.dumps(result) + "\n")
                results.flush()


def ratings(game: str, path: Path) -> Ratings:
    """The levels, rated by all games of one rule set."""
    played = [
        PlayedGame(meeting.one, meeting.two, winner, f"{'-'.join(sorted((meeting.one, meeting.two)))} {meeting.pair}")
        for meeting, winner in read(path).items()
        if meeting.game == game
    ]
    return rate(cross_table(played), anchors=ANCHORS)


def show(game: str, found: Ratings) -> None:
    """Elo with error, the gap to the level below with its own error, and whether all is as it should be."""
    table = Table(title=f"{game}: {sum(found.of(name).games for name in NAMES) // 2} games")
    for name in ("level", "Elo", "±", "gap", "±", ""):
        table.add_column(name, justify="right")
    for lower, name in zip((None, *NAMES), NAMES, strict=False):
        rating = found.of(name)
        row = [name, f"{rating.elo:.0f}", f"{rating.margin:.0f}"]
        if lower is not None:
            gap = found.difference(name, lower)
            verdict = "" if 0 < gap.elo <= MAX_GAP else "out of order" if gap.elo <= 0 else "too far"
            row += [f"{gap.elo:.0f}", f"{gap.margin:.0f}", verdict]
        table.add_row(*row)
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="file of the played games")
    parser.add_argument("--game", action="append", help=f"key of a rule set, repeatable ({', '.join(RULE_SETS)})")
    parser.add_argument("--pairs", type=int, default=80, help="pairs of games with the next level (80)")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair, to share the work (0)")
    options = parser.parse_args()
    for game in options.game or RULE_SETS:
        play(game, range(options.first, options.first + options.pairs), options.results)
        show(game, ratings(game, options.results))


if __name__ == "__main__":
    main()
