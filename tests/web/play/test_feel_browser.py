"""How it feels to play, in Chromium: the beat between move and answer, where buttons are, pieces under the pointer."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.web_browser import Open
from tests.web.conftest import Site
from tests.web.play.test_board_browser import move_somehow
from tests.web.play.test_browser import begin

RECORD_TIMES = """
window.begun = [];
document.addEventListener("boardmove", () => window.begun.push(performance.now()));
"""
RECORD_WAITS = """
window.waits = [];
const later = window.setTimeout;
window.setTimeout = (call, ms) => { window.waits.push(ms); return later(call, ms); };
"""


def test_the_answer_begins_no_sooner_than_400_ms_after_the_own_piece_has_arrived(site: Site, open_page: Open) -> None:
    page = open_page()
    page.add_init_script(RECORD_TIMES)
    begin(page, site, "ostseeschach-2022")  # Its random computer answers within a few milliseconds.
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    own, answer = page.evaluate("window.begun")
    assert answer - own >= 200 + 400 - 1  # Clocks of browsers are coarse.


def test_nobody_who_prefers_less_motion_waits_for_the_answer(site: Site, open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    page.add_init_script(RECORD_WAITS)
    begin(page, site, "ostseeschach-2022")
    page.evaluate("window.waits = []")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    assert 600 not in page.evaluate("window.waits")


@pytest.mark.parametrize("square", ["4,4", "3,4"])
def test_a_click_on_an_empty_square_is_no_error(site: Site, open_page: Open, square: str) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.locator(f'.cell[data-square="{square}"]').click()
    move_somehow(page)  # What a click had asked for would have been answered before this.
    page.locator("#moves li").nth(1).wait_for()
    assert [url.rsplit("/", 1)[1] for url in asked] == ["move"]
    assert page.locator(".message.refused").count() == 0


def test_a_piece_under_the_pointer_looks_lifted_and_keeps_its_colours(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    cell = page.locator(".cell.can").first
    square = cell.get_attribute("data-square")
    piece = page.locator(f'#board [data-at="{square}"]')
    before = piece.bounding_box()["y"]
    cell.hover()
    expect(piece).to_have_class("raised")
    page.wait_for_function(
        "before => document.querySelector('#board .raised').getBoundingClientRect().y < before", arg=before
    )
    assert piece.evaluate("piece => getComputedStyle(piece).opacity") == "1"
    assert cell.evaluate("cell => getComputedStyle(cell).fill") in ("rgba(0, 0, 0, 0)", "transparent")
    page.mouse.move(2, 2)
    assert page.locator(".raised").count() == 0
