"""The class: thirty pupils start at once, some against the computer and some in pairs, and one device falls asleep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.event_streams import first_message
from tests.support.terminal import Terminal
from tests.support.web_browser import Open

GAME = "ostseeschach-2022"
ALONE, PAIRS = 8, 10
"""Pupils who play the computer, and pairs; two more have real browsers. The computers are a process each."""
NO_FILES = {"upload1": ("", b""), "upload2": ("", b"")}
"""What the form of the pages sends for files that nobody has chosen."""
PATIENCE = 120.0


def test_thirty_start_at_once_pair_up_and_one_device_sleeps(terminal: Terminal, open_page: Open) -> None:
    home = terminal.pages("--records games").rstrip("/")
    ada, ben = open_page(), open_page(390, 844, has_touch=True, is_mobile=True)
    ada.goto(home)
    together = Barrier(ALONE + PAIRS + 1)

    def set_up(me: Any, form: dict[str, str]) -> str:
        """The address of the new table; on a school's Wi-Fi everybody has begun to send before anybody is done."""
        request = me.build_request("POST", "/tables", data=form, files=NO_FILES)
        body = request.read()

        def halves() -> Iterator[bytes]:
            yield body[: len(body) // 2]
            together.wait()
            yield body[len(body) // 2 :]

        answer = me.post("/tables", content=halves(), headers={"content-type": request.headers["content-type"]})
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"])

    def pupil(number: int) -> str:
        """What a pupil reads after a move and its answer; those who are not alone have a friend beside them."""
        with (
            httpx.Client(base_url=home, timeout=PATIENCE) as me,
            httpx.Client(base_url=home, timeout=PATIENCE) as friend,
        ):
            kind = "built-in" if number < ALONE else "friend"
            form = {"name1": f"Pupil {number}", "kind1": "person", "level2": "random", "play": f"{kind} {GAME}"}
            table = set_up(me, form)
            if kind == "friend":
                found = re.search(r"/invite/[\w-]+", me.get(table).text)
                assert found is not None
                friend.get(found[0])
                answer = friend.post(found[0], data={"name": "Friend"})
                assert answer.status_code == 303, answer.text
            move(me, table, 0)
            if kind == "friend":
                move(friend, table, 1)
            until(me, table, 2)
            return str(me.get(table).text)

    with ThreadPoolExecutor(ALONE + PAIRS) as pupils:
        pages = [pupils.submit(pupil, number) for number in range(ALONE + PAIRS)]
        together.wait()
        ada.get_by_role("button", name="Ostseeschach 2022: Mit Freunden").click()
        ben.goto(ada.locator("#invite-1").inner_text())
        ben.get_by_label("Dein Name").fill("Ben")
        ben.get_by_role("button", name="Mitspielen").tap()
        ada.locator(".status .mine").wait_for()

        ben.locator(".overlay .cell").first.wait_for()  # The page is complete, with its scripts.
        ben.context.set_offline(True)
        expect(ben.locator("#lost")).to_be_visible()
        ada.locator(".cell.can").first.click()
        ada.locator(".cell.target").first.click()
        expect(ada.locator("#moves li")).to_have_count(1)
        ben.context.set_offline(False)
        ben.locator(".status .mine").wait_for()
        expect(ben.locator("#lost")).to_be_hidden()
        expect(ben.locator("#moves li")).to_have_count(1)
        ben.locator(".cell.can").first.tap()
        ben.locator(".cell.target").first.tap()
        expect(ada.locator("#moves li")).to_have_count(2)
        ada.locator(".status .mine").wait_for()

        for page in pages:
            assert "Your move" in page.result(PATIENCE)
    ben.complaints.clear()  # A browser without a network says so in its console.


def until(client: Any, table: str, plies: int) -> None:
    """Wait until the page of this pupil says that they are to move after so many plies."""
    first_message(client, f"{table}/events", f'"ply":{plies},"mine":true', seconds=PATIENCE)


def move(client: Any, table: str, ply: int) -> None:
    """Play the move that the page names as an example, or the first legal one of the second player."""
    until(client, table, ply)
    found = re.search(r'name="text"[^>]*placeholder="([^"]+)"', client.get(table).text)
    assert found is not None
    text = found[1] if ply == 0 else mirrored(found[1])
    answer = client.post(f"{table}/move", data={"ply": str(ply), "text": text}, headers={"accept": "application/json"})
    assert answer.json() == {"ok": True}, urlsplit(table).path


def mirrored(move: str) -> str:
    """The same move on the other side: the start is a mirror of itself."""
    return re.sub(
        r"([a-h])([1-8])", lambda square: "hgfedcba"["abcdefgh".index(square[1])] + str(9 - int(square[2])), move
    )
