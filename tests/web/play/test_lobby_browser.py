"""Somebody there, in Chromium: two people meet in the lobby; and the path from the rules to the next level."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter.game import Team
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks
from tests.web.conftest import Site
from tests.web.play.test_board_browser import move_somehow
from tests.web.play.test_lobby import close_all


def test_two_who_do_not_know_each_other_meet_in_the_lobby_and_play_with_a_clock(
    site: Site, open_page: Open, keep: Keep
) -> None:
    close_all(site)
    ada, grace = open_page(), open_page(**DEVICES["phone"], locale="en-US")
    grace.goto(site.base)
    expect(grace.locator("#challenges")).to_contain_text("Nobody is waiting")

    ada.goto(f"{site.base}/lobby")
    ada.get_by_label("Dein Name", exact=True).fill("Ada")
    ada.get_by_label("Spiel", exact=True).select_option("ostseeschach-2022")
    ada.get_by_label("Bedenkzeit für jeden").select_option("30+20")
    ada.get_by_label("Wer beginnt").select_option("first")
    ada.get_by_role("button", name="Auf Mitspieler warten").click()
    expect(ada.locator("#waiting")).to_contain_text("Du wartest in der Lobby")
    for look in looks(ada, "computer"):
        check_look(ada, look)
        keep(ada, f"lobby-waiting-{look}")

    expect(grace.locator("#challenges")).to_contain_text("30 min + 20 s a move")  # Without having been loaded again.
    check_look(grace, "phone")
    keep(grace, "lobby-start-phone")
    grace.get_by_role("button", name="Accept").click()
    grace.wait_for_url("**/table/*")

    expect(ada.locator("#status")).to_contain_text("Du bist am Zug")
    expect(ada.locator(".clock .ticking")).to_have_text(re.compile(r"^(30:00|29:\d\d)$"))
    move_somehow(ada)
    expect(grace.locator("#status")).to_contain_text("Your move")
    expect(grace.locator(".clock .ticking")).to_have_count(1)
    expect(ada.locator(".clock .left")).to_have_text(re.compile(r"^30:(0[1-9]|[12]\d)$"))  # A move adds 20 s.
    keep(grace, "lobby-game-phone")
    grace.once("dialog", lambda dialog: dialog.accept())
    move_somehow(grace)
    grace.get_by_role("button", name="Resign").click()
    expect(ada.locator("#after")).to_contain_text("Du hast gewonnen!")
    expect(grace.locator("#after")).to_contain_text("You resigned")

    lobby = open_page()
    lobby.goto(f"{site.base}/lobby")
    for look in looks(lobby, "computer"):
        check_look(lobby, look)
        keep(lobby, f"lobby-{look}")


def test_the_path_leads_from_the_rules_over_the_exercises_to_the_next_level(
    site: Site, open_page: Open, keep: Keep
) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto(site.base)
    path = page.locator("#path")
    expect(path).to_contain_text("Neu hier?")
    page.goto(f"{site.base}/learn/ostseeschach-2022")
    page.goto(site.base)
    expect(path).to_contain_text("Hier weitermachen: Ostseeschach 2022")
    path.get_by_role("link", name="Übung 1", exact=True).click()
    page.goto(
        page.url + "?choice=0&text=&squares="
    )  # Whatever it asks, that may be wrong: what counts is what is stored.
    total = page.locator(".exercise-numbers li").count()
    solved = list(range(1, total + 1))
    page.evaluate("n => localStorage.setItem('spielleiter-learned', JSON.stringify({'ostseeschach-2022': n}))", solved)

    page.goto(site.base)
    expect(path).to_contain_text(f"{total}/{total}")
    expect(path.locator("li.done")).to_have_count(2)
    path.get_by_role("button", name="Stufe 1: Anfänger").click()
    page.wait_for_url("**/table/*")
    table = site.web_app.tables.get(page.url.split("/")[-1].split("?")[0])
    assert table is not None
    expect(page.locator("#status")).to_contain_text("Du bist am Zug")
    live = table.live
    assert live is not None
    site.do(lambda: site.web_app.master.resign(live.room_id, Team.TWO))
    expect(page.get_by_role("button", name=re.compile("Weiter mit Stufe 2"))).to_be_visible()

    page.goto(site.base)
    expect(path.get_by_role("button", name="Stufe 2: Neuling")).to_be_visible()
    expect(page.locator("[data-progress=ostseeschach-2022]")).to_contain_text("Stufe 1 geschlagen")
    for look in looks(page, "computer"):
        check_look(page, look)
        keep(page, f"start-path-{look}")
