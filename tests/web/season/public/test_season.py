"""The public pages of a season, live: for everybody, up to date, harmless, and its games in the viewer of replays."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from sqlalchemy import select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import GameFilesRow, GameRow, NewsRow, now
from spielleiter.web import guard
from spielleiter.web.season.live_season import LiveSeason
from tests.support.contest_site import ContestSite
from tests.support.page_seasons import HOSTILE, NICE, SECRET, disturb, found, play, season_text
from tests.web.conftest import Site

pytestmark = pytest.mark.slow

PAGES = (
    "/season", "/season/phase/trial", "/season/phase/championship", "/season/phase/champions-league", "/season/bracket",
    "/season/schedule", "/season/day/2", "/season/encounter/6", "/season/teams", "/season/team/1", "/season/rating",
    "/season/rulings", "/season/news",
)  # fmt: skip


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """A season from the first day to the final, with rare things in it."""
    with found(tmp_path_factory.mktemp("season"), season_text(HOSTILE + NICE)) as contest:
        play(contest)
        disturb(contest)
        yield contest


Serve = Callable[[Contest], ContestSite]


def test_pictures_that_take_long_hold_up_no_page(contest: ContestSite, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def card(*_: Any) -> bytes:
        go.wait(120)
        return b""

    monkeypatch.setattr(LiveSeason, "card", card)
    with ExitStack() as sockets:
        sockets.callback(go.set)
        for _ in range(50):  # More than there are threads for all pages.
            sock = sockets.enter_context(socket.create_connection(("127.0.0.1", contest.site.running.port)))
            sock.sendall(b"GET /season/team/1.png HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert httpx.get(f"{contest.base}/learn").status_code == 200
        assert httpx.get(f"{contest.base}/season").status_code == 200


def test_strangers_may_read_every_page(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    for path in PAGES:
        answer = httpx.get(site.base + path)
        assert answer.status_code == 200, path
        assert "unsafe" not in answer.headers["content-security-policy"]
        for forbidden in (" style=", "<style", "onclick=", "javascript:", "<script>", "https://", "Schule <b>"):
            assert forbidden not in answer.text, path
        assert SECRET not in answer.text
        assert "secret-" not in answer.text
        assert 'href="/watch"' not in answer.text  # Strangers may not go there.
    with httpx.Client(base_url=site.base, cookies={guard.COOKIE: "guest-key"}) as guest:
        assert 'href="/watch"' in guest.get("/season").text


def test_every_link_of_the_pages_leads_somewhere(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    with httpx.Client(base_url=site.base) as client:
        seen, waiting = set(), ["/season"]
        while waiting:
            path = waiting.pop()
            if path in seen or path.startswith(("/language", "/contest")):
                continue
            seen.add(path)
            answer = client.get(path)
            assert answer.status_code in (200, 303), path
            if path.startswith("/season") and answer.status_code == 200 and "/assets/" not in path:
                waiting += [link for link in re.findall(r'(?:href|src)="(/[^"#]*)', answer.text) if link not in seen]
        assert len([path for path in seen if path.startswith("/season/game/")]) >= 100


def test_what_is_not_there_is_a_page_that_says_so(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    for path in ("/season/phase/final", "/season/phase/..%2f..", "/season/day/999", "/season/team/0", "/season/x",
                 "/season/encounter/99999999999999999999", "/replay/season-99999", "/replay/season-1x"):  # fmt: skip
        answer = httpx.get(site.base + path)
        assert answer.status_code in (403, 404), path
        assert "<h1" in answer.text


def test_without_a_season_the_pages_say_how_to_have_one(site: Site) -> None:
    answer = httpx.get(site.base + "/season")
    assert answer.status_code == 404
    assert "--season" in answer.text


def test_both_languages(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    german = httpx.get(site.base + "/season/bracket", headers={"accept-language": "de"})
    english = httpx.get(site.base + "/season/bracket", headers={"accept-language": "en"})
    assert "Viertelfinale" in german.text
    assert "Quarter-finals" in english.text
    assert german.headers["etag"] != english.headers["etag"]
    assert "accept-language" in german.headers["vary"]


# --- recorded games ---------------------------------------------------------------------------------------------------


def test_a_game_opens_in_the_viewer_of_replays(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    answer = httpx.get(site.base + "/season/game/12")
    assert answer.headers["location"] == "/replay/season-12"
    page = httpx.get(site.base + "/replay/season-12").text
    assert 'href="/season/encounter/6"' in page
    assert "60 / 60" in page
    for path in ("/replay/season-12/7", "/replay/season-12/7/svg", "/replay/season-12/download/xml"):
        assert httpx.get(site.base + path).status_code == 200, path
    record = httpx.get(site.base + "/replay/season-12/download/record").text
    assert record.count("\n") == 62


def test_strangers_see_games_of_the_season_only(season: Contest, serve_contest: Serve) -> None:
    site = serve_contest(season)
    assert httpx.get(site.base + "/replays").status_code == 403
    assert httpx.get(site.base + "/replay/other").status_code == 403
    assert httpx.get(site.base + "/replay/season-12/report").status_code == 403


def test_a_damaged_record_is_a_page_that_says_so(season: Contest, serve_contest: Serve) -> None:
    with season.store.transaction() as session:
        file = session.get_one(GameFilesRow, 3)
        whole, file.record = file.record, b"damaged"
    try:
        answer = httpx.get(serve_contest(season).base + "/replay/season-3")
    finally:
        with season.store.transaction() as session:
            session.get_one(GameFilesRow, 3).record = whole
    assert answer.status_code == 422
    assert str(season.folder) not in answer.text


# --- up to date -------------------------------------------------------------------------------------------------------


def test_a_page_is_sent_again_only_when_something_has_changed(tmp_path: Path, serve_contest: Serve) -> None:
    with found(tmp_path / "season", season_text(NICE)) as contest:
        site = serve_contest(contest)
        live: LiveSeason = site.site.running.contest_app.season
        first = httpx.get(site.base + "/season")
        again = {"if-none-match": first.headers["etag"]}
        assert httpx.get(site.base + "/season", headers=again).status_code == 304
        assert httpx.get(site.base + "/season", headers=again).text == ""
        with contest.store.transaction() as session:
            session.add(
                NewsRow(at=now(), who="olga", title_de="Neu", title_en="New", text_de="Neu & gut", text_en="New & good")
            )
        live.current(fresh=True)
        second = httpx.get(site.base + "/season", headers=again)
        assert second.status_code == 200
        assert "New &amp; good" in second.text
        play(contest, Until(Stage.TRIAL))
        live.current(fresh=True)
        assert "Championship, matchday 1" in httpx.get(site.base + "/season").text
        with contest.store.reading() as session:
            encounter = session.scalars(select(GameRow.encounter_id)).first()
        assert "Watch game 1" in httpx.get(f"{site.base}/season/encounter/{encounter}").text


def test_the_store_is_not_asked_for_every_reader(season: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    live = LiveSeason(season)
    page, stamp = live.page("index", None, "de", is_guest=True)
    asked: list[Any] = []
    monkeypatch.setattr(
        "spielleiter.contest.read.reader.SeasonReader.version", lambda session: asked.append(session) or "x"
    )
    for _ in range(20):
        assert live.page("index", None, "de", is_guest=True) == (page, stamp)
    assert asked == []


def test_a_store_that_is_gone_is_a_page_that_says_so(
    season: Contest, serve_contest: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spielleiter.errors import StoreError

    def fail(session: object) -> str:
        raise StoreError("/secret/path/season.db: die Platte brennt", "/secret/path/season.db: disk on fire")

    site = serve_contest(season)
    monkeypatch.setattr("spielleiter.contest.read.reader.SeasonReader.version", fail)
    answer = httpx.get(site.base + "/season")
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_links_of_games_and_teams_have_a_picture_and_only_embedded_games_may_be_framed(
    tmp_path: Path, serve_contest: Serve
) -> None:
    with found(tmp_path / "season", season_text(HOSTILE + NICE)) as contest:
        play(contest, Until(Stage.TRIAL))
        site = serve_contest(contest)
        live: LiveSeason = site.site.running.contest_app.season
        live.public_url = "https://contest.example"
        with contest.store.reading() as session:
            game = session.scalars(select(GameRow.id)).first()
        for page, picture in ((f"/replay/season-{game}", f"/season/game/{game}.png"), ("/season/team/1",) * 2):
            picture = picture if picture.endswith(".png") else f"{picture}.png"
            html = httpx.get(site.base + page).text
            assert f'<meta property="og:image" content="https://contest.example{picture}">' in html
            png = httpx.get(site.base + picture)
            assert png.headers["content-type"] == "image/png"
            assert png.content[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
        assert httpx.get(f"{site.base}/season/game/999999.png").status_code == 404
        assert httpx.get(f"{site.base}/season/team/999.png").status_code == 404
        embedded = httpx.get(f"{site.base}/embed/game/{game}")
        assert embedded.status_code == 200
        assert "frame-ancestors *" in embedded.headers["content-security-policy"]
        assert "x-frame-options" not in embedded.headers
        for path in (f"/replay/season-{game}", "/season", "/projector", "/contest/login", f"/season/game/{game}.png"):
            headers = httpx.get(site.base + path).headers
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-frame-options"] == "DENY"
        ics = httpx.get(f"{site.base}/season/calendar.ics?lang=de")
        assert ics.headers["content-type"] == "text/calendar; charset=utf-8"
        assert ics.text.startswith("BEGIN:VCALENDAR\r\n")
