"""Does the accuracy of the game report rise with the level? Every level plays every other; each game is analysed.

All levels have the same opponents, because accuracy also depends on these: against a stronger one it is lower. In each
round two levels play twice with sides swapped, and ``random`` plays level 1, which counts for ``random`` only. Games
and analysis have limits of nodes or depth, so that the numbers are the same on every machine. Each game is a line of
``--results``: interrupted, the measurement goes on there. An error is the standard error of the mean over the games.

The last number of a title is what ``Game.points_per_log_odds`` was chosen by: how many points a game ended with for
each point that the engine had expected in its second half.

    nice python -m bench.accuracy --results accuracy.jsonl                # all rule sets by document
    python -m bench.accuracy --results accuracy.jsonl --rounds 0          # only show what was measured
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import permutations
from pathlib import Path
from statistics import mean, stdev

from rich.console import Console
from rich.table import Table

from bench.levels import NAMES, Meeting
from spielleiter import games
from spielleiter.analysis import GameAnalysis, analyse
from spielleiter.game import TEAMS, Team
from spielleiter.records.reader import parse_record
from spielleiter.search import Budget

RULE_SETS = (
    "piranhas-2019",
    "piranhas-2026",
    "ostseeschach-2022",
    "pinguine-2023",
    "hase-und-igel-2025",
    "blokus-2021",
    "blokus-2027",
)
RANDOM = "random"
console = Console()


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one game."""

    game: str
    one: str
    two: str
    pair: int
    nodes: int
    accuracy: tuple[float | None, float | None]
    products: float
    """Of the expected and the final lead, summed over the second half of the game."""
    squares: float
    """Of the expected lead."""


def meetings(game: str, rounds: range) -> Iterator[Meeting]:
    """The games of one rule set."""
    for number in rounds:
        yield from (Meeting(game, *names, number) for names in permutations((RANDOM, NAMES[0]), 2))
        yield from (Meeting(game, *names, number) for names in permutations(NAMES, 2))


def measure(meeting: Meeting, nodes: int) -> Measured:
    """Play and analyse one game."""
    finished = meeting.play(games.load(meeting.game))
    assert finished.record is not None
    analysis = analyse(parse_record(finished.record), Budget(nodes=nodes))
    one, two = (analysis.summary(team).accuracy for team in TEAMS)
    expected, final = _leads(analysis)
    return Measured(
        meeting.game, meeting.one, meeting.two, meeting.pair, nodes, (one, two),
        sum(final * lead for lead in expected), sum(lead * lead for lead in expected),
    )  # fmt: skip


def _leads(analysis: GameAnalysis) -> tuple[list[float], int]:
    """The leads that were expected in the second half of a game, and the final one."""
    end = analysis.states[-1]
    judged = [judged for ply, judged in analysis.judgements.items() if ply > len(analysis.states) / 2]
    expected = [found.lead for found in judged if found is not None and found.lead is not None]
    return expected, end.points(Team.ONE)[1] - end.points(Team.TWO)[1]


def read(path: Path) -> list[Measured]:
    """The games that were measured before."""
    return [Measured(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def run(game: str, rounds: range, nodes: int, path: Path) -> None:
    """Measure what is missing of one rule set."""
    known = {(each.game, each.one, each.two, each.pair, each.nodes) for each in read(path)}
    planned = list(meetings(game, rounds))
    with console.status(game) as status, path.open("a", encoding="utf-8") as results:
        for number, meeting in enumerate(planned, 1):
            status.update(f"{game}: game {number} of {len(planned)}, {meeting.one} against {meeting.two}")
            if (*asdict(meeting).values(), nodes) not in known:
                results.write(json.dumps(asdict(measure(meeting, nodes))) + "\n")
                results.flush()


def show(game: str, nodes: int, path: Path) -> None:
    """The mean accuracy of each level with its error, and the steps from level to level with theirs."""
    found = [each for each in read(path) if (each.game, each.nodes) == (game, nodes)]
    ratio = sum(each.products for each in found) / max(1e-9, sum(each.squares for each in found))
    table = Table(title=f"{game}: {len(found)} games, {nodes} nodes, final/expected lead {ratio:.2f}")
    for name in ("player", "games", "accuracy", "±", "step", "±"):
        table.add_column(name, justify="right")
    last: tuple[float, float] | None = None
    for name in (RANDOM, *NAMES):
        values = list(_accuracies(found, name))
        if len(values) < 2:
            continue
        level, error = mean(values), stdev(values) / len(values) ** 0.5
        row = [name, str(len(values)), f"{level:.1f}", f"{error:.1f}"]
        if last is not None:
            row += [f"{level - last[0]:+.1f}", f"{(error**2 + last[1] ** 2) ** 0.5:.1f}"]
        table.add_row(*row)
        last = level, error
    console.print(table)


def _accuracies(found: list[Measured], name: str) -> Iterator[float]:
    for each in found:
        names = (each.one, each.two)
        if name in names and (name == RANDOM or RANDOM not in names):
            accuracy = each.accuracy[names.index(name)]
            if accuracy is not None:
                yield accuracy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, required=True, help="file of the measured games")
    parser.add_argument("--game", action="append", help=f"key of a rule set, repeatable ({', '.join(RULE_SETS)})")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of 58 games (2)")
    parser.add_argument("--first", type=int, default=0, help="number of the first round, to share the work (0)")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes of the analysis for a position (10000)")
    options = parser.parse_args()
    options.results.touch()
    for game in options.game or RULE_SETS:
        run(game, range(options.first, options.first + options.rounds), options.nodes, options.results)
        show(game, options.nodes, options.results)


if __name__ == "__main__":
    main()
