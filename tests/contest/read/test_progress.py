from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run import rulings
from spielleiter.contest.run.proof import prove
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.contest.season.snapshot import PhaseProgress
from spielleiter.contest.store import now
from tests.support.contest_small_season import found, play, season_text
from tests.support.page_seasons import MOMENT


@pytest.mark.slow
def test_a_season_is_followed_from_its_foundation_to_its_podium(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        new = read_snapshot(contest)
        assert (new.state.blocker, new.state.stage, new.state.matchday) == (
            Blocker.GAMES,
            Stage.CHAMPIONSHIP,
            1,
        )
        assert new.progress(Stage.CHAMPIONSHIP) == PhaseProgress(Stage.CHAMPIONSHIP, (0, 3), (0, 6), 0)
        assert new.progress(Stage.FINAL) == PhaseProgress(Stage.FINAL, (0, 0), (0, 0), 0)
        assert not new.progress(Stage.FINAL).is_drawn
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        middle = read_snapshot(contest)
        assert middle.state.matchday == 3
        assert middle.progress(Stage.CHAMPIONSHIP).encounters == (4, 6)
        assert middle.knockout.places == ()
        play(contest, Until(Stage.CHAMPIONSHIP))
        before_final = read_snapshot(contest)
        assert before_final.state.stage is Stage.FINAL
        play(contest)
        over = read_snapshot(contest)
        assert over.state.blocker is Blocker.NOTHING
        assert len(set(over.knockout.places)) == 4
        assert over.progress(Stage.FINAL).encounters == (4, 4)


def test_looking_changes_nothing(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        assert replace(read_snapshot(contest), moment=MOMENT) == replace(read_snapshot(contest), moment=MOMENT)
        with contest.store.reading() as session:
            from spielleiter.contest.store import MatchdayRow

            assert all(day.opened is None for day in session.query(MatchdayRow))


def test_it_says_what_the_season_waits_for(tmp_path: Path) -> None:
    dates = [(now() + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
    with found(tmp_path, season_text(championship=f"dates = [{', '.join(dates)}]")) as contest:
        waiting = read_snapshot(contest)
        assert (waiting.state.blocker, waiting.state.matchday) == (Blocker.DATE, 1)
        assert "matchday 1 begins on" in waiting.text.en
        rulings.pause(contest, True, who="Eva")
        assert read_snapshot(contest).state.blocker is Blocker.PAUSE


def test_it_says_that_a_lot_must_be_drawn(tmp_path: Path) -> None:
    players = dict.fromkeys(("Ada", "Bit & Byte", "<script>alert(1)</script>", "Döner"), "")
    with found(tmp_path, season_text(players=players, season='lots = "by hand"')) as contest:
        play(contest)
        waiting = read_snapshot(contest).state
        assert (waiting.blocker, waiting.stage, waiting.group) == (Blocker.LOT, Stage.CHAMPIONSHIP, "A")


@pytest.mark.slow
def test_a_season_with_all_phases_goes_on_after_every_day(tmp_path: Path) -> None:
    teams = tuple("ABCDEFGH")
    text = season_text(
        teams=teams, championship="groups = 2\nqualify = 3", more="[champions_league]\n[trial]\nmatchdays = 1"
    )
    with found(tmp_path, text) as contest:
        days = 0
        while read_snapshot(contest).state.blocker is not Blocker.NOTHING:
            now_at = read_snapshot(contest).state
            assert now_at.stage is not None
            play(contest, Until(now_at.stage, now_at.matchday))
            days += 1
        # One trial day, 3 days in groups of four, 5 in the league of six, and a Final Four.
        assert days == 1 + 3 + 5 + 2
        assert prove(contest).difference is None
