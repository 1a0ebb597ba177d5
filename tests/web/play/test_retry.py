"""Finding the better move in the position in which a game was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Text
from spielleiter.web.analysis.reports import BetterMove
from tests.support.web_browser import DEVICES, Keep, Open, check_look
from tests.support.web_games import move_first, open_table, post
from tests.web.conftest import Site


@pytest.fixture
def lost(site: Site) -> Iterator[Any]:
    """A table at which the first move should have been the third one of the list."""
    table = open_table(site, "ostseeschach-2022")
    better = table.start.legal_moves()[2]
    move_first(site, table)
    reason = Text("Ein Grund.", "A reason.")
    table.better[table.live.room_id] = BetterMove(1, better, (better,), (reason,))
    yield table
    site.do(lambda: site.web_app.tables.close(table))


def test_the_better_move_is_right_any_other_one_is_not_and_an_illegal_one_is_explained(site: Site, lost: Any) -> None:
    address, notation = f"/table/{lost.key}/better", lost.game.notation
    texts = [notation.format_move(lost.start, move) for move in lost.start.legal_moves()[:3]]
    for text in texts[:2]:
        assert post(site, f"{address}/move", text=text).json() == {
            "ok": False, "text": "There is a better move. Try again."
        }  # fmt: skip
    illegal = post(site, f"{address}/move", text="a5-a6").json()
    assert not illegal["ok"]
    assert illegal["text"] != "There is a better move. Try again."
    answer = post(site, f"{address}/move", text=texts[2]).json()
    assert answer["ok"]
    assert "Right!" in answer["update"]["parts"]["feedback"]
    assert "A reason." in answer["update"]["parts"]["feedback"]
    assert httpx.get(f"{site.base}{address}/try", params={"text": texts[0]}).json()["ok"]


def test_it_works_without_a_script_and_shows_the_solution(site: Site, lost: Any) -> None:
    address, better = f"{site.base}/table/{lost.key}/better", lost.start.legal_moves()[2]
    text = lost.game.notation.format_move(lost.start, better)
    assert "Right!" in httpx.get(address, params={"text": text}).text
    assert "Not a valid move" in httpx.get(address, params={"text": "nonsense"}).text
    solution = f"<strong>Solution:</strong> {lost.game.move_text(lost.start, better).en}"
    assert solution not in httpx.get(address).text
    assert solution in httpx.get(address, params={"solution": "1"}).text


def test_without_a_puzzle_there_is_no_page(site: Site, lost: Any) -> None:
    lost.better.clear()
    for path in ("better", "better/try"):
        assert httpx.get(f"{site.base}/table/{lost.key}/{path}").status_code == 404
    assert post(site, f"/table/{lost.key}/better/move", text="a1-a2").status_code == 404


def test_a_lost_position_is_tried_again_on_the_board(site: Site, lost: Any, open_page: Open, keep: Keep) -> None:
    page = open_page(**DEVICES["phone"])
    page.goto(f"{site.base}/table/{lost.key}/better")
    check_look(page, "phone")
    keep(page, "better-phone")
    wrong, right = lost.start.legal_moves()[0], lost.start.legal_moves()[2]
    for move, shown in ((wrong, "Es gibt einen besseren Zug."), (right, "Richtig!")):
        for x, y in (move.start, move.target):
            page.locator(f'.cell[data-square="{x},{y}"]').click()
        page.get_by_text(shown).wait_for()
        if move is wrong:
            page.reload()
    keep(page, "better-found-phone")
    page.get_by_role("link", name="Von hier weiterspielen").click()
    page.get_by_role("heading", name="von dieser Stellung an").wait_for()
