"""Organisers run the season, rule and draw lots."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("httpx")
from sqlalchemy import select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.store import AccountRow, EncounterRow, GameRow, LotRow, SeasonRow
from tests.support.contest_site import (
    OTHER,
    ContestSite,
    audit,
    rest,
)
from tests.support.machine import Machine

pytestmark = pytest.mark.slow


def test_organisers_run_the_season_annul_a_game_and_run_it_again(fresh_contest: ContestSite) -> None:
    contest, olga = fresh_contest, fresh_contest.visitor("olga")
    assert "not being played here" in olga.text("/contest/organise")
    assert olga.post("/contest/organise/run").status_code == 303
    contest.visitor("olga").post("/contest/organise/run")  # Twice does no harm.
    rest(contest)
    assert contest.jobs.season.progress.problem is None
    page = olga.text("/contest/organise")
    assert "The season is over" in page
    assert "6 / 6" in page
    assert "/contest/organise/run" not in page, "nothing is left to be played"
    assert "Back up, prove, publish" in page
    with olga.client.stream("GET", "/contest/organise/events") as events:
        assert "The season is over" in next(line for line in events.iter_lines() if line.startswith("data:"))
    games = contest.scalars(select(GameRow.id))
    assert len(games) == 12

    (key,) = contest.scalars(
        select(EncounterRow.key).join(GameRow, GameRow.encounter_id == EncounterRow.id).where(GameRow.id == games[-1])
    )
    assert key in olga.text("/contest/organise/rulings")
    olga.post("/contest/organise/annul", subject=f"{key}-1", reason="  ")
    assert "Give a reason" in olga.notices("/contest/organise/rulings")
    olga.post("/contest/organise/annul", subject="M99-Z", reason="power cut")
    assert "no encounter" in olga.notices("/contest/organise/rulings")
    answer = olga.post("/contest/organise/annul", subject=f"{key}-1", reason="power cut")
    assert "Are you sure?" in answer.text
    assert f"{key}-1: 1 game will no longer count" in answer.text
    assert "annul" not in {entry[1] for entry in audit(contest)}, "asking changes nothing"
    olga.post("/contest/organise/annul", subject=f"{key}-1", reason="power cut", sure="yes")
    assert "will be played again" in olga.notices("/contest/organise/rulings")
    assert ("olga (organiser)", "annul", f"{key}-1", "power cut") in audit(contest)
    olga.post("/contest/organise/run")
    rest(contest)
    assert len(contest.scalars(select(GameRow.id))) == 13
    assert "power cut" in olga.text("/contest/organise/audit")


def test_organisers_see_that_the_machine_is_busy_and_decide_on_what_was_lost_by_it(
    fresh_contest: ContestSite, machine: Machine
) -> None:
    contest, olga = fresh_contest, fresh_contest.visitor("olga")
    assert "This machine is busy" not in olga.text("/contest/organise")
    machine.be_busy(0.62)
    assert "This machine is busy (pressure 62 %)" in olga.text("/contest/organise")
    olga.post("/contest/organise/run")
    rest(contest)
    with contest.store.transaction() as session:
        game = session.scalars(select(GameRow).order_by(GameRow.id.desc())).first()
        assert game is not None
        game.decision, game.pressure, game.reason_en = Decision.PENDING, 0.62, "late; the machine was busy"
        name, public = f"{game.encounter.key}-{game.number}", f"/season/encounter/{game.encounter_id}"
    page = olga.text("/contest/organise")
    assert f"the organisers have to decide: {name}" in page
    assert f"Waiting for:</strong> <bdi>the organisers</bdi> – decide on {name}" in page
    assert "late; the machine was busy" in olga.text("/contest/organise/rulings")
    assert "the organisers have yet to decide" in olga.text(public)
    answer = olga.post("/contest/organise/accept", subject=name, reason="it hung every time")
    assert f"{name}: 1 game counted as played." in answer.text
    olga.post("/contest/organise/accept", subject=name, reason="it hung every time", sure="yes")
    assert ("olga (organiser)", "accept", name, "it hung every time") in audit(contest)
    assert "The season is over" in olga.text("/contest/organise")


def test_a_disqualified_team_is_informed(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    olga.post("/contest/organise/disqualify", team=OTHER, reason="")
    assert "Give a reason" in olga.notices("/contest/organise/rulings")
    assert "Are you sure?" in olga.post("/contest/organise/disqualify", team=OTHER, reason="copied").text
    olga.post("/contest/organise/disqualify", team=OTHER, reason="copied", sure="yes")
    assert "loses all games" in olga.notices("/contest/organise/rulings")
    assert "disqualified" in fresh_contest.visitor("bob").text("/contest/my")
    assert ("olga (organiser)", "disqualify", OTHER, "copied") in audit(fresh_contest)


def test_a_ruling_is_undone_by_a_button(fresh_contest: ContestSite) -> None:
    olga = fresh_contest.visitor("olga")
    olga.post("/contest/organise/disqualify", team=OTHER, reason="copied", sure="yes")
    (action,) = re.findall(r"/contest/organise/undo/\d+", olga.text("/contest/organise/rulings"))
    asked = olga.post(action).text
    assert f"This will be undone: Disqualified: {OTHER}." in asked
    assert "/language/de?back=/contest/organise/rulings" in asked, "nobody comes back to the answer of a form"
    olga.post(action, sure="yes")
    page = olga.text("/contest/organise/rulings")
    assert f"{OTHER} plays again" in page
    assert "/contest/organise/undo/" not in page
    assert "disqualified" not in fresh_contest.visitor("bob").text("/contest/my")
    log = olga.text("/contest/organise/audit")
    assert "copied" in log
    assert ">undone</span>" in log
    olga.post(action, sure="yes")
    assert "nothing to undo" in olga.notices("/contest/organise/rulings")


def test_a_paused_season_begins_no_more_games(fresh_contest: ContestSite) -> None:
    contest, olga = fresh_contest, fresh_contest.visitor("olga")
    olga.post("/contest/organise/pause", reason="lunch")
    assert contest.scalars(select(SeasonRow.paused)) == [True]
    assert "The season is paused" in olga.text("/contest/organise")
    assert contest.jobs.season.progress.running is False
    olga.post("/contest/organise/run")
    olga.post("/contest/organise/pause", reason="dessert")
    rest(contest)
    assert contest.scalars(select(SeasonRow.paused)) == [True]
    actions = [(action, reason) for _, action, _, reason in audit(contest)]
    assert actions == [("pause", "lunch"), ("resume", ""), ("run", ""), ("pause", "dessert")]


LOTS = """
[season]
name = "Nobody plays"
game = "piranhas-2026"
seed = 1
games = 2
lots = "by hand"
[championship]
qualify = 2
[final]
games = 2
cap = 2
""" + "".join(f'[[teams]]\nname = "Team {name}"\n' for name in "ABCD")


def test_organisers_see_which_programs_do_not_play_and_go_on_without_their_teams(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    text = LOTS.replace('lots = "by hand"', "").replace('"Team A"\n', '"Team A"\nplayer = "bots/none.zip"\n')
    (tmp_path / "season.toml").write_text(text, encoding="utf-8")
    with Contest.open(tmp_path / "season.toml") as season:
        with season.store.transaction() as session:
            session.add(
                AccountRow(name="olga", password="", organiser=True, created=session.get_one(SeasonRow, 1).created)
            )
        contest = serve_contest(season)
        olga = contest.visitor("olga")
        olga.post("/contest/organise/run")
        rest(contest)
        page = olga.text("/contest/organise")
        assert "The program &#39;bots/none.zip&#39; of &#39;Team A&#39; in the season file cannot play: " in page
        assert '<input type="checkbox" name="without" value="Team A">' in page
        assert contest.scalars(select(GameRow)) == []
        olga.post("/contest/organise/run", without="Team Z")
        assert "there is no team" in olga.notices("/contest/organise")
        olga.post("/contest/organise/run", without="Team A")
        rest(contest)
        page = olga.text("/contest/organise")
        assert "over" in page
        assert 'name="without"' not in page
        assert ("olga (organiser)", "leave out", "Team A", "") in audit(contest)


def test_a_lot_is_drawn_by_an_organiser_and_the_season_goes_on(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    (tmp_path / "season.toml").write_text(LOTS, encoding="utf-8")
    with Contest.open(tmp_path / "season.toml") as season:
        with season.store.transaction() as session:
            session.add(
                AccountRow(name="olga", password="", organiser=True, created=session.get_one(SeasonRow, 1).created)
            )
        contest = serve_contest(season)
        olga = contest.visitor("olga")
        olga.post("/contest/organise/run")
        jobs = contest.jobs
        contest.wait(jobs.channel, lambda: jobs.season.progress.state is not None and jobs.season.progress.state.tie)
        page = olga.text("/contest/organise")
        assert "A lot decides" in page
        olga.post("/contest/organise/lot", stage="championship", group="A", seed="")
        assert "Say what the lot is drawn with" in olga.notices("/contest/organise")
        olga.post("/contest/organise/lot", stage="nonsense", group="A", seed="7")
        assert "no such phase" in olga.notices("/contest/organise")
        while olga.text("/contest/organise").count("A lot decides"):
            olga.post("/contest/organise/lot", stage="championship", group="A", seed="3 11 25 30 41 47")
            assert "3 11 25" in olga.notices("/contest/organise")
        rest(contest)
        assert "over" in olga.text("/contest/organise")
        lots = contest.scalars(select(LotRow))
        assert {lot.who for lot in lots} == {"olga (organiser)"}
        assert ("olga (organiser)", "draw-lot") in [(who, action) for who, action, _, _ in audit(contest)]
