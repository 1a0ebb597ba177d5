"""The pupil: learns the rules, plays the computer, takes back, loses, looks at the report, and plays on from there."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.night import by_day
from tests.support.terminal import Terminal
from tests.support.web_browser import Open

MINE = ".status .mine"


def move(page: Any, number: int) -> tuple[str, str]:
    """Move with the first piece that can, once it is the pupil's turn after ``number`` moves; where from and to."""
    expect(page.locator("#moves li")).to_have_count(number)
    page.locator(MINE).wait_for()
    start = page.locator(".cell.can").first
    start.click()
    target = page.locator(".cell.target").first
    squares = str(start.get_attribute("data-square")), str(target.get_attribute("data-square"))
    target.click()
    return squares


def repeat(page: Any, squares: tuple[str, str]) -> None:
    page.locator(MINE).wait_for()
    for square in squares:
        page.locator(f'.cell[data-square="{square}"]').click()


@pytest.mark.parametrize("key", by_day(["ostseeschach-2022", "piranhas-2026"], ["ostseeschach-2022"]))
def test_a_pupil_learns_plays_takes_back_loses_reads_the_report_and_plays_on(
    terminal: Terminal, open_page: Open, key: str
) -> None:
    page = open_page(locale="de-DE")
    page.goto(terminal.pages("--records games"))
    page.get_by_role("link", name="Lernen").first.click()
    page.locator(f'a[href="/learn/{key}"]').first.click()
    expect(page.locator("h1")).to_contain_text(re.compile("Ostseeschach|Piranhas"))

    page.goto(page.url.split("/learn")[0])
    page.get_by_label("Stärke des Computers").select_option("greedy")
    page.locator(f'button.primary[value="built-in {key}"]').click()
    move(page, 0)
    second = move(page, 2)
    for _ in range(2):  # Taking back more than once is as good as once.
        expect(page.locator("#moves li")).to_have_count(4)
        page.locator(MINE).wait_for()
        page.get_by_role("button", name="Zurücknehmen").click()
        expect(page.locator("#moves li")).to_have_count(2)
        repeat(page, second)
    expect(page.locator("#moves li")).to_have_count(4)
    expect(page.locator(".message.refused")).to_have_count(0)
    page.locator(MINE).wait_for()

    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Aufgeben").click()
    expect(page.locator(".status .over")).to_contain_text("gewinnt")
    expect(page.locator("#players")).to_contain_text("gibt auf")
    expect(page.get_by_role("button", name="Aufgeben")).to_be_hidden()

    page.get_by_role("link", name="Auswertung").click()
    expect(page.locator("h1")).to_contain_text("Auswertung")
    expect(page.locator("#times")).to_contain_text("Genauigkeit")
    page.get_by_role("link", name="Zum Spiel").click()
    expect(page.locator("#moves li")).to_have_count(4)  # The whole game, though moves were taken back.
    page.get_by_role("link", name="Von hier weiterspielen").click()
    page.get_by_role("button", name="Los geht’s").click()
    first = move(page, 0)
    expect(page.locator("#moves li")).to_have_count(2)
    page.locator(MINE).wait_for()
    page.get_by_role("button", name="Zurücknehmen").click()
    expect(page.locator("#moves li")).to_have_count(0)
    repeat(page, first)
    expect(page.locator("#moves li")).to_have_count(2)

    page.goto(page.url.split("/table")[0] + "/watch")
    expect(page.locator("#finished")).to_contain_text("gibt auf")
    expect(page.locator("#finished")).not_to_contain_text("abgebrochen")  # Those games go on.
