"""The report of a match in a real browser, from a file: choosing and walking through games, every size, axe."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the browser's fixtures belong to the pages")

from playwright.sync_api import expect

from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.summary import summarise
from spielleiter.pages.match_report import write_report
from tests.matches.test_match import players
from tests.pages.match_report.test_report import GAME, match_rows
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a match with hostile texts in it."""
    folder = tmp_path_factory.mktemp("match")
    plan, rows = MatchPlan(game=GAME, entrants=players("ada", "bob"), games=6), match_rows(folder)
    return write_report(folder, plan, rows, summarise(plan, rows), language="de")


def test_games_are_filtered_chosen_and_walked_through(report: Path, open_page: Open) -> None:
    page = open_page()
    page.goto(f"file://{report}")
    page.locator("#board svg").wait_for()
    counter = page.locator("#counter")
    last = page.locator("#moves li").count()
    expect(counter).to_have_text(f"{last} / {last}")
    page.keyboard.press("Home")
    expect(counter).to_have_text(f"0 / {last}")
    page.get_by_role("button", name="Ein Zug vor").click()
    expect(counter).to_have_text(f"1 / {last}")
    expect(page.locator("#moves li.now")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#rows [aria-current=true]")).to_contain_text("1v2-00001b")
    page.get_by_label("Filtern").fill("abgestürzt")
    expect(page.locator("#rows li")).to_have_count(1)
    page.locator("#rows button").click()
    expect(page.locator("#details .log").first).to_contain_text("<script>alert(1)</script>")


@pytest.mark.parametrize("device", DEVICES)
def test_the_report_looks_as_it_should(report: Path, open_page: Open, keep: Keep, device: str) -> None:
    page = open_page(**DEVICES[device])
    page.goto(f"file://{report}")
    page.locator("#board svg").wait_for()
    for look in looks(page, device):
        keep(page, f"match-report-{look}")
        check_look(page, look)
