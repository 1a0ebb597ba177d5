"""Playing in the browser, as the server sees it."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.pages.board_input import pick_key
from spielleiter.pages.opponents import LADDER, stronger_than
from spielleiter.web.play.seating import Seating, SeatKind, Table
from tests.support.event_streams import first_message
from tests.support.web_games import open_table, post
from tests.web.conftest import Site


def first_picks(table: Table) -> str:
    """The picks of the first legal move, as a script sends them."""
    board_input = table.game.board_input
    assert board_input is not None
    return " ".join(map(pick_key, board_input.picks(table.start, table.start.legal_moves()[0])))


def test_the_server_alone_says_what_is_legal(site: Site) -> None:
    table = open_table(site)
    path = f"/table/{table.key}"
    tried = post(site, path + "/move", ply=0, picks="0,4 1,6").json()
    assert not tried["ok"]
    assert "straight" in tried["text"]
    for nonsense in ({"picks": "x 1,1"}, {"picks": "MONO 0 0,0"}, {}, {"ply": "x"}):
        assert post(site, path + "/move", **{"ply": 0, **nonsense}).json()["ok"] is False
    move = {"picks": first_picks(table)}
    assert post(site, path + "/move", ply=0, **move).json() == {"ok": True}
    assert post(site, path + "/move", ply=0, **move).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))
    gone = httpx.get(site.base + path)
    assert gone.status_code == 404
    assert "any more" in gone.text


def test_a_hand_that_cannot_draw_a_move_gets_its_picture_before_the_answer_to_it(site: Site) -> None:
    table = open_table(site)
    fields = {"ply": 0, "picks": first_picks(table), "picture": 1, "flip": ""}
    answer = post(site, f"/table/{table.key}/move", **fields).json()
    assert 'data-turn="1"' in answer["update"]["parts"]["board"]
    site.do(lambda: site.web_app.tables.close(table))


def test_a_ghost_gets_the_reason_why_it_does_not_fit(site: Site) -> None:
    table = open_table(site, "blokus-2027")
    name = table.start.start.name
    ask = f"{site.base}/table/{table.key}/try"
    wrong = httpx.get(ask, params={"picks": f"{name} 0 9,9"}).json()
    assert wrong == {"ok": False, "text": "The first piece must touch the border of the board"}
    assert httpx.get(ask, params={"picks": f"{name} 0 0,0"}).json()["ok"]
    assert httpx.get(ask, params={"picks": "SOFA 0 0,0"}).json()["ok"] is False
    assert httpx.get(ask, params={"picks": f"{name} 99 0,0"}).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))


def test_squares_in_a_game_of_tiles_are_not_a_move(site: Site) -> None:
    table = open_table(site, "blokus-2027")
    answer = post(site, f"/table/{table.key}/move", ply=0, picks="0,0 1,1")
    assert answer.status_code == 200
    assert answer.json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))


def test_without_javascript_a_typed_move_is_played(site: Site) -> None:
    table = open_table(site)
    answer = httpx.post(f"{site.base}/table/{table.key}/move", data={"ply": 0, "text": "A1 RIGHT"})
    assert answer.status_code == 303
    wrong = httpx.post(f"{site.base}/table/{table.key}/move", data={"ply": 1, "text": "A1 SIDEWAYS"})
    assert wrong.status_code == 409
    assert f"/table/{table.key}" in wrong.text
    site.do(lambda: site.web_app.tables.close(table))


def test_without_javascript_every_button_is_a_form(site: Site) -> None:
    table = open_table(site)
    path = f"/table/{table.key}"
    page = httpx.get(site.base + path).text
    for action in re.findall(r'data-action="([^"]+)"', page):
        assert f'<form method="post" action="{path}/{action}">' in page
    assert httpx.post(f"{site.base}{path}/resign").headers["location"] == path
    assert table.live.is_over
    site.do(lambda: site.web_app.tables.close(table))


def test_without_an_engine_hints_say_that_it_is_missing(site: Site) -> None:
    table = open_table(site)
    if site.web_app.analyst.why_unavailable(table.game) is None:
        answer = post(site, f"/table/{table.key}/hint").json()
        assert answer["ok"]
        assert answer["text"].startswith("Hint: ")
        assert table.hint is not None
    else:
        answer = post(site, f"/table/{table.key}/hint").json()
        assert not answer["ok"]
        assert "engine" in answer["text"]
        assert "disabled" in httpx.get(f"{site.base}/table/{table.key}").text
    site.do(lambda: site.web_app.tables.close(table))


def test_after_the_end_another_start_or_a_stronger_player_is_one_click_away(site: Site) -> None:
    game = games.load("ostseeschach-2022")
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.BUILT_IN, "random", "random"))
    table = site.open_table(game, seats, game.new_state(Random(1)))
    path = f"/table/{table.key}"
    assert post(site, path + "/resign").json()["ok"]
    page = httpx.get(site.base + path).text
    for action in ("again", "stronger", "swap", "new-start"):
        assert f'action="{path}/{action}"' in page
    assert "/replay?report=1" in page or site.web_app.analyst.why_unavailable(table.game) is not None
    start = table.start
    assert post(site, path + "/new-start").json()["ok"]
    assert table.start != start
    assert post(site, path + "/stronger").json()["ok"]
    assert table.seats[1].what == "greedy"
    site.do(lambda: site.web_app.tables.close(table))


def test_above_the_strongest_computer_there_is_nobody() -> None:
    assert stronger_than(LADDER[-1].name) is None
    assert stronger_than("nobody") is None


def test_above_a_level_is_the_next_and_above_all_of_them_the_engine_at_full_strength() -> None:
    above = [stronger_than(f"level{number}") for number in range(1, 9)]
    assert [player.name for player in above if player] == [*(f"level{number}" for number in range(2, 9)), "expert"]
    titles = [player.title for player in above if player]
    assert len({title.en.lower() for title in titles}) == 8, "level 8 is an expert, too"


def test_after_a_restart_the_page_leads_to_the_record_and_offers_to_play_on(serve: Callable[..., Site]) -> None:
    old, new = serve(), serve()  # The same folder of records.
    table = open_table(old)
    move = {"picks": first_picks(table)}
    assert post(old, f"/table/{table.key}/move", ply=0, **move).json()["ok"]
    page = httpx.get(f"{new.base}/table/{table.key}?room={table.room.room_id}", follow_redirects=True)
    assert page.status_code == 200
    assert page.url.path.startswith("/replay/")
    assert "the server was restarted" in page.text
    assert 'class="button primary" id="play-on"' in page.text
    assert httpx.get(f"{new.base}/table/{table.key}?room=nonsense").status_code == 404
    assert httpx.get(f"{new.base}/table/{table.key}").status_code == 404
    old.do(lambda: old.web_app.tables.close(table))


def test_an_earlier_position_comes_with_its_move_in_words(site: Site) -> None:
    table = open_table(site)
    path = f"{site.base}/table/{table.key}"
    move = {"picks": first_picks(table)}
    assert post(site, f"/table/{table.key}/move", ply=0, **move).json()["ok"]
    assert 'data-turn="0"' in httpx.get(f"{path}/ply/0").json()["parts"]["board"]
    first = httpx.get(f"{path}/ply/1").json()
    assert 'data-turn="1"' in first["parts"]["board"]
    assert first["say"].startswith("Red: ")
    assert httpx.get(f"{path}/ply/99").status_code == 404
    site.do(lambda: site.web_app.tables.close(table))


def test_a_second_browser_at_a_table_watches_and_cannot_move(site: Site) -> None:
    form = {"game": "ostseeschach-2022", "kind1": "person", "name1": "Ada", "kind2": "person", "name2": "Grace"}
    with httpx.Client(base_url=site.base) as ada, httpx.Client(base_url=site.base) as eve:
        table = ada.post("/tables", data=form).headers["location"]
        first_message(ada, f"{table}/events", '"mine":true')
        seen = eve.get(table, follow_redirects=True)
        assert seen.url.path.startswith("/watch/")
        for page, is_player in ((ada.get(table), True), (seen, False)):
            assert (f'action="{table}/move"' in page.text) is is_player
        assert eve.post(f"{table}/move", data={"ply": "0", "text": "a1-a2"}).status_code == 403
        assert eve.post(f"{table}/resign").status_code == 403
        assert ada.post(f"{table}/resign", headers={"accept": "application/json"}).json()["ok"]
