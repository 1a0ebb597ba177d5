"""Playing in the browser, as the server sees it."""

from __future__ import annotations

import pytest

httpx = pytest.importorskip("httpx")
from tests.support.web_games import open_table, post
from tests.web.conftest import Site


def test_the_server_alone_says_what_is_legal(site: Site) -> None:
    table = open_table(site)
    path = f"/table/{table.key}"
    tried = post(site, path + "/move", ply=0, start="0,4", target="1,6").json()
    assert not tried["ok"]
    assert "straight" in tried["text"]
    tile = {"tile": "MONO", "orientation": "0", "at": "0,0"}
    for nonsense in ({"start": "x", "target": "1,1"}, tile, {}, {"ply": "x"}):
        assert post(site, path + "/move", **{"ply": 0, **nonsense}).json()["ok"] is False
    step = table.game.board_input.steps(table.start)[0]
    move = {"start": "{},{}".format(*step.start), "target": "{},{}".format(*step.target)}
    assert post(site, path + "/move", ply=0, **move).json() == {"ok": True}
    assert post(site, path + "/move", ply=0, **move).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))
    gone = httpx.get(site.base + path)
    assert gone.status_code == 404
    assert "any more" in gone.text


def test_a_ghost_is_told_why_it_does_not_fit(site: Site) -> None:
    table = open_table(site, "blokus-2027")
    name = table.start.start.name
    ask = f"{site.base}/table/{table.key}/try"
    wrong = httpx.get(ask, params={"tile": name, "orientation": 0, "at": "9,9"}).json()
    assert wrong == {"ok": False, "text": "The first piece must touch the border of the board"}
    assert httpx.get(ask, params={"tile": name, "orientation": 0, "at": "0,0"}).json()["ok"]
    assert httpx.get(ask, params={"tile": "SOFA", "orientation": 0, "at": "0,0"}).json()["ok"] is False
    assert httpx.get(ask, params={"tile": name, "orientation": 99, "at": "0,0"}).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))


def test_squares_in_a_game_of_tiles_are_no_move(site: Site) -> None:
    table = open_table(site, "blokus-2027")
    answer = post(site, f"/table/{table.key}/move", ply=0, start="0,0", target="1,1")
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
