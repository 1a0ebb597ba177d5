"""Whether a busy machine decides games: a season of players of fixed depth, idle and beside burners.

    python -m bench.pressure [--burners 4] [--time 2] [--in-process]

The levels look a fixed number of moves ahead, which takes them milliseconds: a season has the same games every time,
unless somebody is late, or has so little time that the search is stopped before. The same season is played twice, first
on the machine as it is, then beside the burners. The exit code is 1 if a result that counts differs. Games that were
lost on time on a busy machine are played again, and one that was lost so three times would wait for an organiser: both
are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.first_programs import submit_first_programs
from spielleiter.contest.run.progress import podium
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.next import Blocker
from spielleiter.contest.store import EncounterRow, GameRow
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.pressure import percent
from spielleiter.programs.sandbox import Level
from tests.support.burners import burners


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a season."""

    games: dict[tuple[str, int], tuple[int, int, str]]
    """Of each game that counts the points and the last position."""
    podium: tuple[str, ...]
    replayed: int
    pending: int
    pressure: float
    """The highest in a game."""
    seconds: float


def season_text(seconds: float, *, in_process: bool) -> str:
    head = f'[season]\nname = "Bench"\ngame = "piranhas-2026"\nseed = 1\ngames = 2\ntime = {seconds}\n'
    head += f"in_process = {str(in_process).lower()}\n[championship]\nqualify = 4\n[final]\ngames = 2\ncap = 4\n"
    players = [f"level{level}:seed=1" for level in (5, 6, 7, 8)]
    return head + "".join(
        f'[[teams]]\nname = "Team {number}"\nplayer = "{player}"\n' for number, player in enumerate(players)
    )


async def play(contest: Contest) -> None:
    """Play the season as far as it goes; a game that an organiser would have to decide on counts as it is."""
    async with LocalExecutor(ArenaSettings(level=Level.NONE)) as executor:
        await submit_first_programs(contest, executor)
        while True:
            with Conductor(contest) as conductor:
                await play_series(conductor, executor)
            if conductor.state is None or conductor.state.blocker is not Blocker.RULING:
                return
            with contest.store.transaction() as session:
                for game in session.scalars(select(GameRow).where(GameRow.decision == Decision.PENDING)):
                    game.decision = Decision.PLAYED


def outcome(text: str) -> Outcome:
    """Play a season from its file."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "season.toml")
        path.write_text(text)
        with Contest.open(path) as contest:
            asyncio.run(play(contest))
            with contest.store.reading() as session:
                rows = session.execute(
                    select(EncounterRow.key, GameRow).join(EncounterRow, EncounterRow.id == GameRow.encounter_id)
                ).all()
                places = podium(session, contest.season)
    counted = {
        (key, game.number): (game.points_first, game.points_second, game.final)
        for key, game in rows
        if not game.annulled
    }
    late = sum(not game.annulled and "busy" in game.reason_en for _, game in rows)
    pressure = max((game.pressure or 0.0 for _, game in rows), default=0.0)
    return Outcome(counted, places, sum(game.annulled for _, game in rows), late, pressure, time.monotonic() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--burners", type=int, default=4)
    parser.add_argument("--time", type=float, default=2.0)
    parser.add_argument("--in-process", action="store_true")
    args = parser.parse_args()
    text = season_text(args.time, in_process=args.in_process)
    idle = outcome(text)
    with burners(args.burners):
        busy = outcome(text)
    for name, found in (("without burners", idle), (f"{args.burners} burners", busy)):
        print(
            f"{name}: {len(found.games)} games in {found.seconds:.0f} s, highest pressure {percent(found.pressure)}, "
            f"{found.replayed} played again, {found.pending} left to an organiser; {', '.join(found.podium)}"
        )
    different = sum(idle.games[key] != busy.games.get(key) for key in idle.games)
    print(f"{different} of {len(idle.games)} results differ")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
