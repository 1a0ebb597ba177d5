"""Challenges and friendly encounters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("httpx")
from sqlalchemy import select

from spielleiter.contest.run import programs
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import (
    EncounterRow,
)
from tests.support.contest_site import (
    MEMBER,
    OTHER,
    PROGRAM,
    ContestSite,
    audit,
    open_season,
)

pytestmark = pytest.mark.slow


def test_a_challenge_is_played_and_shown_to_both_and_counts_for_nobody(fresh_contest: ContestSite) -> None:
    contest, ada = fresh_contest, fresh_contest.visitor("ada")
    page = ada.text("/contest/my")
    assert f"<option>{OTHER}</option>" in page
    assert "<option>Ohne Programm</option>" not in page
    ada.post("/contest/my/friendly", opponent=OTHER)
    assert "/contest/my/encounters/X1" in ada.notices("/contest/my")

    def over() -> bool:
        return contest.scalars(select(EncounterRow.finished).where(EncounterRow.key == "X1")) != [None]

    contest.wait(contest.jobs.channel, over)
    assert ("ada (member)", "challenge", f"X1: {MEMBER} - {OTHER}", "") in audit(contest)
    for name in ("ada", "bob"):
        page = contest.visitor(name).text("/contest/my/encounters/X1")
        assert page.count('/log"') == 2
        assert "Friendly" in page
    assert contest.visitor("eve").get("/contest/my/encounters/X1").status_code == 404
    ada.post("/contest/my/friendly", opponent="Ohne Programm")
    assert "no active program" in ada.notices("/contest/my")
    ada.post("/contest/my/friendly", opponent=MEMBER)
    assert "against itself" in ada.notices("/contest/my")


def test_a_friendly_encounter_that_was_interrupted_is_played_at_the_next_start(
    tmp_path: Path, serve_contest: Callable[[Contest], ContestSite]
) -> None:
    with open_season(tmp_path, in_process=True) as season:
        id_, _ = programs.arrange_friendly(season, MEMBER, OTHER)
        contest = serve_contest(season)
        wanted = select(EncounterRow.finished).where(EncounterRow.id == id_)
        contest.wait(contest.jobs.channel, lambda: contest.scalars(wanted) != [None])
        # A second challenge has to wait for the first, but that one is over.
        contest.site.do(lambda: contest.jobs.friendly.challenge(MEMBER, OTHER, "ada"))


def test_a_team_has_one_challenge_at_a_time(real_contest: ContestSite) -> None:
    contest, bob = real_contest, real_contest.visitor("bob")  # Its own: its game stays on the projector for a while.
    bob.post("/contest/my/friendly", opponent=MEMBER)
    assert "begins" in bob.notices("/contest/my")
    bob.post("/contest/my/friendly", opponent=MEMBER)
    assert "still being played" in bob.notices("/contest/my")
    (key,) = contest.scalars(select(EncounterRow.key).where(EncounterRow.stage == Stage.FRIENDLY))
    assert "in progress" in bob.text(f"/contest/my/encounters/{key}")
    ended = select(EncounterRow.finished).where(EncounterRow.key == key)
    contest.wait(contest.jobs.channel, lambda: contest.scalars(ended) != [None])


def test_a_friendly_encounter_that_cannot_be_played_is_reported_and_blocks_no_other(fresh_contest: ContestSite) -> None:
    contest, ada = fresh_contest, fresh_contest.visitor("ada")
    ada.post(
        f"/contest/my/programs/{PROGRAM}/activate"
    )  # No built-in player, but this season is played in one process.
    ada.post("/contest/my/friendly", opponent=OTHER)
    (id_,) = contest.scalars(select(EncounterRow.id).where(EncounterRow.stage == Stage.FRIENDLY))
    contest.wait(contest.jobs.channel, lambda: contest.jobs.friendly.is_stuck(id_))
    assert "Playing has stopped" in ada.text("/contest/my/encounters/X1")
    ada.post("/contest/my/friendly", opponent=OTHER)
    assert "begins" in ada.notices("/contest/my")
