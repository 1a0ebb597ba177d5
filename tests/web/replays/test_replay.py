"""Recorded games: open, walk through, take home."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.records.load import open_any
from spielleiter.web.replays import library
from spielleiter.web.replays.replay import time_bars
from tests.support.event_streams import messages
from tests.support.web_games import move_first, open_table, resigned_game
from tests.web.conftest import Site

REFERENCE = Path(__file__).parents[1] / "records" / "data"


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    return resigned_game(site, "ostseeschach-2022", 5)


@pytest.mark.slow
def test_a_game_can_be_taken_home_in_every_form(site: Site, finished: str, tmp_path: Path) -> None:
    base = f"{site.base}/replay/{finished}"
    original = open_any(site.records / finished)
    for form, name in (("record", "a.jsonl"), ("xml", "a.xml")):
        answer = httpx.get(f"{base}/download/{form}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]
        (tmp_path / name).write_bytes(answer.content)
        again = open_any(tmp_path / name, official=False)
        assert [move.text for move in again.moves] == [move.text for move in original.moves]
    assert httpx.get(f"{base}/3/svg").text.startswith("<svg")
    assert httpx.get(f"{base}/3/png").content.startswith(b"\x89PNG")
    assert httpx.get(f"{base}/download/gif").content.startswith(b"GIF8")
    with httpx.stream("GET", f"{base}/download/gif/events") as stream:
        ready = next(messages(stream))
    assert ready["parts"]["gif"] == "GIF"
    assert ready["download"] == f"/replay/{finished}/download/gif"
    assert httpx.get(f"{base}/download/exe").status_code == 404
    assert httpx.get(f"{base}/99").status_code == 404


def test_a_ply_has_its_own_address_and_tells_its_position(site: Site, finished: str) -> None:
    record = open_any(site.records / finished)
    states = record.states
    game = record.game
    for ply in (0, 2, 5):
        look = httpx.get(f"{site.base}/replay/{finished}/{ply}", headers={"accept": "application/json"}).json()
        assert look["notation"] == game.notation.format_state(states[ply])
        assert game.notation.format_state(states[ply]) in httpx.get(f"{site.base}/replay/{finished}/{ply}").text


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"hello", "breaks off|damaged"),
        (b'{"event":"start"}\n', "is missing"),
        (b"<protocol><room/></protocol>", "no &lt;state&gt;"),
        (b"<!DOCTYPE x><protocol>", "DOCTYPE"),
        (b"\x1f\x8bgarbage", "unpacked|cannot be read"),
    ],
)
def test_a_broken_file_gets_a_page_that_says_what_to_do(site: Site, content: bytes, word: str) -> None:
    answer = httpx.post(site.base + "/replays", files={"file": ("x.jsonl", content)})
    assert answer.status_code == 422
    assert re.search(word, answer.text)
    assert "Is the file complete?" in answer.text


def test_part_of_a_rooms_name_opens_no_record(site: Site, finished: str) -> None:
    assert httpx.get(f"{site.base}/watch/ostseeschach/replay").status_code == 404
    assert httpx.get(f"{site.base}/watch/2/replay").status_code == 404


def test_a_record_that_makes_room_while_it_is_looked_up_is_not_a_mistake(
    site: Site, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_MAX_LOADED", 1)
    data = (site.records / finished).read_bytes()
    books = library.Library(site.records)
    key, other = books.add(data, "a.jsonl").key, library.Library(None).add(data, "b.jsonl")

    class Slippery(OrderedDict[str, library.Entry]):
        def __contains__(self, key: object) -> bool:
            found = super().__contains__(key)
            rival = threading.Thread(target=books._remember, args=(other,))
            rival.start()
            rival.join(0.1)
            return found

    books._loaded = Slippery(books._loaded)
    found = books.get(key)
    assert found is not None
    assert len(found.history.plies) == 5


def test_an_upload_without_a_file_is_refused(site: Site) -> None:
    assert httpx.post(site.base + "/replays", data={"x": "1"}).status_code == 400


def test_the_list_has_games_worth_looking_at_and_one_row_for_a_game_with_take_backs(serve: Callable[..., Site]) -> None:
    site = serve()
    tables = site.web_app.tables
    left = open_table(site)
    site.do(lambda: tables.close(left))  # Without a move.
    table = open_table(site)
    for _ in range(3):
        move_first(site, table)
    for _ in range(2):  # Each opens a new room, with a record of its own.
        site.do(lambda: tables.take_back(table))
        move_first(site, table)
    site.do(lambda: tables.resign(table))
    site.do(lambda: tables.close(table))
    assert len(list(site.records.glob("*.jsonl"))) == 4
    page = httpx.get(f"{site.base}/replays", headers={"accept-language": "de"}).text
    rows = re.findall(r'<li class="card record">.*?</li>', page, re.DOTALL)
    assert len(rows) == 1
    assert "Ada – Grace" in rows[0]
    assert "· 3 Züge" in rows[0]
    assert "gewinnt" in rows[0]


def test_a_limit_that_a_person_did_not_have_is_not_that_of_the_game(site: Site, finished: str) -> None:
    history = open_any(site.records / finished)
    limits = history.game.limits
    history.limits = (limits, None)  # A program against a person.
    assert "erlaubt" not in time_bars(history, 0, "de")
    history.limits = (limits, limits)
    assert "erlaubt 2 s" in time_bars(history, 0, "de")
