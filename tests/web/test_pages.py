"""The pages without a browser: what they say, in both languages, in good and in bad cases."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections import OrderedDict
from pathlib import Path
from random import Random
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter import games
from spielleiter.game import Team
from spielleiter.pages import boards
from spielleiter.records.load import open_any
from spielleiter.web.language import preferred
from spielleiter.web.play.tables import Kind, Seating
from spielleiter.web.replays import endings, library
from spielleiter.web.replays.endings import ProgramEnd
from spielleiter.web.watch.projector import excitement, on_stage
from tests.support.web_games import wrong_move
from tests.web.conftest import Site

PERSONS = (Seating(Kind.PERSON, "Ada"), Seating(Kind.PERSON, "Grace"))
REFERENCE = Path(__file__).parents[1] / "records" / "data"


def table_of(site: Site, key: str = "piranhas-2026") -> Any:
    game = games.load(key)
    return site.open_table(game, PERSONS, game.new_state(Random(3)))


def post(site: Site, path: str, **form: Any) -> Any:
    return httpx.post(site.base + path, data=form, headers={"accept": "application/json"})


# --- languages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("fr,de;q=0.3", "de"),
        ("", "en"),
        ("de;q=x, *", "en"),
    ],
)
def test_the_browsers_language_is_spoken(header: str, language: str) -> None:
    assert preferred(header) == language


def test_a_chosen_language_stays(site: Site) -> None:
    with httpx.Client(base_url=site.base, headers={"accept-language": "en"}, follow_redirects=True) as client:
        assert "Let’s play" in client.get("/").text
        assert 'lang="de"' in client.get("/language/de").text
        assert "Los geht’s" in client.get("/").text


# --- starting ---------------------------------------------------------------------------------------------------------


def test_every_game_can_be_chosen(site: Site) -> None:
    text = httpx.get(site.base + "/").text
    for game in games.all_games().values():
        assert (f'value="{game.key}"' in text) == (not game.official)


@pytest.mark.parametrize(
    "form",
    [
        {"game": "halma-1999", "kind1": "person", "kind2": "person"},
        {"game": "piranhas-2026", "kind1": "person", "kind2": "nobody"},
        {"game": "piranhas-2026", "kind1": "person", "kind2": "built-in", "level2": "god"},
        {"game": "piranhas-2026", "kind1": "program", "path1": "/no/such/program.py", "kind2": "person"},
        {"game": "piranhas-2026", "kind1": "program", "kind2": "person"},
        {"position": "piranhas-2026 nonsense 0 -", "kind1": "person", "kind2": "person"},
    ],
)
def test_a_form_that_makes_no_sense_says_so_and_can_be_mended(site: Site, form: dict[str, str]) -> None:
    answer = httpx.post(site.base + "/tables", data=form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert 'action="/tables"' in answer.text


def test_a_broken_position_in_the_address_is_explained(site: Site) -> None:
    answer = httpx.get(site.base + "/", params={"position": "piranhas-2026 x"})
    assert answer.status_code == 400
    assert "expected" in answer.text


def test_who_joins_by_himself_is_shown_the_exact_command(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "person", "kind2": "joins", "name2": "Bot"}
    answer = httpx.post(site.base + "/tables", data=form, follow_redirects=True)
    found = re.search(r"--host (\S+) --port (\d+) --reservation ([0-9a-f-]+)", answer.text)
    assert found is not None
    assert (found[1], int(found[2])) == site.web_app.tables.address
    table = site.web_app.tables.get(str(answer.url).split("/")[-1])
    assert table is not None
    assert table.room is not None
    assert found[3] == table.room.codes[1]
    watching = httpx.get(f"{site.base}/watch/{table.room.room_id}")
    assert watching.status_code == 404
    assert watching.headers["refresh"] == "2"
    site.do(lambda: site.web_app.tables.close(table))


# --- playing ----------------------------------------------------------------------------------------------------------


def test_the_server_alone_says_what_is_legal(site: Site) -> None:
    table = table_of(site)
    path = f"/table/{table.key}"
    tried = post(site, path + "/move", ply=0, start="0,4", target="1,6").json()
    assert not tried["ok"]
    assert "straight" in tried["text"]
    tile = {"tile": "MONO", "orientation": "0", "at": "0,0"}
    for nonsense in ({"start": "x", "target": "1,1"}, tile, {}, {"ply": "x"}):
        assert post(site, path + "/move", **{"ply": 0, **nonsense}).json()["ok"] is False
    step = table.game.board_input.steps(table.start)[0]
    move = {"start": "{},{}".format(*step.start), "target": "{},{}".format(*step.target)}
    assert post(site, path + "/move", ply=0, **move).json() == {"ok": True}
    assert post(site, path + "/move", ply=0, **move).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))
    gone = httpx.get(site.base + path)
    assert gone.status_code == 404
    assert "any more" in gone.text


def test_a_ghost_is_told_why_it_does_not_fit(site: Site) -> None:
    table = table_of(site, "blokus-2027")
    name = table.start.start.name
    ask = f"{site.base}/table/{table.key}/try"
    wrong = httpx.get(ask, params={"tile": name, "orientation": 0, "at": "9,9"}).json()
    assert wrong == {"ok": False, "text": "The first piece must touch the border of the board"}
    assert httpx.get(ask, params={"tile": name, "orientation": 0, "at": "0,0"}).json()["ok"]
    assert httpx.get(ask, params={"tile": "SOFA", "orientation": 0, "at": "0,0"}).json()["ok"] is False
    assert httpx.get(ask, params={"tile": name, "orientation": 99, "at": "0,0"}).json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))


def test_squares_in_a_game_of_tiles_are_no_move(site: Site) -> None:
    table = table_of(site, "blokus-2027")
    answer = post(site, f"/table/{table.key}/move", ply=0, start="0,0", target="1,1")
    assert answer.status_code == 200
    assert answer.json()["ok"] is False
    site.do(lambda: site.web_app.tables.close(table))


def test_what_was_typed_stays_when_the_form_is_refused(site: Site) -> None:
    form = {"game": "piranhas-2026", "kind1": "program", "path1": "/no/such.py", "kind2": "person", "name2": "Zoë"}
    text = httpx.post(site.base + "/tables", data=form).text
    assert 'value="/no/such.py"' in text
    assert 'value="Zoë"' in text


def test_without_javascript_a_typed_move_is_played(site: Site) -> None:
    table = table_of(site)
    answer = httpx.post(f"{site.base}/table/{table.key}/move", data={"ply": 0, "text": "A1 RIGHT"})
    assert answer.status_code == 303
    wrong = httpx.post(f"{site.base}/table/{table.key}/move", data={"ply": 1, "text": "A1 SIDEWAYS"})
    assert wrong.status_code == 409
    assert f"/table/{table.key}" in wrong.text
    site.do(lambda: site.web_app.tables.close(table))


def test_without_an_engine_hints_say_that_it_is_missing(site: Site) -> None:
    table = table_of(site)
    if site.web_app.analyst.why_unavailable(table.game) is None:
        answer = post(site, f"/table/{table.key}/hint").json()
        assert answer["ok"]
        assert answer["text"].startswith("Hint: ")
        assert table.hint is not None
    else:
        answer = post(site, f"/table/{table.key}/hint").json()
        assert not answer["ok"]
        assert "engine" in answer["text"]
        assert "disabled" in httpx.get(f"{site.base}/table/{table.key}").text
    site.do(lambda: site.web_app.tables.close(table))


# --- live -------------------------------------------------------------------------------------------------------------


def messages(stream: Any) -> Any:
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_move_reaches_a_spectator_within_two_hundred_milliseconds(site: Site) -> None:
    table = table_of(site)
    tables = site.web_app.tables
    with httpx.stream("GET", f"{site.base}/watch/{table.room.room_id}/events", timeout=10) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        news = messages(stream)
        assert next(news)["parts"]["moves"].strip() == ""
        for ply in range(3):
            begun = time.monotonic()
            site.do(lambda ply=ply: tables.move(table, ply, lambda state: state.legal_moves()[0]))
            while len(re.findall("<li", next(news)["parts"]["moves"])) <= ply:
                pass
            assert time.monotonic() - begun < 1.0  # 200 ms on a quiet machine; see bench.
    site.do(lambda: site.web_app.tables.close(table))


def test_who_comes_late_sees_how_long_the_player_has_been_thinking(site: Site) -> None:
    table = table_of(site)
    path = f"{site.base}/watch/{table.room.room_id}/events"
    asked = []
    for _ in range(2):
        with httpx.stream("GET", path, timeout=10) as stream:
            first = next(messages(stream))
        found = re.search(r'data-asked="([0-9.]+)"', first["parts"]["players"])
        assert found is not None
        asked.append(first["now"] - float(found[1]))
    live = site.web_app.tables.live(table)
    assert live is not None
    assert asked[0] < asked[1] <= time.monotonic() - live.asked + 0.01
    site.do(lambda: site.web_app.tables.close(table))


def test_the_list_sends_only_the_boards_that_have_changed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        site.web_app.analyst, "why_unavailable", lambda game: game.title
    )  # It changes boards on its own.
    quiet, busy = table_of(site), table_of(site)
    with httpx.stream("GET", f"{site.base}/watch/events", timeout=10) as stream:
        news = messages(stream)
        first = next(news)
        card = f"card-{busy.room.room_id}"
        assert {card, f"card-{quiet.room.room_id}"} <= set(first["parts"])
        assert first["order"]["ids"][0] == card
        site.do(lambda: site.web_app.tables.move(busy, 0, lambda state: state.legal_moves()[0]))
        changed: set[str] = set()
        while card not in changed:  # Tables of other tests may still be closing.
            changed |= set(next(news)["parts"])
        assert f"card-{quiet.room.room_id}" not in changed
    for table in (quiet, busy):
        site.do(lambda table=table: site.web_app.tables.close(table))


def test_spectators_are_led_to_the_room_in_which_the_game_goes_on(site: Site) -> None:
    table = table_of(site)
    old = table.room.room_id
    site.do(lambda: site.web_app.tables.again(table))
    assert table.room.room_id != old
    assert f"/watch/{table.room.room_id}" in httpx.get(f"{site.base}/watch/{old}").text
    site.do(lambda: site.web_app.tables.close(table))


def test_a_stream_ends_with_its_table_and_says_who_gave_up(site: Site) -> None:
    table = table_of(site)
    with httpx.stream("GET", f"{site.base}/table/{table.key}/events", timeout=10) as stream:
        news = messages(stream)
        next(news)
        site.do(lambda: site.web_app.tables.resign(table))
        assert "wins: Ada gives up" in next(news)["parts"]["status"]
        site.do(lambda: site.web_app.tables.close(table))
        for _ in news:
            pass


def test_what_many_see_is_rendered_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(site)
    drawn = []
    real = boards.board
    monkeypatch.setattr(boards, "board", lambda *args, **more: drawn.append(1) or real(*args, **more))
    live = site.web_app.tables.live(table)
    assert live is not None
    from spielleiter.web.watch.watch import game_look

    def look() -> str:
        return json.dumps(game_look(site.web_app, live, "de", False))

    for _ in range(5):
        site.do(lambda: live.channel.rendered("same", look))
    once = len(drawn)
    site.do(lambda: live.channel.publish())
    site.do(lambda: live.channel.rendered("same", look))
    assert once > 0
    assert len(drawn) == 2 * once
    site.do(lambda: site.web_app.tables.close(table))


def test_the_projector_stays_with_a_game_until_another_is_clearly_more_exciting(site: Site) -> None:
    first = table_of(site)
    tables, web_app = site.web_app.tables, site.web_app

    def stage() -> str:
        live = on_stage(web_app)
        assert live is not None
        return live.room_id

    web_app.on_stage = first.room.room_id
    second = table_of(site)
    assert site.do(stage) == first.room.room_id
    for ply in range(20):
        site.do(lambda ply=ply: tables.move(second, ply, lambda state: state.legal_moves()[-1]))
    one, two = (site.web_app.tables.live(table) for table in (first, second))
    assert one is not None
    assert two is not None
    if excitement(two)[0] > excitement(one)[0] + 0.25:
        assert site.do(stage) == second.room.room_id
    site.do(lambda: tables.resign(second))
    assert site.do(stage) != second.room.room_id
    for table in (first, second):
        site.do(lambda table=table: tables.close(table))


# --- replays ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    table = table_of(site, "ostseeschach-2022")
    tables = site.web_app.tables
    for ply in range(5):
        site.do(lambda ply=ply: tables.move(table, ply, lambda state: state.legal_moves()[0]))
    room = table.room.room_id
    site.do(lambda: tables.resign(table))
    site.do(lambda: tables.close(table))
    key = site.web_app.library.of_room(room)
    assert key is not None
    return key


def test_a_game_can_be_taken_home_in_every_form(site: Site, finished: str, tmp_path: Path) -> None:
    base = f"{site.base}/replay/{finished}"
    original = open_any(site.records / finished)
    for form, name in (("record", "a.jsonl"), ("xml", "a.xml")):
        answer = httpx.get(f"{base}/download/{form}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]
        (tmp_path / name).write_bytes(answer.content)
        again = open_any(tmp_path / name, official=False)
        assert [move.move for move in again.moves] == [move.move for move in original.moves]
    assert httpx.get(f"{base}/3/svg").text.startswith("<svg")
    assert httpx.get(f"{base}/3/png").content.startswith(b"\x89PNG")
    assert httpx.get(f"{base}/download/gif", timeout=60).content.startswith(b"GIF8")
    assert httpx.get(f"{base}/download/exe").status_code == 404
    assert httpx.get(f"{base}/99").status_code == 404


def test_a_ply_has_its_own_address_and_tells_its_position(site: Site, finished: str) -> None:
    record = open_any(site.records / finished)
    states = list(record.states())
    game = record.load_game()
    for ply in (0, 2, 5):
        look = httpx.get(f"{site.base}/replay/{finished}/{ply}", headers={"accept": "application/json"}).json()
        assert look["notation"] == game.notation.format_state(states[ply])
        assert game.notation.format_state(states[ply]) in httpx.get(f"{site.base}/replay/{finished}/{ply}").text


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"hello", "breaks off|damaged"),
        (b'{"event":"start"}\n', "expected"),
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


def test_a_record_that_makes_room_while_it_is_looked_up_is_no_mistake(
    site: Site, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_MAX_LOADED", 1)
    data = (site.records / finished).read_bytes()
    books = library.Library(site.records)
    key, other = books.add(data, "a.jsonl").key, library.Library(None).add(data, "b.jsonl")

    class Slippery(OrderedDict[str, library.LoadedRecord]):
        def __contains__(self, key: object) -> bool:
            found = super().__contains__(key)
            rival = threading.Thread(target=books._remember, args=(other,))
            rival.start()
            rival.join(0.1)
            return found

    books._loaded = Slippery(books._loaded)
    found = books.get(key)
    assert found is not None
    assert found.plies == 5


def test_no_file_at_all_is_told(site: Site) -> None:
    assert httpx.post(site.base + "/replays", data={"x": "1"}).status_code == 400


def test_why_was_it_lost_answers_with_cause_board_and_command(site: Site, finished: str) -> None:
    text = httpx.get(f"{site.base}/replay/{finished}/fault").text
    assert "LEFT" in text
    assert "spielleiter show" in text
    assert "<svg" in text


def test_why_was_it_lost_shows_what_really_came_also_after_a_restart(site: Site) -> None:
    key = wrong_move(site)
    endings.keep(site.records / key, {Team.ONE: ProgramEnd(-11, 5 << 20, "", "Traceback: <b>oh no</b>")})
    text = httpx.get(f"{site.base}/replay/{key}/fault").text
    assert "RULE_VIOLATION" in text
    assert "extra colour=&#34;red&#34;" in text
    assert "<mark>" in text
    assert "SIGSEGV" in text
    assert "5.0 MiB" in text
    assert "Traceback: &lt;b&gt;oh no&lt;/b&gt;" in text
    assert "--play" in text
    for path in (site.records / key, endings.beside(site.records / key)):
        path.unlink()


def test_the_report_of_an_unfinished_game_is_begun_once(site: Site, finished: str) -> None:
    if site.web_app.analyst.why_unavailable(games.load("ostseeschach-2022")) is not None:
        pytest.skip("the native engine is not built")
    lines = (site.records / finished).read_text().splitlines(keepends=True)
    cut = site.records / "unfinished.jsonl"
    cut.write_text("".join(lines[:-1]))
    before = len(site.web_app.reports._reports)
    for _ in range(3):
        assert httpx.get(f"{site.base}/replay/unfinished.jsonl/report").status_code == 200
    assert len(site.web_app.reports._reports) == before + 1
    cut.unlink()


def test_a_report_that_fails_says_so(site: Site, finished: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if site.web_app.analyst.why_unavailable(games.load("ostseeschach-2022")) is not None:
        pytest.skip("the native engine is not built")

    async def fail(*_: Any) -> None:
        raise RuntimeError("broken")

    copy = site.records / "copy.jsonl"
    shutil.copy(site.records / finished, copy)
    monkeypatch.setattr(site.web_app.analyst, "judge_next", fail)
    path = f"{site.base}/replay/copy.jsonl/report"
    for _ in range(100):
        text = httpx.get(path, headers={"hx-request": "true"}).text
        if "failed" in text:
            break
    assert "engine failed" in text
    assert "hx-get" not in text
    copy.unlink()


def test_the_report_is_computed_in_the_background_or_says_what_is_missing(site: Site, finished: str) -> None:
    game = games.load("ostseeschach-2022")
    path = f"{site.base}/replay/{finished}/report"
    answer = httpx.get(path)
    assert answer.status_code == 200
    if site.web_app.analyst.why_unavailable(game) is not None:
        assert "native engine" in answer.text
        return
    for _ in range(200):
        text = httpx.get(path, headers={"hx-request": "true"}).text
        if "<progress" not in text:
            break
        assert 'hx-trigger="every 1s"' in text
        time.sleep(0.05)
    assert text.count("<tr") == 1 + 5

    assert "percentage points" in text
    assert 'class="chance"' in text


def test_the_dark_colors_come_from_the_pictures_themselves() -> None:
    css = boards.dark_colors()
    assert css.count("[data-game=") == len({game.key.split("-")[0] for game in games.all_games().values()})
    assert "--sl-paper:#14181d" in css
    game = games.load("piranhas-2026")
    picture = boards.board(game, game.new_state(Random(0)))
    assert "<style" not in picture
    assert "var(--sl-" in picture
