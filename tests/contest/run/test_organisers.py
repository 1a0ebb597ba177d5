"""Organisers as real processes: killed at any moment, and two at once; the season is always the same."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import func, select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import GameFilesRow, GameRow
from tests.support.contest_organiser import Organiser
from tests.support.contest_seasons import FINAL, LEAGUE, opened, outcome, play, season_text

pytestmark = pytest.mark.slow

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


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What becomes of the season if nobody disturbs it."""
    folder = tmp_path_factory.mktemp("undisturbed")
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


def test_the_undisturbed_season_has_what_can_go_wrong(undisturbed: dict[str, Any]) -> None:
    assert len(undisturbed["games"]) >= 110
    assert all(finished for *_, finished in undisturbed["encounters"])
    assert undisturbed["lots"]
    assert {stage for stage, *_ in undisturbed["days"]} == {"championship", "champions-league", "final"}


def run_with_kills(season: Path, url: str, kills: int, rng: Random) -> tuple[int, list[int]]:
    """Kill so many organisers, then let one finish: the games that it kept, and those at each kill.

    The moments do not depend on how fast this machine is: some games after the beginning, and then soon, while a game
    is played or written down, or in the first moments, in which the store and the season are made or opened.
    """
    counts = []
    for _ in range(kills):
        process = Organiser(season, url)
        process.begun()
        games = rng.randint(0, 8)
        for _ in range(games):
            process.heard_of_a_game()
        time.sleep(rng.uniform(0, 0.04 if games else 0.3))
        process.kill()
        with Contest.open(season, url) as contest, contest.store.reading() as session:
            counts.append(session.scalar(select(func.count()).select_from(GameRow)) or 0)
    return Organiser(season, url).finish(), counts


@pytest.mark.parametrize(("url", "kills"), [("sqlite", 20), ("postgresql", 5)], indirect=["url"])
def test_killed_at_random_moments_the_season_is_the_same(
    tmp_path: Path, url: str, kills: int, undisturbed: dict[str, Any]
) -> None:
    season = tmp_path / "season.toml"
    season.write_text(text(), encoding="utf-8")
    kept, counts = run_with_kills(season, url, kills, Random(kills))
    print("games at each kill:", counts, "and in the last run:", kept)
    # Nothing that was kept is lost, and the last one plays exactly what is missing.
    assert counts == sorted(counts)
    assert kept == len(undisturbed["games"]) - counts[-1]
    with Contest.open(season, url) as contest:
        check(contest, undisturbed)
    # The kills came while games were played.
    assert len(set(counts)) > kills / 2


def test_two_organisers_at_once_play_every_game_once(tmp_path: Path, url: str, undisturbed: dict[str, Any]) -> None:
    season = tmp_path / "season.toml"
    season.write_text(text(), encoding="utf-8")
    # Both begin with an empty store, so that they also found the season at once.
    running = [Organiser(season, url) for _ in range(2)]
    kept = [process.finish() for process in running]
    print("games of each:", kept)
    assert sum(kept) == len(undisturbed["games"])
    assert min(kept) > 0
    with Contest.open(season, url) as contest:
        check(contest, undisturbed)


def test_a_second_organiser_takes_over_what_a_killed_one_was_playing(
    tmp_path: Path, url: str, undisturbed: dict[str, Any]
) -> None:
    season = tmp_path / "season.toml"
    season.write_text(text(), encoding="utf-8")
    one, two = Organiser(season, url), Organiser(season, url)
    one.begun()
    for _ in range(5):
        one.heard_of_a_game()
    one.kill()
    two.finish()
    with Contest.open(season, url) as contest:
        check(contest, undisturbed)
