"""The live pages of a season in a real browser: they follow the games by themselves, in every size, for everybody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import expect

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import NewsRow, now
from tests.support.contest_site import ContestSite
from tests.support.live_games import begin, course, end
from tests.support.page_seasons import HOSTILE, NICE, disturb, found, play, season_text
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks

Serve = Callable[[Contest], ContestSite]
PAGES = ("", "/phase/championship", "/bracket", "/encounter/6", "/team/1", "/rating")


def test_a_page_follows_the_season_by_itself(tmp_path: Path, serve_contest: Serve, open_page: Open) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        site = serve_contest(contest)
        start, table = open_page(), open_page()
        start.goto(f"{site.base}/season")
        table.goto(f"{site.base}/season/phase/championship")
        table.get_by_text("Jeder gegen jeden").first.click()  # Closed by the reader, it stays so.
        expect(start.locator(".situation")).to_contain_text("Probespieltage")
        with contest.store.transaction() as session:
            session.add(
                NewsRow(
                    at=now(),
                    who="olga",
                    title_de="Pizza",
                    title_en="Pizza",
                    text_de="Pizza um <b>sieben</b>",
                    text_en="Pizza at seven",
                )
            )
        expect(start.get_by_text("Pizza um <b>sieben</b>")).to_be_visible()
        play(contest, Until(Stage.CHAMPIONSHIP, 1))
        expect(start.locator(".situation")).to_contain_text("Spieltag 2")
        expect(table.locator(".met-won, .met-drawn").first).to_be_attached()
        assert table.locator("details").first.get_attribute("open") is None
        assert table.locator("details").last.get_attribute("open") is not None


def test_the_place_of_the_live_game_stays_until_the_next_one_or_for_a_while(
    tmp_path: Path, serve_contest: Serve, open_page: Open
) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        site = serve_contest(contest)
        live, states = site.site.web_app.live, course(seed=3)
        page = open_page()
        page.clock.install()
        page.goto(f"{site.base}/season")
        games = page.locator("#live")
        game = site.site.do(lambda: begin(live, "T1-A1-1", states, (NICE[0], NICE[1])))
        expect(games.locator(".game-card")).to_be_visible()
        below = page.locator(".phases").bounding_box()["y"]
        site.site.do(lambda: end(live, game, states))
        expect(games).to_have_text("")
        assert page.locator(".phases").bounding_box()["y"] == pytest.approx(below, abs=1), "it jumps"
        page.clock.fast_forward("00:21")
        expect(page.locator(".games-now")).to_be_hidden()
        assert page.locator(".phases").bounding_box()["y"] < below


def test_a_game_is_opened_from_its_encounter_and_leads_back(
    tmp_path: Path, serve_contest: Serve, open_page: Open
) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        play(contest, Until(Stage.TRIAL))
        page = open_page()
        page.goto(f"{serve_contest(contest).base}/season/encounter/1")
        page.get_by_role("link", name="Spiel 1 ansehen").click()
        expect(page.locator("#slider")).to_be_visible()
        page.keyboard.press("Home")
        expect(page.locator("#counter")).to_have_text("0 / 60")
        page.get_by_role("link", name="Zur Begegnung").click()
        page.wait_for_url("**/season/encounter/1")


def test_the_live_pages_look_as_they_should(tmp_path: Path, serve_contest: Serve, open_page: Open, keep: Keep) -> None:
    with found(tmp_path / "season", season_text(HOSTILE + NICE)) as contest:
        play(contest)
        disturb(contest)
        base = serve_contest(contest).base
        for device, options in DEVICES.items():
            page = open_page(**options)
            for path in PAGES:
                page.goto(f"{base}/season{path}")
                for look in looks(page, device):
                    keep(page, f"season{path.replace('/', '-')}-{look}")
                    check_look(page, look)
            page.close()
