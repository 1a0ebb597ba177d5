"""The board while somebody plays, in Chromium: motion, earlier moves, sounds, ghosts, and its place in the window."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.played import needs_engine
from tests.support.web_browser import RECORD_SOUNDS, Keep, Open
from tests.web.conftest import Site
from tests.web.play.test_browser import begin

RECORD_ANIMATIONS = """
window.animated = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  window.animated.push([this.dataset.at ?? null, Object.keys(frames[0])[0], timing.duration]);
  return animate.call(this, frames, timing);
};
"""


def move_somehow(page: Any) -> str:
    """Move the first piece that can, and say to which square."""
    page.locator(".cell.can").first.click()
    target: str = page.locator(".cell.target").first.get_attribute("data-square")
    page.locator(f'.cell[data-square="{target}"]').click()
    return target


def turn_shown(page: Any) -> int:
    return int(page.evaluate("document.querySelector('#board svg').dataset.turn"))


def test_pieces_slide_for_a_fifth_of_a_second_and_the_next_move_need_not_wait(site: Site, open_page: Open) -> None:
    page = open_page()
    page.add_init_script(RECORD_ANIMATIONS)
    begin(page, site, "ostseeschach-2022")
    target = move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    animated = page.evaluate("window.animated")
    assert [target, "translate", 200] in animated  # Our own move, and then the one of the computer.
    assert len([each for each in animated if each[1] == "translate"]) == 2
    # As soon as it is our turn again a piece can be chosen, whatever still moves.
    page.locator(".cell.can").first.click()
    assert page.locator(".cell.target").count() >= 1


def test_spectators_see_the_pieces_slide_too_and_can_look_back(site: Site, open_page: Open) -> None:
    page, spectator = open_page(), open_page()
    spectator.add_init_script(RECORD_ANIMATIONS)
    begin(page, site, "ostseeschach-2022")
    room = page.locator("#spectators").get_attribute("href")
    spectator.goto(site.base + room)
    spectator.locator("#board svg").wait_for()
    move_somehow(page)
    expect(spectator.locator("#counter")).to_have_text("2 / 2")
    assert ["translate", 200] in [each[1:] for each in spectator.evaluate("window.animated")]
    spectator.get_by_role("button", name="Anfang").click()
    expect(spectator.locator("#counter")).to_have_text("0 / 2")
    assert turn_shown(spectator) == 0


def test_who_prefers_less_motion_sees_none(site: Site, open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    page.add_init_script(RECORD_ANIMATIONS)
    begin(page, site, "ostseeschach-2022")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    assert page.evaluate("window.animated") == []


def test_an_own_move_shows_at_once_and_is_taken_back_if_it_is_refused(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    held: list[Any] = []
    page.route("**/move", lambda route: held.append(route))
    page.locator(".cell.can").first.click()
    start = page.locator(".cell[aria-selected]").get_attribute("data-square")
    target = page.locator(".cell.target").first.get_attribute("data-square")
    page.locator(f'.cell[data-square="{target}"]').click()
    expect(page.locator(f'#board [data-at="{target}"]')).to_have_count(1)
    assert page.locator(f'#board [data-at="{start}"]').count() == 0
    assert page.locator("#moves li").count() == 0  # The server has not said anything yet.
    held[0].fulfill(body=json.dumps({"ok": False, "text": "Das geht nicht."}), content_type="application/json")
    expect(page.locator("#message")).to_have_text("Das geht nicht.")
    expect(page.locator(f'#board [data-at="{start}"]')).to_have_count(1)
    assert page.locator(f'#board [data-at="{target}"]').count() == 0
    page.unroute("**/move")
    page.locator(f'.cell[data-square="{target}"]').click()  # It is still chosen, and still our turn.
    page.locator("#moves li").first.wait_for()


def test_a_capture_is_a_ring_that_does_not_hide_the_fish(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    for fish in page.locator(".cell.can").all():
        fish.click()
        if page.locator(".marks .ring").count():
            break
    ring = page.locator(".marks .ring").first
    assert ring.evaluate("ring => getComputedStyle(ring).fill") == "none"
    middle = ring.bounding_box()
    for dot in page.locator(".marks .dot").all():
        box = dot.bounding_box()
        x, y = box["x"] + box["width"] / 2 - middle["x"], box["y"] + box["height"] / 2 - middle["y"]
        in_the_middle = abs(x - middle["width"] / 2) < 8 and abs(y - middle["height"] / 2) < 8
        assert not in_the_middle


def test_earlier_moves_by_keys_and_clicks_while_the_game_goes_on(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#counter")).to_have_text("0 / 2")
    assert turn_shown(page) == 0
    keep(page, "earlier-move")
    # Meanwhile the game goes on; whoever looks back is not disturbed.
    page.evaluate(
        """async () => {
          const { tree } = await new Promise((found) => import(document.querySelector('script[src$="live.js"]').src)
            .then(({ onUpdate }) => onUpdate(({ play }) => play?.mine && found(play))));
          const [start, targets] = Object.entries(tree)[0];
          const fields = new URLSearchParams({ ply: 2, picks: `${start} ${targets[0]}` });
          await fetch(document.getElementById("table").dataset.table + "/move", { method: "POST", body: fields });
        }"""
    )
    expect(page.locator("#counter")).to_have_text("0 / 4")
    assert turn_shown(page) == 0
    page.locator("#moves li").nth(2).click()
    expect(page.locator("#counter")).to_have_text("3 / 4")
    assert turn_shown(page) == 3
    page.get_by_role("button", name="Jetzt").click()
    expect(page.locator("#counter")).to_have_text("4 / 4")
    assert turn_shown(page) == 4
    assert page.locator("#table.past").count() == 0


def test_the_board_is_turned_without_a_new_page_and_own_pieces_are_below(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    first = page.locator(".cell").first
    expect(first).to_have_attribute("data-square", "7,0")
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Brett drehen").click()
    expect(first).to_have_attribute("data-square", "0,7")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    page.get_by_role("link", name="Brett drehen").click()
    expect(first).to_have_attribute("data-square", "7,0")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Seiten tauschen").click()
    expect(first).to_have_attribute("data-square", "0,7")  # Now the person plays Blue.
    assert page.evaluate("window.same")


def test_sounds_begin_with_the_first_click_and_stay_off_when_switched_off(site: Site, open_page: Open) -> None:
    page = open_page()
    page.add_init_script(RECORD_SOUNDS)
    begin(page, site, "ostseeschach-2022")
    assert page.evaluate("[window.contexts, window.sounds.length]") == [None, 0]
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    page.wait_for_function("window.sounds.length >= 3")  # Two moves, and that it is our turn.
    page.get_by_role("button", name="Töne").click()
    page.evaluate("window.sounds = []")
    move_somehow(page)
    page.locator("#moves li").nth(3).wait_for()
    assert page.evaluate("window.sounds") == []
    page.reload()
    expect(page.get_by_role("button", name="Töne")).to_have_attribute("aria-pressed", "false")


def test_a_browser_that_forbids_sounds_plays_in_silence(site: Site, open_page: Open) -> None:
    page = open_page()
    page.add_init_script("window.AudioContext = class { constructor() { throw new Error('forbidden'); } };")
    begin(page, site, "ostseeschach-2022")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()  # And nothing complained in the console.


def test_a_ghost_has_the_colour_of_its_tile_and_a_red_line_where_it_does_not_fit(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "blokus-2027")
    expect(page.locator("#message")).to_contain_text("beginnt mit dem ausgelosten Stein")
    page.locator('.cell[data-square="9,9"]').hover()
    ghost, edge = page.locator(".ghost").first, page.locator(".ghost-edge")
    own = page.locator("#tray [role=button] path").first.get_attribute("fill")
    assert own == ghost.get_attribute("fill")
    assert edge.evaluate("edge => getComputedStyle(edge).stroke") == "rgb(210, 31, 16)"
    turned = """(events) => import(document.querySelector('script[src$="/play.js"]').src.replace("play.js", "tiles.js"))
      .then(({ Wheel }) => { const wheel = new Wheel();
        return events.map(([deltaY, deltaMode, timeStamp]) => wheel.notch({ deltaY, deltaMode, timeStamp })); })"""
    coarse = [[120, 0, 0], [120, 0, 300], [-120, 0, 600], [3, 1, 900]]
    assert page.evaluate(turned, coarse) == [1, 1, -1, 1]
    fine = [[15, 0, 5 * at] for at in range(8)]  # One notch of a fine wheel.
    assert page.evaluate(turned, fine) == [0, 0, 0, 1, 0, 0, 0, 0]


SIZES = ((1280, 860), (844, 390), (640, 430), (390, 844), (320, 568))
"""A desktop, a phone held sideways, a laptop at 200 %, a phone, a small one."""


@pytest.mark.parametrize("key", ["piranhas-2026", "blokus-2027"])
def test_board_and_messages_fit_into_every_window(site: Site, open_page: Open, keep: Keep, key: str) -> None:
    page = open_page(has_touch=True)
    begin(page, site, key)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.getElementById('message').textContent = 'Das geht so nicht, und hier steht, warum.'")
        page.evaluate("scrollTo(0, 0)")
        board, message = page.locator("#frame").bounding_box(), page.locator("#message").bounding_box()
        assert board["height"] <= height
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= width
        assert message["y"] + message["height"] < min(height, board["y"] + board["height"] / 3)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if key.startswith("blokus"):
            lay = page.get_by_role("button", name="Legen").bounding_box()
            assert lay["y"] + lay["height"] <= height
            assert lay["x"] + lay["width"] <= width
        keep(page, f"fits-{key}-{width}")


@needs_engine
def test_the_buttons_after_the_end_fit_on_small_phones(site: Site, open_page: Open) -> None:
    page = open_page(390, 844)
    page.goto(f"{site.base}/tables/new?game=piranhas-2026")
    page.get_by_label("Stärke").last.select_option("level2")
    page.get_by_role("button", name="Los geht’s").click()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Aufgeben").click()
    page.get_by_role("button", name="Stärkerer Gegner").wait_for()
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_lost_connection_is_reported_over_the_page_not_above_it(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    before = page.locator("#frame").bounding_box()
    page.evaluate("document.getElementById('lost').hidden = false")
    assert page.locator("#frame").bounding_box() == before


def test_a_piece_comes_to_a_board_of_hexagons_with_one_click_and_leaves_with_two(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "pinguine-2023")
    message = page.locator("#message")
    expect(message).to_contain_text("Pinguin 1 von 4")
    page.locator('.cell[aria-label$="2 Fische"]').first.click()
    expect(message).to_contain_text("genau einem Fisch")  # The rule that it breaks.
    for number in range(2, 5):
        page.locator(".cell.target").first.click()
        expect(message).to_contain_text(f"Pinguin {number} von 4")
    page.locator(".cell.target").last.click()
    expect(message).to_have_text("")
    expect(page.locator("#moves li")).to_have_count(8)  # The computer has placed its last penguin, too.
    page.locator(".cell.can").last.click()
    page.locator(".cell.target").first.hover()
    expect(message).to_contain_text("fängt")
    page.locator(".cell.target").first.click()
    expect(page.locator("#moves li")).to_have_count(10)


def test_keys_walk_straight_over_a_board_of_hexagons(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "pinguine-2023")
    page.locator('.cell[data-square="4,0"]').focus()  # c1
    walked = []
    for key in ["ArrowDown"] * 4 + ["ArrowRight"] * 2 + ["ArrowUp"] * 4:
        page.keyboard.press(key)
        walked.append(page.evaluate("document.activeElement.dataset.square"))
    x, y = zip(*(map(int, square.split(",")) for square in walked), strict=True)
    assert y == (1, 2, 3, 4, 4, 4, 3, 2, 1, 0)
    assert (x[1], x[3], x[5], x[7], x[9]) == (4, 4, 8, 8, 8)
