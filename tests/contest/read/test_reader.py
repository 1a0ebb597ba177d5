"""The snapshot of a season: the same from both databases, and what it shows to whom."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path

from spielleiter.contest.read.reader import read_snapshot, reading
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.standings import rating
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.season.snapshot import SeasonGame, SeasonSnapshot
from tests.support.databases import Postgres
from tests.support.page_seasons import NICE, play, season_text


def read(contest: Contest) -> tuple[SeasonSnapshot, tuple[SeasonGame, ...]]:
    with reading(contest) as reader:
        return reader.snapshot(), reader.games()


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
    assert [day.number for day in other.days] == [day.number for day in snapshot.days]


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


def test_everybody_sees_nothing_private(played: Contest) -> None:
    snapshot, games = read(played)
    shown = repr(snapshot.seen_by(None)) + repr([asdict(game) for game in games])
    assert "secret" not in shown
    assert "password" not in shown
    assert "season.toml" not in shown  # Who submitted the programs.
    assert not {"details", "host", "who"} & {field.name for field in fields(SeasonGame)}


def test_organisers_see_who_decided_what(played: Contest) -> None:
    snapshot = read_snapshot(played)
    assert {"secret-who"} <= {entry.who for entry in snapshot.audit}
    assert {news.who for news in snapshot.news} == {"secret-who"}
    assert AuditAction.INVITE in {entry.action for entry in snapshot.audit}
    assert AuditAction.INVITE not in {entry.action for entry in snapshot.seen_by(None).audit}


def test_members_see_who_submitted_the_programs_of_their_own_team_alone(played: Contest) -> None:
    snapshot = read_snapshot(played)
    mine, other = list(snapshot.teams)[:2]
    shown = snapshot.seen_by(mine)
    assert all(program.who for program in shown.programs[mine])
    assert not any(program.who for program in shown.programs[other])
    assert shown.audit == snapshot.seen_by(None).audit


def test_each_team_plays_with_the_program_that_was_activated_last(played: Contest) -> None:
    snapshot = read_snapshot(played)
    assert snapshot.active.keys() == snapshot.teams.keys()
    for team, number in snapshot.active.items():
        assert snapshot.programs[team][-1].number == number


def test_phases_say_how_far_they_are(halfway: Contest) -> None:
    snapshot = read_snapshot(halfway)
    championship = snapshot.progress(Stage.CHAMPIONSHIP)
    assert championship.is_drawn
    assert championship.state == "running"
    assert championship.matchdays[0] < championship.matchdays[1]
    assert championship.games == sum(each.games for each in snapshot.encounters if each.stage is Stage.CHAMPIONSHIP)
    assert snapshot.progress(Stage.TRIAL).state == "over"
    assert not snapshot.progress(Stage.FINAL).is_drawn


def test_a_result_is_seen_from_both_sides(played: Contest) -> None:
    snapshot, games = read(played)
    other = {"won": "lost", "lost": "won", "drawn": "drawn", "": ""}
    assert all(each.result(1) == other[each.result(0)] for each in snapshot.encounters)
    assert all(each.result(0) == "won" for each in snapshot.encounters if each.winner == 0)
    assert all(each.result(1) == other[each.result(0)] for each in games if any(each.points))
