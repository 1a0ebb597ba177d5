"""One visit to an exported folder in Chromium: played, learned, solved, programmed, with a web server and without."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from spielleiter import games
from spielleiter.game import MoveQuestion
from spielleiter.puzzles import all_puzzles
from spielleiter.workshop import assets
from spielleiter.workshop.export.site import export_workshop
from tests.support.night import sample
from tests.support.static_server import WAYS_OUT, StaticServer, counting_server
from tests.support.web_browser import DEVICES, Keep, Open, check_look, looks

KEY = "ostseeschach-2022"
GAME = games.load(KEY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, workshop_assets: Path) -> Path:
    """A web space with the export in a sub-folder."""
    space = tmp_path_factory.mktemp("web")
    (space / "~teacher").mkdir()
    export_workshop(space / "~teacher" / "spiele")
    return space


def click_move(page: Any, moves: int) -> None:
    """Play the first move that is offered, and wait until the list has so many."""
    page.locator(".cell.can").first.click()
    page.locator(".cell.target").first.click()
    expect(page.locator("#moves li").nth(moves - 1)).to_be_visible()


def play_to_the_end(page: Any) -> None:
    """By clicks on the board, until the game says how it ended."""
    for _ in range(80):
        expect(page.locator(".status .mine, #after .outcome").first).to_be_visible()
        if page.locator("#after .outcome").count():
            return
        moves = page.locator("#moves li").count()
        click_move(page, moves + 1)
    raise AssertionError("the game does not end")


def solve_puzzle(page: Any, base: str) -> None:
    puzzle = next(each for each in all_puzzles().values() if each.game.key == KEY and each.own_moves == 1)
    page.goto(f"{base}de/puzzle.html?at={puzzle.id}&stream=all.all")
    page.locator(".cell.can").first.wait_for()
    page.locator(".by-text summary").click()
    page.locator("#text").fill(puzzle.line.plies[0].text)
    page.locator("#typed button").click()
    expect(page.locator("#status")).to_have_text("Gelöst!")


def solve_exercise(page: Any, base: str) -> None:
    assert GAME.lesson is not None
    questions = GAME.lesson().questions
    number, question = next((n, q) for n, q in enumerate(questions, 1) if isinstance(q, MoveQuestion))
    page.goto(f"{base}de/learn-{KEY}-{number}.html")
    page.locator(".by-text summary").click()
    page.locator("#text").fill(GAME.notation.format_move(question.state, question.solutions()[0]))
    page.locator("#typed button").click()
    expect(page.locator("#feedback")).to_contain_text("Richtig!")


def run_player(page: Any, base: str) -> None:
    page.goto(f"{base}de/workshop-{KEY}.html")
    page.locator("#loading").wait_for(state="hidden")
    if page.locator("#tour-end").is_visible():
        page.locator("#tour-end").click()
    page.locator("#run").click()
    expect(page.get_by_text(re.compile("gewinnt|Unentschieden")).first).to_be_visible()


def test_a_folder_on_a_plain_web_server_works_and_goes_on_when_that_is_gone(
    folder: Path, open_page: Open, keep: Keep
) -> None:
    server = StaticServer(folder)
    base = f"{server.base}/~teacher/spiele/"
    page = open_page(1180, 820)
    try:
        page.goto(base)
        page.get_by_role("heading", name="Lust auf eine Runde?").wait_for()
        for look in looks(page, "computer"):
            check_look(page, look)
        page.get_by_label("Gegner").select_option("random")
        page.get_by_role("button", name=f"{GAME.title.de}: Gegen den Computer").click()
        page.locator(".cell.can").first.wait_for()
        check_look(page, "light")
        click_move(page, 2)
        page.locator("#back").click()
        expect(page.locator("#counter")).to_have_text("1 / 2")
        page.locator("#final").click()
        page.get_by_role("button", name="Zurücknehmen").click()
        expect(page.locator("#moves li")).to_have_count(0)
        play_to_the_end(page)
        keep(page, "export-table")

        expect(page.locator("[data-offline]")).to_be_visible()
    finally:
        server.end()

    # From here on nobody answers.
    page.reload()
    expect(page.locator("#after .outcome")).to_be_visible()
    page.get_by_role("button", name="Noch einmal spielen").click()
    page.locator(".cell.can").first.wait_for()
    click_move(page, 2)
    solve_exercise(page, base)
    solve_puzzle(page, base)
    keep(page, "export-puzzle")
    run_player(page, base)
    check_look(page, "light")
    page.goto(f"{base}de/learn.html")
    check_look(page, "light")
    page.set_viewport_size({name: DEVICES["phone"][name] for name in ("width", "height")})
    for name in sample(("index", "learn", f"learn-{KEY}", f"learn-{KEY}-1", "puzzles", f"workshop-{KEY}"), 2):
        page.goto(f"{base}de/{name}.html")
        check_look(page, "phone")
        keep(page, f"export-phone-{name}")

    reach_out(page, f"{base}de/learn-{KEY}-1.html")


def test_a_level_on_the_engine_answers_without_a_server(folder: Path, open_page: Open) -> None:
    found = assets.load()
    assert found is not None
    if assets.ENGINE not in found.files:
        pytest.skip("the engine was not built for browsers: make workshop")
    server = StaticServer(folder)
    page = open_page(1180, 820)
    try:
        page.goto(f"{server.base}/~teacher/spiele/en/index.html")
        assert page.get_by_label("Opponent").input_value() == "level2"
        expect(page.locator("[data-offline]")).to_be_visible()
    finally:
        server.end()
    page.get_by_role("button", name=f"{GAME.title.en}: Play the computer").click()
    page.locator(".cell.can").first.wait_for()
    expect(page.locator("#players")).to_contain_text("Level 2")
    click_move(page, 2)


def reach_out(page: Any, address: str) -> None:
    """What runs in the workers of a page reaches nobody, whatever it tries: there are no headers that could say so."""
    page.goto(address)
    page.locator("iframe").wait_for(state="attached")
    assert page.complaints == []
    with counting_server() as (target, asked):
        found = page.evaluate(
            """script => new Promise((resolve, reject) => {
                const blob = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
                const { Worker: Framed } = document.querySelector("iframe").contentWindow;
                const worker = new Framed(blob, { type: "module" });
                worker.onmessage = ({ data }) => resolve(data);
                worker.onerror = (event) => reject(new Error(event.message));
            })""",
            WAYS_OUT.format(target=target),
        )
        assert "open" not in found.values(), found
        assert asked == []
    page.goto("about:blank")
    page.complaints.clear()  # The browser says what it has refused.
