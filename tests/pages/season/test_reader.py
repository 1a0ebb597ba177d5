"""The chronicle: the same from both databases, and nothing in it that is not for everybody."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.standings import rating
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.snapshot import GameView, SeasonSnapshot
from spielleiter.pages.season.views import bracket_of, current_day, standings_of
from tests.support.databases import Postgres
from tests.support.page_seasons import NICE, play, season_text


def read(contest: Contest) -> tuple[SeasonSnapshot, tuple[GameView, ...]]:
    with contest.store.reading() as session:
        return read_snapshot(session, contest.season), read_games(session)


def test_both_databases_tell_the_same(halfway: Contest, postgres: Postgres, tmp_path: Path) -> None:
    path = tmp_path / "season.toml"
    path.write_text(season_text(NICE, standings="encounters"), encoding="utf-8")
    with Contest.open(path, postgres.store()) as contest:
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        other, other_games = read(contest)
    snapshot, games = read(halfway)
    results = {(each.key, each.won, each.drawn, each.secondary) for each in snapshot.encounters}
    assert {(each.key, each.won, each.drawn, each.secondary) for each in other.encounters} == results
    assert other.standings == snapshot.standings
    assert {game.final for game in other_games} == {game.final for game in games}
    assert all(game.has_record for game in other_games)
    assert list(Pages(other)) == list(Pages(snapshot))


def test_the_ratings_are_those_of_the_standings(played: Contest) -> None:
    snapshot, _ = read(played)
    with played.store.reading() as session:
        whole = rating(session, (Stage.CHAMPIONSHIP, Stage.CHAMPIONS_LEAGUE, Stage.FINAL))
        group = rating(session, (Stage.CHAMPIONSHIP,), "B")
    assert whole is not None
    assert group is not None
    assert snapshot.rating is not None
    found = snapshot.group_rating(Stage.CHAMPIONSHIP, "B")
    assert found is not None
    for mine, theirs in ((snapshot.rating, whole), (found, group)):
        assert {each.player: round(each.elo, 6) for each in mine.ratings} == {
            each.player: round(each.elo, 6) for each in theirs.ratings
        }
    day, last = snapshot.rating_by_day[-1]
    assert day.stage is Stage.FINAL
    assert last == snapshot.rating


def test_nothing_private_is_read(played: Contest) -> None:
    snapshot, games = read(played)
    told = repr(snapshot) + repr([asdict(game) for game in games])
    assert "secret" not in told
    assert "password" not in told
    assert not {"details", "host", "who"} & {field.name for field in fields(GameView)}


def test_a_season_in_the_middle_knows_its_day_and_who_rests(halfway: Contest) -> None:
    snapshot, _ = read(halfway)
    assert snapshot.state.blocker is Blocker.GAMES
    assert (snapshot.state.stage, snapshot.state.matchday) == (Stage.CHAMPIONSHIP, 3)
    days = [day for day in snapshot.days if day.stage is Stage.CHAMPIONSHIP]
    for group in ("A", "B"):
        resting = [team.name for day in days for team in snapshot.resting(day, group)]
        assert sorted(resting) == sorted(row.team for row in snapshot.standings[Stage.CHAMPIONSHIP, group].rows)
    trial = next(day for day in snapshot.days if day.stage is Stage.TRIAL)
    assert [len(snapshot.resting(trial, group)) for group in ("A", "B")] == [1, 1]
    day = current_day(snapshot)
    assert day is not None
    assert day.number >= 2
    bracket = bracket_of(snapshot)
    assert bracket is not None
    assert not bracket.drawn
    assert [len(boxes) for _, boxes in bracket.rounds] == [2, 1]


def test_the_line_stands_where_places_decide(played: Contest) -> None:
    snapshot, _ = read(played)
    table = standings_of(snapshot, Stage.CHAMPIONSHIP, "B")
    assert table.goes_on == 4
    assert [line.goes_on for line in table.lines] == [True] * 4 + [False] * 2
    assert not table.tied_at_cut
    everybody = standings_of(snapshot, Stage.CHAMPIONS_LEAGUE, "")
    assert everybody.goes_on == 0  # All eight of them: a line would say nothing.
    assert len(everybody.lines) == 8


def test_seeds_meet_as_the_table_says(played: Contest) -> None:
    snapshot, _ = read(played)
    table = [row.team for row in snapshot.standings[Stage.CHAMPIONS_LEAGUE, ""].rows]
    assert {team: seed for seed, team in enumerate(table, 1)} == dict(snapshot.knockout.seeds)
    bracket = bracket_of(snapshot)
    assert bracket is not None
    first = [tuple(side.seed for side in box.sides) for box in bracket.rounds[0][1]]
    assert first == [(1, 8), (4, 5), (2, 7), (3, 6)]
