"""Watching in Chromium."""

from __future__ import annotations

import re
from random import Random

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter import games
from spielleiter.client import ClientSettings, RemoteGame
from spielleiter.web.play.seating import Seating, SeatKind
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.support.web_games import move_first, open_table
from tests.web.conftest import Site


def test_a_live_view_follows_a_running_game(site: Site, open_page: Open, keep: Keep) -> None:
    table = open_table(site, "piranhas-2026")
    room = table.room.room_id
    page, wall, projector = open_page(), open_page(), open_page(1920, 1080)
    page.goto(f"{site.base}/watch/{room}")
    wall.goto(f"{site.base}/watch")
    projector.goto(f"{site.base}/projector")
    move_first(site, table)
    page.locator("#moves li").first.wait_for()
    wall.get_by_text("Zug 2").first.wait_for()
    move_first(site, table)
    page.locator("#moves li").nth(1).wait_for()
    assert wall.evaluate(
        "[...document.querySelectorAll('.duel p')].every((each) => each.scrollWidth <= each.clientWidth)"
    )
    keep(page, "watch-one")
    keep(wall, "watch")
    keep(projector, "projector")
    for each in (page, wall, projector):
        check_with_axe(each)
    site.do(lambda: site.web_app.tables.resign(table))
    page.locator(".status .over").wait_for()
    site.do(lambda: site.web_app.tables.close(table))


def test_a_wrong_clock_on_the_phone_changes_no_time(site: Site, open_page: Open) -> None:
    table = open_table(site, "piranhas-2026")
    phone = open_page(390, 844)
    # Every time that it is asked, it is a day later.
    phone.add_init_script("let days = 0; const now = Date.now; Date.now = () => now() + 86400e3 * ++days;")
    phone.goto(f"{site.base}/watch/{table.room.room_id}")
    clock = phone.locator(".ticking").first
    before = clock.text_content()
    expect(clock).not_to_have_text(before or "")
    seconds = re.search(r"[\d.,]+", clock.text_content() or "")
    assert seconds is not None
    assert 0 <= float(seconds[0].replace(",", ".")) < 3600
    site.do(lambda: site.web_app.tables.close(table))


@pytest.mark.parametrize("dark", [False, True])
def test_the_messages_of_a_game_can_be_read_by_everybody(site: Site, open_page: Open, dark: bool) -> None:
    table = open_table(site, "piranhas-2026")
    page = open_page(dark=dark)
    page.goto(f"{site.base}/watch/{table.room.room_id}/trace")
    check_with_axe(page, "dark" if dark else "light")
    site.do(lambda: site.web_app.tables.close(table))


def test_the_one_who_started_it_can_pause_step_and_cancel(site: Site, open_page: Open) -> None:
    table = open_table(site, "ostseeschach-2022")
    page = open_page()
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    page.get_by_role("button", name="Anhalten").click()
    page.get_by_role("button", name="Ein Zug", exact=True).wait_for()
    move_first(site, table)  # The request was out before the pause.
    page.locator("#moves li").first.wait_for()
    with pytest.raises(Exception, match="paused"):
        move_first(site, table)
    page.get_by_role("button", name="Ein Zug", exact=True).click()
    page.wait_for_timeout(200)
    move_first(site, table)
    page.get_by_role("button", name="Weiter").click()
    page.get_by_role("button", name="Anhalten").wait_for()
    page.get_by_role("button", name="Abbrechen").click()
    page.locator(".status .over").wait_for()
    assert "abgebrochen" in page.inner_text("#status")
    site.do(lambda: site.web_app.tables.close(table))


def test_a_lost_connection_is_reported_and_mended(site: Site, open_page: Open) -> None:
    table = open_table(site, "piranhas-2019")
    page = open_page()
    broken = [True]
    page.route("**/events*", lambda route: route.abort() if broken[0] else route.continue_())
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    expect(page.locator("#lost")).to_be_visible()
    broken[0] = False
    move_first(site, table)
    page.locator("#moves li").first.wait_for()
    expect(page.locator("#lost")).to_be_hidden()
    page.complaints.clear()  # A browser complains about the broken stream.
    site.do(lambda: site.web_app.tables.close(table))


def test_what_came_before_the_script_was_there_is_not_missed(site: Site, open_page: Open) -> None:
    game = games.load("piranhas-2026")
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.JOINS, "Bot"))
    table = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(3))))
    page, held = open_page(), []
    page.route("**/play.js", lambda route: held.append(route))
    page.goto(f"{site.base}/table/{table.key}", wait_until="commit")
    page.get_by_text("--reservation").wait_for()
    while not held:
        page.wait_for_timeout(20)
    host, port = site.web_app.master.local_address
    settings = ClientSettings(host=host, port=port, reservation=table.room.codes[1], game=game)
    guest = site.do(lambda: RemoteGame(settings))
    site.do(guest.connect)
    page.locator(".status .mine").wait_for()
    held[0].continue_()
    page.locator(".cell.can").first.wait_for()
    site.do(guest.close)
    site.do(lambda: site.web_app.tables.close(table))


def test_a_server_that_is_busy_for_a_while_loses_no_page(site: Site, open_page: Open) -> None:
    table = open_table(site, "piranhas-2019")
    page, busy = open_page(), [True]
    page.route("**/events*", lambda route: route.fulfill(status=503) if busy[0] else route.continue_())
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    expect(page.locator("#lost")).to_be_visible()
    page.evaluate("window.stillHere = true")
    move_first(site, table)
    busy[0] = False
    page.locator("#moves li").first.wait_for()
    expect(page.locator("#lost")).to_be_hidden()
    assert page.evaluate("window.stillHere")
    page.complaints.clear()  # A browser complains about the broken stream.
    site.do(lambda: site.web_app.tables.close(table))


def test_news_disturb_neither_who_reads_the_moves_nor_who_uses_the_keyboard(site: Site, open_page: Open) -> None:
    table = open_table(site, "blokus-2027")
    for _ in range(20):
        move_first(site, table)
    page = open_page()
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    page.evaluate("document.getElementById('moves').scrollTop = 0")
    page.get_by_role("button", name="Anhalten").focus()
    move_first(site, table)
    expect(page.locator("#moves li")).to_have_count(21)
    assert page.evaluate("document.getElementById('moves').scrollTop") == 0
    assert page.evaluate("document.activeElement.textContent") == "Anhalten"
    site.do(lambda: site.web_app.tables.close(table))
