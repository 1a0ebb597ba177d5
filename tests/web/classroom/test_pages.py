"""The pages of a class for those who are not allowed in, for strange input, and in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter.game import Team
from spielleiter.server import MasterSettings
from spielleiter.web.classroom.book import ClassSettings
from spielleiter.web.server import WebSettings
from tests.support.event_streams import first_message
from tests.support.noted_games import THOUGHTS, noted
from tests.support.waiting import wait_until
from tests.support.web_games import almost_won
from tests.web.conftest import Site, serve_site
from tests.web.test_german import leftovers

GAME = "ostseeschach-2022"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = ClassSettings(folder=tmp_path_factory.mktemp("lesson") / "class", game=GAME)
    master = MasterSettings(port=0, records=settings.records)
    with contextmanager(serve_site)(WebSettings(port=0, master=master, classroom=settings), settings.records) as site:
        yield site


@contextmanager
def device(site: Site, language: str = "de") -> Iterator[Any]:
    alone = httpx.Limits(max_keepalive_connections=0)  # The server closes what is idle, perhaps just then.
    with httpx.Client(base_url=site.base, headers={"accept-language": language}, limits=alone) as client:
        yield client


def code(site: Site) -> str:
    classroom = site.web_app.classroom
    assert classroom is not None
    return classroom.state.code


def join(client: Any, site: Site, name: str) -> Any:
    client.get("/join")
    return client.post("/join", data={"code": code(site), "name": name})


@pytest.fixture(scope="module")
def host(lesson: Site) -> Iterator[Any]:
    with device(lesson) as client:
        client.get(lesson.running.address("/class/host"))
        yield client


@pytest.fixture(scope="module")
def ada(lesson: Site) -> Iterator[Any]:
    with device(lesson) as client:
        assert join(client, lesson, "Ada").status_code == 303
        yield client


def test_without_a_seat_every_page_but_the_rules_leads_to_the_entrance(lesson: Site) -> None:
    with device(lesson) as stranger:
        for path in ("/", "/class", "/watch", "/puzzles", "/class/position", "/projector", "/class/result"):
            assert stranger.get(path).headers["location"] == "/join", path
        assert stranger.get(f"/learn/{GAME}").status_code == 200
        for path in ("/tables", "/class/player", "/class/host/pair", "/class/position/move"):
            assert stranger.post(path, data={}).status_code == 403, path
        assert code(lesson) not in stranger.get("/join").text


def test_a_wrong_code_in_a_link_counts_as_one_that_was_typed(lesson: Site) -> None:
    with device(lesson) as stranger:
        assert "Diesen Code gibt es nicht" in stranger.get("/join", params={"code": "WRONG"}).text
        assert "Platz nehmen" in stranger.get("/join", params={"code": code(lesson)}).text


def test_somebody_with_a_seat_is_not_the_host(lesson: Site, ada: Any) -> None:
    for path in ("/class/host", "/class/host/people/1", "/class/host/tournament", "/class/result/1"):
        assert ada.get(path).status_code == 403, path
    for path in ("/class/host/new-code", "/class/host/people/1/remove", "/class/host/task"):
        assert ada.post(path, data={}).status_code == 403, path


def test_a_browser_without_cookies_is_told_so(lesson: Site) -> None:
    answer = httpx.post(
        f"{lesson.base}/join", data={"code": code(lesson), "name": "Eve"}, headers={"accept-language": "de"}
    )
    assert answer.status_code == 400
    assert "keine Cookies" in answer.text


@pytest.mark.parametrize("name", ["x" * 500, "<script>alert(1)</script>", "A\u202eda", "a\x00b", ""])
def test_a_strange_name_is_refused_on_the_form_and_never_shown_raw(lesson: Site, host: Any, name: str) -> None:
    with device(lesson) as client:
        answer = join(client, lesson, name)
        assert answer.status_code == 409
        assert "Ein Name" in answer.text or "Gib deinen Namen ein" in answer.text
        assert "<script>alert" not in answer.text
    assert "<script>alert" not in host.get("/class/host").text


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("task", {}), ("task", {"kind": "lesson", "exercise": "99"}), ("task", {"kind": "lesson", "exercise": "x"}),
        ("task", {"kind": "position", "position": "no position"}), ("task", {"kind": "level", "level": "level99"}),
        ("task", {"kind": "player", "minutes": "100000"}), ("task", {"kind": "player", "minutes": "-1"}),
        ("task", {"kind": "player", "game": "chess"}), ("decide", {"pair": "0", "points": "1"}),
        ("decide", {"pair": "x" * 99, "points": "7"}), ("pair", {}), ("tournament", {"minutes": "0"}),
        ("tournament", {"minutes": "20"}), ("screen", {"scene": "the moon"}), ("add-name", {"name": "<b>"}),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_with_a_sentence(host: Any, action: str, form: dict[str, str]) -> None:
    answer = host.post(f"/class/host/{action}", data=form)
    assert answer.status_code == 409, answer.text
    assert leftovers(answer.text) == []


def test_unknown_people_and_buttons_are_not_there(host: Any) -> None:
    assert host.get("/class/host/people/999").status_code == 404
    assert host.post("/class/host/people/999/remove").status_code == 409
    assert host.post("/class/host/people/1/bite").status_code == 404
    assert host.post("/class/host/explode").status_code == 404


def test_german_pages_have_no_english_left_over(lesson: Site, host: Any, ada: Any) -> None:
    with device(lesson) as ben:
        join(ben, lesson, "Ben")
        for form in (
            {"kind": "lesson", "exercise": "2", "minutes": "3"},
            {"kind": "level", "level": "level2"},
            {"kind": "position"},
        ):
            assert host.post("/class/host/task", data=form).status_code == 303
            for client, path in ((host, "/class/host"), (host, "/projector"), (ada, "/class")):
                assert leftovers(client.get(path).text) == [], (form, path)
        assert leftovers(ada.get("/class/position").text) == []
        host.post("/class/host/pair")
        paths = (
            "/class/host",
            "/projector",
            "/class/result/table",
            "/class/host/people/1",
            "/class/host/tournament?minutes=20",
        )
        for path in paths:
            assert leftovers(host.get(path).text) == [], path
        for path in ("/class", "/join"):
            assert leftovers(ada.get(path, follow_redirects=True).text) == []
        assert leftovers(ada.get("/class/result").text) == []


def test_an_answer_counts_until_the_host_ends_the_task(ada: Any, host: Any) -> None:
    found = re.search(r'name="text"[^>]*placeholder="([^"]+)"', ada.get("/class/position").text)
    assert found is not None
    wrong = ada.post("/class/position/move", data={"picks": "9,9 9,9"}, headers={"accept": "application/json"})
    assert wrong.json()["ok"] is False
    right = ada.post("/class/position/move", data={"text": found[1]}, headers={"accept": "application/json"})
    assert right.json()["ok"], right.text
    assert "Die Zeit für diese Aufgabe ist um" not in ada.get("/class/position").text
    host.post("/class/host/end-task")
    assert "Die Zeit für diese Aufgabe ist um" in ada.get("/class/position").text
    seen = first_message(ada, "/class/bar/events?at=/class/position", "position-over")
    assert "Die Zeit für diese Aufgabe ist um" in seen, "who has the page open learns it, too"
    late = ada.post("/class/position/move", data={"text": found[1]}, headers={"accept": "application/json"})
    assert late.json() == {"ok": False, "text": "Die Zeit für diese Aufgabe ist um."}


def test_a_level_that_is_beaten_is_seen_by_the_host(lesson: Site, ada: Any, host: Any) -> None:
    game, start, move = almost_won(GAME)
    form = {"kind1": "person", "name1": "Ada", "kind2": "built-in", "level2": "level2"}
    form["position"] = game.notation.format_state(start)
    host.post("/class/host/task", data={"kind": "level", "level": "level1"})
    table = ada.post("/tables", data=form).headers["location"]
    first_message(ada, f"{table}/events", '"ply":0,"mine":true')
    played = ada.post(f"{table}/move", data={"ply": "0", "text": game.notation.format_move(start, move)})
    assert played.status_code == 303, played.text
    wait_until(lambda: "1 von" in host.get("/class/host").text)
    assert "✓ geschafft" in ada.get("/class").text, "a stronger one counts, too"


def test_in_a_class_nobody_takes_a_seat_at_a_table_under_another_name(lesson: Site, ada: Any) -> None:
    with device(lesson) as cem:
        join(cem, lesson, "Cem")
        table = ada.post("/tables", data={"kind1": "person", "kind2": "friend", "game": GAME}).headers["location"]
        invitation = re.search(r"/invite/[\w-]+", ada.get(table).text)
        assert invitation is not None
        assert 'name="name"' not in cem.get(invitation[0]).text
        cem.post(invitation[0], data={"name": "Frau Sommer"})
        found = lesson.web_app.tables.get(table.rpartition("/")[2])
        assert found is not None
        assert found.seats[1].name == "Cem"


def test_pages_without_a_class_have_none(site: Site) -> None:
    for path in ("/join", "/class", "/class/host", "/class/result"):
        answer = httpx.get(site.base + path)
        assert answer.status_code == 404
        assert "spielleiter class" in answer.text


def test_in_a_class_everybody_sees_the_notes_of_their_own_player_alone(
    lesson: Site, ada: Any, host: Any, tmp_path: Path
) -> None:
    key = lesson.web_app.library.open(noted(tmp_path, ("Ada", "Nils"))).key
    with device(lesson) as nils, device(lesson) as pia:
        for client, name in ((nils, "Nils"), (pia, "Pia")):
            assert join(client, lesson, name).status_code == 303
        seen = {ada: {Team.ONE}, nils: {Team.TWO}, pia: set(), host: {Team.ONE, Team.TWO}}
        for client, teams in seen.items():
            text = client.get(f"/replay/{key}/download/record").text
            assert {team for team, thought in THOUGHTS.items() if thought in text} == teams
