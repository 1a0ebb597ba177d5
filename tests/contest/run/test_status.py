from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from spielleiter.contest.run import rulings
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.proof import prove
from spielleiter.contest.run.status import SeasonStatus, status
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker, Until
from spielleiter.contest.store import now
from tests.support.contest_small_season import found, play, season_text


def look(contest: Contest) -> SeasonStatus:
    with contest.store.reading() as session:
        return status(session, contest.season)


def test_a_season_is_followed_from_its_foundation_to_its_podium(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        new = look(contest)
        assert (new.state.blocker, new.state.stage, new.state.matchday) == (
            Blocker.GAMES,
            Stage.CHAMPIONSHIP,
            1,
        )
        assert [(phase.drawn, phase.matchdays, phase.encounters, phase.games) for phase in new.phases] == [
            (True, 3, 6, 0),
            (False, 0, 0, 0),
        ]
        play(contest, Until(Stage.CHAMPIONSHIP, 2))
        middle = look(contest)
        assert middle.state.matchday == 3
        assert middle.phases[0].finished_encounters == 4
        assert middle.podium == ()
        play(contest, Until(Stage.CHAMPIONSHIP))
        before_final = look(contest)
        assert before_final.state.stage is Stage.FINAL
        play(contest)
        over = look(contest)
        assert over.state.blocker is Blocker.NOTHING
        assert len(set(over.podium)) == 4
        assert over.phases[1].finished_encounters == 4


def test_looking_changes_nothing(tmp_path: Path) -> None:
    with found(tmp_path) as contest:
        assert look(contest) == look(contest)
        with contest.store.reading() as session:
            from spielleiter.contest.store import MatchdayRow

            assert all(day.opened is None for day in session.query(MatchdayRow))


def test_it_says_what_the_season_waits_for(tmp_path: Path) -> None:
    dates = [(now() + timedelta(days=day)).isoformat() for day in (1, 2, 3)]
    with found(tmp_path, season_text(championship=f"dates = [{', '.join(dates)}]")) as contest:
        waiting = look(contest)
        assert (waiting.state.blocker, waiting.state.matchday) == (Blocker.DATE, 1)
        assert "matchday 1 begins on" in waiting.text.en
        rulings.pause(contest, True, who="Eva")
        assert look(contest).state.blocker is Blocker.PAUSE


def test_it_says_that_a_lot_must_be_drawn(tmp_path: Path) -> None:
    players = dict.fromkeys(("Ada", "Bit & Byte", "<script>alert(1)</script>", "Döner"), "")
    with found(tmp_path, season_text(players=players, season='lots = "by hand"')) as contest:
        play(contest)
        waiting = look(contest).state
        assert (waiting.blocker, waiting.stage, waiting.group) == (Blocker.LOT, Stage.CHAMPIONSHIP, "A")


@pytest.mark.slow
def test_a_season_with_all_phases_goes_on_after_every_day(tmp_path: Path) -> None:
    teams = tuple("ABCDEFGH")
    text = season_text(
        teams=teams, championship="groups = 2\nqualify = 3", more="[champions_league]\n[trial]\nmatchdays = 1"
    )
    with found(tmp_path, text) as contest:
        days = 0
        while look(contest).state.blocker is not Blocker.NOTHING:
            now_at = look(contest).state
            assert now_at.stage is not None
            play(contest, Until(now_at.stage, now_at.matchday))
            days += 1
        # One trial day, 3 days in groups of four, 5 in the league of six, and a Final Four.
        assert days == 1 + 3 + 5 + 2
        assert prove(contest).difference is None
