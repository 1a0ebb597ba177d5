"""The hall: a projector and a phone follow a whole final, and name the winner that the pages name."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.played import needs_engine
from tests.support.terminal import Terminal
from tests.support.web_browser import Open

SEASON = """
[season]
name = "The final in the hall"
game = "ostseeschach-2022"
seed = 1
games = 2
time = 6
in_process = true
[championship]
qualify = 2
[final]
games = 2
cap = 2
[[teams]]
name = "Kieler Sprotten"
player = "student:seed=1"
[[teams]]
name = "Bitschubser"
player = "student:seed=2"
"""
REMEMBER = """
addEventListener("DOMContentLoaded", () => {
  const seen = window.seen = new Set();
  const look = () =>
    document.querySelectorAll(".stage-head p, .status").forEach((each) => seen.add(each.innerText.trim()));
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
});
"""
"""Whoever looks at a screen remembers what was written there."""


def moves_seen(page: Any) -> set[int]:
    """The numbers of the moves that were on the screen while they were played."""
    texts = page.evaluate("[...window.seen]")
    return {int(found[1]) for text in texts if (found := re.search(r"^Move (\d+)", text))}


@needs_engine
def test_projector_and_phone_follow_a_final_and_show_its_winner(terminal: Terminal, open_page: Open) -> None:
    (terminal.folder / "season.toml").write_text(SEASON, encoding="utf-8")
    terminal.run("spielleiter contest run --until championship")
    # Thinks for half a second: the games last long enough for the pages to find them on a busy machine, too.
    terminal.run("spielleiter contest submit Bitschubser club:hash=1 --activate")
    base = terminal.pages("--season season.toml").rstrip("/")
    screen, phone = both = open_page(1920, 1080, locale="en-GB"), open_page(390, 844, locale="en-GB")
    for page, address in ((screen, "/projector"), (phone, "/phone")):
        page.add_init_script(REMEMBER)
        page.goto(base + address)
        for team in ("Kieler Sprotten", "Bitschubser"):
            expect(page.get_by_text(team).first).to_be_visible()

    terminal.run("spielleiter contest run")
    for page in both:
        expect(page.locator(".stage-winner h2")).to_be_visible()
        assert len(moves_seen(page)) >= 3

    pages = open_page(locale="en-GB")
    pages.goto(f"{base}/season")
    winner = pages.locator(".podium .place-1 a").inner_text()
    for page in both:
        expect(page.locator(".stage-winner h2")).to_have_text(winner)
    pages.goto(f"{base}/season/bracket")
    expect(pages.locator(".final-places li").first).to_contain_text(winner)
    expect(pages.locator(".bracket .winner .who")).to_contain_text(winner)
