"""Season files that the pages write: from a form, and in the middle of a season."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from spielleiter.contest.season.file import example, parse_season
from spielleiter.contest.season.model import Live, Season, Stage, TeamEntry
from spielleiter.contest.season.write import PhaseDraft, SeasonDraft, added, rewrite
from spielleiter.errors import ContestError, SettingsError
from tests.support.contest_seasons import FINAL, season_text

FIRST = datetime(2027, 3, 8, 18)
TEAMS = tuple(TeamEntry(name, school=f'School "{name}" \\ #') for name in "abcdef")


def draft(**changes: object) -> SeasonDraft:
    phases = (
        PhaseDraft(stage=Stage.TRIAL, matchdays=2),
        PhaseDraft(stage=Stage.CHAMPIONSHIP, qualify=4, first=FIRST, deadline=FIRST - timedelta(hours=6)),
        PhaseDraft(stage=Stage.FINAL, first=FIRST + timedelta(days=60), every=0),
    )
    values = {"name": "Cup", "game": "piranhas-2026", "seed": 5, "games": 2, "phases": phases, "teams": TEAMS}
    return SeasonDraft(**{**values, **changes})  # type: ignore[arg-type]


def test_a_form_becomes_a_season_with_a_date_for_each_matchday() -> None:
    season = parse_season(draft(live=Live.AFTER).to_toml())
    assert (season.name, season.game, season.seed, season.live) == ("Cup", "piranhas-2026", 5, Live.AFTER)
    assert [team.school for team in season.teams] == [team.school for team in TEAMS]
    trial, championship, final = season.phases
    assert trial.dates == ()
    assert [moment.astimezone().replace(tzinfo=None) for moment in championship.dates] == [
        FIRST + timedelta(weeks=week) for week in range(5)
    ]
    assert championship.deadline == (FIRST - timedelta(hours=6)).astimezone()
    assert len(final.dates) == 2
    assert (championship.qualify, final.games) == (4, 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": " "}, "name must have 1 to 60 printable characters"),
        ({"name": 'x"]\n[trial'}, "name must have 1 to 60 printable characters"),
        ({"game": "chess"}, "chess"),
        ({"games": 3}, "games must be even"),
        ({"teams": TEAMS[:1]}, "a season has 2 to 500 teams"),
        ({"phases": (PhaseDraft(stage=Stage.CHAMPIONSHIP, groups=4),)}, "a group needs at least two"),
        (
            {"phases": (PhaseDraft(stage=Stage.CHAMPIONSHIP, first=FIRST), PhaseDraft(stage=Stage.FINAL, first=FIRST))},
            "the dates must be in their order",
        ),
    ],
)
def test_what_cannot_be_a_season_is_refused_without_naming_a_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message) as refused:
        draft(**changes).to_toml()
    assert "line " not in refused.value.text.en


def moved(season: Season, stage: Stage, dates: list[datetime], deadline: datetime | None = None) -> Season:
    here = tuple(moment.astimezone() for moment in dates)
    deadline = None if deadline is None else deadline.astimezone()
    return replace(
        season,
        phases=tuple(
            replace(phase, dates=here, deadline=deadline) if phase.stage is stage else phase for phase in season.phases
        ),
    )


def test_changes_leave_every_other_line_and_comment_of_a_file_as_it_is() -> None:
    text = example("en")
    season = parse_season(text)
    days = [FIRST + timedelta(days=day) for day in range(3)]
    changed = moved(season, Stage.CHAMPIONSHIP, days, FIRST)
    changed = added(changed, TeamEntry("Late birds", "A school", "B"))
    new = rewrite(text, season, changed)
    kept = set(text.splitlines())
    assert kept <= set(new.splitlines())
    assert len(new.splitlines()) - len(text.splitlines()) == 7
    assert parse_season(new).team("Late birds").group == "B"
    # Five teams need five days: the two new ones follow in the rhythm of the others.
    championship = parse_season(new).phase(Stage.CHAMPIONSHIP)
    assert championship is not None
    assert [moment.astimezone().day for moment in championship.dates] == [8, 9, 10, 11, 12]
    # And back again, which leaves nothing behind.
    back = rewrite(
        rewrite(text, season, moved(season, Stage.CHAMPIONSHIP, days, FIRST)),
        moved(season, Stage.CHAMPIONSHIP, days, FIRST),
        season,
    )
    assert back == text


def test_a_list_over_several_lines_and_a_comment_behind_it_are_understood() -> None:
    dates = "dates = [ # when\n  2027-03-08T18:00:00, # one\n  2027-03-09,\n  2027-03-10,\n] # end"
    text = season_text("abc", championship=dates)
    season = parse_season(text)
    wanted = moved(season, Stage.CHAMPIONSHIP, [FIRST + timedelta(days=day) for day in (1, 2, 4)])
    new = rewrite(text, season, wanted)
    assert "[2027-03-09T18:00:00, 2027-03-10T18:00:00, 2027-03-12T18:00:00] # end" in new
    assert len(new.splitlines()) == len(text.splitlines()) - 4


def test_drawn_groups_stay_as_they_were_drawn_when_a_team_comes() -> None:
    text = season_text("abcdef", championship="groups = 2", rest="[champions_league]\n" + FINAL)
    season = parse_season(text)
    new = parse_season(rewrite(text, season, added(season, TeamEntry("g", group="B"))))
    assert [team.group for team in new.teams[:6]] == [team.group for team in season.teams]
    assert new.team("g").group == "B"


def test_a_file_that_is_written_in_another_way_is_not_touched() -> None:
    text = 'teams = [{name = "a"}, {name = "b"}]\nchampionship = {}\n[season]\nname = "x"\ngame = "piranhas-2026"\n'
    season = parse_season(text)
    with pytest.raises(ContestError, match="written in a way that the pages cannot change"):
        rewrite(text, season, moved(season, Stage.CHAMPIONSHIP, [FIRST]))
