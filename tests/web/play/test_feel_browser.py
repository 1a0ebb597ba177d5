"""How it feels to play, in Chromium: the beat between move and answer, where buttons are, pieces under the pointer."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlsplit

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.played import needs_engine
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.support.web_games import almost_won
from tests.web.conftest import Site
from tests.web.play.test_board_browser import move_somehow
from tests.web.play.test_browser import begin, play_by_mouse

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


DESKTOP, PHONE, SIDEWAYS = (1440, 900), (390, 844), (844, 390)


def on_screen(page: Any, selector: str) -> bool:
    """Whether all of it can be seen and touched without scrolling."""
    is_seen: bool = page.locator(selector).first.evaluate(
        """element => {
          const { left, top, right, bottom } = element.getBoundingClientRect();
          const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
            && (element.contains(above) || above.contains(element) || above.closest(".overlay") !== null);
        }"""
    )
    return is_seen


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SIDEWAYS])
@pytest.mark.parametrize("key", ["piranhas-2026", "blokus-2027", "hase-und-igel-2025"])
def test_everything_needed_for_a_move_is_on_the_screen_and_stays_there(
    site: Site, open_page: Open, key: str, size: tuple[int, int]
) -> None:
    page = open_page(*size, has_touch=True, reduced_motion="reduce")
    begin(page, site, key)
    buttons = [f'[data-action="{action}"]' for action in ("take-back", "hint", "resign")] + ["#flip"]
    hands = {
        "blokus-2027": ["#turn", "#flip-tile", "#place", "#pass", "#tray"],
        "hase-und-igel-2025": ["#tray", "#tray button", "#pick-back", "#done"],
    }
    needed = ["#frame", *buttons, *hands.get(key, [])]
    assert [selector for selector in needed if not on_screen(page, selector)] == []
    before = [page.locator(selector).bounding_box() for selector in buttons]
    page.locator("#moves").evaluate("moves => { moves.innerHTML = '<li><b>a1-b2</b></li>'.repeat(80); }")
    assert [page.locator(selector).bounding_box() for selector in buttons] == before


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
@pytest.mark.parametrize("path", ["/table", "/learn/blokus-2027/4"])
def test_every_tile_can_be_reached_on_a_phone(site: Site, open_page: Open, path: str, size: tuple[int, int]) -> None:
    page = open_page(*size, has_touch=True, is_mobile=True, reduced_motion="reduce")
    if path == "/table":
        begin(page, site, "blokus-2027")
        lay_first_tiles(page)
    else:
        page.goto(site.base + path)
    tiles = page.locator("#tray [role=button]")
    expect(tiles.nth(15)).to_be_attached()
    scroller = page.locator("#tray > .picture")
    for tile in tiles.all():
        name = tile.get_attribute("data-kind")
        scroller.evaluate(  # As a finger would, sideways.
            "(scroller, tile) => { const left = (element) => element.getBoundingClientRect().left;"
            " scroller.scrollLeft += left(tile) - left(scroller) - 40; }",
            tile.element_handle(),
        )
        box = tile.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert tile.get_attribute("aria-pressed") == "true", name
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


LAY_SOMEHOW = """async () => {
  const { onUpdate } = await import(document.querySelector('script[src$="live.js"]').src);
  const play = await new Promise((found) => onUpdate(({ play }) => play?.mine && found(play)));
  const [[name, orientations]] = Object.entries(play.tree);
  const [[orientation, places]] = Object.entries(orientations);
  const fields = new URLSearchParams({ ply: play.ply, picks: `${name} ${orientation} ${places[0]}` });
  await fetch(document.getElementById("table").dataset.table + "/move", { method: "POST", body: fields });
}"""


def lay_first_tiles(page: Any) -> None:
    """Lay the tile that was drawn for both colours: then many can be laid."""
    for moves in (2, 4):
        page.evaluate(LAY_SOMEHOW)
        expect(page.locator("#moves li")).to_have_count(moves)
        page.locator(".status .mine").wait_for()


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SIDEWAYS, (320, 568)])
def test_a_note_covers_no_coordinates(site: Site, open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(*size, reduced_motion="reduce")
    begin(page, site, "blokus-2027")
    page.locator("#message").evaluate(
        "note => { note.textContent = 'Das geht so nicht, und hier steht, warum. '.repeat(3); }"
    )
    note, board = page.locator("#message").bounding_box(), page.locator("#frame").bounding_box()
    is_above = note["y"] + note["height"] <= board["y"]
    assert is_above or note["x"] >= board["x"] + board["width"]


RECORD_PITCHES = """
window.pitches = [];
class Node { constructor() { this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    this.frequency = { setValueAtTime(pitch) { window.pitches.push(pitch); }, exponentialRampToValueAtTime() {} }; }
  connect(next) { return next; } start() {} stop() {} }
window.AudioContext = class { constructor() { this.state = "running"; this.currentTime = 0; }
  async resume() {} createOscillator() { return new Node(); } createGain() { return new Node(); } };
"""


@needs_engine
def test_a_win_is_celebrated_and_leads_to_the_next_level(site: Site, open_page: Open, keep: Keep) -> None:
    game, state, move = almost_won("ostseeschach-2022")
    page = open_page(reduced_motion="reduce")
    page.add_init_script(RECORD_PITCHES)
    page.goto(f"{site.base}/?position={quote(game.notation.format_state(state))}")
    page.get_by_label("Stärke").last.select_option("level1")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()
    board = page.locator("#frame").bounding_box()
    play_by_mouse(page, game, state, move)
    page.get_by_role("heading", name="Du hast gewonnen!").wait_for()
    assert page.locator("#frame").bounding_box() == board  # Nothing jumps.
    assert 1047 in page.evaluate("window.pitches")
    keep(page, "end-won")
    check_with_axe(page)
    assert page.locator(".after .primary").inner_text().strip() == "Weiter mit Stufe 2: Neuling"
    page.locator(".after .primary").click()
    page.locator(".status .mine").wait_for()
    expect(page.locator("#players")).to_contain_text("Neuling")


def test_a_defeat_sounds_different_and_leads_to_the_move_that_lost_it(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page()
    page.add_init_script(RECORD_PITCHES)
    begin(page, site, "ostseeschach-2022")
    move_somehow(page)
    page.locator("#moves li").nth(1).wait_for()
    page.locator(".status .mine").wait_for()
    table = site.web_app.tables.get(urlsplit(page.url).path.split("/")[-1])
    assert table is not None
    assert table.room is not None
    table.costliest[table.room.room_id] = 1  # As if the engine had found it.
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Aufgeben").click()
    page.get_by_role("heading", name="Du hast aufgegeben").wait_for()
    page.wait_for_function("window.pitches.includes(311)")
    assert 1047 not in page.evaluate("window.pitches")
    keep(page, "end-lost")
    check_with_axe(page)
    page.get_by_role("link", name="Dein teuerster Zug: Zug 1").click()
    expect(page.locator("#counter")).to_have_text("1 / 2")
    page.get_by_role("link", name="Von dort noch einmal").click()
    expect(page.get_by_role("heading", name="von dieser Stellung an")).to_be_visible()


def test_points_say_who_won_where_they_decide(site: Site, open_page: Open) -> None:
    game, state, move = almost_won("blokus-2027")
    page = open_page(reduced_motion="reduce")
    page.goto(f"{site.base}/?position={quote(game.notation.format_state(state))}")
    page.get_by_label("Stärke").last.select_option("random")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()
    play_by_mouse(page, game, state, move)
    page.get_by_role("heading", name="Du hast gewonnen!").wait_for()
    score = page.locator(".outcome .number").inner_text()
    own, other = map(int, score.split(" : "))
    assert own > other
    expect(page.locator("#status")).to_have_text(f"Mensch (Blau und Rot) gewinnt {score}")


def test_the_choice_of_a_computer_explains_itself(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page(390, 844)
    page.goto(site.base)
    choice = page.get_by_label("Stärke des Computers")
    names = {
        group.get_attribute("label"): [option.inner_text() for option in group.locator("option").all()]
        for group in choice.locator("optgroup").all()
    }
    assert [name.split(" · ")[0] for name in names["Stufen"]] == [*"12345678", "Großmeister"]
    assert {"random", "greedy", "student"} <= set(names["Programme"])
    assert max(len(name) for group in names.values() for name in group) < 30  # None is cut off on a phone.
    choice.select_option("level7")
    expect(page.get_by_text("Rechnet immer mit deiner Antwort.")).to_be_visible()
    choice.select_option("random")
    expect(page.get_by_text("Zieht irgendetwas.")).to_be_visible()
    keep(page, "opponents")
    check_with_axe(page)
