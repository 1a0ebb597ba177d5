"""How a season ranks: by its rule set, worked out by hand for each of them, by its file, and as it began."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance, bracket
from spielleiter.contest.run.standings import group_standings
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import database
from spielleiter.errors import ContestError
from spielleiter.game import Ranking
from tests.support.contest_results import write
from tests.support.contest_seasons import FINAL, GAME, opened, season_text

WIN, DRAW, LOSS = (2, 0), (1, 1), (0, 2)
FOUR = ("Ada", "Bob", "Cem", "Dora")

# What a winner, a loser and both sides of a draw have in each game, and the one game that Cem wins by more.
# The sums are those of Ada (3 w + 3 l), Bob (2 w + l + 3 d), Cem (Bob's and what he has more) and Dora (w + 3 l + 2 d).
FIGURES = {
    "piranhas-2019": (9, 5, 7, 10, (42, 44, 45, 38)),
    "piranhas-2019-official": (9, 5, 7, 10, (42, 44, 45, 38)),
    "piranhas-2026": (8, 6, 6, 10, (42, 40, 42, 38)),
    "piranhas-2026-official": (15, 11, 13, 16, (78, 80, 81, 74)),
    "ostseeschach-2022": (2, 1, 1, 3, (9, 8, 9, 7)),
    "ostseeschach-2022-official": (2, 1, 1, 3, (9, 8, 9, 7)),
    "blokus-2021": (85, 70, 78, 88, (465, 474, 477, 451)),
    "blokus-2021-official": (85, 70, 78, 88, (465, 474, 477, 451)),
    "blokus-2027": (90, 66, 80, 95, (468, 486, 491, 448)),
    "blokus-2027-official": (90, 66, 80, 95, (468, 486, 491, 448)),
    "pinguine-2023": (30, 22, 26, 33, (156, 160, 163, 148)),
    "pinguine-2023-official": (30, 22, 26, 33, (156, 160, 163, 148)),
    "hase-und-igel-2025": (60, 50, 55, 64, (330, 335, 339, 320)),
    "hase-und-igel-2025-official": (60, 50, 55, 64, (330, 335, 339, 320)),
}


@contextmanager
def with_draws(folder: Path, key: str, season: str = "") -> Iterator[Contest]:
    """Four teams who all met, the first two of whom play a final.

    ====  ===  =====  ====  ==============
          won  drawn  lost  victory points
    ====  ===  =====  ====  ==============
    Ada     3      0     3               6
    Bob     2      3     1               7
    Cem     2      3     1               7
    Dora    1      2     3               4
    ====  ===  =====  ====  ==============
    """
    win, loss, draw, more, _ = FIGURES[key]
    won, lost, drawn = (WIN, (win, loss)), (LOSS, (loss, win)), (DRAW, (draw, draw))
    played = season_text(FOUR, season=season, championship="qualify = 2", rest=FINAL).replace(GAME, key)
    with opened(folder, str(folder / "season.db"), played) as contest:
        with contest.store.transaction() as session:
            for other in ("Bob", "Cem", "Dora"):
                write(session, contest.season, "Ada", other, won, lost)
            write(session, contest.season, "Bob", "Cem", drawn, drawn)
            write(session, contest.season, "Bob", "Dora", won, drawn)
            write(session, contest.season, "Cem", "Dora", (WIN, (more, loss)), drawn)
        yield contest


def ranks(contest: Contest) -> list[tuple[int, str]]:
    with contest.store.reading() as session:
        found = group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A")
    return [(row.rank, row.team) for row in found.rows]


def finalists(contest: Contest) -> tuple[str, ...]:
    with contest.store.transaction() as session:
        advance(session, contest.season)
        (final,), _ = bracket(session, contest.season)
        return final.teams


# Wins: Ada 3; Bob and Cem 2, of whom Cem has the better average; Dora 1.
BY_WINS = [(1, "Ada"), (2, "Cem"), (3, "Bob"), (4, "Dora")]
# Victory points: Bob and Cem 7, Cem with the better average; Ada 6, Dora 4.
BY_VICTORY_POINTS = [(1, "Cem"), (2, "Bob"), (3, "Ada"), (4, "Dora")]
# Encounter points: Ada 3 x 1 = 3; Bob 1 + 1 + 2 = 4; Cem 1 + 1 + 2 = 4; Dora 1. Bob and Cem have 7 victory points each:
# the average plays no part, and they are level.
BY_ENCOUNTERS = [(1, "Bob"), (1, "Cem"), (3, "Ada"), (4, "Dora")]


@pytest.mark.parametrize("key", FIGURES)
def test_documents_rank_by_wins_and_servers_by_victory_points_and_the_final_follows(key: str, tmp_path: Path) -> None:
    with with_draws(tmp_path, key) as contest:
        with contest.store.reading() as session:
            rows = group_standings(session, contest.season, Stage.CHAMPIONSHIP, "A").rows
        assert {row.team: row.totals.secondary for row in rows} == dict(zip(FOUR, FIGURES[key][-1], strict=True))
        official = key.endswith("-official")
        assert ranks(contest) == (BY_VICTORY_POINTS if official else BY_WINS)
        assert finalists(contest) == (("Cem", "Bob") if official else ("Ada", "Cem"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("wins", BY_WINS),
        ("victory points", BY_VICTORY_POINTS),
        ("encounters", BY_ENCOUNTERS),
        ("games", BY_VICTORY_POINTS),  # As older files say it.
    ],
)
def test_the_season_file_may_choose_another_ranking(tmp_path: Path, said: str, expected: list[tuple[int, str]]) -> None:
    for key in ("blokus-2021", "blokus-2021-official"):
        folder = tmp_path / key
        folder.mkdir()
        with with_draws(folder, key, f'standings = "{said}"') as contest:
            assert ranks(contest) == expected


# --- seasons that began before rule sets had a ranking ----------------------------------------------------------------


def begun_before(folder: Path, said: str = "") -> Path:
    """The file of a season that began when stores did not keep a ranking yet."""
    path = folder / "season.toml"
    path.write_text(season_text(FOUR, season=said).replace(GAME, "blokus-2021"), encoding="utf-8")
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{folder / 'season.db'}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        connection.execute(
            text("INSERT INTO season VALUES (1, 'Probe', 'blokus-2021', :file, '2026-01-01 00:00:00', false)"),
            {"file": path.read_text(encoding="utf-8")},
        )
    engine.dispose()
    return path


def test_a_season_that_began_by_victory_points_goes_on_so(tmp_path: Path) -> None:
    path = begun_before(tmp_path)
    with Contest.open(path) as contest, Contest.open_store(str(tmp_path / "season.db")) as alone:
        assert contest.season.ranking is alone.season.ranking is Ranking.BY_VICTORY_POINTS


def test_a_season_that_began_by_encounters_goes_on_so(tmp_path: Path) -> None:
    with Contest.open(begun_before(tmp_path, 'standings = "encounters"')) as contest:
        assert contest.season.ranking is Ranking.BY_ENCOUNTERS


def test_a_season_that_began_by_victory_points_may_say_so_but_not_change_it(tmp_path: Path) -> None:
    path = begun_before(tmp_path)
    silent = path.read_text(encoding="utf-8")
    path.write_text(silent.replace("[season]", '[season]\nstandings = "wins"'), encoding="utf-8")
    with pytest.raises(ContestError, match="standings was victory points and is now wins"):
        Contest.open(path)


def test_the_tables_are_those_of_the_ranking_with_which_the_season_began(tmp_path: Path) -> None:
    with with_draws(tmp_path, "blokus-2021") as contest:
        assert ranks(contest) == BY_WINS
        with contest.store.transaction() as session:
            session.execute(text("UPDATE season SET default_ranking = 'victory points'"))
    path = tmp_path / "season.toml"
    with Contest.open(path) as contest:
        assert ranks(contest) == BY_VICTORY_POINTS
    path.write_text(
        path.read_text(encoding="utf-8").replace("[season]", '[season]\nstandings = "victory points"'),
        encoding="utf-8",
    )
    with Contest.open(path) as contest:
        assert ranks(contest) == BY_VICTORY_POINTS
