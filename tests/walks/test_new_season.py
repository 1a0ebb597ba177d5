"""The organiser who never opens a terminal again: a season from nothing to its first standings, on the pages alone."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.terminal import Terminal
from tests.support.web_browser import Open, check_with_axe
from tests.walks.test_organiser import PASSWORD, table

TEAMS = "Team;Schule;Gruppe;Programm;Reserve\r\nMöwenschreck;Käthe-Kollwitz-Schule;;random;\r\n{}Platz 3;;;;x\r\n"


def test_a_season_without_the_command_line_from_nothing_to_its_first_standings(
    terminal: Terminal, open_page: Open
) -> None:
    # The file does not exist: the pages lead to the form, and nothing is written before its last button.
    base = terminal.pages("--season cup/season.toml").removesuffix("/contest/new")
    file = terminal.folder / "cup" / "season.toml"
    page = open_page(locale="en-GB")
    page.goto(base)
    expect(page.get_by_role("heading", name="New season")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Class cup")
    page.get_by_label("Game", exact=True).select_option("piranhas-2026")
    page.get_by_label("Games an encounter").fill("2")
    page.get_by_role("checkbox", name="Final").uncheck()
    page.get_by_label("First matchday").locator("visible=true").fill("2027-03-08T18:00")
    # A list as Excel writes it, with a row that is no team: all of it is refused, with the line.
    teams = {"name": "teams.csv", "mimeType": "text/csv", "buffer": TEAMS.format(";nobody;;\r\n").encode("cp1252")}
    page.get_by_label("or a spreadsheet").set_input_files(teams)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 3: The name of the team is missing")
    check_with_axe(page)
    page.get_by_label("One team in a line").fill(TEAMS.format("Kieler Sprotten;;;random;\r\n"))
    page.get_by_role("button", name="Next").click()
    expect(
        page.get_by_text("Championship: 3 matchdays, 2 games an encounter, 2027-03-08 18:00 to 2027-03-22")
    ).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    check_with_axe(page)
    assert not file.exists()
    page.get_by_role("button", name="Create the season").click()
    page.get_by_label("Name you log in with").fill("olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Class cup")).to_be_visible()
    assert 'name = "Class cup"' in file.read_text(encoding="utf-8")

    # A team comes late, and takes the place that was kept for it; what that means is said before.
    page.get_by_role("link", name="Teams", exact=True).click()
    check_with_axe(page)
    page.get_by_label("Name of the team").fill("Late birds")
    page.get_by_role("button", name="Give the place").click()
    expect(page.get_by_text("Late birds takes the place of Platz 3")).to_be_visible()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_role("row", name="Late birds")).to_contain_text("none yet")

    # Nobody wants to wait until March: the dates go.
    page.get_by_role("link", name="Dates", exact=True).click()
    check_with_axe(page)
    for day in range(1, 4):
        page.get_by_label(f"Championship, Matchday {day}").fill("")
    page.get_by_role("button", name="Next: what changes").click()
    expect(page.get_by_text("matchday 2: as soon as it is its turn (before: 2027-03-15, 18:00)")).to_be_visible()
    page.get_by_role("button", name="Yes, do it").click()
    page.get_by_role("link", name="Season", exact=True).click()
    page.get_by_role("button", name="Run the season").click()
    expect(page.get_by_text("The season is over").first).to_be_visible()

    # Every visitor arrives at the contest, and finds the standings there.
    visitor = open_page(locale="en-GB")
    visitor.goto(base)
    assert visitor.url == f"{base}/season"
    visitor.goto(f"{base}/season/phase/championship")
    rows = table(visitor)
    assert {row["Team"].splitlines()[0] for row in rows} == {"Möwenschreck", "Kieler Sprotten", "Late birds"}
    assert sum(int(row["W"]) + int(row["D"]) + int(row["L"]) for row in rows) == 12
    assert rows[-1]["Team"].splitlines()[0] == "Late birds"

    # The season is proved and saved on the pages, and the backup is a season of its own.
    page.get_by_role("link", name="Archive").click()
    page.get_by_role("button", name="Prove the season").click()
    expect(page.get_by_text("Season proved: 2 games replayed, 3 encounters and 1 standings")).to_be_visible()
    page.get_by_role("button", name="Write a backup").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    check_with_axe(page)
    download.value.save_as(terminal.folder / "copy.db")
    assert "Late birds" in terminal.run("spielleiter contest standings --store copy.db")
