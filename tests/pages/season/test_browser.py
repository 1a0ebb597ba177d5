"""The site in a real browser, from a folder: walking through a game, the bracket, every page in every size, axe."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the browser's fixtures belong to the pages")

from playwright.sync_api import expect

from spielleiter.contest.run.contest import Contest
from tests.support.season_site import write_site
from tests.support.web_browser import DEVICES, Keep, Open, check_look, check_with_axe, looks

PAGES = (
    "index", "phase-championship", "bracket", "schedule", "day-2", "encounter-6", "game-12", "teams", "team-1",
    "rating", "rulings", "news",
)  # fmt: skip


def test_the_start_chooses_the_language_of_the_browser(site: Path, open_page: Open) -> None:
    page = open_page()
    page.goto(f"file://{site}/index.html")
    page.wait_for_url("**/de/index.html")
    page.get_by_role("link", name="English").click()
    page.wait_for_url("**/en/index.html")
    page.get_by_role("link", name="Championship", exact=True).first.click()
    page.get_by_role("link", name="Deutsch").click()
    page.wait_for_url("**/de/phase-championship.html")
    other = open_page(locale="fr-FR")
    other.goto(f"file://{site}/index.html")
    other.wait_for_url("**/en/index.html")


def test_a_game_can_be_walked_through(site: Path, open_page: Open) -> None:
    page = open_page()
    page.goto(f"file://{site}/de/encounter-6.html")
    page.get_by_role("link", name="Spiel 2 ansehen").click()
    counter = page.locator("#counter")
    expect(counter).to_have_text("60 / 60")
    pictures = {page.locator("#board svg").inner_html()}
    page.keyboard.press("Home")
    expect(counter).to_have_text("0 / 60")
    pictures.add(page.locator("#board svg").inner_html())
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Ein Zug vor").click()
    expect(counter).to_have_text("2 / 60")
    expect(page.locator("#moves li.now")).to_have_count(1)
    pictures.add(page.locator("#board svg").inner_html())
    page.locator("#moves li").nth(9).click()
    expect(counter).to_have_text("10 / 60")
    assert page.url.endswith("#10")
    pictures.add(page.locator("#board svg").inner_html())
    assert len(pictures) == 4
    page.reload()
    expect(counter).to_have_text("10 / 60")
    page.get_by_role("button", name="Abspielen").click()
    expect(counter).to_have_text("11 / 60")
    page.get_by_role("button", name="Anhalten").click()
    page.keyboard.press("End")
    expect(counter).to_have_text("60 / 60")


def test_without_a_script_board_and_moves_can_be_read(site: Path, open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"file://{site}/de/game-12.html")
    board = page.locator("#board pre").inner_text()
    assert "A B C D E F G H I J" in board
    assert page.locator("#moves li").count() == 60
    assert not page.locator("#scrub").is_visible()
    page.goto(f"file://{site}/index.html")
    page.get_by_role("link", name="Deutsch").click()
    assert "alert(1)" in page.inner_text("main")


def test_the_bracket_leads_to_the_final(site: Path, open_page: Open) -> None:
    page = open_page()
    page.goto(f"file://{site}/de/bracket.html")
    assert page.locator(".round").count() == 3
    assert page.locator(".round").first.locator(".tie").count() == 4
    final = page.locator(".round.last .tie")
    winner = final.locator(".winner .who bdi").inner_text()
    final.click()
    assert winner in page.locator(".scoreboard .winner").inner_text()
    assert "Finale" in page.locator(".crumbs").inner_text()


BROKEN_NAMES = """[...document.querySelectorAll(".fixture bdi, .standings bdi")]
    .filter((each) => /^\\S{1,14}$/.test(each.textContent) && each.getClientRects().length > 1)
    .map((each) => each.textContent)"""
"""Names of one word that does not fit beside a result or in a table."""


@pytest.mark.parametrize("device", DEVICES)
def test_every_page_looks_as_it_should(site: Path, open_page: Open, keep: Keep, device: str) -> None:
    page = open_page(**DEVICES[device])
    for name in PAGES:
        page.goto(f"file://{site}/de/{name}.html")
        if name.startswith("game"):
            page.locator("#board svg").wait_for()
        for look in looks(page, device):
            keep(page, f"contest-{name}-{look}")
            check_look(page, look)
            assert not page.evaluate(BROKEN_NAMES), f"{name}, {look}: a name breaks within a word"


def test_a_season_in_the_middle_looks_as_it_should(
    halfway: Contest,
    tmp_path: Path,
    open_page: Open,
    keep: Keep,
) -> None:
    write_site(halfway, tmp_path / "site")
    page = open_page()
    for name in ("index", "bracket", "phase-championship", "day-4"):
        page.goto(f"file://{tmp_path}/site/en/{name}.html")
        keep(page, f"contest-halfway-{name}")
        check_with_axe(page)
    page.goto(f"file://{tmp_path}/site/en/bracket.html")
    assert "Winner of semi-final 1" in page.inner_text("main")
