"""The analysis board without a browser: what it shows, refuses, and hands out."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
from spielleiter import games
from spielleiter.records.reader import parse_record
from tests.support.event_streams import messages
from tests.support.web_games import almost_won, open_table, post, resigned_game
from tests.web.conftest import Site

GAME = games.load("piranhas-2026")
START = GAME.new_state(Random(3))
POSITION = GAME.notation.format_state(START)
MOVE = GAME.notation.format_move(START, START.legal_moves()[0])


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    return resigned_game(site, "piranhas-2026", 6)


def get(site: Site, path: str, **params: Any) -> Any:
    return httpx.get(site.base + path, params=params, headers={"accept-language": "en"})


def test_every_game_has_an_analysis_board(site: Site) -> None:
    for key in games.all_games():
        answer = get(site, "/analysis", game=key)
        assert answer.status_code == 200
        assert games.load(key).title.en in answer.text


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("piranhas-2026 nonsense", "expected"),
        ("halma-1999 x", "no game called"),
        ("ostseeschach-2022 mmm5/8/8/8/8/8/8/RMSHHSMR 0-0 0", "has only two pieces"),
    ],
)
def test_a_position_that_the_rules_forbid_is_explained(site: Site, position: str, why: str) -> None:
    answer = get(site, "/analysis", position=position)
    assert answer.status_code == 400
    assert "Not a valid position" in answer.text
    assert why in answer.text


def test_a_position_of_another_season_changes_the_board_and_says_so(site: Site) -> None:
    answer = get(site, "/analysis", position=POSITION, game="blokus-2027")
    assert "not from blokus-2027; the board was changed" in answer.text
    assert "board was changed" not in get(site, "/analysis", position=POSITION, game=GAME.key).text


@pytest.mark.parametrize(
    ("tree", "why"),
    [("0:", "is the link complete"), ("9:A1-A2", "begins after move 9"), ("0:J9-A0", "Variation 1, move 1")],
)
def test_a_link_with_impossible_variations_is_explained(site: Site, tree: str, why: str) -> None:
    answer = get(site, "/analysis", position=POSITION, tree=tree)
    assert answer.status_code == 400
    assert "do not fit the game" in answer.text
    assert why in answer.text


def test_a_move_on_the_board_answers_with_the_next_position_or_the_rule(site: Site) -> None:
    moved = post(site, "/analysis/move", position=POSITION, moves="", text=MOVE).json()
    assert moved["ok"]
    assert moved["update"]["moved"] == MOVE
    assert moved["update"]["play"]["position"]["moves"] == MOVE
    assert moved["update"]["notation"] == GAME.notation.format_state(START.play(START.legal_moves()[0]))
    refused = post(site, "/analysis/move", position=POSITION, moves="", picks="0,0 5,5").json()
    assert not refused["ok"]
    assert refused["text"]
    assert not post(site, "/analysis/move", position="x", text=MOVE).json()["ok"]


def test_a_finished_game_takes_no_more_moves(site: Site) -> None:
    game, state, move = almost_won("piranhas-2026")
    after = state.play(move)
    while after.outcome is None:
        after = after.play(after.legal_moves()[0])
    position = game.notation.format_state(after)
    found = post(site, "/analysis/move", position=position, moves="", picks="0,1 1,1").json()
    assert not found["ok"]
    assert "over" in found["text"].lower() or "vorbei" in found["text"].lower() or "zu Ende" in found["text"]


def _depth(message: dict[str, Any]) -> int:
    found = re.search(r"(?:depth|Tiefe) (\d+)", message["parts"]["engine"])
    return 0 if found is None else int(found[1])


def test_the_engine_shows_three_lines_and_goes_on(site: Site) -> None:
    if site.web_app.analyst.why_unavailable(GAME) is not None:
        pytest.skip("the native engine is not built")
    depths: list[int] = []
    with httpx.stream("GET", f"{site.base}/analysis/events", params={"position": POSITION}) as stream:
        for message in messages(stream):
            if (depth := _depth(message)) and not depths:
                assert message["parts"]["lines"].count("<li>") == 3
                assert message["parts"]["board"].count('opacity="0.85"') == 3  # An arrow for each line.
                assert 'class="chances"' in message["parts"]["evaluation"]
            depths += [depth] if depth else []
            if len(set(depths)) >= 3:
                break
    assert depths == sorted(depths)  # How soon the first one is there is measured by bench/analysis.py.


def test_nobody_analyses_a_game_that_a_person_plays(site: Site) -> None:
    table = open_table(site)
    room = table.room.room_id
    for address in ("analysis", "analysis/events"):
        refused = get(site, f"/watch/{room}/{address}")
        assert refused.status_code == 403
        assert "as soon as it is over" in refused.text
    assert "/analysis" not in get(site, f"/watch/{room}").text.split("<main")[1]
    site.do(lambda: site.web_app.tables.resign(table))
    assert get(site, f"/watch/{room}/analysis").status_code == 200
    with httpx.stream("GET", f"{site.base}/watch/{room}/analysis/events") as stream:
        assert next(messages(stream))["played"] == []
    site.do(lambda: site.web_app.tables.close(table))


def test_a_recorded_game_is_saved_with_its_variations_and_opens_with_them(site: Site, finished: str) -> None:
    record = parse_record((site.records / finished).read_bytes())
    played = next(iter(record.states))
    other = next(
        GAME.notation.format_move(played, move)
        for move in played.legal_moves()
        if GAME.notation.format_move(played, move) != record.moves[0].text
    )
    answer = get(site, f"/replay/{finished}/analysis/record", tree=f"0:{other}")
    again = parse_record(answer.content)
    assert [each.moves for each in again.variations] == [(other,)]
    assert again.moves == record.moves
    opened = httpx.post(f"{site.base}/replays", files={"file": ("a.jsonl", answer.content)}, follow_redirects=False)
    address = opened.headers["location"]
    assert "(1 variations)" in get(site, address).text
    page = get(site, f"{address}/analysis").text
    data = json.loads(page.split('id="analysis-data">')[1].split("</script>")[0])
    assert data["variations"] == [[0, [other]]]


def test_a_position_without_a_game_is_saved_with_its_variations(site: Site) -> None:
    record = parse_record(get(site, "/analysis/record", position=POSITION, tree=f"0:{MOVE}").content)
    assert (record.start, [each.moves for each in record.variations]) == (POSITION, [(MOVE,)])


def test_a_link_leads_to_the_place_in_the_tree_that_it_names(site: Site) -> None:
    page = get(site, "/analysis", position=POSITION, tree=f"0:{MOVE}", at="0.1").text
    data = json.loads(page.split('id="analysis-data">')[1].split("</script>")[0])
    assert (data["line"], data["count"]) == (0, 1)
    assert GAME.notation.format_state(START.play(START.legal_moves()[0])) in page
    for nonsense in ("9" * 5000, "0." + "9" * 5000, "x.y", "²"):
        assert get(site, "/analysis", position=POSITION, tree=f"0:{MOVE}", at=nonsense).status_code == 200
