"""Who may do what, and what nobody may: every page for every role, headers, hosts, origins, sizes, paths, names."""

from __future__ import annotations

import gzip
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter import games
from spielleiter.web import guard
from spielleiter.web.app import PAGES
from spielleiter.web.guard import Keys, Role
from tests.support.web_games import open_to_client
from tests.web.conftest import Site

pytestmark = pytest.mark.slow

RIGHTS = {
    "GET /": Role.GUEST,
    "GET /tables/new": Role.GUEST,
    "POST /tables": Role.GUEST,
    "GET /play": Role.GUEST,
    "GET /contest/new": Role.HOST,
    "POST /contest/new": Role.HOST,
    "GET /table/{key}/better": Role.GUEST,
    "GET /table/{key}/better/try": Role.GUEST,
    "POST /table/{key}/better/move": Role.GUEST,
    "GET /lobby": Role.GUEST,
    "GET /lobby/events": Role.GUEST,
    "POST /lobby": Role.GUEST,
    "POST /lobby/{key}/accept": Role.GUEST,
    "POST /lobby/handle/{action}": Role.GUEST,
    "GET /invite/{token}": Role.GUEST,
    "POST /invite/{token}": Role.GUEST,
    "GET /learn": Role.STRANGER,
    "GET /learn/{game}": Role.STRANGER,
    "GET /learn/{game}/{number:int}": Role.STRANGER,
    "POST /learn/{game}/{number:int}/move": Role.STRANGER,
    "GET /learn/{game}/{number:int}/try": Role.STRANGER,
    "GET /puzzles": Role.GUEST,
    "GET /puzzles/daily": Role.GUEST,
    "GET /puzzles/next": Role.GUEST,
    "GET /puzzles/{id}": Role.GUEST,
    "POST /puzzles/{id}/move": Role.GUEST,
    "GET /puzzles/{id}/try": Role.GUEST,
    "GET /puzzles/{id}/solution/{ply:int}": Role.GUEST,
    "GET /puzzles/{id}/{line}": Role.GUEST,
    "GET /language/{language}": Role.STRANGER,
    "GET /workshop": Role.STRANGER,
    "GET /workshop/{game}": Role.STRANGER,
    "GET /workshop/files/{version}/{name}": Role.STRANGER,
    "GET /join": Role.STRANGER,
    "POST /join": Role.STRANGER,
    "GET /class": Role.GUEST,
    "GET /class/events": Role.GUEST,
    "GET /class/bar/events": Role.GUEST,
    "GET /class/game": Role.GUEST,
    "GET /class/position": Role.GUEST,
    "GET /class/position/try": Role.GUEST,
    "POST /class/position/move": Role.GUEST,
    "POST /class/player": Role.GUEST,
    "GET /class/result": Role.GUEST,
    "GET /class/result/events": Role.GUEST,
    "GET /class/result/table": Role.GUEST,
    "GET /class/result/game/{game}": Role.GUEST,
    "GET /class/result/{id:int}": Role.HOST,
    "GET /class/result/{id:int}/events": Role.HOST,
    "GET /class/host": Role.HOST,
    "GET /class/host/events": Role.HOST,
    "GET /class/host/tournament": Role.HOST,
    "GET /class/host/people/{id:int}": Role.HOST,
    "POST /class/host/people/{id:int}/{action}": Role.HOST,
    "POST /class/host/{action}": Role.HOST,
    "GET /lab": Role.GUEST,
    "GET /lab/events": Role.GUEST,
    "POST /lab/tests": Role.HOST,
    "GET /lab/test/{id:int}": Role.GUEST,
    "GET /lab/test/{id:int}/events": Role.GUEST,
    "GET /lab/test/{id:int}/report": Role.GUEST,
    "GET /lab/test/{id:int}/game/{game}": Role.GUEST,
    "POST /lab/test/{id:int}/{action}": Role.HOST,
    "GET /lab/player/{name}": Role.GUEST,
    "GET /table/{key}": Role.GUEST,
    "GET /table/{key}/events": Role.GUEST,
    "GET /table/{key}/try": Role.GUEST,
    "POST /table/{key}/move": Role.GUEST,
    "POST /table/{key}/{action}": Role.GUEST,
    "GET /watch": Role.GUEST,
    "GET /watch/events": Role.GUEST,
    "GET /watch/{room}": Role.GUEST,
    "GET /watch/{room}/events": Role.GUEST,
    "GET /watch/{room}/replay": Role.GUEST,
    "POST /watch/{room}/{action}": Role.HOST,
    "GET /projector": Role.GUEST,
    "GET /projector/events": Role.GUEST,
    "GET /phone": Role.GUEST,
    "GET /phone/events": Role.GUEST,
    "POST /phone/guess": Role.GUEST,
    "GET /organiser/remote": Role.HOST,
    "GET /organiser/remote/events": Role.HOST,
    "POST /organiser/remote/{action}": Role.HOST,
    "GET /table/{key}/ply/{ply:int}": Role.GUEST,
    "GET /watch/{room}/ply/{ply:int}": Role.GUEST,
    "GET /analysis": Role.GUEST,
    "GET /analysis/look": Role.GUEST,
    "GET /analysis/events": Role.GUEST,
    "GET /analysis/try": Role.GUEST,
    "POST /analysis/move": Role.GUEST,
    "GET /analysis/edit": Role.GUEST,
    "POST /analysis/edit": Role.GUEST,
    "GET /analysis/record": Role.GUEST,
    "GET /replay/{key}/analysis": Role.GUEST,
    "GET /replay/{key}/analysis/record": Role.GUEST,
    "GET /watch/{room}/analysis": Role.GUEST,
    "GET /watch/{room}/analysis/events": Role.GUEST,
    "GET /replays": Role.GUEST,
    "POST /replays": Role.GUEST,
    "GET /replay/{key}": Role.GUEST,
    "GET /replay/{key}/fault": Role.GUEST,
    "GET /replay/{key}/fault/log.txt": Role.GUEST,
    "GET /watch/{room}/trace": Role.HOST,
    "GET /watch/{room}/trace/events": Role.HOST,
    "GET /replay/{key}/report": Role.GUEST,
    "GET /replay/{key}/report/events": Role.GUEST,
    "GET /replay/{key}/{ply:int}": Role.GUEST,
    "GET /replay/{key}/{ply:int}/{form}": Role.GUEST,
    "GET /replay/{key}/download/{form}": Role.GUEST,
    "GET /replay/{key}/download/gif/events": Role.GUEST,
    "GET /season": Role.STRANGER,
    "GET /season/events": Role.STRANGER,
    "GET /season/phase/{id}": Role.STRANGER,
    "GET /season/bracket": Role.STRANGER,
    "GET /season/schedule": Role.STRANGER,
    "GET /season/day/{id:int}": Role.STRANGER,
    "GET /season/encounter/{id:int}": Role.STRANGER,
    "GET /season/game/{id:int}": Role.STRANGER,
    "GET /season/teams": Role.STRANGER,
    "GET /season/team/{id:int}": Role.STRANGER,
    "GET /season/rating": Role.STRANGER,
    "GET /season/rulings": Role.STRANGER,
    "GET /season/news": Role.STRANGER,
    "GET /season/news.atom": Role.STRANGER,
    "GET /season/calendar.ics": Role.STRANGER,
    "GET /season/game/{id:int}.png": Role.STRANGER,
    "GET /season/team/{id:int}.png": Role.STRANGER,
    "GET /embed/game/{id:int}": Role.STRANGER,
}
"""Who may open each page. A new page must be entered here by somebody who has thought about it."""


def test_every_page_is_in_the_table_of_rights() -> None:
    assert {f"{page.method} {page.path}" for page in PAGES if not page.access.uses_session} == set(RIGHTS)


@pytest.fixture
def clients(school: Site) -> Iterator[dict[Role, Any]]:
    made = {}
    for role, key in ((Role.STRANGER, "wrong"), (Role.GUEST, "guest-key"), (Role.HOST, "host-key")):
        client = httpx.Client(base_url=school.base)
        client.cookies.set(guard.COOKIE, key)
        made[role] = client
    yield made
    for client in made.values():
        client.close()


@pytest.mark.parametrize("page", RIGHTS)
def test_a_page_opens_for_those_who_may_and_for_nobody_else(clients: dict[Role, Any], page: str) -> None:
    method, path = page.split(" ")
    address = (
        path.replace("{key}", "nothing").replace("{room}", "nothing").replace("{ply:int}", "0")
        .replace("{language}", "de").replace("{action}", "pause").replace("{form}", "svg")
        .replace("{id:int}", "1").replace("{id}", "championship")
    )  # fmt: skip
    if address.endswith("/events") and "nothing" not in address:  # These never end.
        for role, client in clients.items():
            with client.stream(method, address) as answer:
                assert (answer.status_code == 403) == (role < RIGHTS[page])
        return
    for role, client in clients.items():
        answer = client.request(method, address)
        assert (answer.status_code == 403) == (role < RIGHTS[page]), role


def test_an_absurd_number_in_an_address_is_not_found(site: Site) -> None:
    paths = [page.path for page in PAGES if ":int}" in page.path and page.method == "GET"]
    assert len(paths) > 10
    for path in paths:
        for number in ("9" * 19, "9" * 5000):
            filled = re.sub(r"\{\w+\}", "piranhas-2026", re.sub(r"\{\w+:int\}", number, path))
            assert httpx.get(f"{site.base}{filled}").status_code == 404, path


def test_without_any_key_nothing_opens(school: Site) -> None:
    with httpx.Client(base_url=school.base) as client:
        answer = client.get("/")
        assert answer.status_code == 403
        assert "key" in answer.text


def test_a_key_in_the_address_becomes_a_cookie_and_leaves_the_address(school: Site) -> None:
    with httpx.Client(base_url=school.base) as client:
        answer = client.get("/watch", params={"key": "guest-key", "flip": "1"})
        assert answer.status_code == 303
        assert answer.headers["location"] == "/watch?flip=1"
        assert "httponly" in answer.headers["set-cookie"].lower()
        assert client.get("/watch").status_code == 200
    again = httpx.get(school.base + "//evil.example/?key=guest-key")
    assert again.headers["location"] == "/evil.example/"


def test_a_guest_cannot_start_programs(clients: dict[Role, Any]) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "path1": "/bin/true", "kind2": "person"}
    answer = clients[Role.GUEST].post("/tables", data=form)
    assert answer.status_code == 400
    assert "Only the host" in answer.text
    assert "/bin/true" not in clients[Role.GUEST].get("/").text
    assert 'value="program"' not in clients[Role.GUEST].get("/tables/new").text
    assert 'value="program"' in clients[Role.HOST].get("/tables/new").text


def test_keys_are_random_and_not_shown() -> None:
    one, two = Keys(), Keys()
    assert one.host != two.host
    assert len(one.guest) >= 16
    assert one.host not in repr(one)
    assert one.role("") is Role.STRANGER


# --- headers, hosts, origins ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/watch", "/no-such-page", "/boards.css", "/replays"])
def test_every_answer_has_the_strict_headers(site: Site, path: str) -> None:
    answer = httpx.get(site.base + path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/", "/watch", "/replays"])
def test_no_page_needs_what_the_policy_forbids(site: Site, path: str) -> None:
    text = httpx.get(site.base + path).text
    for forbidden in (" style=", "<style", "onclick=", "javascript:", "http://cdn", "https://"):
        assert forbidden not in text


def test_a_foreign_host_name_is_refused_on_loopback(site: Site) -> None:
    answer = httpx.get(site.base + "/", headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert httpx.get(site.base + "/", headers={"host": f"localhost:{site.running.port}"}).status_code == 200


def test_with_a_public_url_no_other_host_is_answered(serve: Callable[..., Site]) -> None:
    site = serve(public_url="https://contest.example")
    for host in ("evil.example", "contest.example.evil.example", "evil.example:x@contest.example", "evil@127.0.0.1"):
        answer = httpx.get(site.base + "/contest/login/", headers={"host": host})
        assert answer.status_code == 421, host
        assert "location" not in answer.headers
        assert "https://contest.example" in answer.text
    for host in ("contest.example", "Contest.Example:443", f"127.0.0.1:{site.running.port}"):
        assert httpx.get(site.base + "/contest/login", headers={"host": host}).status_code != 421, host


def test_a_redirect_never_leads_to_the_host_of_the_request(school: Site) -> None:
    for path, where in {
        "/contest/login/": "/contest/login",
        "/contest/login//?next=/a": "/contest/login?next=/a",
        "//evil.example/?key=guest-key": "/evil.example/",
        "/%3F/?key=guest-key": "/%3F/",
    }.items():
        answer = httpx.get(school.base + path, headers={"host": "evil.example"})
        assert answer.headers["location"] == where
    for path in ("//evil.example//", "/nothing/"):
        assert httpx.get(school.base + path, headers={"host": "evil.example"}).status_code == 404


@pytest.mark.parametrize("host", [b"[", b"[::1", b"]:80", b"localhost:x", b"", b"\xff"])
def test_a_host_that_makes_no_sense_is_refused_and_breaks_nothing(site: Site, host: bytes) -> None:
    with socket.create_connection(("127.0.0.1", site.running.port), timeout=60) as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")
        assert sock.recv(1000).split()[1] in (b"421", b"400", b"200")
    assert httpx.post(site.base + "/tables", headers={"origin": "http://["}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_a_form_on_a_foreign_page_starts_nothing(site: Site, headers: dict[str, str]) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "path1": "/bin/true", "kind2": "person"}
    assert httpx.post(site.base + "/tables", data=form, headers=headers).status_code == 403


# --- sizes, paths, names ----------------------------------------------------------------------------------------------


def test_a_huge_upload_is_refused_before_it_is_read(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.running.port), timeout=60) as sock:
        sock.sendall(b"POST /replays HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1099511627776\r\n\r\n")
        assert sock.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_body_of_which_nobody_said_how_long_it_is_is_refused_as_soon_as_it_is_too_large(site: Site) -> None:
    head = b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    with socket.create_connection(("127.0.0.1", site.running.port), timeout=60) as sock:
        sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(64):
            sock.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")
        sock.sendall(b"1\r\nx\r\n")  # It does not end here.
        assert sock.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_only_some_files_may_be_on_their_way_at_once_and_the_next_waits_for_its_turn(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "UPLOAD_PATIENCE", 0.2)
    begun = b"POST /replays HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    waiting = [socket.create_connection(("127.0.0.1", site.running.port), timeout=60) for _ in range(8)]
    try:
        for sock in waiting:
            sock.sendall(begun + b"Content-Length: 1000\r\n\r\n--x\r\n")
        answers = [httpx.post(site.base + "/replays", files={"file": ("x", b"x")}).status_code for _ in range(3)]
        assert 503 in answers
        monkeypatch.setattr(guard, "UPLOAD_PATIENCE", 30.0)
        with ThreadPoolExecutor() as threads:
            turn = threads.submit(httpx.post, site.base + "/replays", files={"file": ("x", b"x")})
            for sock in waiting:
                sock.close()
            assert turn.result().status_code == 422
    finally:
        for sock in waiting:
            sock.close()


def test_thirty_visitors_behind_one_address_start_a_game_at_once(serve: Callable[..., Site]) -> None:
    base = serve().base
    form = {"game": "ostseeschach-2022", "kind1": "person", "kind2": "person"}
    nothing = {"upload1": ("", b""), "upload2": ("", b"")}  # As a browser sends them if nobody has chosen a file.

    def start(number: int) -> int:
        answer = httpx.post(base + "/tables", data={**form, "name1": str(number)}, files=nothing)
        return int(answer.status_code)

    with ThreadPoolExecutor(30) as threads:
        assert list(threads.map(start, range(30))) == [303] * 30


def test_a_bomb_of_zeros_is_refused(site: Site) -> None:
    bomb = gzip.compress(b"\0" * (40 << 20))
    assert len(bomb) < 1 << 20
    answer = httpx.post(site.base + "/replays", files={"file": ("bomb.jsonl.gz", bomb)})
    assert answer.status_code == 422
    assert "32 MiB" in answer.text


@pytest.mark.parametrize(
    "key", ["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "....//etc/passwd", "x.jsonl", "%00.jsonl"]
)
def test_no_key_leads_out_of_the_folder_of_records(site: Site, key: str) -> None:
    (site.records.parent / "outside.jsonl").write_text("secret")
    for path in (f"/replay/{key}", f"/replay/..%2foutside.jsonl/{key}", f"/static/x/{key}", f"/static/{key}"):
        answer = httpx.get(site.base + path)
        assert answer.status_code in (404, 405)
        assert "secret" not in answer.text
        assert "root:" not in answer.text


def test_a_link_in_the_folder_of_records_is_not_followed(site: Site) -> None:
    outside = site.records.parent / "outside.jsonl"
    outside.write_text("secret")
    link = site.records / "link.jsonl"
    link.symlink_to(outside)
    try:
        assert httpx.get(site.base + "/replay/link.jsonl").status_code == 404
    finally:
        link.unlink()


def test_an_uploaded_program_keeps_only_a_harmless_name(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "kind2": "person"}
    name = "../../../tmp/$(touch evil).py"
    answer = httpx.post(site.base + "/tables", data=form, files={"upload1": (name, b"print('hello')")})
    assert answer.status_code == 303
    table = site.web_app.tables.get(answer.headers["location"].split("/")[-1])
    assert table is not None
    path = table.seats[0].what
    assert table.seats[0].upload == Path(path).parent
    assert path.startswith(str(site.web_app.uploads))
    assert path.endswith("touch_evil_.py")
    site.do(lambda: site.web_app.tables.close(table))
    assert not Path(path).exists()


def test_of_a_form_that_is_refused_no_upload_stays(site: Site) -> None:
    assert site.web_app.uploads is not None
    form = {"game": "piranhas-2026", "kind1": "program", "kind2": "built-in", "level2": "god"}
    answer = httpx.post(site.base + "/tables", data=form, files={"upload1": ("a.py", b"print('hello')")})
    assert answer.status_code == 400
    assert list(site.web_app.uploads.iterdir()) == []


def test_only_programs_that_we_can_start_are_taken(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "kind2": "person"}
    answer = httpx.post(site.base + "/tables", data=form, files={"upload1": ("virus.exe", b"MZ")})
    assert answer.status_code == 400
    assert ".py" in answer.text


NAME = "<script>alert(1)</script>\"'&"


def test_names_are_escaped_everywhere(site: Site) -> None:
    game = games.load("ostseeschach-2022")
    table, client = open_to_client(site, game, NAME, game.new_state(Random(0)))
    room = table.room.room_id
    pages = [f"/table/{table.key}", f"/watch/{room}", "/watch"]
    texts = [httpx.get(site.base + path).text for path in pages]

    async def leave() -> None:
        await client.close()
        await table.room.ended

    site.do(leave)
    key = site.web_app.library.of_room(room)
    texts += [httpx.get(f"{site.base}/replay/{key}{path}").text for path in ("", "/fault", "/report", "/0")]
    for text in texts:
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text
    site.do(lambda: site.web_app.tables.close(table))


def test_the_language_link_leads_only_back_here(site: Site) -> None:
    for back in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)", "/a?\r\nx: y"):
        answer = httpx.get(site.base + "/language/de", params={"back": back})
        assert answer.headers["location"] == "/"
    for back in ("/watch", "/watch/x?flip=1", "/?position=piranhas-2026%20x"):
        assert httpx.get(site.base + "/language/de", params={"back": back}).headers["location"] == back
    refused = httpx.post(site.base + "/tables", data={"game": "halma-1999"})
    assert refused.status_code == 400
    assert "back=/tables" not in refused.text
