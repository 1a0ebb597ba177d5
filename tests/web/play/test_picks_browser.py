"""A move that is a chain of picks, in Chromium: a cell, then things beside the board, and why others cannot follow."""

from __future__ import annotations

from urllib.parse import quote

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter.game.drawing import square_key
from spielleiter.games import game_of
from spielleiter.games.hase_und_igel.board_input import HaseUndIgelInput
from spielleiter.games.hase_und_igel.drawing import SQUARES
from tests.support.hase_und_igel_positions import position
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.web.conftest import Site


def test_a_chain_of_cards_is_played_pick_by_pick(site: Site, open_page: Open, keep: Keep) -> None:
    state = position("3:30:5:HE:-", "32:30:5:-:-")
    page = open_page()
    page.goto(f"{site.base}/?position={quote(game_of(state).notation.format_state(state))}")
    page.get_by_label("Stärke").last.select_option("random")
    page.get_by_role("button", name="Los geht’s").click()
    page.locator(".status .mine").wait_for()
    check_with_axe(page)
    message = page.locator("#message")
    names = [button.get_attribute("data-pick") for button in page.locator("#tray [data-pick]").all()]
    assert names == [thing.name for thing in HaseUndIgelInput().things(state)]

    def thing(name: str) -> None:
        page.locator(f'#tray [data-pick="{name}"]').click()

    thing("eat-salad")  # A card comes after the field.
    expect(message).to_contain_text("zuerst das Feld")
    page.locator(f'.cell[data-square="{square_key(SQUARES[32])}"]').click()
    expect(message).to_contain_text("R6")  # It is too far, and the other hare is there.
    field = page.locator(f'.cell[data-square="{square_key(SQUARES[4])}"]')
    field.click()
    page.get_by_role("button", name="Esc Zurück").click()
    expect(page.locator("[aria-selected=true]")).to_have_count(0)
    field.click()
    thing("hurry-ahead")
    keep(page, "chain-of-picks")
    thing("swap-carrots")
    expect(message).to_have_text("Diese Karte hat der Hase nicht (R8).")
    assert page.locator("#moves li").count() == 0
    thing("eat-salad")
    expect(page.locator("#moves li").first).to_contain_text("Feld 4, Vor, Salat")
    # Both hares stand where the picture shows them; only the one that moved last can be found by a script.
    expect(page.locator("#moves li")).to_have_count(2)
    assert page.locator("#board [data-at]").count() == 1
