"""Puzzles in Chromium: solved with the mouse, the keyboard and a finger; refuted on the board; and counted."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from spielleiter.puzzles import Attempt, Progress, Puzzle, all_puzzles, daily_puzzle
from tests.puzzles.test_attempt import wrong_move
from tests.support.played import needs_engine
from tests.support.web_browser import RECORD_SOUNDS, Keep, Open, check_with_axe
from tests.web.conftest import Site

LONG, SHORT, TILES = (
    next(puzzle for puzzle in all_puzzles().values() if puzzle.game.family == family and len(puzzle.solution) == length)
    for family, length in (("ostseeschach", 3), ("piranhas", 1), ("blokus", 1))
)


def squares(attempt: Attempt, move: Any) -> list[Any]:
    board_input = attempt.puzzle.game.board_input
    assert board_input is not None
    return [f"{x},{y}" for x, y in board_input.move_squares(attempt.state, move)]


def play(page: Any, attempt: Attempt, move: Any) -> Attempt:
    for square in squares(attempt, move):
        page.locator(f'.cell[data-square="{square}"]').click()
    return attempt.play(move)


def open_puzzle(page: Any, site: Site, puzzle: Puzzle) -> Attempt:
    page.goto(f"{site.base}/puzzles/{puzzle.id}?stream={puzzle.game.key}.all")
    page.locator(".status .mine").wait_for()
    return Attempt.begin(puzzle)


@needs_engine
def test_a_wrong_move_is_refuted_on_the_board_and_the_right_ones_are_counted(
    site: Site, open_page: Open, keep: Keep
) -> None:
    page = open_page()
    page.add_init_script(RECORD_SOUNDS)
    attempt = open_puzzle(page, site, LONG)
    play(page, attempt, wrong_move(attempt))
    page.get_by_text("So nicht").first.wait_for()
    assert page.locator("#moves li").count() == 2
    keep(page, "puzzle-wrong")
    check_with_axe(page)
    page.get_by_role("link", name="Noch einmal").click()
    page.locator(".status .mine").wait_for()
    attempt = play(page, attempt, attempt.right_move)
    page.get_by_text("Richtig! Und jetzt?").first.wait_for()
    play(page, attempt, attempt.right_move)
    page.get_by_text("Gelöst!").first.wait_for()
    assert page.locator("[data-count=run]").inner_text() == "0", "the first move was wrong"
    check_with_axe(page)
    attempt = open_puzzle(page, site, SHORT)
    play(page, attempt, attempt.right_move)
    page.get_by_text("Gelöst!").first.wait_for()
    page.wait_for_function("window.sounds.length >= 4")  # The move, and three notes because it is solved.
    page.wait_for_function("document.activeElement.textContent.trim() === 'Nächstes Rätsel'")
    page.reload()
    assert page.locator("[data-count=run]").inner_text() == "1", "a puzzle counts once"
    page.goto(f"{site.base}/puzzles")
    assert page.locator("[data-count=solved]").inner_text() == "2"
    assert page.locator(f'[data-stream="{SHORT.game.key}.all"]').get_attribute("href").endswith(f"&after={SHORT.id}")
    keep(page, "puzzles")
    check_with_axe(page)


def test_a_puzzle_is_solved_with_the_keyboard_alone_and_its_solution_ends_a_streak(
    site: Site, open_page: Open, keep: Keep
) -> None:
    page = open_page(dark=True)
    attempt = open_puzzle(page, site, SHORT)
    for square in squares(attempt, attempt.right_move):
        page.locator(f'.cell[data-square="{square}"]').focus()
        page.keyboard.press("Enter")
    page.get_by_text("Gelöst!").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: SHORT.id not in url)
    page.locator(".status .mine").wait_for()
    assert page.locator("[data-count=run]").inner_text() == "1"
    page.get_by_role("link", name="Lösung zeigen").click()
    page.get_by_role("link", name="Weiter").click()
    keep(page, "puzzle-solution-dark")
    check_with_axe(page)
    page.goto(f"{site.base}/puzzles")
    assert page.locator("[data-count=run]").inner_text() == "0"
    assert page.locator("[data-count=best]").inner_text() == "1"


@pytest.mark.parametrize("width", [390, 320])
def test_nothing_sticks_out_of_a_phone_and_a_finger_solves_a_puzzle(
    site: Site, open_page: Open, keep: Keep, width: int
) -> None:
    page = open_page(width, 844, is_mobile=True, has_touch=True)
    for address in ("/puzzles", f"/puzzles/{TILES.id}", f"/puzzles/{TILES.id}/solution/0", f"/puzzles/{SHORT.id}"):
        page.goto(site.base + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        keep(page, f"puzzle-phone-{width}-{address.replace('/', '-')}")
    attempt = Attempt.begin(SHORT)
    for square in squares(attempt, attempt.right_move):
        page.locator(f'.cell[data-square="{square}"]').tap()
    page.get_by_text("Gelöst!").first.wait_for()


def test_without_storage_puzzles_work_and_nothing_is_counted(site: Site, open_page: Open) -> None:
    page = open_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } })")
    attempt = open_puzzle(page, site, SHORT)
    play(page, attempt, attempt.right_move)
    page.get_by_text("Gelöst!").first.wait_for()
    assert page.locator("[data-count=run]").inner_text() == "0"


def test_the_puzzle_of_the_day_counts_for_its_day_also_if_it_was_solved_before(site: Site, open_page: Open) -> None:
    page, puzzle = open_page(), daily_puzzle(date.today())
    assert puzzle is not None
    page.goto(f"{site.base}/puzzles")
    yesterday = (date.today() - timedelta(days=1)).isoformat()
    memory = {"run": 1, "best": 1, "solved": {puzzle.id: 1}, "days": 3, "lastDay": yesterday}
    page.evaluate("memory => localStorage.setItem('puzzles', JSON.stringify(memory))", memory)
    attempt = Attempt.begin(puzzle)
    while attempt.progress is Progress.OPEN:
        attempt = attempt.play(attempt.right_move)
    page.goto(f"{site.base}/puzzles/{puzzle.id}/{'.'.join(map(str, attempt.own))}")
    page.goto(f"{site.base}/puzzles")
    assert page.locator("[data-count=days]").inner_text() == "4"
    assert page.locator("[data-count=run]").inner_text() == "1"


def test_board_and_words_of_a_puzzle_are_in_sight_on_a_phone_held_sideways(site: Site, open_page: Open) -> None:
    page = open_page(844, 390, is_mobile=True, has_touch=True)
    for puzzle in (TILES, SHORT):
        open_puzzle(page, site, puzzle)
        status, board = page.locator("#status").bounding_box(), page.locator("#frame").bounding_box()
        assert status["y"] + status["height"] <= board["y"] + 1
        assert board["y"] + board["height"] <= 390
