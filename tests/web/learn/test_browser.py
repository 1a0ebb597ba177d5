"""Exercises in Chromium: with the mouse, with the keyboard alone, with a finger, and what the browser remembers."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.web.conftest import Site


def click(page: Any, square: str) -> None:
    page.locator(f'.cell[data-square="{square}"]').click()


def test_exercises_are_solved_with_the_mouse_and_remembered(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page()
    page.goto(f"{site.base}/learn/piranhas-2026/1")
    click(page, "3,5")
    page.get_by_text("3 Fische auf dieser Linie").wait_for()
    click(page, "4,5")
    page.get_by_text("Richtig!").wait_for()
    check_with_axe(page)
    page.get_by_role("link", name="Weiter zu Übung 2").click()
    for square in ("5,5", "1,5", "5,7", "1,7", "5,3"):
        click(page, square)
    page.get_by_role("button", name="Prüfen").click()
    page.get_by_text("Ein Feld fehlt noch.").wait_for()
    click(page, "3,2")
    page.get_by_role("button", name="Prüfen").click()
    page.get_by_text("Richtig!").wait_for()
    page.goto(f"{site.base}/learn/piranhas-2026")
    assert page.locator(".try .solved").count() == 2
    check_with_axe(page)
    keep(page, "lesson-light")
    page.goto(f"{site.base}/learn")
    page.get_by_text("✓ 2 / 8").wait_for()
    check_with_axe(page)


def test_a_move_is_found_with_the_keyboard_alone(site: Site, open_page: Open) -> None:
    page = open_page(dark=True)
    page.goto(f"{site.base}/learn/piranhas-2026/4")
    page.locator('.cell[data-square="5,4"]').focus()
    page.keyboard.press("Enter")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.locator("#feedback").get_by_text("Guten Appetit!").wait_for()
    page.wait_for_function("document.activeElement.id === 'next'")


def test_a_piece_is_laid_where_the_rules_allow_it_and_the_others_say_why_not(site: Site, open_page: Open) -> None:
    page = open_page()
    page.goto(f"{site.base}/learn/blokus-2027/1")
    click(page, "10,10")
    page.get_by_text("Der erste Stein muss den Rand berühren").wait_for()
    click(page, "10,1")
    page.locator("#feedback").get_by_text("Ein guter Anfang!").wait_for()


@pytest.mark.parametrize("width", [390, 320])
def test_a_finger_solves_an_exercise_and_nothing_sticks_out_of_a_phone(site: Site, open_page: Open, width: int) -> None:
    page = open_page(width, 844, is_mobile=True, has_touch=True)
    for address in ("/learn", "/learn/blokus-2027", "/learn/blokus-2027/1", "/learn/piranhas-2026/1"):
        page.goto(site.base + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator('.cell[data-square="4,5"]').tap()
    page.get_by_text("Richtig!").wait_for()


def test_a_choice_needs_no_script(site: Site, open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{site.base}/learn/piranhas-2026/3")
    page.get_by_label("Auf dem Zielfeld ist ein Krake.").check()
    page.get_by_role("button", name="Prüfen").click()
    page.get_by_text("Richtig!").wait_for()


def test_task_and_board_are_in_sight_on_a_phone_held_sideways(site: Site, open_page: Open) -> None:
    page = open_page(844, 390, is_mobile=True, has_touch=True)
    for key in ("blokus-2027", "piranhas-2026"):
        page.goto(f"{site.base}/learn/{key}/2")
        task, board = page.locator(".task").bounding_box(), page.locator("#frame").bounding_box()
        assert board["y"] + board["height"] <= 390
        assert task["y"] < 390
        assert task["x"] >= board["x"] + board["width"]
