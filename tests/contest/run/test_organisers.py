"""Organisers as real processes: killed at any moment, and two at once; the season is always the same."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter.contest.run.contest import Contest
from tests.support.contest_kills import check, play_undisturbed, run_with_kills, text
from tests.support.contest_organiser import Organiser
from tests.support.night import NIGHT, by_day

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What becomes of the season if nobody disturbs it."""
    return play_undisturbed(tmp_path_factory.mktemp("undisturbed"))


def test_the_undisturbed_season_has_what_can_go_wrong(undisturbed: dict[str, Any]) -> None:
    assert len(undisturbed["games"]) >= 110
    assert all(finished for *_, finished in undisturbed["encounters"])
    assert undisturbed["lots"]
    assert {stage for stage, *_ in undisturbed["days"]} == {"championship", "champions-league", "final"}


@pytest.mark.parametrize(
    ("url", "kills"), [("sqlite", 20 if NIGHT else 8), ("postgresql", 5 if NIGHT else 3)], indirect=["url"]
)
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


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_killed_beside_another_organiser_the_season_is_the_same(
    tmp_path: Path, url: str, undisturbed: dict[str, Any]
) -> None:
    """200 kills, half of them like this and a third on PostgreSQL: ``python -m soak kills``."""
    season = tmp_path / "season.toml"
    season.write_text(text(), encoding="utf-8")
    _, counts = run_with_kills(season, url, 5, Random(5), organisers=2)
    assert counts == sorted(counts)
    with Contest.open(season, url) as contest:
        check(contest, undisturbed)


@pytest.mark.parametrize("url", by_day(["sqlite", "postgresql"], ["postgresql"]), indirect=True)
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


@pytest.mark.parametrize("url", by_day(["sqlite", "postgresql"], ["sqlite"]), indirect=True)
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
