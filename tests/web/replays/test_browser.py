"""Recorded games in Chromium."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter.games import load
from spielleiter.records.history import History, RecordedMove
from spielleiter.records.writer import write_record
from tests.support.web_browser import Keep, Open, check_with_axe
from tests.support.web_games import resigned_game, wrong_move
from tests.web.conftest import Site


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    return resigned_game(site, "piranhas-2026", 6)


def test_a_film_is_downloaded_as_soon_as_it_is_made_and_again_at_once(
    site: Site, open_page: Open, finished: str
) -> None:
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}")
    for _ in range(2):
        with page.expect_download() as download:
            page.locator("#gif").click()
        assert download.value.suggested_filename.endswith(".gif")
    expect(page.locator("#gif")).to_have_text("GIF")
    expect(page.locator("#counter")).to_have_text("6 / 6")  # The page has not been left.


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
    # On a phone held sideways all controls are in one row below the board, without scrolling.
    page.set_viewport_size({"width": 844, "height": 390})
    bottoms = page.evaluate(
        "[...document.querySelectorAll('#scrub > *')].filter((each) => each.offsetWidth > 2)"
        ".map((each) => each.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) == 7
    assert max(bottoms) - min(bottoms) < 20
    assert max(bottoms) <= 390
    keep(page, "replay-sideways")


def test_the_curve_of_a_report_leads_to_the_position(site: Site, open_page: Open, keep: Keep, finished: str) -> None:
    if site.web_app.analyst.why_unavailable(load("piranhas-2026")) is not None:
        pytest.skip("the native engine is not built")
    page = open_page()
    page.goto(f"{site.base}/replay/{finished}/report")
    page.locator("#report progress").wait_for(state="detached", timeout=60000)
    page.locator('.curve [data-ply="2"]').click()
    expect(page.locator("#counter")).to_have_text("2 / 6")
    expect(page.locator('.curve .now[data-ply="2"]')).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#counter")).to_have_text("3 / 6")
    expect(page.locator('.curve .now[data-ply="3"]')).to_have_count(1)
    bar = page.locator('.chart [data-ply="5"]').bounding_box()
    page.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] - 5)  # Beside the bar, which may be as low as a line.
    expect(page.locator("#counter")).to_have_text("5 / 6")
    keep(page, "report")
    check_with_axe(page)


def test_a_link_to_a_ply_scrolls_to_that_ply(site: Site, open_page: Open) -> None:
    game = load("blokus-2027")
    state, moves = game.new_state(Random(1)), []
    for ply in range(40):
        move = state.legal_moves()[0]
        moves.append(RecordedMove(ply, state.turn, state.to_move, game.notation.format_move(state, move)))
        state = state.play(move)
    start = game.notation.format_state(game.new_state(Random(1)))
    record = History(game_key=game.key, id="long", start=start, names=("Ada", "Grace"), moves=tuple(moves))
    write_record(record, site.records / "long.jsonl")
    page = open_page(1280, 500)
    page.goto(f"{site.base}/replay/long.jsonl/20")
    assert page.locator("#players .clock").all_inner_texts() == ["gesamt –", "gesamt –"]  # Nobody measured.
    row, box = page.locator("#moves .now").bounding_box(), page.locator("#moves").bounding_box()
    assert page.locator("#moves").evaluate("list => list.scrollHeight > list.clientHeight")
    assert box["y"] <= row["y"]
    assert row["y"] + row["height"] <= box["y"] + box["height"]


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


@pytest.mark.parametrize("dark", [False, True])
def test_why_a_game_was_lost_can_be_read_by_everybody(site: Site, open_page: Open, dark: bool) -> None:
    page = open_page(dark=dark)
    page.goto(f"{site.base}/replay/{wrong_move(site)}/fault")
    check_with_axe(page, "dark" if dark else "light")
