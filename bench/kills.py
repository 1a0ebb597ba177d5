"""A season whose organisers are killed at random moments, again and again: identical to the undisturbed one.

    python -m bench.kills --kills 200   # about 6 minutes on two idle cores

Half of the kills meet one of two organisers, a third of either half a season in PostgreSQL. The exit code is 1 if a
season is not the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

from spielleiter.contest.run.contest import Contest
from tests.support.contest_kills import check, play_undisturbed, run_with_kills, text
from tests.support.databases import running_postgres


def main() -> None:
    """Kill and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--per-season", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, left, number, different = Random(options.seed), options.kills, 0, 0
    done: Counter[tuple[int, bool]] = Counter()  # Kills by organisers, and whether the season lies in PostgreSQL.
    table = Table(title=f"Seasons of about 120 games, killed {options.kills} times")
    for column in ("store", "organisers", "kills", "games at the kills", "seconds", "identical"):
        table.add_column(column, justify="left" if column in ("store", "games at the kills") else "right")
    with tempfile.TemporaryDirectory() as name, running_postgres() as postgres:
        folder = Path(name)
        undisturbed = play_undisturbed(folder)
        while left > 0:
            number += 1
            organisers, on_postgres = _rarest(done)
            season = folder / f"season-{number}.toml"
            season.write_text(text(), encoding="utf-8")
            url = postgres.store() if on_postgres else str(folder / f"season-{number}.db")
            start = time.monotonic()
            _, counts = run_with_kills(season, url, min(left, options.per_season), rng, organisers=organisers)
            left -= len(counts)
            done[organisers, on_postgres] += len(counts)
            try:
                with Contest.open(season, url) as contest:
                    check(contest, undisturbed)
                same = True
            except AssertionError as problem:
                print(f"season {number}: {str(problem)[:2000]}", file=sys.stderr)
                same, different = False, different + 1
            games = " ".join(map(str, counts))
            seconds = f"{time.monotonic() - start:.0f}"
            store = "PostgreSQL" if on_postgres else "SQLite"
            table.add_row(store, str(organisers), str(len(counts)), games, seconds, "yes" if same else "NO")
    Console(width=110).print(table)
    by_two = done[2, False] + done[2, True]
    print(f"{done.total()} kills, {by_two} with two organisers, {done[1, True] + done[2, True]} on PostgreSQL")
    sys.exit(different > 0)


def _rarest(done: Counter[tuple[int, bool]]) -> tuple[int, bool]:
    """Organisers and store that are furthest behind their share: two organisers often end a season before its kills."""
    by_organisers = {count: done[count, False] + done[count, True] for count in (1, 2)}
    organisers = min(by_organisers, key=by_organisers.__getitem__)
    return organisers, 3 * done[organisers, True] < by_organisers[organisers]


if __name__ == "__main__":
    main()
