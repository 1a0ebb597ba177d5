"""A class in real browsers: the host's page, the projector, and two phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

httpx = pytest.importorskip("httpx")

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter import games
from spielleiter.web.classroom.book import ClassSettings
from spielleiter.workshop.files import contest_zip
from spielleiter.workshop.starter import first_player
from tests.support.web_browser import DEVICES, Open, check_look
from tests.web.conftest import Site

GAME = "ostseeschach-2022"


def join(page: Any, site: Site, code: str, name: str) -> None:
    page.goto(site.base)
    page.get_by_label("Code vom Beamer").fill(code.lower())
    page.get_by_role("button", name="Weiter").tap()
    page.get_by_label("Dein Name").fill(name)
    page.get_by_role("button", name="Platz nehmen").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Hallo {name}!")


def row(host: Any, name: str) -> Any:
    """The row of somebody in the list of people."""
    return host.locator("#class-people tr").filter(has=host.get_by_role("rowheader", name=name))


def test_host_projector_and_two_phones(serve: Callable[..., Site], open_page: Open, tmp_path: Path) -> None:
    site = serve(classroom=ClassSettings(folder=tmp_path / "class", game=GAME))
    host, projector, ada, ben = (open_page(), open_page(1280, 720), *(open_page(**DEVICES["phone"]) for _ in range(2)))
    host.goto(site.running.address("/class/host"))
    projector.goto(site.running.address("/projector"))
    code = projector.locator(".class-code").inner_text()
    for page, name in ((ada, "Ada"), (ben, "Ben")):
        join(page, site, code, name)
        expect(host.locator("#class-people")).to_contain_text(name)
        expect(projector.locator(".class-names")).to_contain_text(name)
    check_look(projector, "light")
    check_look(ada, "phone")

    # A position for all, with a move on the board; the answer is an arrow on the projector.
    host.get_by_label("Stellung", exact=True).check()
    host.locator("#minutes").fill("5")
    host.get_by_role("button", name="Stellen").click()
    expect(projector.locator(".class-timer")).to_contain_text(re.compile(r"[45]:\d\d"))
    ada.locator("#class-bar").get_by_role("link", name="Los").tap()
    expect(row(host, "Ada")).to_contain_text("denkt über die Stellung nach")
    ada.locator(".cell.can").first.tap()
    ada.locator(".cell.target").first.tap()
    expect(ada.locator("#status")).to_contain_text("Deine Antwort")
    expect(host.locator("#class-task")).to_contain_text("1 von 2 haben geantwortet")
    check_look(ada, "phone")
    expect(projector.locator(".class-timer")).to_be_visible()
    host.get_by_role("button", name="Antworten zeigen").click()
    expect(projector.locator(".class-progress li")).to_have_count(1)
    expect(ada.locator("#position-over")).to_contain_text("Die Zeit für diese Aufgabe ist um.")
    expect(ada.get_by_text("kannst du sie noch ändern")).to_be_hidden()
    check_look(projector, "light")

    # A round: both come to one table by the bar, wherever they are.
    host.get_by_role("button", name="Alle paaren").click()
    expect(projector.locator(".class-pairs li")).to_have_count(1)
    for page in (ada, ben):
        page.locator("#class-bar").get_by_role("link", name="Zum Tisch").tap()
        page.locator(".overlay .cell").first.wait_for()
    first, second = (ada, ben) if ada.locator(".status .mine").count() else (ben, ada)
    first.locator(".cell.can").first.tap()
    first.locator(".cell.target").first.tap()
    expect(second.locator("#moves li")).to_have_count(1)
    expect(row(host, "Ada")).to_contain_text("spielt gegen Ben")
    check_look(host, "light")
    host.emulate_media(color_scheme="dark")
    check_look(host, "dark")
    host.get_by_role("button", name="1 : 0").click()
    expect(host.locator("#class-round")).to_contain_text("zu Ende")
    host.get_by_role("button", name="Tabelle", exact=True).click()
    expect(projector.locator(".class-table tbody tr")).to_have_count(2)

    # A name is removed: the device is led to the entrance and told why.
    ada.locator(".class-who a").evaluate("link => link.click()")
    expect(ada.get_by_role("heading", level=1)).to_have_text("Hallo Ada!")
    row(host, "Ben").get_by_role("link").click()
    check_look(host, "light")
    host.get_by_role("button", name="Entfernen").click()
    expect(ben.get_by_role("alert")).to_contain_text("hat deinen Namen entfernt")
    expect(projector.locator(".class-table tbody tr")).to_have_count(1)
    ben.complaints.clear()  # His browser says that his table is gone.


@pytest.mark.sandbox
def test_a_player_written_in_the_workshop_is_handed_in_and_plays_for_the_class(
    serve: Callable[..., Site], workshop_assets: Path, open_page: Open, tmp_path: Path
) -> None:
    site = serve(classroom=ClassSettings(folder=tmp_path / "class", game=GAME))
    host, projector, ada, ben = (
        open_page(),
        open_page(1280, 720),
        *(open_page(1180, 820, has_touch=True) for _ in "ab"),
    )
    host.goto(site.running.address("/class/host"))
    projector.goto(site.running.address("/projector"))
    code = projector.locator(".class-code").inner_text()
    join(ada, site, code, "Ada")
    join(ben, site, code, "Ben")

    ada.goto(f"{site.base}/workshop/{GAME}")
    ada.locator("#loading").wait_for(state="hidden")
    ada.locator("#tour-end").tap()
    ada.locator(".cm-content").tap()
    ada.keyboard.press("Control+End")
    ada.keyboard.insert_text("\n# Ada was here\n")
    ada.locator("#files summary").tap()
    ada.locator("#hand-in").tap()
    expect(ada.locator("#share-result")).to_contain_text("Abgegeben")
    expect(host.locator("#class-tournament")).to_contain_text("1 abgegeben, 1 haben ihr Probespiel geschafft")
    [stored] = (tmp_path / "class").rglob("*.zip")
    with ZipFile(stored) as packed:
        assert any(b"# Ada was here" in packed.read(name) for name in packed.namelist())

    # The other one is a file, so that somebody plays against it.
    other = contest_zip("ben", games.load(GAME), "de", first_player(games.load(GAME), "de"))
    cookies = {cookie["name"]: cookie["value"] for cookie in ben.context.cookies()}
    answer = httpx.post(f"{site.base}/class/player", files={"program": ("ben.zip", other)}, cookies=cookies, timeout=60)
    assert answer.status_code in (200, 303), answer.text
    expect(host.locator("#class-tournament")).to_contain_text("2 haben ihr Probespiel geschafft")
    host.locator("#tournament-minutes").fill("1")
    host.get_by_role("button", name="Planen").click()
    host.get_by_role("button", name="Beginnen").click()
    expect(projector.get_by_text("Endstand")).to_be_visible(timeout=240_000)
    ada.goto(f"{site.base}/class/result")
    expect(ada.locator("main")).to_contain_text("Ben")
