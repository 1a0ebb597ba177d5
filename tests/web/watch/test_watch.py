"""Watching: what spectators are sent, and when."""

from __future__ import annotations

import json
import re
import time
from random import Random

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.pages import boards
from spielleiter.web import streams
from spielleiter.web.play import tables
from spielleiter.web.play.seating import Seating, SeatKind
from tests.support.event_streams import messages
from tests.support.waiting import wait_until
from tests.support.web_games import open_table
from tests.web.conftest import Site


def test_each_move_reaches_a_spectator_by_itself(site: Site) -> None:
    table = open_table(site)
    tables = site.web_app.tables
    with httpx.stream("GET", f"{site.base}/watch/{table.room.room_id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        news = messages(stream)
        assert next(news)["parts"]["moves"].strip() == ""
        for ply in range(3):
            site.do(lambda ply=ply: tables.move(table, ply, lambda state: state.legal_moves()[0]))
            while len(re.findall("<li", next(news)["parts"]["moves"])) <= ply:  # How soon, bench/web.py measures.
                pass
    site.do(lambda: site.web_app.tables.close(table))


def test_who_comes_late_sees_how_long_the_player_has_been_thinking(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "_MAX_AGE", 0.0)  # Messages are shared for a quarter of a second.
    table = open_table(site)
    path = f"{site.base}/watch/{table.room.room_id}/events"
    asked = []
    for _ in range(2):
        with httpx.stream("GET", path) as stream:
            first = next(messages(stream))
        found = re.search(r'data-asked="([0-9.]+)"', first["parts"]["players"])
        assert found is not None
        asked.append(first["now"] - float(found[1]))
    live = table.live
    assert live is not None
    assert asked[0] < asked[1] <= time.monotonic() - live.asked + 0.01
    site.do(lambda: site.web_app.tables.close(table))


def test_the_list_sends_only_the_boards_that_have_changed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        site.web_app.analyst, "why_unavailable", lambda game: game.title
    )  # It changes boards on its own.
    quiet, busy = open_table(site), open_table(site)
    with httpx.stream("GET", f"{site.base}/watch/events") as stream:
        news = messages(stream)
        first = next(news)
        card = f"card-{busy.room.room_id}"
        assert {card, f"card-{quiet.room.room_id}"} <= set(first["parts"])
        assert first["lists"]["live"][0] == card
        site.do(lambda: site.web_app.tables.move(busy, 0, lambda state: state.legal_moves()[0]))
        changed: set[str] = set()
        while card not in changed:  # Tables of other tests may still be closing.
            changed |= next(news)["changed"]
        assert f"card-{quiet.room.room_id}" not in changed
    for table in (quiet, busy):
        site.do(lambda table=table: site.web_app.tables.close(table))


def test_spectators_are_led_to_the_room_in_which_the_game_goes_on(site: Site) -> None:
    table = open_table(site)
    old = table.room.room_id
    site.do(lambda: site.web_app.tables.again(table))
    assert table.room.room_id != old
    assert f"/watch/{table.room.room_id}" in httpx.get(f"{site.base}/watch/{old}").text
    site.do(lambda: site.web_app.tables.close(table))


def test_a_stream_ends_with_its_table_and_says_who_gave_up(site: Site) -> None:
    table = open_table(site)
    with httpx.stream("GET", f"{site.base}/table/{table.key}/events") as stream:
        news = messages(stream)
        next(news)
        site.do(lambda: site.web_app.tables.resign(table))
        assert "wins: Ada resigns" in next(news)["parts"]["status"]
        site.do(lambda: site.web_app.tables.close(table))
        for _ in news:
            pass


def test_what_many_see_is_rendered_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(site)
    drawn = []
    real = boards.board
    monkeypatch.setattr(boards, "board", lambda *args, **more: drawn.append(1) or real(*args, **more))
    live = table.live
    assert live is not None
    from spielleiter.web.watch.watch import game_update

    def look() -> str:
        return json.dumps(game_update(site.web_app, live, "de", False).to_json())

    for _ in range(5):
        site.do(lambda: live.channel.rendered("same", look))
    once = len(drawn)
    site.do(lambda: live.channel.publish())
    site.do(lambda: live.channel.rendered("same", look))
    assert once > 0
    assert len(drawn) == 2 * once
    site.do(lambda: site.web_app.tables.close(table))


def test_the_host_sees_the_messages_of_a_game_from_the_first_look_on(site: Site) -> None:
    game = games.load("piranhas-2026")
    # A person has no messages; their opponent has.
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.BUILT_IN, "random", "random"))
    table = site.open_table(game, seats, game.new_state(Random(3)))
    page = f"{site.base}/watch/{table.room.room_id}/trace"
    assert f"/watch/{table.room.room_id}/trace" in httpx.get(f"{site.base}/watch/{table.room.room_id}").text
    assert "No message has arrived" in httpx.get(page, headers={"accept-language": "en"}).text
    with httpx.stream("GET", f"{page}/events", headers={"accept-language": "en"}) as stream:
        news = messages(stream)
        assert "No message has arrived" in next(news)["parts"]["trace"]
        site.do(lambda: site.web_app.tables.move(table, 0, lambda state: state.legal_moves()[0]))
        while "(TWO) → server" not in (text := next(news)["parts"]["trace"]):
            pass
    assert "memento" in text
    assert "<html" not in text
    for address in ("trace", "trace/events"):
        assert httpx.get(f"{site.base}/watch/nowhere/{address}").status_code == 404
    site.do(lambda: site.web_app.tables.close(table))


# --- the list ---------------------------------------------------------------------------------------------------------


def _walls(site: Site) -> dict[str, list[str]]:
    """The ids of the cards by the place where the list shows them."""
    with httpx.stream("GET", f"{site.base}/watch/events") as stream:
        walls: dict[str, list[str]] = next(messages(stream))["lists"]
        return walls


def test_the_list_separates_what_is_live_what_waits_and_what_has_just_ended(site: Site) -> None:
    live, over = open_table(site), open_table(site)
    site.do(lambda: site.web_app.tables.resign(over))
    game = games.load("piranhas-2026")
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.JOINS, "Bot"))
    waiting = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(3))))
    walls = _walls(site)
    places = {
        name: [place for place, ids in walls.items() if f"card-{table.room.room_id}" in ids]
        for name, table in (("live", live), ("waiting", waiting), ("finished", over))
    }
    assert places == {"live": ["live"], "waiting": ["waiting"], "finished": ["finished"]}
    page = httpx.get(f"{site.base}/watch", headers={"accept-language": "en"}).text
    order = [page.index(title) for title in ("Live</h2>", "Waiting for players</h2>", "Just finished</h2>")]
    cards = [page.index(f'id="card-{table.room.room_id}"') for table in (live, waiting, over)]
    assert order[0] < cards[0] < order[1] < cards[1] < order[2] < cards[2]
    person, program = waiting.room.codes
    assert not person
    assert program
    assert program not in page
    for table in (live, over, waiting):
        site.do(lambda table=table: site.web_app.tables.close(table))
    shown = {id_ for ids in _walls(site).values() for id_ in ids}
    assert not shown & {f"card-{table.room.room_id}" for table in (live, over, waiting)}


def test_a_table_that_everybody_has_left_leaves_the_list_and_its_game_ends_as_abandoned(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_RETURN_SECONDS", "_LEFT_SECONDS"):
        monkeypatch.setattr(tables, name, 0.1)
    table = open_table(site)
    room = table.room.room_id
    with (
        httpx.stream("GET", f"{site.base}/watch/events") as list_stream,
        httpx.stream("GET", f"{site.base}/watch/{room}/events") as game_stream,
    ):
        in_list, in_game = messages(list_stream), messages(game_stream)
        assert f"card-{room}" in next(in_list)["lists"]["live"]
        next(in_game)
        assert httpx.post(f"{site.base}/table/{table.key}/leave").status_code < 400
        while "the game was abandoned" not in next(in_game)["parts"]["status"]:
            pass
        listed = {f"card-{room}"}
        while f"card-{room}" in listed:
            listed = {id_ for ids in next(in_list).get("lists", {}).values() for id_ in ids} or listed
    assert httpx.get(f"{site.base}/table/{table.key}").status_code == 404
    key = site.web_app.library.of_room(room)
    assert "abandoned" in httpx.get(f"{site.base}/replay/{key}", headers={"accept-language": "en"}).text


def test_a_table_with_a_viewer_stays(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_RETURN_SECONDS", 0.1)
    table = open_table(site)
    with httpx.stream("GET", f"{site.base}/table/{table.key}/events") as stream:
        news = messages(stream)  # Held: a stream that nobody holds is closed.
        next(news)
        assert httpx.post(f"{site.base}/table/{table.key}/leave").status_code < 400
        left = time.monotonic()
        wait_until(lambda: table.seen > left)  # The page looks because it is told that somebody has left.
        site.do(lambda: site.web_app.tables._close_if_left(table, left))
        assert not table.is_gone
    assert f"card-{table.room.room_id}" in _walls(site)["live"]
    site.do(lambda: site.web_app.tables.close(table))


def test_who_comes_back_soon_finds_their_game_again(site: Site) -> None:
    table = open_table(site)
    assert httpx.post(f"{site.base}/table/{table.key}/leave").status_code < 400
    left = time.monotonic()
    assert httpx.get(f"{site.base}/table/{table.key}").status_code == 200
    site.do(lambda: site.web_app.tables._close_if_left(table, left))
    assert not table.is_gone
    site.do(lambda: site.web_app.tables.close(table))


@pytest.mark.parametrize("seen", ["9" * 5000, "-1", "x", "7"])
def test_who_says_to_have_seen_nonsense_is_sent_everything(site: Site, seen: str) -> None:
    table = open_table(site)
    path = f"{site.base}/watch/{table.room.room_id}/events"
    with httpx.stream("GET", path, headers={"last-event-id": seen}) as stream:
        assert stream.status_code == 200
        assert {"board", "moves"} <= set(next(messages(stream))["sent"]["parts"])
    site.do(lambda: site.web_app.tables.close(table))
