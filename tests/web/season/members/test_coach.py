"""The coach's page of a team: its own games, and nobody else's."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("httpx")
from sqlalchemy import update

from spielleiter import games
from spielleiter.coach.drill import read_drill
from spielleiter.contest.store import GameFilesRow
from spielleiter.web.analysis import engine_pool
from spielleiter.web.season.sessions import SESSION_COOKIE
from tests.support.coached_match import shorten_looks
from tests.support.contest_site import MEMBER, OTHER, SECRET, ContestSite
from tests.support.feeds import record_lines
from tests.support.waiting import wait_until
from tests.support.web_browser import Keep, Open, check_with_axe


@pytest.fixture
def coached(fresh_contest: ContestSite, monkeypatch: pytest.MonkeyPatch) -> ContestSite:
    """The season with records of its two games, and a coach in a hurry."""
    if fresh_contest.site.web_app.analyst.why_unavailable(games.load("piranhas-2026")) is not None:
        pytest.skip("the native engine is not built")
    # At the lowest priority, a busy machine would leave it no time.
    shorten_looks(monkeypatch)
    monkeypatch.setattr(engine_pool, "_NICENESS", os.getpriority(os.PRIO_PROCESS, 0))
    data = "".join(f"{line}\n" for line in record_lines()).encode()
    with fresh_contest.store.transaction() as session:
        session.execute(update(GameFilesRow).values(record=zlib.compress(data)))
    return fresh_contest


def finished_page(visitor: Any) -> str:
    def finished() -> str:
        text = str(visitor.text("/contest/my/coach"))
        return "" if "/contest/my/coach/events" in text else text

    return wait_until(finished)


@pytest.mark.slow
def test_a_team_sees_what_to_mend_in_its_own_games_only(coached: ContestSite, tmp_path: Path) -> None:
    ada = coached.visitor("ada")
    page = finished_page(ada)
    assert "What to improve first?" in page
    assert "The costliest moves" in page
    assert "/analysis?at=" in page
    drill = tmp_path / "drill.json"
    drill.write_text(ada.text("/contest/my/coach/drill.json"))
    assert json.loads(drill.read_text())["player"] == MEMBER
    assert read_drill(drill, "piranhas-2026").exercises
    eve = finished_page(coached.visitor("eve"))
    assert f"{SECRET}{MEMBER}" not in eve
    assert "move was <b>" not in eve


def test_a_team_without_games_is_informed_and_strangers_log_in(coached: ContestSite) -> None:
    bob = coached.visitor("bob")
    assert "has no recorded game yet" in bob.text("/contest/my/coach")
    assert bob.get("/contest/my/coach/drill.json").status_code == 404
    assert OTHER not in coached.visitor("ada").text("/contest/my/coach").split("<main")[1]
    answer = coached.visitor(None).get("/contest/my/coach")
    assert answer.status_code == 303
    assert "/contest/login" in answer.headers["location"]
    assert coached.visitor("olga").get("/contest/my/coach").status_code == 403  # She has no team.


def test_the_coach_shows_the_costliest_moves_on_boards(coached: ContestSite, open_page: Open, keep: Keep) -> None:
    page = open_page(1280, 1000)
    page.context.add_cookies(
        [{"name": SESSION_COOKIE, "value": coached.visitor("ada").cookie, "url": coached.base, "httpOnly": True}]
    )
    page.goto(f"{coached.base}/contest/my/coach")
    page.locator("#coach progress").wait_for(state="detached", timeout=60000)
    assert page.locator(".game-card svg.sl-board").count() > 0
    assert page.get_by_role("link", name="Trainer").get_attribute("aria-current") == "page"
    keep(page, "coach")
    check_with_axe(page)
    page.get_by_role("link", name="Analysieren").first.click()
    page.locator("#lines li").first.wait_for()
