"""Changes of a season that is in its store: dates, late teams, reserve places; tried first, then done."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.proof import prove
from spielleiter.contest.season.model import Season, Stage, TeamEntry
from spielleiter.contest.season.next import Until
from spielleiter.contest.season.write import added, rewrite
from spielleiter.errors import ContestError, SettingsError
from tests.contest.store.test_database import contents
from tests.support.contest_seasons import opened, play, season_text

TEXT = season_text("abc", rest="[trial]\nmatchdays = 1\n") + '[[teams]]\nname = "Reserve 1"\nreserve = true\n'


def change(contest: Contest, season: Season, *, dry_run: bool = False) -> None:
    contest.change(rewrite(contest.text(), contest.season, season), who="olga", dry_run=dry_run)


def with_team(season: Season, name: str, /, **values: object) -> Season:
    teams = [replace(team, **values) if team.name == name else team for team in season.teams]  # type: ignore[arg-type]
    return replace(season, teams=tuple(teams))


def opponents(contest: Contest, name: str, stage: Stage) -> Counter[str]:
    """Whom a team meets, and how often."""
    meetings = [one for one in read_snapshot(contest).encounters if one.stage is stage]
    pairs = [tuple(team.name for team in one.teams) for one in meetings]
    return Counter(other for pair in pairs if name in pair for other in pair if other != name)


def test_a_team_that_comes_in_the_middle_takes_a_reserve_place(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url, TEXT) as contest:
        play(contest, until=Until(Stage.CHAMPIONSHIP, 1))
        (entry,) = (team for team in contest.season.teams if team.reserve)
        late = with_team(contest.season, entry.name, name="Late", school="FHS", reserve=False, replaces=entry.name)
        before, file = contents(contest.store), (tmp_path / "season.toml").read_text(encoding="utf-8")
        change(contest, late, dry_run=True)
        assert contents(contest.store) == before
        assert (tmp_path / "season.toml").read_text(encoding="utf-8") == file
        assert contest.season.team("Reserve 1").reserve

        change(contest, late)
        assert contest.season.team("Late").school == "FHS"
        assert contest.season.team("Reserve 1").name == "Late", "games under way have the old name"
        assert {team.name for team in read_snapshot(contest).teams.values()} == set("abc") | {"Late"}
        play(contest)
        assert prove(contest).difference is None
    # The same season, found again from its file.
    with Contest.open(tmp_path / "season.toml", url) as contest:
        assert opponents(contest, "Late", Stage.CHAMPIONSHIP) == Counter("abc")
        assert prove(contest).difference is None


def test_only_a_reserve_place_can_be_taken(tmp_path: Path) -> None:
    with opened(tmp_path, str(tmp_path / "season.db"), TEXT) as contest:
        with pytest.raises(ContestError, match="the team 'a' was no reserve place"):
            change(contest, with_team(contest.season, "a", name="Late", replaces="a"))
        with pytest.raises(SettingsError, match="a reserve place has neither player nor replaces"):
            change(contest, with_team(contest.season, "Reserve 1", player="greedy"))


def test_a_new_team_joins_before_its_phase_begins_and_the_schedule_is_drawn_anew(tmp_path: Path) -> None:
    with opened(tmp_path, str(tmp_path / "season.db"), season_text("abc", rest="[trial]\nmatchdays = 1\n")) as contest:
        change(contest, added(contest.season, TeamEntry("Early", group="A", player="random:seed=9")))
        assert sum(opponents(contest, "Early", Stage.TRIAL).values()) == 1
        assert opponents(contest, "Early", Stage.CHAMPIONSHIP) == Counter("abc")
        play(contest, until=Until(Stage.TRIAL))
        # The trial days are over: who comes now plays the championship alone.
        with pytest.raises(ContestError, match="the team 'Late' is new"):
            change(contest, added(contest.season, TeamEntry("Late", group="A")))
        late = TeamEntry("Late", group="A", player="random:seed=10", joins=Stage.CHAMPIONSHIP)
        change(contest, added(contest.season, late))
        assert not opponents(contest, "Late", Stage.TRIAL)
        assert opponents(contest, "Late", Stage.CHAMPIONSHIP) == Counter(["a", "b", "c", "Early"])
        play(contest, until=Until(Stage.CHAMPIONSHIP, 1))
        with pytest.raises(ContestError, match="the team 'Later' is new"):
            change(contest, added(contest.season, replace(late, name="Later")))
        play(contest)
        assert prove(contest).difference is None


def test_another_process_plays_with_the_new_dates(tmp_path: Path) -> None:
    url = str(tmp_path / "season.db")
    far = datetime(2090, 1, 1, tzinfo=UTC)
    dates = [far + timedelta(days=day) for day in range(3)]
    text = season_text("abc", championship=f"dates = [{', '.join(date.isoformat() for date in dates)}]")
    with opened(tmp_path, url, text) as pages, Contest.open(tmp_path / "season.toml", url) as run:
        state = play(run)
        assert state is not None
        assert state.blocker.name == "DATE"
        (phase,) = pages.season.phases
        change(pages, replace(pages.season, phases=(replace(phase, dates=()),)))
        state = play(run)
        assert state is not None
        assert state.blocker.name == "NOTHING"


def test_a_file_that_was_changed_by_hand_is_not_overwritten(tmp_path: Path) -> None:
    with opened(tmp_path, str(tmp_path / "season.db"), TEXT) as contest:
        by_hand = TEXT + "# A remark.\n"
        (tmp_path / "season.toml").write_text(by_hand, encoding="utf-8")
        with pytest.raises(ContestError, match="was changed by hand: restart the pages"):
            change(contest, with_team(contest.season, "a", school="FHS"))
        assert (tmp_path / "season.toml").read_text(encoding="utf-8") == by_hand


def test_a_file_that_cannot_be_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with opened(tmp_path, str(tmp_path / "season.db"), TEXT) as contest:
        before, season = contents(contest.store), with_team(contest.season, "a", school="FHS")
        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(ContestError, match=r"season\.toml"):
            change(contest, season)
        assert contents(contest.store) == before
        assert contest.season.team("a").school == ""
        assert sorted(path.name for path in tmp_path.glob("*.toml*")) == ["season.toml"]
