"""The projector, the phones and the remote control: who may do what, and what it costs."""

from __future__ import annotations

import re
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.analysis import Analyst
from spielleiter.web import browsers
from spielleiter.web.guard import COOKIE
from spielleiter.web.watch.show import Scene
from tests.support.contest_site import MEMBER, ContestSite, Visitor
from tests.support.live_games import begin, course, move_to
from tests.support.played import needs_engine
from tests.support.web_games import open_table
from tests.web.conftest import Site

pytestmark = pytest.mark.slow
STATES = course()


def _guest(site: Any, key: str) -> Visitor:
    visitor = Visitor(site.base)
    visitor.client.cookies.set(COOKIE, key)
    return visitor


@needs_engine
def test_a_move_is_judged_once_however_many_watch(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[Any] = []
    real = Analyst.judge
    monkeypatch.setattr(
        Analyst, "judge", lambda self, game, state, budget: judged.append(state) or real(self, game, state, budget)
    )
    live = site.web_app.live
    game = site.do(lambda: begin(live, "judged-once", STATES))
    show: Any = site.web_app.show
    site.do(lambda: show.pick("judged-once"))  # Tables of other tests may still be there.
    with httpx.Client(base_url=site.base) as client:
        for ply in (1, 2, 3):
            site.do(lambda ply=ply: move_to(live, game, STATES, ply))
            for path in ("/projector", "/phone", "/watch") * 3:
                assert client.get(path).status_code == 200
            site.do(lambda ply=ply: _judged(game, ply), timeout=120)  # The engine is nice: others come first.
    own = [state for state in judged if any(state is each for each in STATES)]
    assert len(own) == len({id(state) for state in own}) <= 4
    site.do(lambda: show.pick(None))
    site.do(lambda: live.forget(game))


async def _judged(game: Any, ply: int) -> None:
    while ply not in game.judgements:
        await game.channel.wait(game.channel.version)


def test_the_host_directs_the_show_without_a_season_and_guests_do_not(school: Site) -> None:
    live = school.web_app.live
    show: Any = school.web_app.show
    first, second = (school.do(lambda room=room: begin(live, room, STATES)) for room in ("first", "second"))
    school.do(lambda: move_to(live, second, STATES, 20))
    host, guest = _guest(school, "host-key"), _guest(school, "guest-key")
    assert guest.get("/organiser/remote").status_code == 403
    assert guest.client.post("/organiser/remote/hold").status_code == 403
    assert not show.held
    assert "second" not in str(show.picked)
    assert "Ada" in host.text("/organiser/remote")
    host.client.post("/organiser/remote/pick", data={"room": "second"})
    assert show.picked == "second"
    assert host.client.post("/organiser/remote/pick", data={"room": "nowhere"}).status_code == 404
    host.client.post("/organiser/remote/back")
    host.client.post("/organiser/remote/back")
    assert (show.held.game, show.held.ply) == (second, 18)
    school.do(lambda: move_to(live, second, STATES, 25))
    assert "Move 19" in guest.text("/projector")
    host.client.post("/organiser/remote/forward")
    assert show.held.ply == 19
    host.client.post("/organiser/remote/resume")
    assert "Move 26" in guest.text("/projector")
    host.client.post("/organiser/remote/programme")
    assert show.held.scene is Scene.WAITING
    host.client.post("/organiser/remote/auto")
    assert not show.held
    assert not show.picked
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert host.client.post("/organiser/remote/hold", headers=foreign).status_code == 403
    for game in (first, second):
        school.do(lambda game=game: live.forget(game))


def test_organisers_direct_the_show_and_members_do_not(contest: ContestSite) -> None:
    show: Any = contest.site.web_app.show
    assert contest.visitor(None).get("/organiser/remote").headers["location"].startswith("/contest/login")
    assert contest.visitor("ada").get("/organiser/remote").status_code == 403
    assert contest.visitor("ada").client.post("/organiser/remote/programme").status_code == 403
    assert contest.visitor(None).client.post("/organiser/remote/programme").status_code == 403
    assert not show.held
    olga = contest.visitor("olga")
    assert "Remote control" in olga.text("/organiser/remote")
    olga.client.post("/organiser/remote/programme")
    assert show.held.scene in (Scene.PROGRAMME, Scene.WAITING)
    olga.client.post("/organiser/remote/auto")
    assert not show.held


def test_everybody_sees_the_programme_of_a_season_and_guesses_once(contest: ContestSite) -> None:
    stranger = contest.visitor(None)
    page = stranger.text("/projector")
    assert "matchday" in page.lower()
    assert MEMBER in page
    phone = stranger.text("/phone")
    found = re.search(r'data-question="([^"]+)"', phone)
    assert found is not None
    assert browsers.COOKIE in stranger.client.cookies
    guess = {"question": found[1], "side": "1"}
    json = {"accept": "application/json"}
    assert stranger.client.post("/phone/guess", data=guess, headers=json).json() == {found[1]: 1}
    assert stranger.client.post("/phone/guess", data={**guess, "side": "0"}, headers=json).json() == {found[1]: 0}
    counts = contest.site.web_app.show.guesses.counts(found[1])
    assert counts == (1, 0)
    assert "&#34;: 0" in stranger.text("/phone")
    assert contest.visitor(None).client.post("/phone/guess", data=guess).status_code == 400
    assert stranger.client.post("/phone/guess", data={"question": "X99", "side": "0"}).status_code == 409
    assert stranger.client.post("/phone/guess", data={**guess, "side": "7"}).status_code == 409


def test_a_game_of_a_class_is_not_shown_to_strangers_of_a_season(contest: ContestSite) -> None:
    table = open_table(contest.site)
    try:
        assert "Grace" not in contest.visitor(None).text("/projector")
        assert "Grace" in _guest(contest, "guest-key").text("/projector")
    finally:
        contest.site.do(lambda: contest.site.web_app.tables.close(table))


def test_only_guests_see_a_code_with_the_key_of_the_network(
    contest: ContestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = contest.site.web_app
    monkeypatch.setattr(app, "phone_url", "http://192.0.2.1:8050/phone?key=guest-key")
    assert "stage-qr" not in contest.visitor(None).text("/projector")
    assert "stage-qr" in _guest(contest, "guest-key").text("/projector")
    monkeypatch.setattr(app, "phone_url", "https://contest.example/phone")
    assert "stage-qr" in contest.visitor(None).text("/projector")
