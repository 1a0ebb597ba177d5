"""The show in Chromium: a season to its winner on the screen and on a phone, the remote control, sizes, frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect
from sqlalchemy import select

from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import EncounterRow, GameRow
from spielleiter.game import Team
from spielleiter.pages.formatting import breakable
from spielleiter.web.watch import show
from tests.support.live_games import begin, course, end, move_to
from tests.support.page_seasons import NICE, found, play, season_text
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.web.conftest import Site
from tests.web.season.public.test_season import Serve

pytestmark = pytest.mark.slow
STATES = course(seed=3)
PATIENCE = 60_000
SMALLEST = """() => Math.min(...[...document.querySelectorAll('#stage *')]
  .filter((each) => !each.closest('svg') && !each.closest('.unseen') && each.getClientRects().length
    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
LONG_NAMES = ("Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrikanten", *NICE[1:5], "W" * 60)
OVERFLOW = """() => document.documentElement.scrollHeight > innerHeight
  || document.documentElement.scrollWidth > innerWidth
  || [...document.querySelectorAll('.stage-columns')].some((each) => each.scrollHeight > each.clientHeight)"""


def test_a_season_is_followed_to_the_winner_on_the_screen_and_on_a_phone(
    tmp_path: Path, serve_contest: Serve, open_page: Open, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "RESULT_SECONDS", 0.2)
    monkeypatch.setattr(show, "TURNING_POINT_SECONDS", 0.2)
    with found(tmp_path / "season", season_text(LONG_NAMES)) as contest:
        site = serve_contest(contest)
        app = site.site.web_app
        app.phone_url = f"{site.base}/phone"
        screen, phone = open_page(1920, 1080), open_page(390, 844)
        screen.goto(f"{site.base}/projector")
        phone.goto(f"{site.base}/phone")
        expect(screen.locator(".meeting").first).to_be_visible()
        keep(screen, "projector-programme")
        assert screen.evaluate(SMALLEST) >= 24
        assert not screen.evaluate(OVERFLOW)
        phone.locator(".guess button").first.click()
        expect(phone.locator(".guess button").first).to_have_attribute("aria-pressed", "true")
        expect(screen.locator(".stage-guesses meter").first).to_be_visible()

        with contest.store.reading() as session:
            first = session.scalars(select(EncounterRow).order_by(EncounterRow.id)).first()
            assert first is not None
            room, names = f"{first.key}-1", (first.second.name, first.first.name)
        game = site.site.do(lambda: begin(app.live, room, STATES, names))
        site.site.do(lambda: move_to(app.live, game, STATES, 7))
        for page in (screen, phone):
            expect(page.get_by_text("Zug 8").first).to_be_visible(timeout=PATIENCE)
        # The encounter's first team is on the left, whoever begins; its games are the only score.
        expect(screen.locator(".stage-side h2").first).to_have_text(breakable(names[1]))
        expect(screen.locator(".stage-score")).to_have_text(["0", "0"])
        assert screen.evaluate(SMALLEST) >= 24
        assert not screen.evaluate(OVERFLOW)
        keep(screen, "projector-game")
        keep(phone, "phone-game")
        for page in (screen, phone):
            check_with_axe(page)
        site.site.do(lambda: move_to(app.live, game, STATES, len(STATES) - 1))
        monkeypatch.setattr(show, "RESULT_SECONDS", 60.0)
        site.site.do(lambda: end(app.live, game, STATES))
        # The store does not know of this game yet, but everybody in the hall has seen who won it.
        winner = {Team.ONE: ["0", "1"], Team.TWO: ["1", "0"]}[STATES[-1].outcome.winner]
        expect(screen.locator(".stage-score")).to_have_text(winner)
        monkeypatch.setattr(show, "RESULT_SECONDS", 0.2)
        site.site.do(lambda: app.live.forget(game))
        play(contest)
        for page in (screen, phone):
            expect(page.locator(".stage-winner")).to_be_visible(timeout=PATIENCE)
        assert screen.evaluate(SMALLEST) >= 24
        assert not screen.evaluate(OVERFLOW)
        keep(screen, "projector-winner")


def test_the_remote_control_holds_steps_and_picks(site: Site, open_page: Open, keep: Keep) -> None:
    live = site.web_app.live
    one, two = (site.do(lambda room=room: begin(live, room, STATES, (room, "Grace"))) for room in ("Ada", "Eve"))
    for game in (one, two):
        site.do(lambda game=game: move_to(live, game, STATES, 6))
    screen, remote = open_page(1280, 720, dark=True), open_page(390, 844)
    screen.goto(f"{site.base}/projector")
    remote.goto(f"{site.base}/organiser/remote")
    remote.get_by_role("button", name="Eve – Grace").click()
    expect(screen.locator(".stage-side h2").first).to_have_text("Eve")
    remote.get_by_role("button", name="Zug zurück").click()
    remote.get_by_role("button", name="Zug zurück").click()
    expect(screen.get_by_text("Zug 5")).to_be_visible()
    site.do(lambda: move_to(live, two, STATES, 9))
    expect(screen.get_by_text("Angehalten")).to_be_visible()
    remote.get_by_role("button", name="Weiter").click()
    expect(screen.get_by_text("Zug 10")).to_be_visible()
    assert screen.evaluate(SMALLEST) >= 16  # 24 of 1080 lines are 16 of 720.
    assert not screen.evaluate(OVERFLOW)
    keep(screen, "projector-small-dark")
    keep(remote, "remote")
    check_with_axe(remote)
    remote.get_by_role("button", name="Automatisch").click()
    expect(remote.get_by_role("button", name="Automatisch")).to_have_attribute("aria-pressed", "true")
    for game in (one, two):
        site.do(lambda game=game: live.forget(game))


def test_the_commentary_is_spoken_only_when_switched_on(site: Site, open_page: Open) -> None:
    live = site.web_app.live
    fish = [(state.one | state.two).bit_count() for state in STATES]
    captures = [ply for ply in range(1, len(fish)) if fish[ply] < fish[ply - 1]][:2]
    game = site.do(lambda: begin(live, "Spoken", STATES))
    site.do(lambda: site.web_app.show.pick("Spoken"))  # Whatever else is played at the tables of these pages.
    page = open_page(1280, 720)
    page.add_init_script(
        "speechSynthesis.speak = (words) => { document.documentElement.dataset.spoken = words.text; };"
    )
    page.goto(f"{site.base}/projector")
    site.do(lambda: move_to(live, game, STATES, captures[0]))
    expect(page.locator(".stage-remark")).not_to_be_empty(timeout=PATIENCE)
    assert page.locator("html").get_attribute("data-spoken") is None
    page.locator("#speech").click()
    site.do(lambda: move_to(live, game, STATES, captures[1]))
    expect(page.locator("html")).to_have_attribute("data-spoken", re.compile(r"[.!]$"), timeout=PATIENCE)
    site.do(lambda: site.web_app.show.pick(None))
    site.do(lambda: live.forget(game))


@contextmanager
def _school_page(html: str) -> Iterator[str]:
    """The page of a school, on a server of its own."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><link rel=icon href=data:,>{html}".encode())

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_another_page_frames_an_embedded_game_and_nothing_else(
    tmp_path: Path, serve_contest: Serve, open_page: Open
) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        play(contest, Until(Stage.TRIAL))
        base = serve_contest(contest).base
        with contest.store.reading() as session:
            game = session.scalars(select(GameRow.id)).first()
        frames = "".join(
            f'<iframe name="{name}" src="{base}{path}" width="600" height="800"></iframe>'
            for name, path in (("game", f"/embed/game/{game}"), ("replay", f"/replay/season-{game}"))
        )
        page = open_page()
        with _school_page(frames) as address:
            page.goto(address)
            embedded = page.frame_locator("iframe[name=game]")
            expect(embedded.locator("#board svg").first).to_be_visible()
            embedded.locator("#first").click()
            expect(embedded.locator("#counter")).to_contain_text("0 / ")
            assert not page.frame_locator("iframe[name=replay]").locator("#board").count()
        page.complaints.clear()  # The browser says that it refused to frame the other page.
