"""People play in Chromium: by mouse, finger, keyboard and notation."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter.game import PieceMoves, Team
from spielleiter.web.play.holders import AWAY_SECONDS
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.support.web_games import almost_won
from tests.web.conftest import Site

KEYS = ("piranhas-2026", "ostseeschach-2022", "blokus-2027", "pinguine-2023")


def begin(page: Any, site: Site, key: str) -> None:
    """Start a game against the computer from the start page."""
    page.goto(f"{site.base}/tables/new?game={key}")
    page.get_by_label("Stärke").last.select_option("random")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()


@pytest.mark.parametrize("key", KEYS)
def test_a_person_plays_and_wins_a_short_game(site: Site, open_page: Open, keep: Keep, key: str) -> None:
    game, state, move = almost_won(key)
    page = open_page()
    page.goto(f"{site.base}/?position={quote(game.notation.format_state(state))}")
    page.get_by_label("Stärke").last.select_option("random")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()
    play_by_mouse(page, game, state, move)
    page.locator(".status .over").wait_for()
    assert "Mensch" in page.inner_text("#status")
    assert "gewinnt" in page.inner_text("#status")
    for name in ("Aufgeben", "Tipp", "Legen"):  # Nothing is offered that nobody can do any more.
        assert not page.get_by_role("button", name=name).is_visible()
    assert page.locator(".after .button .icon").count() == page.locator(".after .button").count()
    keep(page, f"won-{key}")
    check_with_axe(page)
    page.get_by_role("button", name="Noch einmal spielen").click()
    page.locator(".status .mine").wait_for()
    assert page.locator("#moves li").count() == 0


def play_by_mouse(page: Any, game: Any, state: Any, move: Any) -> None:
    board_input = game.board_input
    if isinstance(board_input, PieceMoves):
        for square in board_input.move_squares(state, move):
            page.locator(f'.cell[data-square="{square[0]},{square[1]}"]').click()
        return
    page.locator(f'#tray [data-kind="{move.kind.name}"]').click()
    tile = next(tile for tile in board_input.tiles(state) if tile.name == move.kind.name)
    wanted = {(x - move.x, y - move.y) for x, y in move.cells}
    for _ in range(2):
        for _ in range(4):
            if place_ghost(page, tile, wanted, (move.x, move.y)):
                return
            page.keyboard.press("r")
        page.keyboard.press("f")
    raise AssertionError("the tile could not be turned as the move wants it")


def place_ghost(page: Any, tile: Any, wanted: set[tuple[int, int]], at: tuple[int, int]) -> bool:
    """Point so that the tile's box begins at ``at``; place it if it is turned as wanted."""
    width, height = (1 + max(cell[axis] for cell in wanted) for axis in (0, 1))
    spot = f"{at[0] + (width - 1) // 2},{at[1] + (height - 1) // 2}"
    page.locator(f'.cell[data-square="{spot}"]').hover()
    corner = page.locator('.cell[data-square="0,0"]')
    left, top = float(corner.get_attribute("x")), float(corner.get_attribute("y"))
    ghosts = page.evaluate(
        "[...document.querySelectorAll('.ghost')].map(g => [+g.getAttribute('x'), +g.getAttribute('y')])"
    )
    covered = {(round(x - left), round(y - top)) for x, y in ghosts}
    if covered != {(x + at[0], y + at[1]) for x, y in wanted}:
        return False
    page.locator(f'.cell[data-square="{spot}"]').click()
    return True


def test_a_chosen_fish_shows_its_targets_and_the_line_that_explains_them(
    site: Site, open_page: Open, keep: Keep
) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    page.locator(".cell.can").nth(3).click()
    targets = page.locator(".cell.target")
    assert targets.count() >= 1
    targets.first.hover()
    assert re.search(r"\d Fische? auf dieser Linie", page.inner_text("#message"))
    count = int(page.locator(".marks .count").first.text_content())
    assert page.locator(".marks .counted").count() >= 1
    assert count >= 1
    keep(page, "targets")


def test_an_illegal_try_says_which_rule(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    start = page.locator(".cell.can").first
    start.click()
    page.locator('.cell[data-square="4,5"]').click()
    page.locator(".message.refused").wait_for()
    assert re.search("Linie|schräg|Weg", page.inner_text("#message"))
    page.keyboard.press("Escape")
    page.locator('.cell[data-square="3,0"]').click()
    page.get_by_text("Der Fisch gehört dem Gegner.").first.wait_for()
    assert page.locator("#moves li").count() == 0


def test_a_figure_can_be_dragged(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    start = page.locator(".cell.can").first
    start.click()
    target = page.locator(".cell.target").first
    to = target.bounding_box()
    page.keyboard.press("Escape")
    start.hover()
    page.mouse.down()
    page.mouse.move(to["x"] + to["width"] / 2, to["y"] + to["height"] / 2, steps=5)
    piece, pointer = page.locator(".lifted").bounding_box(), target.bounding_box()
    assert (
        abs(piece["x"] + piece["width"] / 2 - pointer["x"] - pointer["width"] / 2) < 10
    )  # It is where the pointer is.
    page.mouse.up()
    page.locator("#moves li").first.wait_for()


def test_a_figure_can_be_dragged_by_a_finger(site: Site, open_page: Open) -> None:
    page = open_page(390, 844, has_touch=True, is_mobile=True)
    begin(page, site, "ostseeschach-2022")
    start = page.locator(".cell.can").nth(2)
    start.tap()
    to = page.locator(".cell.target").first.bounding_box()
    start.tap()
    box = start.bounding_box()
    fingers = page.context.new_cdp_session(page)
    for part in range(9):
        x = box["x"] + box["width"] / 2 + (to["x"] - box["x"]) * part / 8
        y = box["y"] + box["height"] / 2 + (to["y"] - box["y"]) * part / 8
        kind = "touchMove" if part else "touchStart"
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        page.wait_for_timeout(20)
    assert page.locator(".lifted").count() == 1
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator("#moves li").first.wait_for()


def test_a_move_that_does_not_arrive_is_reported(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    page.route("**/move", lambda route: route.abort())
    page.locator(".cell.can").nth(3).click()
    page.locator(".cell.target").first.click()
    page.get_by_text("Der Server antwortet nicht.").wait_for()
    page.wait_for_timeout(100)
    assert "refused" in page.locator("#message").get_attribute("class")
    page.complaints.clear()  # A browser complains about what did not arrive.


@pytest.mark.parametrize("key", ["piranhas-2026", "ostseeschach-2022"])
def test_the_keyboard_alone_is_enough_to_move(site: Site, open_page: Open, key: str) -> None:
    page = open_page()
    begin(page, site, key)
    page.locator(".cell[tabindex='0']").focus()
    first = page.evaluate("document.querySelector('.cell.can').dataset.square")
    walk(page, first)
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    target = page.evaluate("document.querySelector('.cell.target').dataset.square")
    walk(page, target)
    assert "möglich" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    page.locator("#moves li").first.wait_for()
    expect(page.locator("#say")).to_contain_text(" nach ")


def walk(page: Any, square: str) -> None:
    """Go to a square with the arrow keys."""
    for axis, keys in (("x", ("ArrowLeft", "ArrowRight")), ("y", ("ArrowUp", "ArrowDown"))):
        for _ in range(30):
            here, there = page.evaluate(
                "([axis, square]) => [+document.activeElement.getAttribute(axis),"
                " +document.querySelector(`.cell[data-square='${square}']`).getAttribute(axis)]",
                [axis, square],
            )
            if abs(here - there) < 0.5:
                break
            page.keyboard.press(keys[here < there])


def test_blokus_by_keyboard_ghost_reason_and_lay(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "blokus-2027")
    page.locator(".cell[tabindex='0']").focus()
    walk(page, "9,9")
    page.locator(".ghost.wrong").first.wait_for()
    page.get_by_text("Rand berühren").wait_for()
    page.keyboard.press("r")
    page.keyboard.press("f")
    for _ in range(9):
        page.keyboard.press("ArrowUp")
        if page.locator(".ghost:not(.wrong)").count():
            break
    assert page.locator(".ghost:not(.wrong)").count() == 5
    page.keyboard.press("Enter")
    page.locator("#moves li").first.wait_for()


def test_blokus_by_touch_lays_with_the_second_tap_or_the_button(site: Site, open_page: Open) -> None:
    page = open_page(390, 844, has_touch=True, is_mobile=True)
    begin(page, site, "blokus-2027")
    lay_by_finger(page)
    page.locator("#moves li").first.wait_for()
    page.locator(".status .mine").wait_for()
    page.get_by_role("button", name="Zurücknehmen").tap()
    expect(page.locator("#moves li")).to_have_count(0)
    page.locator(".status .mine").wait_for()
    lay_by_finger(page, by_button=True)
    page.locator("#moves li").first.wait_for()


def lay_by_finger(page: Any, *, by_button: bool = False) -> None:
    """Lay the first piece at the upper border, with a second tap or with the button."""
    # Whatever the shape, on one of these rows it touches the border; far apart, for a tap on a ghost does not move it.
    # News of the game may sweep it off the board again.
    for spot in 4 * ("9,1", "3,2", "15,0"):
        page.locator(f'.cell[data-square="{spot}"]').tap()
        if page.locator(".ghost:not(.wrong)").count():
            break
    expect(page.locator("#message")).to_have_text("Zum Legen noch einmal tippen.")
    assert page.locator("#moves li").count() == 0
    if by_button:
        page.get_by_role("button", name="Legen").tap()
    else:  # On the tile: a shape may have a hole where the first tap was.
        tile = page.locator(".ghost").first.bounding_box()
        page.touchscreen.tap(tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)


def test_taking_back_and_changing_sides(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "ostseeschach-2022")
    page.locator(".cell.can").first.click()
    page.locator(".cell.target").first.click()
    page.locator("#moves li").nth(1).wait_for()
    page.get_by_role("button", name="Zurücknehmen").click()
    expect(page.locator("#moves li")).to_have_count(0)
    page.locator(".status .mine").wait_for()
    page.locator(".cell.can").first.click()
    page.locator(".cell.target").first.click()
    page.locator("#moves li").nth(1).wait_for()
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Seiten tauschen").click()
    expect(page.locator("#moves li")).to_have_count(2)  # Nothing is lost by a wrong click.
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Seiten tauschen").click()
    expect(page.locator("#moves li")).to_have_count(1)
    assert "Blau" in page.inner_text("#status")


def test_giving_up_loses(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Aufgeben").click()
    page.locator(".status .over").wait_for()
    assert "random" in page.inner_text("#status")
    assert page.get_by_role("link", name="Aufzeichnung ansehen").is_visible()


def test_a_typed_move_is_played(site: Site, open_page: Open) -> None:
    page = open_page()
    begin(page, site, "piranhas-2026")
    page.get_by_text("Zug eintippen").click()
    page.get_by_label("Zug in Notation").fill("nonsense")
    page.get_by_role("button", name="Ziehen").click()
    page.locator(".message.refused").wait_for()
    page.get_by_label("Zug in Notation").fill("A1 RIGHT")
    page.get_by_role("button", name="Ziehen").click()
    page.locator("#moves li").first.wait_for()


def test_one_click_on_the_start_page_begins_a_game_and_the_choices_are_remembered(site: Site, open_page: Open) -> None:
    page = open_page()
    page.goto(site.base)
    page.get_by_label("Dein Name").fill("Zoë")
    page.get_by_label("Stärke des Computers").select_option("random")
    page.locator(".board-button[value$='piranhas-2026']").click()
    page.locator(".status .mine").wait_for()
    assert "Zoë" in page.inner_text("#players")
    page.goto(site.base)
    assert page.get_by_label("Dein Name").input_value() == "Zoë"
    assert page.get_by_label("Stärke des Computers").input_value() == "random"


def test_two_friends_at_two_devices_play_each_other(site: Site, open_page: Open, keep: Keep) -> None:
    ada, grace = open_page(), open_page(390, 844, has_touch=True, is_mobile=True)
    ada.goto(site.base)
    ada.get_by_label("Dein Name").fill("Ada")
    ada.get_by_role("button", name="Piranhas 2026: Mit Freunden").click()
    link = ada.locator("#invite-1").inner_text()
    keep(ada, "invite")
    check_with_axe(ada)
    grace.goto(link)
    keep(grace, "invitation")
    check_with_axe(grace)
    grace.get_by_label("Dein Name").fill("Grace")
    grace.get_by_role("button", name="Mitspielen").tap()
    ada.locator(".status .mine").wait_for()
    ada.locator(".cell.can").nth(3).click()
    ada.locator(".cell.target").first.click()
    grace.locator(".status .mine").wait_for()
    grace.locator(".cell.can").nth(3).tap()
    grace.locator(".cell.target").first.tap()
    expect(ada.locator("#moves li")).to_have_count(2)
    table = site.web_app.tables.get(urlsplit(ada.url).path.split("/")[-1])
    assert table is not None
    grace.goto("about:blank")
    for _ in range(100):  # The stream of the page that is gone may still end, as a sign of the browser.
        table.holders[Team.TWO].seen = time.monotonic() - 2 * AWAY_SECONDS
        if Team.TWO in table.away:
            break
        ada.wait_for_timeout(100)
    ada.get_by_role("heading", name="Grace ist nicht mehr da").wait_for()
    keep(ada, "friend-away")
    check_with_axe(ada)
    ada.get_by_role("button", name="Spiel als gewonnen beenden").click()
    expect(ada.locator("#status")).to_contain_text("Grace ist nicht wiedergekommen")
