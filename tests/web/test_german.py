"""No English on German pages: neither on those that show something nor on those that refuse something."""

from __future__ import annotations

import gzip
import html
import io
import re
import zipfile
from collections.abc import Iterator
from http.client import HTTPConnection
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.puzzles import all_puzzles
from spielleiter.web.play.seating import Seating, SeatKind
from tests.support.web_games import move_first, open_table, resigned_game, wrong_move
from tests.web.conftest import Site

GERMAN = {"accept-language": "de"}
_CODE = re.compile(r"<(script|style|code|pre|svg|option|kbd)\b.*?</\1>|<[^>]*hreflang=[^>]*>[^<]*</a>", re.DOTALL)
_SPOKEN = re.compile(r'(?:title|aria-label|placeholder|alt|data-(?:words|play|pause|label))="([^"]*)"')
_ENGLISH = re.compile(
    r"\b(?:the|of|is|are|not|with|without|this|that|there|from|expected|must|may|too|large|file|files|move|moves|player"
    r"|players|wins|won|lost|game|board|seat|wrong|unknown|invalid|no|only|at|by|ONE|TWO|white|yellow|green|light)\b"
)
_QUOTED = re.compile(r"„[^“]*“|'[^']*'|\S*[/\\@]\S*|spielleiter \S+")
"""What somebody has sent, addresses and commands."""
_DECIMAL_POINT = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.])")


def leftovers(page: str) -> list[str]:
    """English words and decimal points in what somebody reads or hears on a page."""
    spoken = " ".join(text for text in _SPOKEN.findall(page) if not text.startswith(("/", "http")))
    shown = re.sub(r"<[^>]+>", " ", _CODE.sub(" ", page))
    text = html.unescape(f"{shown} {spoken}")
    text = _QUOTED.sub(" ", text)
    return [
        text[max(0, m.start() - 40) : m.end() + 20] for m in (*_ENGLISH.finditer(text), *_DECIMAL_POINT.finditer(text))
    ]


@pytest.fixture(scope="module")
def table(site: Site) -> Iterator[Any]:
    opened = open_table(site)
    move_first(site, opened)
    yield opened
    site.do(lambda: site.web_app.tables.close(opened))


def test_the_finder_finds_english_words_and_decimal_points() -> None:
    assert leftovers("<p>Das ist keine Stellung: the board has ten rows</p>")
    assert leftovers('<b title="too large">x</b>')
    assert leftovers("<p>1.25 s gebraucht</p>")
    assert not leftovers("<p>1,25 s am 16.11.2026 auf 127.0.0.1</p><code>the board</code>")


def puzzle_pages() -> Iterator[str]:
    """A puzzle of each rule set, as it is asked and as it is solved."""
    for puzzle in {puzzle.game.key: puzzle for puzzle in all_puzzles().values()}.values():
        yield f"/puzzles/{puzzle.id}"
        yield f"/puzzles/{puzzle.id}/solution/0"


def german_page(site: Site, path: str) -> str:
    text: str = httpx.get(site.base + path, headers=GERMAN).text
    return text


@pytest.mark.parametrize("key", games.all_games())
def test_rules_in_german_have_no_english_left_over(site: Site, key: str) -> None:
    assert leftovers(german_page(site, f"/learn/{key}")) == []


@pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])
def test_exercises_in_german_have_no_english_left_over(site: Site, key: str) -> None:
    lesson = games.load(key).lesson
    assert lesson is not None
    for number in range(1, len(lesson().questions) + 1):
        assert leftovers(german_page(site, f"/learn/{key}/{number}?solution=1")) == []


def test_pages_in_german_have_no_english_left_over(site: Site, table: Any) -> None:
    record, fault = resigned_game(site, "ostseeschach-2022", 5), wrong_move(site)
    tables = {key: open_table(site, key) for key in ("blokus-2027", "ostseeschach-2022")}
    paths = [
        "/", "/tables/new", "/watch", f"/watch/{table.room.room_id}", f"/table/{table.key}", "/replays", "/phone",
        f"/replay/{record}", f"/replay/{record}/fault", f"/replay/{record}/report", f"/replay/{fault}/fault",
        *(f"/table/{other.key}" for other in tables.values()),
        "/learn", "/puzzles", *puzzle_pages(), "/analysis", "/analysis/edit",
    ]  # fmt: skip
    for path in paths:
        assert leftovers(german_page(site, path)) == [], path
    for other in tables.values():
        site.do(lambda other=other: site.web_app.tables.close(other))


def _zip(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "#!/bin/sh\n")
    return file.getvalue()


def _bomb() -> bytes:
    """A ZIP whose directory promises two gigabytes."""
    data = bytearray(_zip("start.sh"))
    size = data.index(b"PK\x01\x02") + 24
    data[size : size + 4] = (2_000_000_000).to_bytes(4, "little")
    return bytes(data)


PERSON = {"game": "piranhas-2026", "kind1": "person", "kind2": "person"}
PROGRAM = {**PERSON, "kind1": "program"}
BROKEN_POSITIONS = (
    "piranhas-2026 x", "piranhas-2026 nonsense 0 -", "halma-1999 x", "x", "ostseeschach-2022 8/8 0 -",
    "ostseeschach-2022",     "blokus-2027 20/20 0 PENTO_S BYRG -", "blokus-2021 y", "piranhas-2019 1 2 3 4 5",
)  # fmt: skip


@pytest.mark.parametrize("position", BROKEN_POSITIONS)
def test_a_broken_position_is_refused_in_german(site: Site, position: str) -> None:
    answer = httpx.get(site.base + "/", params={"position": position}, headers=GERMAN)
    assert answer.status_code == 400
    assert leftovers(answer.text) == []


@pytest.mark.parametrize(
    ("status", "form"),
    [
        (400, {**PERSON, "game": "halma-1999"}),
        (400, {**PERSON, "kind2": "nobody"}),
        (400, {**PERSON, "kind2": "built-in", "level2": "god"}),
        (400, {**PROGRAM, "path1": "/no/such/program.py"}),
        (400, {**PROGRAM, "path1": "/etc/passwd"}),
        (400, PROGRAM),
        (400, {f"field{number}": "x" for number in range(40)}),
    ],
)
def test_a_form_that_makes_no_sense_is_refused_in_german(site: Site, status: int, form: dict[str, str]) -> None:
    answer = httpx.post(site.base + "/tables", data=form, headers=GERMAN)
    assert answer.status_code == status
    assert leftovers(answer.text) == []


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("bomb.zip", _bomb(), "500 MB"),
        ("broken.zip", b"PK\x03\x04 this is no archive", ""),
        ("other.zip", _zip("readme.txt"), "start.sh"),
        ("picture.png", b"\x89PNG", ".py"),
    ],
)
def test_a_program_that_cannot_be_taken_is_refused_in_german(site: Site, name: str, data: bytes, says: str) -> None:
    answer = httpx.post(site.base + "/tables", data=PROGRAM, files={"upload1": (name, data)}, headers=GERMAN)
    assert answer.status_code == 400
    assert says in answer.text
    assert leftovers(answer.text) == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.jsonl", b"this is no record"),
        ("x.jsonl", b'{"format": 1}'),
        ("x.jsonl", b""),
        ("x.xml", b"<protocol><room/></protocol>"),
        ("x.xml", b"<!DOCTYPE x><protocol/>"),
        ("x.gz", b"\x1f\x8b broken"),
    ],
)
def test_a_file_that_is_not_a_record_is_refused_in_german(site: Site, name: str, data: bytes) -> None:
    answer = httpx.post(site.base + "/replays", files={"file": (name, data)}, headers=GERMAN)
    assert answer.status_code == 422
    assert leftovers(answer.text) == []


def test_a_record_that_unpacks_to_too_much_is_refused_in_german(site: Site) -> None:
    packed = gzip.compress(b"\0" * (40 << 20), compresslevel=1)
    answer = httpx.post(site.base + "/replays", files={"file": ("x.gz", packed)}, headers=GERMAN)
    assert answer.status_code == 422
    assert "größer als 32 MiB" in answer.text
    assert leftovers(answer.text) == []


def test_what_is_too_large_gets_a_page_with_the_true_limit(site: Site) -> None:
    for path, limit in (("/tables", "100 MB"), ("/table/x/move", "64 KiB")):
        connection = HTTPConnection(urlsplit(site.base).netloc)
        # What is announced is refused before it comes.
        connection.request("POST", path, headers={**GERMAN, "Content-Length": "1000000000"})
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 413
        assert f"höchstens {limit}" in text
        assert "</html>" in text
        assert leftovers(text) == []
        connection.close()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", "/no-such-page", {}),
        ("PUT", "/", {}),
        ("GET", "/table/nothing", {}),
        ("GET", "/watch/nothing", {}),
        ("GET", "/replay/nothing", {}),
        ("GET", "/invite/nothing", {}),
        ("GET", "/season", {}),
        ("GET", "/", {"host": "evil.example"}),
        ("POST", "/tables", {"origin": "https://evil.example"}),
        ("POST", "/tables", {"content-type": "multipart/form-data"}),
    ],
)
def test_refusals_of_the_server_itself_are_german_pages(
    site: Site, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = httpx.request(method, site.base + path, headers={**GERMAN, **headers})
    assert answer.status_code >= 400
    assert '<html lang="de"' in answer.text
    assert leftovers(answer.text) == []


@pytest.mark.parametrize("key", [game.key for game in games.seasons()])
def test_a_typed_move_that_is_none_is_refused_in_german(site: Site, boards: dict[str, Any], key: str) -> None:
    headers = {**GERMAN, "accept": "application/json"}
    for text in ("", "x", "A1", "A1 SIDEWAYS", "Z9-Z8", "a1 b2 c3", "PENTO_X 3,3", "MONO x,y", "PASS", "ä"):
        form = {"ply": 0, "text": text}
        answer = httpx.post(f"{site.base}/table/{boards[key].key}/move", data=form, headers=headers).json()
        assert not answer["ok"]
        assert leftovers(answer["text"]) == []


@pytest.fixture(scope="module")
def boards(site: Site) -> Iterator[dict[str, Any]]:
    opened = {game.key: open_table(site, game.key) for game in games.seasons()}
    yield opened
    for each in opened.values():
        site.do(lambda each=each: site.web_app.tables.close(each))


def test_a_player_that_left_before_the_game_is_german_too(site: Site) -> None:
    game = games.load("piranhas-2026")
    seats = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.JOINS, "Gast"))
    waiting = site.do(lambda: site.web_app.tables.open(game, seats, game.new_state(Random(1))))
    assert leftovers(httpx.get(f"{site.base}/table/{waiting.key}", headers=GERMAN).text) == []
    site.do(lambda: site.web_app.tables.close(waiting))
