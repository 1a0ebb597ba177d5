"""Playing against a friend: one seat for one browser, and nobody is left alone with a dead page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Team
from spielleiter.web.play import holders
from spielleiter.web.play.seating import SeatKind
from tests.web.conftest import Site

JSON = {"accept": "application/json"}


class Browser:
    """Somebody with a browser of their own."""

    def __init__(self, site: Site, language: str = "en") -> None:
        headers = {"accept-language": language, "connection": "close"}
        self.client = httpx.Client(base_url=site.base, headers=headers, follow_redirects=True)

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, **form: Any) -> Any:
        return self.client.post(path, data=form)

    def move(self, table: Any, ply: int, text: str) -> Any:
        return self.client.post(f"/table/{table.key}/move", data={"ply": ply, "text": text}, headers=JSON).json()


class Meeting:
    """Ada has set up a table and waits; Grace has not come yet."""

    def __init__(self, site: Site) -> None:
        self.site, self.ada, self.grace = site, Browser(site), Browser(site)
        page = self.ada.post("/tables", play="friend piranhas-2026", kind1="person", name1="Ada")
        self.table: Any = site.web_app.tables.get(page.url.path.split("/")[-1])
        self.page = page.text

    @property
    def link(self) -> str:
        return f"/invite/{self.table.holders[Team.TWO].token}"

    def begin(self) -> Meeting:
        self.grace.get(self.link)
        assert self.grace.post(self.link, name="Grace").url.path == f"/table/{self.table.key}"
        return self

    def first_move(self) -> str:
        text: str = self.table.game.notation.format_move(self.table.start, self.table.start.legal_moves()[0])
        return text

    def lose_sight_of(self, team: Team) -> None:
        self.table.holders[team].seen -= holders.AWAY_SECONDS + 1
        self.site.do(self.site.web_app.tables.note_absences)


@pytest.fixture
def meeting(site: Site) -> Iterator[Meeting]:
    meeting = Meeting(site)
    yield meeting
    site.do(lambda: site.web_app.tables.close(meeting.table))


def test_a_friend_follows_the_link_and_each_moves_their_own_side_only(meeting: Meeting) -> None:
    assert meeting.link in meeting.page
    assert meeting.table.room is None
    invitation = meeting.grace.get(meeting.link).text
    assert "Ada invites you" in invitation
    assert meeting.table.holders[Team.TWO].is_missing  # A messenger that looks at the link takes no seat.
    meeting.begin()
    move = meeting.first_move()
    assert not meeting.grace.move(meeting.table, 0, move)["ok"]
    assert meeting.ada.move(meeting.table, 0, move)["ok"]
    assert "It is not your turn" in meeting.ada.move(meeting.table, 1, move)["text"]
    assert meeting.table.live.history.names == ("Ada", "Grace")
    assert "Your move" in meeting.grace.get(f"/table/{meeting.table.key}").text
    assert "Grace to move" in meeting.ada.get(f"/table/{meeting.table.key}").text


def test_nobody_restarts_a_running_game_or_asks_the_engine_on_their_own(meeting: Meeting) -> None:
    meeting.begin()
    for action in ("again", "swap", "take-back", "hint"):
        answer = meeting.ada.client.post(f"/table/{meeting.table.key}/{action}", headers=JSON)
        assert not answer.json()["ok"], action
    meeting.grace.post(f"/table/{meeting.table.key}/resign")
    assert meeting.table.live.history.result.winner is Team.ONE
    meeting.grace.post(f"/table/{meeting.table.key}/swap")
    assert meeting.table.seats[Team.ONE].name == "Grace"
    assert "Your move" in meeting.grace.get(f"/table/{meeting.table.key}").text


def test_a_link_that_another_browser_has_used_offers_to_watch(meeting: Meeting, site: Site) -> None:
    meeting.begin()
    late = Browser(site)
    answer = late.get(meeting.link)
    assert answer.status_code == 409
    assert "already taken" in answer.text
    assert late.post(meeting.link, name="Eve").status_code == 409
    assert late.get(f"/table/{meeting.table.key}").url.path == f"/watch/{meeting.table.room.room_id}"
    for action in ("move", "resign", "cancel", "claim", "leave"):
        assert late.post(f"/table/{meeting.table.key}/{action}", team="one").status_code == 403
    assert httpx.get(f"{site.base}/table/{meeting.table.key}/events").status_code == 403
    assert meeting.table.seats[Team.TWO].name == "Grace"


def test_two_who_accept_at_once_do_not_share_a_seat(meeting: Meeting, site: Site) -> None:
    eve = Browser(site)
    for browser in (meeting.grace, eve):
        browser.get(meeting.link)
    assert meeting.grace.post(meeting.link, name="Grace").status_code == 200
    assert eve.post(meeting.link, name="Eve").status_code == 409


def test_ones_own_link_leads_back_to_the_table(meeting: Meeting) -> None:
    assert "your own invitation" in meeting.ada.get(meeting.link).text
    assert "your own invitation" in meeting.ada.post(meeting.link, name="Ada").text
    assert meeting.table.missing == (Team.TWO,)


def test_who_watches_before_the_game_begins_waits_on_a_page_that_refreshes(meeting: Meeting, site: Site) -> None:
    answer = httpx.get(f"{site.base}/table/{meeting.table.key}")
    assert answer.status_code == 404
    assert answer.headers["refresh"] == "5"


def test_a_withdrawn_or_made_up_link_is_explained(meeting: Meeting) -> None:
    link = meeting.link
    assert meeting.ada.post(f"/table/{meeting.table.key}/cancel").url.path == "/"
    for path in (link, "/invite/made-up"):
        answer = meeting.grace.get(path)
        assert answer.status_code == 404
        assert "no longer valid" in answer.text
        assert meeting.grace.post(path, name="Grace").status_code == 404


def test_without_cookies_nobody_takes_a_seat(meeting: Meeting, site: Site) -> None:
    answer = httpx.post(site.base + meeting.link, data={"name": "Grace"})
    assert answer.status_code == 400
    assert "cookies" in answer.text
    assert meeting.table.missing


def test_who_waits_in_vain_plays_the_computer(meeting: Meeting) -> None:
    link = meeting.link
    meeting.ada.post(f"/table/{meeting.table.key}/play-computer", team="two")
    assert meeting.table.seats[Team.TWO].kind is SeatKind.BUILT_IN
    assert meeting.table.room is not None
    assert meeting.table.can_take_back
    assert meeting.grace.get(link).status_code == 404


def test_a_player_left_alone_is_informed_and_may_end_the_game(meeting: Meeting) -> None:
    meeting.begin()
    table = f"/table/{meeting.table.key}"
    assert "is back" in meeting.ada.post(f"{table}/claim", team="two").text
    meeting.lose_sight_of(Team.TWO)
    assert "Grace has gone" in meeting.ada.get(table).text
    meeting.ada.post(f"{table}/claim", team="two")
    live = meeting.table.live
    assert live.history.result.winner is Team.ONE
    assert live.history.result.reason.en == "Grace did not come back"
    assert live.history.offender is None


def test_who_comes_back_plays_on(meeting: Meeting) -> None:
    meeting.begin()
    table = f"/table/{meeting.table.key}"
    meeting.lose_sight_of(Team.TWO)
    meeting.grace.get(table)
    meeting.site.do(meeting.site.web_app.tables.note_absences)
    assert "has gone" not in meeting.ada.get(table).text


def test_the_computer_plays_on_for_a_person_who_has_gone(meeting: Meeting) -> None:
    meeting.begin()
    meeting.ada.move(meeting.table, 0, meeting.first_move())
    meeting.lose_sight_of(Team.TWO)
    meeting.ada.post(f"/table/{meeting.table.key}/play-computer", team="two")
    assert len(meeting.table.past) == 1
    assert meeting.table.seats[Team.TWO].kind is SeatKind.BUILT_IN


def test_a_new_link_gives_the_seat_to_another_browser(meeting: Meeting, site: Site) -> None:
    meeting.begin()
    old, table = meeting.link, f"/table/{meeting.table.key}"
    assert "This seat is taken" in meeting.ada.post(f"{table}/invite-again", team="two").text
    meeting.lose_sight_of(Team.TWO)
    page = meeting.ada.post(f"{table}/invite-again", team="two").text
    assert meeting.link in page
    assert meeting.grace.get(old).status_code == 404
    assert "watch" in meeting.grace.get(table).url.path
    phone = Browser(site)
    phone.get(meeting.link)
    phone.post(meeting.link, name="Grace")
    assert meeting.ada.move(meeting.table, 0, meeting.first_move())["ok"]
    assert "Your move" in phone.get(table).text


def test_who_stays_away_too_long_loses_and_if_both_do_the_table_is_closed(meeting: Meeting, site: Site) -> None:
    meeting.begin()
    meeting.table.holders[Team.TWO].seen -= holders.FORFEIT_SECONDS + 1
    site.do(site.web_app.tables.note_absences)
    assert meeting.table.live.history.result.winner is Team.ONE
    another = Meeting(site).begin()
    for team in (Team.ONE, Team.TWO):
        another.table.holders[team].seen -= holders.FORFEIT_SECONDS + 1
    site.do(site.web_app.tables.note_absences)
    assert another.table.is_gone


def test_a_second_tab_shows_the_same_seat_and_refuses_an_old_move(meeting: Meeting) -> None:
    meeting.begin()
    tab = meeting.ada.get(f"/table/{meeting.table.key}").text  # The same browser again.
    assert "Your move" in tab
    assert meeting.ada.move(meeting.table, 0, meeting.first_move())["ok"]
    assert "position has changed" in meeting.ada.move(meeting.table, 0, meeting.first_move())["text"]


def test_name_game_and_level_are_remembered(site: Site) -> None:
    somebody = Browser(site)
    page = somebody.post("/tables", play="built-in ostseeschach-2022", kind1="person", name1="Zoë", level2="greedy")
    start = somebody.get("/").text
    assert 'value="Zoë"' in start
    assert re.search(r'value="greedy"[^>]* selected', start)
    assert start.index("ostseeschach-2022") < start.index("piranhas-2026")
    table = site.web_app.tables.get(page.url.path.split("/")[-1])
    assert table is not None
    site.do(lambda: site.web_app.tables.close(table))


def test_a_damaged_memory_of_choices_is_ignored(site: Site) -> None:
    cookies = {"spielleiter-choices": "game=halma&level=god&name=%00" + "x" * 900}
    assert httpx.get(site.base + "/", cookies=cookies).status_code == 200
