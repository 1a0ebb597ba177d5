"""The pages behind the log-in in a real browser: log in, upload, activate, challenge, news; pictures are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from playwright.sync_api import expect

from tests.support.contest_site import MEMBER, OTHER, PASSWORD, PROGRAM, ContestSite
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks

PLAYER = """
from spielleiter.client import play

print("Moin!")
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""
PAGES = {
    "ada": ("/contest/my", "/contest/my/encounters", f"/contest/my/programs/{PROGRAM}", "/contest/account"),
    "olga": (
        "/contest/organise",
        "/contest/organise/dates",
        "/contest/organise/teams",
        "/contest/organise/archive",
        "/contest/organise/rulings",
        "/contest/organise/people",
        "/contest/organise/news",
        "/contest/organise/audit",
    ),
}


def log_in(page: Any, contest: ContestSite, name: str) -> None:
    page.goto(f"{contest.base}/contest")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Passwort").fill(PASSWORD)
    page.get_by_role("button", name="Anmelden").click()


def test_a_member_logs_in_uploads_activates_and_challenges(
    real_contest: ContestSite, open_page: Open, keep: Keep, tmp_path: Path
) -> None:
    player = tmp_path / "player.py"
    player.write_text(PLAYER, encoding="utf-8")
    page = open_page()
    log_in(page, real_contest, "ada")
    page.wait_for_url("**/contest/my")
    expect(page.get_by_role("heading", name=MEMBER)).to_be_visible()
    page.get_by_label("Neues Programm hochladen").set_input_files(player)
    page.get_by_role("button", name="Hochladen und prüfen").click()
    page.wait_for_url("**/contest/my/check")
    keep(page, "contest-check")
    # Nobody reloads the page: the check comes by itself.
    page.get_by_role("link", name="Zum Ergebnis").click()
    expect(page.get_by_text("Moin!").first).to_be_visible()
    keep(page, "contest-program")
    page.get_by_role("button", name="Aktivieren").click()
    page.wait_for_url("**/contest/my")
    expect(page.get_by_role("status").filter(has_text=f"Programm {PROGRAM + 1}")).to_be_visible()
    page.get_by_label("Gegner").select_option(OTHER)
    page.get_by_role("button", name="Herausfordern").click()
    page.get_by_role("link", name="Ansehen").click()
    expect(page.get_by_role("link", name="Ausgabe von Spiel 2")).to_be_visible()
    keep(page, "contest-encounter")
    check_look(page, "light")
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url("**/contest/login")


def test_an_organiser_runs_the_season_invites_and_writes_news(
    fresh_contest: ContestSite, open_page: Open, keep: Keep
) -> None:
    page = open_page()
    log_in(page, fresh_contest, "olga")
    page.wait_for_url("**/contest/organise")
    page.get_by_role("button", name="Saison spielen").click()
    expect(page.get_by_text("Die Saison ist zu Ende")).to_be_visible()
    keep(page, "contest-season")
    page.get_by_role("link", name="Nachrichten").click()
    page.get_by_label("Deutsch: Titel").fill("Der Sieger steht fest")
    page.get_by_label("Deutsch: Text").fill("Danke an alle!")
    page.get_by_role("button", name="Veröffentlichen").click()
    expect(page.get_by_role("article")).to_contain_text("Danke an alle!")
    page.get_by_role("link", name="Personen").click()
    page.get_by_label("Mitglied von").select_option(OTHER)
    page.get_by_role("button", name="Link erzeugen").click()
    link = page.locator(".notice code").inner_text()
    keep(page, "contest-people")
    page.reload()
    expect(page.get_by_text(link)).to_have_count(0)  # It is shown once.

    other = open_page(390, 844)
    other.goto(link)
    other.get_by_label("Name, mit dem du dich anmeldest").fill("Grace")
    other.get_by_label("Passwort", exact=True).fill("ein guter langer Satz")
    other.get_by_label("Passwort wiederholen").fill("ein guter langer Satz")
    keep(other, "contest-invitation-phone")
    other.get_by_role("button", name="Konto anlegen").click()
    other.wait_for_url("**/contest/my")


@pytest.mark.parametrize("device", DEVICES)
def test_the_pages_fit_and_bar_nobody(contest: ContestSite, open_page: Open, keep: Keep, device: str) -> None:
    for name, paths in PAGES.items():
        page = open_page(**DEVICES[device])
        log_in(page, contest, name)
        page.wait_for_url("**/contest/*")
        for path in paths:
            page.goto(contest.base + path)
            for look in looks(page, device):
                keep(page, f"contest{path.replace('/contest', '').replace('/', '-')}-{look}")
                check_look(page, look)
                heights = page.evaluate(
                    "[...document.querySelectorAll('.members-nav a')].map((each) => each.offsetHeight)"
                )
                assert len(set(heights)) == 1, f"{path}, {look}: an entry of the menu breaks"


def test_everything_works_without_javascript(contest: ContestSite, open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    log_in(page, contest, "olga")
    page.wait_for_url("**/contest/organise")
    page.get_by_role("link", name="Nachrichten").click()
    page.get_by_label("English: Title").fill("Without scripts")
    page.get_by_label("English: Text").fill("Works without scripts.")
    page.get_by_role("button", name="Veröffentlichen").click()
    expect(page.get_by_text("Works without scripts.").first).to_be_visible()
    page.get_by_role("link", name="Personen").click()
    page.get_by_text("Entfernen").first.click()
    expect(page.get_by_role("button", name="Ja, so machen")).to_be_visible()
    page.get_by_role("button", name="Abmelden").click()
    page.wait_for_url("**/contest/login")
