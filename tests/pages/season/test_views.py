"""The pages' views of a season: days, standings and the bracket."""

from __future__ import annotations

from pathlib import Path

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import arrange_friendly
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker
from spielleiter.pages.export import standings_rows
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.pages.season.site import FileLinks
from spielleiter.pages.season.views import bracket_of, current_day, standings_of
from tests.support.page_seasons import NICE, found, season_text


def test_a_season_in_the_middle_knows_its_day_and_who_rests(halfway: Contest) -> None:
    snapshot = read_snapshot(halfway)
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
    snapshot = read_snapshot(played)
    table = standings_of(snapshot, Stage.CHAMPIONSHIP, "B")
    assert table.goes_on == 4
    assert [row["goes_on"] for row in standings_rows(table)] == [True] * 4 + [False] * 2
    assert not table.tied_at_cut
    everybody = standings_of(snapshot, Stage.CHAMPIONS_LEAGUE, "")
    assert everybody.goes_on == 0  # All eight of them: a line would say nothing.
    assert len(everybody.rows) == 8


def test_seeds_meet_as_the_table_says(played: Contest) -> None:
    snapshot = read_snapshot(played)
    table = [row.team for row in snapshot.standings[Stage.CHAMPIONS_LEAGUE, ""].rows]
    assert {team: seed for seed, team in enumerate(table, 1)} == dict(snapshot.knockout.seeds)
    bracket = bracket_of(snapshot)
    assert bracket is not None
    first = [tuple(side.seed for side in box.sides) for box in bracket.rounds[0][1]]
    assert first == [(1, 8), (4, 5), (2, 7), (3, 6)]


def test_the_schedule_lists_friendly_encounters(tmp_path: Path) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        arrange_friendly(contest, NICE[0], NICE[1])
        pages = Pages(read_snapshot(contest).seen_by(None))
        shown = SeasonRenderer(pages.snapshot, FileLinks(), "en").page("schedule", **pages.context("schedule"))
    assert "Friendly games" in shown
    assert "encounter-" in shown.rpartition("Friendly games")[2]
