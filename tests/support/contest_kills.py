"""A season whose organisers are killed at random moments, and what must have become of it all the same."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import func, select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import GameFilesRow, GameRow
from tests.support.contest_organiser import Organiser
from tests.support.contest_seasons import FINAL, LEAGUE, opened, outcome, play, season_text

TEAMS = {"A": [f"A{number}" for number in range(1, 6)], "B": [f"B{number}" for number in range(1, 6)]}
"""Two groups of five: 20 encounters, then a league of eight with 28, then quarter-finals: about 120 games."""


def text() -> str:
    # There are only two players: the same one against itself wins once and loses once, so there are ties, and lots.
    return season_text(
        TEAMS,
        season='standings = "encounters"',
        rest=LEAGUE + FINAL,
        player=lambda number: f"random:seed={number % 2}",
    )


def play_undisturbed(folder: Path) -> dict[str, Any]:
    """What becomes of the season if nobody disturbs it."""
    with opened(folder, str(folder / "season.db"), text()) as contest:
        play(contest)
        return outcome(contest)


def check(contest: Contest, undisturbed: dict[str, Any]) -> None:
    """The season is over, every game stands there once, and everything is as undisturbed."""
    found = outcome(contest)
    for part, expected in undisturbed.items():
        assert found[part] == expected, part
    assert len(found["podium"]) == 4
    games = Counter((key, number) for key, number, *_ in found["games"])
    assert set(games.values()) == {1}
    with contest.store.reading() as session:
        assert session.scalar(select(func.count()).select_from(GameRow)) == len(games)
        assert session.scalar(select(func.count()).select_from(GameFilesRow)) == len(games)


def run_with_kills(season: Path, url: str, kills: int, rng: Random, *, organisers: int = 1) -> tuple[int, list[int]]:
    """Kill so many organisers, then let one finish: the games that it kept, and those at each kill.

    With two organisers one goes on while the other is killed; if the season is over before, there are fewer kills.

    The moments do not depend on how fast this machine is: some games after the beginning, and then soon, while a game
    is played or written down, or in the first moments, in which the store and the season are made or opened.
    """
    others = [Organiser(season, url) for _ in range(organisers - 1)]
    counts: list[int] = []
    while len(counts) < kills:
        process = Organiser(season, url)
        games = rng.randint(0, 8)
        try:
            process.begun()
            for _ in range(games):
                process.heard_of_a_game()
        except EOFError:
            break  # The others have played the rest.
        time.sleep(rng.uniform(0, 0.04 if games else 0.3))  # At any moment, not only where something is announced.
        if others and rng.random() < 0.5:
            others[0], process = process, others[0]
        process.kill()
        with Contest.open(season, url) as contest, contest.store.reading() as session:
            counts.append(session.scalar(select(func.count()).select_from(GameRow)) or 0)
    for other in others:
        other.finish()
    return Organiser(season, url).finish(), counts
