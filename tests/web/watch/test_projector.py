"""The projector, the phones and the remote control: who may do what, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.analysis import Analyst, Judgement
from spielleiter.game import Team
from spielleiter.pages.season.programme import programme_of
from spielleiter.records.load import open_any
from spielleiter.web import browsers
from spielleiter.web.guard import COOKIE
from spielleiter.web.watch import stage
from spielleiter.web.watch.show import Scene
from spielleiter.web.web_app import WebApp
from tests.support.contest_site import MEMBER, ContestSite, Visitor
from tests.support.live_games import begin, course, end, move_to
from tests.support.played import needs_engine
from tests.support.web_games import open_table, wrong_move
from tests.web.conftest import Site, served_season

pytestmark = pytest.mark.slow
STATES = course()


@pytest.fixture(scope="module")
def contest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ContestSite]:
    """A season of its own: the last game of other tests would stay on the projector for a while."""
    yield from served_season(tmp_path_factory.mktemp("contest"))


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


# --- nothing on the screen contradicts itself -------------------------------------------------------------------------


def test_who_has_won_has_no_small_chance_beside_their_name(serve: Callable[..., Site]) -> None:
    site = serve()
    app, table = site.web_app, open_table(site)
    live = table.live
    live.judgements[0] = Judgement(0.63, None, (), 8)  # The engine saw Ada in front when she gave up.
    site.do(lambda: app.tables.resign(table))
    assert site.do(lambda: app.evaluation(live)) == 0.0
    page = httpx.get(f"{site.base}/projector").text
    assert re.findall(r"<b>(\d+)&#8239;%</b>", page) == ["0", "100"]


def test_the_time_of_a_wrong_move_counts_though_it_is_none_of_the_moves(site: Site) -> None:
    history = open_any(site.records / wrong_move(site))
    assert history.offence is not None
    assert history.offence.timing is not None
    assert len(history.moves) == 0
    assert history.used(Team.ONE) == history.offence.timing.elapsed > 0
    assert history.used(Team.TWO) == 0


def test_where_no_chance_is_known_the_screen_says_why(serve: Callable[..., Site], monkeypatch: Any) -> None:
    site = serve()
    game = site.do(lambda: begin(site.web_app.live, "unknown", STATES))
    monkeypatch.setattr(WebApp, "judge_soon", lambda self, live, ply: None)
    german = {"accept-language": "de"}
    has_engine = site.web_app.analyst.why_unavailable(game.history.game) is None
    why = "die Engine sieht sich die Stellung noch an" if has_engine else "für dieses Spiel gibt es hier keine Engine"
    for path in ("/projector", "/phone"):
        assert why in httpx.get(site.base + path, headers=german).text


def test_positions_that_went_by_too_quickly_leave_no_hole_in_the_curve(site: Site) -> None:
    game = site.do(lambda: begin(site.web_app.live, "quick", STATES))
    site.do(lambda: move_to(site.web_app.live, game, STATES, 6))
    game.judgements.update({ply: Judgement(chance, None, (), 8) for ply, chance in ((0, 0.5), (3, 0.8))})
    curve = str(stage._curve(game, 6, (), "en"))
    assert curve.count('class="chance"') == 1
    assert re.findall(r"<title>(\d): ([0-9.]+) %", curve)[:4] == [
        ("0", "50.0"),
        ("1", "60.0"),
        ("2", "70.0"),
        ("3", "80.0"),
    ]
    assert curve.count("<title>") == 7
    site.do(lambda: site.web_app.live.forget(game))


def test_the_curve_ends_where_the_bar_does(site: Site) -> None:
    game, last = site.do(lambda: begin(site.web_app.live, "decided", STATES)), len(STATES) - 1
    site.do(lambda: move_to(site.web_app.live, game, STATES, last))
    site.do(lambda: end(site.web_app.live, game, STATES))
    game.judgements[0] = Judgement(0.4, None, (), 8)
    titles = re.findall(r"<title>(\d+): ([0-9.]+) %", str(stage._curve(game, last, (), "en")))
    assert titles[-1] == (str(last), f"{100 * site.do(lambda: site.web_app.evaluation(game)):.1f}".removesuffix(".0"))
    site.do(lambda: site.web_app.live.forget(game))


def test_a_game_of_an_encounter_drawn_a_moment_ago_belongs_to_the_season(contest: ContestSite) -> None:
    app = contest.site.web_app
    contest.visitor(None).text("/projector")
    game = contest.site.do(lambda: begin(app.live, "F1-1-2", STATES))
    assert stage.title_of(app, game, "de") == "Season <b>of</b> the tests · Spiel 2"
    contest.site.do(lambda: app.live.forget(game))


# --- lists ------------------------------------------------------------------------------------------------------------


def test_a_phone_lists_each_pairing_once(contest: ContestSite) -> None:
    phone = contest.visitor(None).text("/phone")
    pages = contest.site.web_app.show.pages
    assert pages is not None
    programme = programme_of(pages)
    assert programme is not None
    assert phone.count("data-question=") > 0
    assert phone.count("data-question=") + phone.count('<li class="meeting') == len(programme.encounters)


def test_the_remote_offers_what_runs_and_the_rest_on_demand(serve: Callable[..., Site]) -> None:
    site = serve()
    live = site.web_app.live
    over, runs = (site.do(lambda room=room: begin(live, room, STATES, (room, "B"))) for room in ("over", "runs"))
    site.do(lambda: move_to(live, over, STATES, len(STATES) - 1))
    site.do(lambda: end(live, over, STATES))
    page = httpx.get(f"{site.base}/organiser/remote").text
    offered, _, on_demand = page.partition("<details")
    assert "Piranhas 2026: runs – B" in offered
    assert "over – B" not in offered.partition("Which game?")[2]
    assert "Piranhas 2026: over – B" in on_demand
    assert runs.room_id in offered


def test_who_is_asked_to_join_by_phone_is_told_the_address(
    contest: ContestSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = contest.site.web_app
    monkeypatch.setattr(app, "phone_url", "")
    assert "on your phone" not in contest.visitor(None).text("/projector")
    monkeypatch.setattr(app, "phone_url", "https://contest.example/phone")
    assert '<span class="stage-address">contest.example/phone</span>' in contest.visitor(None).text("/projector")
