"""The lobby: who sees whom wait, one seat for the first who accepts, clocks, and rated games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Limits, Team
from spielleiter.web.play import holders, tables
from tests.support.event_streams import messages
from tests.web.conftest import Site
from tests.web.play.test_friends import JSON, Browser


def challenges_in(page: Any) -> str:
    """The list of the page, in one line."""
    [found] = re.findall(r'<div id="challenges">(.*?)</div>', page.text, re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found))


def close_all(site: Site) -> None:
    async def close() -> None:
        for table in tuple(site.web_app.tables._tables.values()):
            await site.web_app.tables.close(table)

    site.do(close)


@pytest.fixture
def ada(site: Site) -> Iterator[Browser]:
    close_all(site)
    browser = Browser(site)
    browser.get("/lobby")
    yield browser
    close_all(site)


def wait_for_somebody(browser: Browser, site: Site, **form: str) -> Any:
    page = browser.post("/lobby", **{"game": "piranhas-2026", "name": "Ada", "side": "first", **form})
    return site.web_app.tables.get(page.url.path.split("/")[-1])


def test_everybody_sees_a_challenge_and_the_first_who_accepts_plays(site: Site, ada: Browser) -> None:
    table = wait_for_somebody(ada, site)
    grace, eve = Browser(site), Browser(site)
    for path in ("/", "/lobby"):
        assert "Ada Piranhas 2026 · no clock · unrated · Ada begins Ada, Piranhas 2026: Accept" in challenges_in(
            grace.get(path)
        )
    eve.get("/lobby")
    assert "You are waiting in the lobby" in challenges_in(ada.get("/"))
    assert grace.post(f"/lobby/{table.key}/accept").url.path == f"/table/{table.key}"
    late = eve.post(f"/lobby/{table.key}/accept")
    assert late.status_code == 409
    assert "Somebody else was quicker" in late.text
    assert "Nobody is waiting" in challenges_in(eve.get("/lobby"))
    assert table.live.history.names == ("Ada", "Guest")
    assert ada.move(table, 0, table.game.notation.format_move(table.start, table.start.legal_moves()[0]))["ok"]


def test_the_list_stays_up_to_date_by_the_event_stream(site: Site, ada: Browser) -> None:
    with Browser(site).client.stream("GET", "/lobby/events") as stream:
        seen = messages(stream)
        assert "Nobody is waiting" in next(seen)["parts"]["challenges"]
        table = wait_for_somebody(ada, site)
        look = next(seen)
        assert "Piranhas 2026" in look["parts"]["challenges"]
        assert look["say"] == "1 open challenge"
        ada.post(f"/table/{table.key}/cancel")
        assert "Nobody is waiting" in next(seen)["parts"]["challenges"]


def test_a_challenge_ends_when_its_owner_leaves_or_withdraws_it(site: Site, ada: Browser) -> None:
    table = wait_for_somebody(ada, site)
    ada.client.post(f"/table/{table.key}/leave", headers=JSON)
    site.do(site.web_app.tables.note_absences)
    assert not table.is_gone  # The page may only have been reloaded.
    table.holders[Team.ONE].seen -= holders.LEFT_SECONDS + 1
    site.do(site.web_app.tables.note_absences)
    assert table.is_gone
    grace = Browser(site)
    grace.get("/lobby")
    assert "This challenge is gone" in grace.post(f"/lobby/{table.key}/accept").text
    again = wait_for_somebody(ada, site)
    assert "for somebody already" in ada.post("/lobby", game="piranhas-2026").text
    ada.post(f"/table/{again.key}/cancel")
    assert "Nobody is waiting" in challenges_in(grace.get("/"))


def test_a_table_for_a_friend_is_shown_to_those_who_have_the_link_only(site: Site, ada: Browser) -> None:
    table = site.web_app.tables.get(
        ada.post("/tables", play="friend piranhas-2026", kind1="person", name1="Ada").url.path[7:]
    )
    assert table is not None
    grace, eve = Browser(site), Browser(site)
    link = f"/invite/{table.holders[Team.TWO].token}"
    assert "You are waiting for a friend" in challenges_in(ada.get("/"))
    grace.get(link)
    assert "Ada Piranhas 2026" in challenges_in(grace.get("/"))
    assert link in grace.get("/").text
    assert "Nobody is waiting" in challenges_in(eve.get("/"))
    assert eve.post(f"/lobby/{table.key}/accept").status_code in (400, 409)
    assert table.missing == (Team.TWO,)
    assert grace.post(link, name="Grace").url.path == f"/table/{table.key}"
    assert "Nobody is waiting" in challenges_in(grace.get("/"))


def test_with_a_clock_each_has_its_time_and_who_lets_it_run_out_has_lost(
    site: Site, ada: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = wait_for_somebody(ada, site, clock="3+2")
    assert "3 min + 2 s a move" in challenges_in(Browser(site).get("/lobby"))
    table.limits = Limits.of_game(0.05, 0.01)
    grace = Browser(site)
    grace.get("/lobby")
    grace.post(f"/lobby/{table.key}/accept")

    async def end() -> None:
        while table.live is None or not table.live.is_over:
            await table.channel.wait(table.channel.version)

    site.do(end)
    assert table.live.history.result.winner is Team.TWO
    assert "You won!" in grace.get(f"/table/{table.key}").text
    assert "You lost" in ada.get(f"/table/{table.key}").text


def test_a_rated_game_needs_two_names_and_changes_both_ratings(site: Site, ada: Browser) -> None:
    own, other = (f"{name}-{token_hex(3)}" for name in ("Ada", "Grace"))  # Of a second try, too.
    assert "Choose a name first" in ada.post("/lobby", game="piranhas-2026", rated="1").text
    assert own in ada.post("/lobby/handle/choose", handle=own).text
    table = wait_for_somebody(ada, site, rated="1", name="ignored")
    grace = Browser(site)
    assert "Needs a name" in challenges_in(grace.get("/lobby"))
    assert grace.post(f"/lobby/{table.key}/accept").status_code == 409
    assert "is the name of somebody else" in grace.post("/lobby/handle/choose", handle=own.upper()).text
    grace.post("/lobby/handle/choose", handle=other)
    assert grace.post(f"/lobby/{table.key}/accept").url.path == f"/table/{table.key}"
    first = table.start.legal_moves()[0]
    ada.move(table, 0, table.game.notation.format_move(table.start, first))
    second = table.state.legal_moves()[0]
    grace.move(table, 1, table.game.notation.format_move(table.state, second))

    async def rated() -> None:
        lobby = site.web_app.tables.lobby
        version = lobby.version
        site.web_app.master.resign(table.live.room_id, Team.TWO)
        await lobby.wait(version)

    site.do(rated)
    page = re.sub(r"<[^>]*>|\s+", " ", grace.get("/lobby?game=piranhas-2026").text)
    assert re.search(rf" {own} +1[5-9]\d\d ± \d+ +1 .* {other} +1[1-4]\d\d ± \d+ +1 ", page)
    grace.post("/lobby/handle/forget")
    assert other not in grace.get("/lobby?game=piranhas-2026").text


def test_what_makes_no_sense_is_refused(site: Site, ada: Browser) -> None:
    for form in ({"game": "halma"}, {"clock": "forever"}, {"side": "both"}, {"game": ""}):
        answer = ada.post("/lobby", **{"game": "piranhas-2026", **form})
        assert answer.status_code == 409
        assert 'role="alert"' in answer.text
    assert ada.post("/lobby/handle/choose", handle="<script>").status_code == 409
    assert ada.post("/lobby/no-such-table/accept").status_code == 409
    assert ada.post("/lobby/handle/steal").status_code == 404


def test_only_so_many_wait_at_once(site: Site, ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_MAX_CHALLENGES", 1)
    wait_for_somebody(ada, site)
    assert "Enough people are waiting" in Browser(site).post("/lobby", game="piranhas-2026").text


def test_the_lobby_needs_the_key_of_the_network(school: Site) -> None:
    for path in ("/lobby", "/lobby/events"):
        assert httpx.get(school.base + path).status_code == 403
    assert httpx.post(f"{school.base}/lobby", data={"game": "piranhas-2026"}, headers=JSON).status_code == 403
    assert httpx.get(f"{school.base}/lobby?key=guest-key", follow_redirects=True).status_code in (200, 403)
