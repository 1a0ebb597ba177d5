"""What people do with the pages, in a real browser: play, win, watch, walk through replays; by mouse, keys, touch."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import expect

from spielleiter import games
from spielleiter.game import PieceMoves, Team
from spielleiter.web.play.people import Person
from spielleiter.web.play.tables import Kind, Seating
from spielleiter.web.replays import endings
from spielleiter.web.replays.endings import ProgramEnd
from tests.support.web_games import almost_won, wrong_move
from tests.web.conftest import Site

Open = Callable[..., Any]
Keep = Callable[[Any, str], None]
AXE = Path(__file__).parent / "vendor" / "axe-4.14.0.min.js"
KEYS = ("piranhas-2026", "ostseeschach-2022", "blokus-2027")


def begin(page: Any, site: Site, key: str) -> None:
    """Start a game against the computer from the start page."""
    page.goto(f"{site.base}/?game={key}")
    page.get_by_label("Stärke").last.select_option("random")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()


def check_with_axe(page: Any) -> None:
    """No serious barrier for anybody. The script comes from the test, so the page's policy is not asked."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    serious = [
        f"{found['id']}: {found['nodes'][0]['html'][:200]} {found['nodes'][0]['failureSummary']}"
        for found in found["violations"]
        if found["impact"] in ("serious", "critical")
    ]
    assert serious == []


# --- playing ----------------------------------------------------------------------------------------------------------


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
    keep(page, f"won-{key}")
    check_with_axe(page)
    page.get_by_role("button", name="Noch einmal, gleicher Start").click()
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
    assert page.locator(".marks .drag").count() == 1
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
    assert page.locator(".marks .drag").count() == 1
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.locator("#moves li").first.wait_for()


def test_a_move_that_does_not_arrive_is_told(site: Site, open_page: Open) -> None:
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


def test_blokus_by_touch_lays_with_the_second_tap(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page(390, 844, has_touch=True, is_mobile=True)
    begin(page, site, "blokus-2027")
    # Whatever the shape, somewhere along the border it fits.
    for spot in ("9,1", "9,2", "9,0"):
        page.locator(f'.cell[data-square="{spot}"]').tap()
        if page.locator(".ghost:not(.wrong)").count():
            break
    assert page.locator("#moves li").count() == 0
    keep(page, "phone-blokus")
    page.locator(f'.cell[data-square="{spot}"]').tap()
    page.get_by_role("button", name="Legen").tap() if page.locator("#moves li").count() == 0 else None
    page.locator("#moves li").first.wait_for()


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


# --- watching ---------------------------------------------------------------------------------------------------------


def persons(site: Site, key: str) -> Any:
    """A table with people on both sides, so that a test can make the moves."""
    game = games.load(key)
    seats = (Seating(Kind.PERSON, "Ada"), Seating(Kind.PERSON, "Grace"))
    return site.open_table(game, seats, game.new_state(Random(3)))


def move_on_server(site: Site, table: Any) -> None:
    tables = site.web_app.tables
    site.do(lambda: tables.move(table, len(tables.plies(table)), lambda state: state.legal_moves()[0]))


def test_a_live_view_follows_a_running_game(site: Site, open_page: Open, keep: Keep) -> None:
    table = persons(site, "piranhas-2026")
    room = table.room.room_id
    page, wall, projector = open_page(), open_page(), open_page(1920, 1080)
    page.goto(f"{site.base}/watch/{room}")
    wall.goto(f"{site.base}/watch")
    projector.goto(f"{site.base}/projector")
    move_on_server(site, table)
    page.locator("#moves li").first.wait_for()
    wall.get_by_text("Zug 2").first.wait_for()
    move_on_server(site, table)
    page.locator("#moves li").nth(1).wait_for()
    keep(page, "watch-one")
    keep(wall, "watch")
    keep(projector, "projector")
    for each in (page, wall, projector):
        check_with_axe(each)
    site.do(lambda: site.web_app.tables.resign(table))
    page.locator(".status .over").wait_for()
    site.do(lambda: site.web_app.tables.close(table))


def test_the_one_who_started_it_can_pause_step_and_cancel(site: Site, open_page: Open) -> None:
    table = persons(site, "ostseeschach-2022")
    page = open_page()
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    page.get_by_role("button", name="Anhalten").click()
    page.get_by_role("button", name="Ein Zug").wait_for()
    move_on_server(site, table)  # The request was out before the pause.
    page.locator("#moves li").first.wait_for()
    with pytest.raises(Exception, match="paused"):
        move_on_server(site, table)
    page.get_by_role("button", name="Ein Zug").click()
    page.wait_for_timeout(200)
    move_on_server(site, table)
    page.get_by_role("button", name="Weiter").click()
    page.get_by_role("button", name="Anhalten").wait_for()
    page.get_by_role("button", name="Abbrechen").click()
    page.locator(".status .over").wait_for()
    assert "abgebrochen" in page.inner_text("#status")
    site.do(lambda: site.web_app.tables.close(table))


def test_a_lost_connection_is_told_and_mended(site: Site, open_page: Open) -> None:
    table = persons(site, "piranhas-2019")
    page = open_page()
    broken = [True]
    page.route("**/events*", lambda route: route.abort() if broken[0] else route.continue_())
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    expect(page.locator("#lost")).to_be_visible()
    broken[0] = False
    move_on_server(site, table)
    page.locator("#moves li").first.wait_for()
    expect(page.locator("#lost")).to_be_hidden()
    page.complaints.clear()  # A browser complains about the broken stream.
    site.do(lambda: site.web_app.tables.close(table))


def test_what_came_before_the_script_was_there_is_not_missed(site: Site, open_page: Open) -> None:
    game = games.load("piranhas-2026")
    seats = (Seating(Kind.PERSON, "Ada"), Seating(Kind.JOINS, "Bot"))
    table = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(3))))
    page, held = open_page(), []
    page.route("**/play.js", lambda route: held.append(route))
    page.goto(f"{site.base}/table/{table.key}", wait_until="commit")
    page.get_by_text("--reservation").wait_for()
    while not held:
        page.wait_for_timeout(20)
    guest = site.do(lambda: Person(game, site.web_app.tables.address, table.room.codes[1]))
    site.do(guest.sit_down)
    page.locator(".status .mine").wait_for()
    held[0].continue_()
    page.locator(".cell.can").first.wait_for()
    site.do(guest.leave)
    site.do(lambda: site.web_app.tables.close(table))


def test_a_server_that_is_busy_for_a_while_loses_no_page(site: Site, open_page: Open) -> None:
    table = persons(site, "piranhas-2019")
    page, busy = open_page(), [True]
    page.route("**/events*", lambda route: route.fulfill(status=503) if busy[0] else route.continue_())
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    expect(page.locator("#lost")).to_be_visible()
    page.evaluate("window.stillHere = true")
    move_on_server(site, table)
    busy[0] = False
    page.locator("#moves li").first.wait_for()
    expect(page.locator("#lost")).to_be_hidden()
    assert page.evaluate("window.stillHere")
    page.complaints.clear()  # A browser complains about the broken stream.
    site.do(lambda: site.web_app.tables.close(table))


def test_news_disturb_neither_who_reads_the_moves_nor_who_uses_the_keyboard(site: Site, open_page: Open) -> None:
    table = persons(site, "blokus-2027")
    for _ in range(20):
        move_on_server(site, table)
    page = open_page()
    page.goto(f"{site.base}/watch/{table.room.room_id}")
    page.evaluate("document.getElementById('moves').scrollTop = 0")
    page.get_by_role("button", name="Anhalten").focus()
    move_on_server(site, table)
    expect(page.locator("#moves li")).to_have_count(21)
    assert page.evaluate("document.getElementById('moves').scrollTop") == 0
    assert page.evaluate("document.activeElement.textContent") == "Anhalten"
    site.do(lambda: site.web_app.tables.close(table))


# --- replays ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    """The key of the record of a finished game that was given up after six moves."""
    table = persons(site, "piranhas-2026")
    for _ in range(6):
        move_on_server(site, table)
    room = table.room.room_id
    site.do(lambda: site.web_app.tables.resign(table))
    site.do(lambda: site.web_app.tables.close(table))
    key = site.web_app.library.of_room(room)
    assert key is not None
    return key


def test_a_replay_scrubs_plays_and_links(site: Site, open_page: Open, keep: Keep, finished: str) -> None:
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}")
    assert page.inner_text("#counter") == "6 / 6"
    page.keyboard.press("Home")
    expect(page.locator("#counter")).to_have_text("0 / 6")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#counter")).to_have_text("1 / 6")
    assert page.url.endswith("/1")
    page.locator("#slider").fill("4")
    expect(page.locator("#counter")).to_have_text("4 / 6")
    keep(page, "replay")
    check_with_axe(page)
    before = page.inner_text("#notation")
    page.locator("#speed").select_option("160")
    page.locator("#auto").click()
    expect(page.locator("#counter")).to_have_text("6 / 6")
    assert page.inner_text("#notation") != before
    page.locator("#moves a").nth(1).click()
    expect(page.locator("#counter")).to_have_text("2 / 6")


def test_play_on_from_here_starts_in_that_position(site: Site, open_page: Open, finished: str) -> None:
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}/3")
    notation = page.inner_text("#notation")
    page.get_by_role("link", name="Von hier weiterspielen").click()
    assert page.locator("input[name=position]").input_value() == notation
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()
    assert "Blau" in page.inner_text("#status")  # TWO is to move after three plies, and the person is.


def test_a_record_opens_by_upload_and_a_broken_one_says_what_is_wrong(
    site: Site, open_page: Open, finished: str, tmp_path: Path
) -> None:
    page = open_page()
    page.goto(f"{site.base}/replays")
    page.get_by_label("Eine Datei öffnen").set_input_files(site.records / finished)
    page.get_by_role("button", name="Öffnen", exact=True).click()
    page.locator("#slider").wait_for()
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"event":"start","game":"halma-1999"}\n')
    page.goto(f"{site.base}/replays")
    page.get_by_label("Eine Datei öffnen").set_input_files(broken)
    page.get_by_role("button", name="Öffnen", exact=True).click()
    page.get_by_text("lässt sich nicht öffnen").first.wait_for()
    page.complaints.clear()  # The status of the error page.


def test_replays_are_readable_without_javascript(site: Site, open_page: Open, finished: str) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{site.base}/replay/{finished}/2")
    page.locator("#forward").click()
    assert page.url.endswith("/3")
    assert page.locator("#board svg").count() == 1
    assert page.locator("#moves a").count() == 6


# --- how it looks -----------------------------------------------------------------------------------------------------

SIZES = {
    "light": {"width": 1280, "height": 860},
    "dark": {"width": 1280, "height": 860, "dark": True},
    "phone": {"width": 390, "height": 844, "is_mobile": True, "has_touch": True},
    "projector": {"width": 1920, "height": 1080},
}


@pytest.fixture(scope="module")
def exhibits(site: Site, finished: str) -> Iterator[dict[str, str]]:
    """The addresses of pages on which there is something to see, by the names of their pictures."""
    rng = Random(5)
    tables = {key: persons(site, key) for key in games.all_games() if not key.endswith("-official")}
    for table in tables.values():
        for _ in range(16):
            ply = len(site.web_app.tables.plies(table))
            site.do(
                lambda table=table, ply=ply: site.web_app.tables.move(table, ply, lambda s: rng.choice(s.legal_moves()))
            )
    game = games.load("piranhas-2026")
    seats = (Seating(Kind.PERSON, "Ada"), Seating(Kind.JOINS, "Mein Programm"))
    waiting = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(3))))
    fault = wrong_move(site)
    endings.keep(site.records / fault, {Team.ONE: ProgramEnd(1, 23 << 20, "Hallo", "Traceback …\nValueError: LEFT")})
    yield {
        "start": "/", "start-position": f"/?position={quote(game.notation.format_state(game.new_state(Random(2))))}",
        "watch": "/watch", "projector": "/projector", "replays": "/replays", "replay": f"/replay/{finished}/3",
        "watch-one": f"/watch/{tables['blokus-2027'].room.room_id}", "fault": f"/replay/{fault}/fault",
        "report": f"/replay/{finished}/report", "waiting": f"/table/{waiting.key}", "problem": "/no-such-page",
        **{f"table-{key}": f"/table/{table.key}" for key, table in tables.items()},
    }  # fmt: skip
    for table in (*tables.values(), waiting):
        site.do(lambda table=table: site.web_app.tables.close(table))


@pytest.mark.parametrize("look", SIZES)
def test_every_page_looks_right_and_has_no_barrier(
    site: Site, open_page: Open, keep: Keep, exhibits: dict[str, str], look: str
) -> None:
    page = open_page(**SIZES[look])
    for name, path in exhibits.items():
        page.goto(site.base + path)
        if name == "report" and page.locator("#report").count():
            page.locator(".losses tbody tr").nth(5).wait_for()
        keep(page, f"{name}-{look}")
        check_with_axe(page)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"
    page.complaints[:] = [said for said in page.complaints if "404" not in said]  # The page that is not there.


def test_the_first_page_is_small_and_there_within_a_second(site: Site, open_page: Open) -> None:
    page = open_page()
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    page.goto(site.base + "/")
    assert sum(sizes) > 5_000
    assert sum(sizes) < 150_000
    usable = page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
    assert usable < 1000


def test_a_player_called_script_is_only_a_name(site: Site, open_page: Open) -> None:
    game = games.load("piranhas-2026")
    name = "<script>alert(1)</script>"
    seats = (Seating(Kind.PERSON, name), Seating(Kind.PERSON, '"><img src=x onerror=alert(2)>'))
    table = site.open_table(game, seats, game.new_state(Random(3)))
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail("a name was run as a script"))
    for path in (f"/table/{table.key}", f"/watch/{table.room.room_id}", "/watch"):
        page.goto(site.base + path)
        page.get_by_text(name).first.wait_for(state="attached")
    move_on_server(site, table)
    page.wait_for_timeout(200)
    assert table.person_teams() == (Team.ONE, Team.TWO)
    site.do(lambda: site.web_app.tables.close(table))
