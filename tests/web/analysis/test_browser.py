"""The analysis board in Chromium."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter import games
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.support.web_games import resigned_game
from tests.web.conftest import Site


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    if site.web_app.analyst.why_unavailable(games.load("piranhas-2026")) is not None:
        pytest.skip("the native engine is not built")
    return resigned_game(site, "piranhas-2026", 6)


def test_a_ply_of_a_replay_is_analysed_by_mouse_and_keyboard(
    site: Site, open_page: Open, keep: Keep, finished: str
) -> None:
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}/3")
    page.get_by_role("link", name="Analysebrett").click()
    expect(page.locator("#counter")).to_have_text("3 / 6")
    expect(page.locator("#engine")).to_contain_text("Tiefe")
    expect(page.locator("#lines li")).to_have_count(3)
    expect(page.locator("#evaluation svg")).to_have_count(1)
    keep(page, "analysis")
    check_with_axe(page)
    before = page.text_content("#notation")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#counter")).to_have_text("4 / 6")
    assert page.text_content("#notation") != before
    expect(page.locator("#lines li")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#counter")).to_have_text("3 / 6")
    # A line of the engine becomes a variation.
    page.locator("#lines li").nth(1).locator("button").first.click()
    expect(page.locator("#moves .now")).to_have_class("side now")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#counter")).to_have_text("4 / 6")
    expect(page.locator("#moves .now")).to_have_class("now")


def test_a_variation_is_played_kept_shared_by_link_and_deleted(site: Site, open_page: Open, finished: str) -> None:
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}/analysis?at=0")
    page.locator(".cell.can").first.click()
    target = page.locator(".cell.target").last
    target.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#moves .now.side")).to_have_count(1)
    move = page.locator("#moves .now b").inner_text()
    assert "tree=0%3A" in page.url
    board = page.text_content("#notation")
    other = open_page()
    other.goto(page.url)
    expect(other.locator("#moves .now b")).to_have_text(move)
    assert other.text_content("#notation") == board
    other.locator("#moves .alternative").click()  # Back to what was played.
    expect(other.locator("#counter")).to_have_text("1 / 6")
    expect(other.locator("#moves .alternative")).to_have_text(move)
    page.get_by_role("button", name="Variante löschen").click()
    expect(page.locator("#counter")).to_have_text("0 / 6")
    assert "tree" not in page.url


def test_tiles_are_placed_on_the_analysis_board(site: Site, open_page: Open, keep: Keep) -> None:
    game = games.load("blokus-2027")
    if site.web_app.analyst.why_unavailable(game) is not None:
        pytest.skip("the native engine is not built")
    state = game.new_state(Random(1))
    for _ in range(8):
        state = state.play(state.legal_moves()[-1])
    page = open_page(390, 844, dark=True)
    page.goto(f"{site.base}/analysis?position={game.notation.format_state(state)}")
    page.locator("#lines button").first.click()
    expect(page.locator("#counter")).to_have_text("1 / 1")
    expect(page.locator("#tray [role=button]").first).to_be_visible()
    keep(page, "analysis-tiles")
    check_with_axe(page)


def test_on_a_phone_held_sideways_the_analysis_board_and_its_controls_fit(site: Site, open_page: Open) -> None:
    page = open_page(844, 390, is_mobile=True, has_touch=True)
    page.goto(f"{site.base}/analysis?game=ostseeschach-2022")
    page.wait_for_function(
        """() => {
            const [board, last] = ["#board svg", "#final"].map((name) => document.querySelector(name));
            return board?.getBoundingClientRect().height >= 220 && last?.getBoundingClientRect().bottom <= 390;
        }"""
    )


def test_a_position_is_set_up_by_hand_and_then_analysed(site: Site, open_page: Open, keep: Keep) -> None:
    page = open_page()
    page.goto(f"{site.base}/analysis/edit?game=piranhas-2026")
    page.locator('.cell[data-square="5,4"]').click()  # A seventeenth fish.
    expect(page.locator("#message")).to_contain_text("Rot hat nur 16 Fische, hier sind 17 (R1).")
    expect(page.locator(".marks .stamped")).to_have_text("S")
    expect(page.locator("#analyse")).to_have_class("button small primary disabled")
    page.get_by_label("leeren", exact=True).check()
    page.locator('.cell[data-square="0,4"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_have_text("Rot ist am Zug.")
    expect(page.locator(".marks .stamped")).to_have_count(0)
    page.get_by_label("Gespielte Züge").fill("7")
    expect(page.locator("#message")).to_have_text("Blau ist am Zug.")
    keep(page, "editor")
    check_with_axe(page)
    notation = page.locator("#position").input_value()
    page.locator("#position").fill("blokus-2027 20 0")
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.locator("#message")).to_contain_text("aus Blokus 2027")
    page.locator("#position").fill(notation)
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.locator("#message")).to_have_text("Blau ist am Zug.")
    page.get_by_role("link", name="Analysieren").click()
    expect(page.locator("#notation")).to_have_text(notation)
    expect(page.locator("#status")).to_contain_text("Blau ist am Zug.")
