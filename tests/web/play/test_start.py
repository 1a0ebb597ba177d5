"""Starting a game from a form."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.players import BUILT_IN
from tests.support.event_streams import first_message
from tests.support.web_games import open_table
from tests.web.conftest import Site


def test_every_game_can_be_chosen(site: Site) -> None:
    start, form = (httpx.get(site.base + path).text for path in ("/", "/tables/new"))
    for game in games.all_games().values():
        for kind in ("built-in", "friend"):
            assert (f'value="{kind} {game.key}"' in start) == (not game.official)
        assert (f'value="{game.key}"' in form) == (not game.official)


@pytest.mark.parametrize(
    "form",
    [
        {"game": "halma-1999", "kind1": "person", "kind2": "person"},
        {"game": "piranhas-2026", "kind1": "person", "kind2": "nobody"},
        {"game": "piranhas-2026", "kind1": "person", "kind2": "built-in", "level2": "god"},
        {"game": "piranhas-2026", "kind1": "program", "path1": "/no/such/program.py", "kind2": "person"},
        {"game": "piranhas-2026", "kind1": "program", "kind2": "person"},
        {"position": "piranhas-2026 nonsense 0 -", "kind1": "person", "kind2": "person"},
    ],
)
def test_a_form_that_makes_no_sense_says_so_and_can_be_mended(site: Site, form: dict[str, str]) -> None:
    answer = httpx.post(site.base + "/tables", data=form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert 'action="/tables"' in answer.text


def test_a_broken_position_in_the_address_is_explained(site: Site) -> None:
    answer = httpx.get(site.base + "/", params={"position": "piranhas-2026 x"})
    assert answer.status_code == 400
    assert "expected" in answer.text


def test_who_joins_by_himself_is_shown_the_exact_command(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "person", "kind2": "joins", "name2": "Bot"}
    answer = httpx.post(site.base + "/tables", data=form, follow_redirects=True)
    found = re.search(r"--host (\S+) --port (\d+) --reservation ([0-9a-f-]+)", answer.text)
    assert found is not None
    assert (found[1], int(found[2])) == site.web_app.master.local_address
    table = site.web_app.tables.get(str(answer.url).split("/")[-1])
    assert table is not None
    assert table.room is not None
    assert found[3] == table.room.codes[1]
    watching = httpx.get(f"{site.base}/watch/{table.room.room_id}")
    assert watching.status_code == 404
    assert watching.headers["refresh"] == "2"
    site.do(lambda: site.web_app.tables.close(table))


def test_what_was_typed_stays_when_the_form_is_refused(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "path1": "/no/such.py", "kind2": "person", "name2": "Zoë"}
    text = httpx.post(site.base + "/tables", data=form).text
    assert 'value="/no/such.py"' in text
    assert 'value="Zoë"' in text


def test_pages_that_change_load_themselves_again_where_scripts_are_off(site: Site) -> None:
    refresh = '<noscript><meta http-equiv="refresh" content="5">'
    assert refresh in httpx.get(site.base + "/watch").text
    table = open_table(site)
    assert refresh in httpx.get(f"{site.base}/watch/{table.room.room_id}").text
    # Whoever is to move is not disturbed while typing.
    assert refresh not in httpx.get(f"{site.base}/table/{table.key}").text
    site.do(lambda: site.web_app.tables.close(table))


def test_a_board_beside_a_grid_of_squares_says_nothing_by_itself(site: Site) -> None:
    table = open_table(site)
    text = httpx.get(f"{site.base}/table/{table.key}").text
    board = text[text.index('<div id="board">') :]
    assert re.match(r'<div id="board"><div class="board"[^>]*><svg [^>]*aria-hidden="true"', board)
    assert "<title>" not in board
    site.do(lambda: site.web_app.tables.close(table))


def test_next_years_game_is_played_against_whom_the_pages_suggest(
    tictactoe: AnyGame, serve: Callable[..., Site]
) -> None:
    site = serve()
    suggested = re.search(r'<option value="(\w+)"[^>]* selected', httpx.get(site.base).text)
    form = {
        "name1": "Ada",
        "kind1": "person",
        "level2": suggested[1] if suggested else "",
        "play": "built-in tictactoe-2028",
    }
    with httpx.Client(base_url=site.base) as ada:
        table = str(ada.post("/tables", data=form).headers["location"])
        answered = False
        for ply in range(0, 25, 2):
            seen = first_message(ada, f"{table}/events", f'"ply":{ply},"mine":true', '"over":true')
            if '"over":true' in seen:
                break
            answered = ply > 0
            live: Any = site.web_app.tables.get(table.split("/")[-1]).live  # type: ignore[union-attr]
            move = tictactoe.notation.format_move(live.history.state, live.history.state.legal_moves()[0])
            ada.post(f"{table}/move", data={"ply": str(ply), "text": move})
        assert answered
        page = ada.get(table).text
    assert "left the game" not in page
    form_page = httpx.get(site.base + "/tables/new", params={"game": tictactoe.key}).text
    assert set(BUILT_IN) <= set(re.findall(r'<option value="(\w+)"', form_page))
    assert "search in Python takes its place" in form_page
